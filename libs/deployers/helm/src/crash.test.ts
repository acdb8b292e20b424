// The deployer is killed at each of its writes in turn, once before the write is done and once when only its answer is lost.
// The next process has to end every job as the first one would have.
import { armDeath, deathModesAt, type Death, waitFor } from "@landscaper/testkit";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { createDeployerFixture, type DeployerFixture, type DeployerScope } from "@landscaper/deployer/testing";
import { createHelmDeployer } from "./index.ts";
import { mapChart } from "../test/helm-bench.ts";
import { helmSpec, rawChart } from "../test/index.ts";

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
  /** What is there in the end: data of ConfigMaps, and releases. */
  readonly objects: readonly string[];
  readonly releases: readonly string[];
  /** What the job says that fails in the end. Default: it succeeds. */
  readonly failure?: string;
}

const old = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: old }\n";
/** The target refuses its name. */
const refused = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: UPPER }\n";
const first = { chart: await rawChart({ ...mapChart, "templates/old.yaml": old }) };
const second = { chart: await rawChart(mapChart), values: { key: "next" } };
const manifests = { helmDeployment: false };
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
  { name: "an install", after: first, objects: ["app-map value", "old"], releases: ["app"] },
  { name: "an install with hooks", after: hooked, objects: ["after", "app-map value"], releases: ["app"] },
  { name: "a deletion with hooks", before: hooked, objects: ["after"], releases: [] },
  { name: "an upgrade", before: first, after: second, objects: ["app-map next"], releases: ["app"] },
  {
    name: "a release that becomes manifests",
    before: first,
    after: { ...second, ...manifests },
    objects: ["app-map next"],
    releases: [],
  },
  {
    name: "manifests that become a release",
    before: { ...first, ...manifests },
    after: second,
    objects: ["app-map next"],
    releases: ["app"],
  },
  {
    name: "another name",
    before: second,
    after: { ...second, name: "other" },
    objects: ["other-map next"],
    releases: ["other"],
  },
  {
    name: "an upgrade that is rolled back",
    before: first,
    after: {
      chart: await rawChart({ ...mapChart, "templates/z.yaml": refused }),
      helmDeploymentConfig: { upgrade: { remediation: { retries: 1 } } },
    },
    objects: ["app-map value", "old"],
    releases: ["app"],
    failure: "after 2 failed attempts the release was rolled back to revision 1",
  },
  { name: "a deletion", before: first, objects: [], releases: [] },
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

async function request(scope: DeployerScope, { before, after }: Scenario): Promise<void> {
  if (after === undefined) await scope.remove("item");
  else if (before === undefined) await scope.create({ name: "item", spec: helmSpec(scope.namespace, after) });
  else await scope.trigger("item", helmSpec(scope.namespace, after));
}

/** Whether the process came to the write at which it was to die. */
async function runWithDeath(scenario: Scenario, death: Death, namespace: string): Promise<boolean> {
  const scope = await fixture.scope(namespace);
  await scope.createTarget();
  const { before } = scenario;
  if (before !== undefined) {
    await runProcess(async () => {
      await scope.create({ name: "item", spec: helmSpec(namespace, before) });
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

async function checkEnd(scope: DeployerScope, scenario: Scenario): Promise<void> {
  const { namespace } = scope;
  const { targetClient } = fixture;
  const { items: configMaps } = await targetClient.list(kubeResources.configMap, { namespace });
  const own = configMaps.filter(({ metadata }) => metadata.name !== "kube-root-ca.crt");
  const objects = own.map(({ metadata, data }) => `${metadata.name} ${data?.["key"] ?? ""}`.trim());
  expect(objects.toSorted()).toEqual(scenario.objects);
  const records = await targetClient.list(kubeResources.secret, { namespace, labelSelector: "owner=helm" });
  const deployed = records.items.filter(({ metadata }) => metadata.labels?.["status"] === "deployed");
  expect(deployed.map(({ metadata }) => metadata.labels?.["name"])).toEqual(scenario.releases);
  const pending = records.items.filter(({ metadata }) =>
    /pending|uninstalling/.test(metadata.labels?.["status"] ?? ""),
  );
  expect(pending).toEqual([]);
  if (scenario.releases.length === 0) expect(records.items).toEqual([]);
  if (scenario.after === undefined) return;
  const { status } = await scope.get("item");
  const { failure } = scenario;
  const lastError = failure === undefined ? undefined : { message: expect.stringContaining(failure) };
  expect([status?.lastError, status?.providerStatus?.["former"]]).toEqual([
    lastError && expect.objectContaining(lastError),
    undefined,
  ]);
}

it.each(scenarios.map((scenario, index) => ({ ...scenario, index })))(
  "$name survives every death",
  async ({ index, ...scenario }) => {
    let write = 0;
    for (let goesOn = true; goesOn; write++) {
      for (const mode of deathModesAt(write, { shift: index })) {
        goesOn = await runWithDeath(scenario, { write, mode }, `crash-${index}-${mode}-${write}`);
      }
    }
    // At least: pickup, record, an object, the record again or another, the end.
    expect(write).toBeGreaterThan(4);
  },
  240_000,
);
