// The deployer is killed at each of its writes in turn, once before the write is done and once when only its answer is lost.
// The next process must end every job as the first one would have ended it, with both versions of Helm.
import { armDeath, deathModesAt, type Death, variantsOfRun, waitFor } from "@landscaper/testkit";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { kubeResources, type Secret } from "@landscaper/api";
import { createDeployerFixture, type DeployerFixture, type DeployerScope } from "@landscaper/deployer/testing";
import { helmVersions, type HelmVersion } from "@landscaper/helm";
import { createHelmDeployer } from "./index.ts";
import { mapChart } from "../test/helm-bench.ts";
import { helmSpec, rawChart } from "../test/index.ts";

const helmVersionAnnotation = "helm.deployer.landscaper.gardener.cloud/helm-version";

const deployer = createHelmDeployer({ version: "v0.0.0-test" });

let fixture: DeployerFixture;
beforeAll(async () => {
  fixture = await createDeployerFixture();
});
afterAll(async () => {
  await fixture.stop();
  await deployer.close();
});

const arm = (death: Death) => armDeath([fixture.hub, fixture.target], { death, userAgent: deployer.name });

type Config = Readonly<Record<string, unknown>>;

interface Scenario {
  readonly name: string;
  /** Undefined: there is no item before. */
  readonly before?: Config;
  /** Undefined: the item is deleted. */
  readonly after?: Config;
  /** What is there in the end: data of ConfigMaps, and all revisions. */
  readonly objects: readonly string[];
  readonly revisions: readonly string[];
  /** What the scenario has instead of the version of the run: of each revision, and at last in the status. */
  readonly versions?: readonly HelmVersion[];
  /** Least number of writes. Default: pickup, record, an object, the record again or another. */
  readonly writes?: number;
  /** What the job says that fails in the end. Default: it succeeds. */
  readonly failure?: string;
}

/** A scenario with the version of Helm of configurations that set none. */
interface Run extends Scenario {
  readonly helmVersion: HelmVersion;
}

const old = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: old }\n";
/** The target refuses its name. */
const refused = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: UPPER }\n";
const first = { chart: await rawChart({ ...mapChart, "templates/old.yaml": old }) };
const second = { chart: await rawChart(mapChart), values: { key: "next" } };
const manifests = { helmDeployment: false };
/** Chart whose objects differ between the versions. */
const telling = {
  chart: await rawChart({
    "templates/map.yaml":
      mapChart["templates/map.yaml"]?.replace(".Values.key", ".Capabilities.HelmVersion.Version") ?? "",
  }),
};
/** Chart whose objects are equal in both versions, and in each revision. */
const equal = { chart: await rawChart({ "templates/old.yaml": `${old}data: { key: same }\n\n\n` }) };
const hookOf = (name: string, events: string, policy: string): string => `apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}, annotations: { helm.sh/hook: "${events}", helm.sh/hook-delete-policy: "${policy}" } }
`;
const hooked = {
  chart: await rawChart({
    ...mapChart,
    "templates/before.yaml": hookOf("before", "pre-install,pre-delete", "hook-succeeded"),
    "templates/after.yaml": hookOf("after", "post-install", "before-hook-creation"),
  }),
};
const scenarios: readonly Scenario[] = [
  { name: "an install", after: first, objects: ["app-map value", "old"], revisions: ["app.v1 deployed"] },
  { name: "an install with hooks", after: hooked, objects: ["after", "app-map value"], revisions: ["app.v1 deployed"] },
  { name: "a deletion with hooks", before: hooked, objects: ["after"], revisions: [] },
  {
    name: "an upgrade",
    before: first,
    after: second,
    objects: ["app-map next"],
    revisions: ["app.v1 superseded", "app.v2 deployed"],
  },
  {
    name: "a switch of the version that changes objects",
    before: { ...telling, helmVersion: "3" },
    after: { ...telling, helmVersion: "4" },
    objects: ["app-map v4.3.1"],
    revisions: ["app.v1 superseded", "app.v2 deployed"],
    versions: ["3", "4"],
  },
  {
    name: "a switch of the version that changes no object",
    before: { ...equal, helmVersion: "4" },
    after: { ...equal, helmVersion: "3" },
    objects: ["old same"],
    revisions: ["app.v1 deployed"],
    versions: ["4"],
    writes: 2,
  },
  {
    name: "a switch of the version without a release",
    before: { ...telling, ...manifests, helmVersion: "4" },
    after: { ...telling, ...manifests, helmVersion: "3" },
    objects: ["app-map v3.22.0"],
    revisions: [],
    versions: ["3"],
  },
  {
    name: "a release that becomes manifests",
    before: first,
    after: { ...second, ...manifests },
    objects: ["app-map next"],
    revisions: [],
  },
  {
    name: "manifests that become a release",
    before: { ...first, ...manifests },
    after: second,
    objects: ["app-map next"],
    revisions: ["app.v1 deployed"],
  },
  {
    name: "another name",
    before: second,
    after: { ...second, name: "other" },
    objects: ["other-map next"],
    revisions: ["other.v1 deployed"],
  },
  {
    name: "an upgrade that is rolled back",
    before: first,
    after: {
      chart: await rawChart({ ...mapChart, "templates/z.yaml": refused }),
      helmDeploymentConfig: { upgrade: { remediation: { retries: 1 } } },
    },
    objects: ["app-map value", "old"],
    revisions: ["app.v1 superseded", "app.v2 failed", "app.v3 deployed"],
    failure: "after 2 failed attempts the release was rolled back to revision 1",
  },
  { name: "a deletion", before: first, objects: [], revisions: [] },
];

