// Strategy apply on a cluster: who owns which fields, and what becomes of them.
import { recordRequests } from "@landscaper/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { confirmInventory } from "../manifests/inventory.ts";
import type { ManagedResource, Manifest } from "../manifests/manifest.ts";
import { originalManagers } from "./managed-fields.ts";
import { configMap, ownerKey, TargetFixture } from "../../test/target-fixture.ts";

const deployer = "manifest.deployer.example";
const managers = {
  manager: "landscaper/ns/item",
  former: [deployer],
  formerOfOwned: originalManagers,
  family: "landscaper/",
};

let target: TargetFixture;
beforeAll(async () => {
  target = await TargetFixture.start(deployer);
});
afterAll(() => target.stop());

/** One item with one ConfigMap of its own per test. */
class Item {
  readonly name: string;
  inventory: readonly ManagedResource[] = [];

  constructor(name: string) {
    this.name = name;
  }

  /** Messages of the failures. */
  async apply(
    data: Record<string, string>,
    options: { readonly entry?: Partial<Manifest>; readonly force?: boolean; readonly strategy?: "update" } = {},
  ): Promise<string[]> {
    const { entry, force = false, strategy = "apply" } = options;
    const manifests: Manifest[] = [{ policy: "manage", manifest: configMap(this.name, data), ...entry }];
    const { applied, failures } = await target.apply("item", manifests, {
      inventory: this.inventory,
      strategy,
      serverSide: { managers, force },
    });
    this.inventory = confirmInventory(this.inventory, applied);
    return failures.map(({ message }) => message);
  }

  /** What somebody else does to it. */
  async edit(data: Record<string, string>, fieldManager: string): Promise<void> {
    const patch = { type: "merge", body: { data }, fieldManager } as const;
    await target.client.patch(kubeResources.configMap, { namespace: "n", name: this.name }, patch);
  }

  async data(): Promise<unknown> {
    return (await target.find(this.name))?.data;
  }

  async version(): Promise<string | undefined> {
    return (await target.find(this.name))?.metadata.resourceVersion;
  }
}

let count = 0;
let item: Item;
beforeEach(() => {
  item = new Item(`a${++count}`);
});

it("prunes what the manifest no longer has, and leaves what others added", async () => {
  expect(await item.apply({ a: "1", b: "1" })).toEqual([]);
  await item.edit({ c: "theirs" }, "kubectl-edit");
  expect(await item.apply({ a: "2" })).toEqual([]);
  expect(await item.data()).toEqual({ a: "2", c: "theirs" });
  expect(item.inventory).toMatchObject([{ fieldManager: managers.manager }]);
});

it("changes nothing when it is repeated, by one request", async () => {
  await item.apply({ a: "1" });
  const version = await item.version();
  const record = recordRequests(target.server, ({ resource }) => resource !== "");
  expect(await item.apply({ a: "1" })).toEqual([]);
  record.stop();
  expect(record.lines).toHaveLength(1);
  expect(await item.version()).toBe(version);
});

describe("a field of somebody else", () => {
  it("is reported with its manager, and not changed", async () => {
    await item.apply({ a: "1" });
    await item.edit({ a: "theirs" }, "kubectl-edit");
    expect(await item.apply({ a: "1" })).toEqual([`apply ConfigMap n/${item.name}: kubectl-edit manages .data.a`]);
    expect(await item.data()).toEqual({ a: "theirs" });
  });

  it("is taken over by force", async () => {
    await item.apply({ a: "1" });
    await item.edit({ a: "theirs" }, "kubectl-edit");
    expect(await item.apply({ a: "1" }, { force: true })).toEqual([]);
    expect(await item.data()).toEqual({ a: "1" });
  });

  it("is ours when the deployer itself wrote it, such as patchAfterDeployment", async () => {
    await item.apply({ a: "1" });
    await item.edit({ a: "patched" }, deployer);
    expect(await item.apply({ a: "1" })).toEqual([]);
    expect(await item.data()).toEqual({ a: "1" });
  });

  it("is ours when it is our label", async () => {
    await item.apply({ a: "1" });
    const body = { metadata: { labels: { [ownerKey]: "strange" } } };
    const key = { namespace: "n", name: item.name };
    await target.client.patch(kubeResources.configMap, key, { type: "merge", body, fieldManager: "kubectl-label" });
    expect(await item.apply({ a: "1" })).toEqual([]);
    expect((await target.find(item.name))?.metadata.labels).toEqual({ [ownerKey]: "item" });
  });
});

