// The default version of the deployer changes while many items exist: each keeps its version and its revision.
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { kubeResources, type Secret } from "@landscaper/api";
import { createDeployerFixture, type DeployerFixture, type DeployerScope } from "@landscaper/deployer/testing";
import type { HelmVersion } from "@landscaper/helm";
import { createHelmDeployer } from "../index.ts";
import { helmSpec, rawChart } from "../../test/index.ts";

const annotation = "helm.deployer.landscaper.gardener.cloud/helm-version";
/** A full run has a hundred times as many items. */
const count = process.env["E2E_FULL"] === "1" ? 500 : 5;
/** Every fifth item has no release. */
const isRelease = (index: number): boolean => index % 5 !== 4;
const names = Array.from({ length: count }, (_, index) => `item-${index}`);

let fixture: DeployerFixture;
let scope: DeployerScope;
beforeAll(async () => {
  fixture = await createDeployerFixture();
  scope = await fixture.scope("default-version");
  await scope.createTarget();
});
afterAll(async () => fixture.stop());

/** Whose objects differ between the versions. */
const template = `apiVersion: v1
kind: ConfigMap
metadata: { name: {{ .Release.Name }} }
data: { helm: {{ .Capabilities.HelmVersion.Version }} }
`;

/** Runs a job of every item with a deployer of its own. */
async function runJobs(
  helmVersion: HelmVersion,
  begin: (name: string, index: number) => Promise<unknown>,
): Promise<void> {
  const deployer = createHelmDeployer({ version: "v0.0.0-test", helmVersion });
  const running = fixture.start({ deployer });
  try {
    await Promise.all(names.map(begin));
    for (const name of names) expect((await scope.waitForEnd(name)).status).toMatchObject({ phase: "Succeeded" });
  } finally {
    await running.stop();
    await deployer.close();
  }
}

const describeRecord = ({ metadata: { name, labels, annotations } }: Secret): string =>
  `${name} ${labels?.["status"]} ${annotations?.[annotation]}`;

async function versionsOf(): Promise<unknown> {
  const { namespace } = scope;
  const { items: records } = await fixture.targetClient.list(kubeResources.secret, {
    namespace,
    labelSelector: "owner=helm",
  });
  const { items: maps } = await fixture.targetClient.list(kubeResources.configMap, { namespace });
  const items = await Promise.all(names.map(async (name) => scope.get(name)));
  return {
    records: records.map(describeRecord).toSorted(),
    noted: new Set(items.map(({ status }) => status?.providerStatus?.["helmVersion"])),
    rendered: new Set(maps.flatMap(({ data }) => data?.["helm"] ?? [])),
  };
}

it("keeps version and revision of every item when the default becomes 4", async () => {
  const chart = await rawChart({ "templates/map.yaml": template });
  await runJobs("3", async (name, index) => {
    const config = { name, chart, helmDeployment: isRelease(index) };
    await scope.create({ name, spec: helmSpec(scope.namespace, config) });
  });
  const records = names
    .filter((_, index) => isRelease(index))
    .map((name) => `sh.helm.release.v1.${name}.v1 deployed 3`);
  const expected = { records: records.toSorted(), noted: new Set(["3"]), rendered: new Set(["v3.22.0"]) };
  expect(await versionsOf()).toEqual(expected);
  await runJobs("4", async (name) => scope.trigger(name));
  expect(await versionsOf()).toEqual(expected);
}, 900_000);