async function runProcess(work: () => Promise<void>): Promise<void> {
  const running = fixture.start({ deployer, gracefulStopMs: 20 });
  try {
    await work();
  } finally {
    await running.stop();
  }
}

async function isOver(scope: DeployerScope, { after, failure }: Scenario): Promise<boolean> {
  const found = await scope.get("item").catch(() => undefined);
  if (after === undefined) return found === undefined;
  const phase = failure === undefined ? "Succeeded" : "Failed";
  return found?.status?.phase === phase && found.status.jobID === found.status.jobIDFinished;
}

async function waitUntilOver(scope: DeployerScope, scenario: Scenario, isEnough = () => false): Promise<void> {
  await waitFor(
    async () => {
      if (isEnough() || (await isOver(scope, scenario))) return true;
      throw new Error(`not over: ${JSON.stringify((await scope.get("item")).status)}`);
    },
    { intervalMs: 10 },
  );
}

async function request(scope: DeployerScope, { before, after, helmVersion }: Run): Promise<void> {
  if (after === undefined) await scope.remove("item");
  else if (before === undefined)
    await scope.create({ name: "item", spec: helmSpec(scope.namespace, { helmVersion, ...after }) });
  else await scope.trigger("item", helmSpec(scope.namespace, { helmVersion, ...after }));
}

/** Whether the process came to the write at which it was to die. */
async function runWithDeath(scenario: Run, death: Death, namespace: string): Promise<boolean> {
  const scope = await fixture.scope(namespace);
  await scope.createTarget();
  const { before, helmVersion } = scenario;
  if (before !== undefined) {
    await runProcess(async () => {
      await scope.create({ name: "item", spec: helmSpec(namespace, { helmVersion, ...before }) });
      await scope.waitForEnd("item");
    });
  }
  const armed = arm(death);
  await runProcess(async () => {
    await request(scope, scenario);
    await waitUntilOver(scope, scenario, () => armed.hasDied);
  });
  armed.disarm();
  await runProcess(async () => waitUntilOver(scope, scenario));
  await checkEnd(scope, scenario);
  return armed.hasDied;
}

async function checkEnd(scope: DeployerScope, scenario: Run): Promise<void> {
  const { namespace } = scope;
  const { targetClient } = fixture;
  const { items: configMaps } = await targetClient.list(kubeResources.configMap, { namespace });
  const own = configMaps.filter(({ metadata }) => metadata.name !== "kube-root-ca.crt");
  const objects = own.map(({ metadata, data }) => `${metadata.name} ${data?.["key"] ?? ""}`.trim());
  expect(objects.toSorted()).toEqual(scenario.objects);
  const { revisions, versions = revisions.map(() => scenario.helmVersion) } = scenario;
  const records = await targetClient.list(kubeResources.secret, { namespace, labelSelector: "owner=helm" });
  expect(records.items.map(describeRecord).toSorted()).toEqual(
    revisions.map((revision, index) => `${revision} with Helm ${versions[index]}`),
  );
  if (scenario.after === undefined) return;
  const { status } = await scope.get("item");
  const { failure } = scenario;
  const lastError = failure === undefined ? undefined : { message: expect.stringContaining(failure) };
  const { former, helmVersion } = { ...status?.providerStatus };
  expect([status?.lastError, former, helmVersion]).toEqual([
    lastError && expect.objectContaining(lastError),
    undefined,
    versions.at(-1) ?? scenario.helmVersion,
  ]);
}

function describeRecord({ metadata: { name = "", labels, annotations } }: Secret): string {
  return `${name.replace("sh.helm.release.v1.", "")} ${labels?.["status"]} with Helm ${annotations?.[helmVersionAnnotation]}`;
}

const runs = scenarios.flatMap((scenario, index) =>
  scenario.versions === undefined
    ? variantsOfRun(helmVersions, { shift: index }).map((helmVersion) => ({ ...scenario, index, helmVersion }))
    : [{ ...scenario, index, helmVersion: "3" as const }],
);

it.each(runs)(
  "$name survives every death (default: Helm $helmVersion)",
  async ({ index, ...run }) => {
    let write = 0;
    for (let goesOn = true; goesOn; write++) {
      for (const mode of deathModesAt(write, { shift: index })) {
        goesOn = await runWithDeath(run, { write, mode }, `crash-${index}-${run.helmVersion}-${mode}-${write}`);
      }
    }
    expect(write).toBeGreaterThan(run.writes ?? 4);
  },
  240_000,
);
