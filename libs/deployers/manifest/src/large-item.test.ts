// An item with 1,000 objects: as few requests as there can be, whatever the strategy.
import { recordRequests, waitFor } from "@landscaper/testkit";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, type DeployItem, type KubeObject } from "@landscaper/api";
import {
  createDeployerFixture,
  type DeployerFixture,
  type DeployerScope,
  type StartedDeployer,
} from "@landscaper/deployer/testing";
import type { FaultRequest } from "@landscaper/local-cluster";
import { createManifestDeployer } from "./index.ts";
import { readInventory } from "./provider-status.ts";
import { configMap, specOf } from "../test/manifests.ts";

const count = 1000;

const deployer = createManifestDeployer("v0.0.0-test");
let fixture: DeployerFixture;
let running: StartedDeployer;
beforeAll(async () => {
  fixture = await createDeployerFixture();
  running = fixture.start({ deployer });
});
afterAll(() => fixture.stop());

function manifestsOf(scope: DeployerScope, data: Record<string, string>): object[] {
  return Array.from({ length: count }, (_, index) => configMap(`${scope.namespace}/object-${index}`, data));
}

/** Writes of the item by the deployer while `work` runs. */
async function countItemWrites(work: () => Promise<unknown>): Promise<number> {
  const record = recordRequests(fixture.hub, ({ verb, resource, userAgent }) => {
    return /^(update|patch)$/.test(verb) && resource === "deployitems" && userAgent.startsWith(deployer.name);
  });
  await work();
  record.stop();
  return record.lines.length;
}

/** Requests for ConfigMaps of the target in the namespace of `scope` while `work` runs, by verb. */
async function countRequests(
  { namespace: wanted }: DeployerScope,
  work: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const record = recordRequests(fixture.target, ({ resource, namespace }) => {
    return resource === "configmaps" && namespace === wanted;
  });
  await work();
  record.stop();
  const verbs: Record<string, number> = {};
  for (const { verb } of record.requests) verbs[verb] = (verbs[verb] ?? 0) + 1;
  return verbs;
}

function inventorySize({ status }: DeployItem): number {
  return readInventory(status?.providerStatus).length;
}

function recordedUids({ status }: DeployItem): Set<unknown> {
  return new Set(readInventory(status?.providerStatus).map(({ resource }) => resource.uid));
}

// Lists come in pages of 250 objects.
describe.each([
  ["update", { create: count }, { list: 4 }],
  ["apply", { patch: count }, { list: 4 }],
])("1,000 objects by %s", (updateStrategy, first, again) => {
  it("are made, checked and removed with few requests", async () => {
    const scope = await fixture.scope(`large-${updateStrategy}`);
    await scope.createTarget();
    const spec = specOf(manifestsOf(scope, { a: "1" }), { updateStrategy });
    const succeed = async (): Promise<void> => {
      const done = await scope.waitForEnd("item");
      expect([done.status?.phase, inventorySize(done)]).toEqual(["Succeeded", count]);
    };
    const created = await countRequests(scope, async () => {
      await scope.create({ name: "item", spec });
      await succeed();
    });
    expect(created).toEqual(first);
    const writes = await countItemWrites(async () => {
      const repeated = await countRequests(scope, async () => {
        await scope.trigger("item");
        await succeed();
      });
      expect(repeated).toEqual(again);
    });
    // The pickup with what will be there, and the end with what is there.
    expect(writes).toBe(2);
    await scope.remove("item");
    await scope.waitUntilGone("item");
    const { items } = await fixture.targetClient.list(kubeResources.configMap, { namespace: scope.namespace });
    expect(items.filter(({ metadata }) => metadata.name?.startsWith("object-"))).toEqual([]);
  });
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
  expect(message).toMatch(/; and 995 more; create namespace absent, or add its manifest to the item$/);
  expect(message.length).toBeLessThan(1000);
});

it("goes on after a crash in the middle, and repeats nothing that it need not", async () => {
  await running.stop();
  const scope = await fixture.scope("large-crash");
  await scope.createTarget();
  let created = 0;
  let isDead = false;
  const rule = ({ verb, resource, userAgent }: FaultRequest): "close" | undefined => {
    if (!userAgent.startsWith(deployer.name)) return undefined;
    if (verb === "create" && resource === "configmaps" && ++created > count / 3) isDead = true;
    return isDead ? "close" : undefined;
  };
  fixture.hub.setFault(rule);
  fixture.target.setFault(rule);
  const first = fixture.start({ deployer, gracefulStopMs: 20 });
  await scope.create({ name: "item", spec: specOf(manifestsOf(scope, { a: "1" })) });
  await waitFor(() => isDead);
  await first.stop();
  fixture.hub.setFault(undefined);
  fixture.target.setFault(undefined);
  const isOurs = ({ metadata }: KubeObject): boolean => metadata.name?.startsWith("object-") === true;
  const { items: before } = await fixture.targetClient.list(kubeResources.configMap, { namespace: scope.namespace });
  const existing = before.filter(isOurs).length;

  const requests = await countRequests(scope, async () => {
    running = fixture.start({ deployer });
    await scope.waitForEnd("item");
  });
  const item = await scope.get("item");
  expect([item.status?.phase, inventorySize(item)]).toEqual(["Succeeded", count]);
  expect(requests).toEqual({ create: count, get: existing });
  const { items } = await fixture.targetClient.list(kubeResources.configMap, { namespace: scope.namespace });
  const uids = new Set(items.filter(isOurs).map(({ metadata }) => metadata.uid));
  expect(uids.size).toBe(count);
  expect(recordedUids(item)).toEqual(uids);
});