describe("coming from another strategy", () => {
  it("leaves nothing behind that the manifest no longer has", async () => {
    expect(await item.apply({ a: "1", b: "1" }, { strategy: "update" })).toEqual([]);
    expect(item.inventory[0]?.fieldManager).toBe(undefined);
    expect(await item.apply({ a: "2" })).toEqual([]);
    expect(await item.data()).toEqual({ a: "2" });
  });

  it("works there and back", async () => {
    await item.apply({ a: "1" });
    await item.apply({ a: "1", b: "1" }, { strategy: "update" });
    expect(item.inventory[0]?.fieldManager).toBe(undefined);
    expect(await item.apply({ a: "1" })).toEqual([]);
    expect(await item.data()).toEqual({ a: "1" });
  });
});

describe("an object that is not what the inventory says", () => {
  it("is made anew when it was deleted", async () => {
    await item.apply({ a: "1" });
    await target.client.delete(kubeResources.configMap, { namespace: "n", name: item.name });
    expect(await item.apply({ a: "1" })).toEqual([]);
    expect(await item.data()).toEqual({ a: "1" });
  });

  it("is looked at when another one has its name", async () => {
    await item.apply({ a: "1" });
    await target.client.delete(kubeResources.configMap, { namespace: "n", name: item.name });
    const foreign = configMap(item.name, { a: "theirs" }, { labels: { [ownerKey]: "other" } });
    await target.client.create(kubeResources.configMap, foreign);
    expect(await item.apply({ a: "1" })).toEqual([
      `ConfigMap n/${item.name} belongs to deploy item other, by its label ${ownerKey}`,
    ]);
    expect(await item.data()).toEqual({ a: "theirs" });
  });
});

it("an adopted object loses what its former item applied, and keeps what others have", async () => {
  const serverSide = { managers: { ...managers, manager: "landscaper/ns/former" }, force: false };
  const former: Manifest = { policy: "manage", manifest: configMap(item.name, { a: "former", b: "former" }) };
  const { applied } = await target.apply("former", [former], { strategy: "apply", serverSide });
  await item.edit({ c: "theirs" }, "kubectl-edit");
  expect(await item.apply({ a: "1" }, { entry: { adopt: true } })).toEqual([]);
  expect(await item.data()).toEqual({ a: "1", c: "theirs" });
  expect((await target.remove("former", confirmInventory([], applied))).remaining).toEqual([]);
  expect(await item.data()).toBeDefined();
});

it("annotations of creation are there from the first moment", async () => {
  await item.apply({}, { entry: { annotateBeforeCreate: { made: "here" } } });
  expect((await target.find(item.name))?.metadata.annotations).toEqual({
    made: "here",
    "landscaper.gardener.cloud/owned-by": "hub/item/uid-of-item",
  });
});

it("says what does not fit the kind", async () => {
  const manifest = { ...configMap(item.name), unknown: "x" };
  const { failures } = await target.apply("item", [{ policy: "manage", manifest }], {
    strategy: "apply",
    serverSide: { managers, force: false },
  });
  expect(failures.map(({ message, reason }) => [message, reason])).toEqual([
    [expect.stringMatching(/^apply ConfigMap n\/.*\.unknown: field not declared in schema$/), "TargetRefused"],
  ]);
});

describe("an object that the original has deployed", () => {
  /** As the deployer of the original leaves an object: with the label of an item, or without. */
  async function leave(labels: Record<string, string>, fieldManager = "manifest-deployer-controller"): Promise<void> {
    const { metadata, ...object } = configMap(item.name, { key: "1", gone: "1" });
    const left = { ...object, metadata: { ...metadata, labels } };
    await target.client.create(kubeResources.configMap, left, { fieldManager });
  }

  it.each(originalManagers)(
    "loses what the manifest no longer has, if it is the item's by its label (%s)",
    async (name) => {
      await leave({ [ownerKey]: "item" }, name);
      expect(await item.apply({ key: "2" })).toEqual([]);
      expect([await item.data(), await item.apply({ key: "3" }), await item.data()]).toEqual([
        { key: "2" },
        [],
        { key: "3" },
      ]);
    },
  );

  it("keeps its fields if no label says that it is the item's", async () => {
    await leave({});
    expect(await item.apply({ key: "2" })).toEqual([
      `apply ConfigMap n/${item.name}: manifest-deployer-controller manages .data.key`,
    ]);
    expect(await item.data()).toEqual({ key: "1", gone: "1" });
  });
});
