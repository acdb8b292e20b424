// An item with 1,000 objects: as few requests as there can be, whatever the strategy.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, type DeployItem } from "@landscaper/api";
import { createDeployerFixture, type DeployerFixture, type DeployerScope } from "@landscaper/deployer/testing";
import { createManifestDeployer } from "./index.ts";
import { configMap, specOf } from "./testing.ts";

const count = 1000;

let fixture: DeployerFixture;
beforeAll(async () => {
  fixture = await createDeployerFixture();
  fixture.start({ deployer: createManifestDeployer("v0.0.0-test") });
}, 60_000);
afterAll(() => fixture.stop());

function manifestsOf(scope: DeployerScope, data: Record<string, string>): object[] {
  return Array.from({ length: count }, (_, index) => configMap(`${scope.namespace}/object-${index}`, data));
}

/** Requests for ConfigMaps of the target while `work` runs, by verb. */
async function countRequests(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const verbs: Record<string, number> = {};
  fixture.target.setFault(({ resource, verb }) => {
    if (resource === "configmaps") verbs[verb] = (verbs[verb] ?? 0) + 1;
    return undefined;
  });
  await work();
  fixture.target.setFault(undefined);
  return verbs;
}

function inventorySize({ status }: DeployItem): number {
  const managed = status?.providerStatus?.["managedResources"];
  return Array.isArray(managed) ? managed.length : 0;
}

describe.each([
  ["update", { create: count }, { list: 1 }],
  ["apply", { patch: count }, { list: 1 }],
])("1,000 objects by %s", (updateStrategy, first, again) => {
  it("are made, checked and removed with few requests", async () => {
    const scope = await fixture.scope(`large-${updateStrategy}`);
    await scope.createTarget();
    const spec = specOf(manifestsOf(scope, { a: "1" }), { updateStrategy });
    const succeed = async (): Promise<void> => {
      const done = await scope.waitForEnd("item");
      expect([done.status?.phase, inventorySize(done)]).toEqual(["Succeeded", count]);
    };
    const created = await countRequests(async () => {
      await scope.create({ name: "item", spec });
      await succeed();
    });
    expect(created).toEqual(first);
    const repeated = await countRequests(async () => {
      await scope.trigger("item");
      await succeed();
    });
    expect(repeated).toEqual(again);
    await scope.remove("item");
    await scope.waitUntilGone("item");
    const { items } = await fixture.targetClient.list(kubeResources.configMap, { namespace: scope.namespace });
    expect(items.filter(({ metadata }) => metadata.name?.startsWith("object-"))).toEqual([]);
  }, 60_000);
});

it("names a few of many failures, and counts the others", async () => {
  const scope = await fixture.scope("large-failure");
  await scope.createTarget();
  const manifests = Array.from({ length: count }, (_, index) => configMap(`absent/object-${index}`));
  await scope.create({ name: "item", spec: { ...specOf(manifests), timeout: "10m" } });
  const { status } = await scope.waitFor("item", ({ lastError }) => lastError !== undefined);
  const message = status?.lastError?.message ?? "";
  expect(message).toMatch(
    /^1000 of 1000 objects failed: create ConfigMap absent\/object-\d+: namespaces "absent" not found; /,
  );
  expect(message).toMatch(/; and 995 more$/);
  expect(message.length).toBeLessThan(1000);
}, 60_000);
