// Items of two namespaces that bear the same name: the label of their objects is the same, the annotation is not.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, type UpdateStrategy } from "@landscaper/api";
import type { OwnerLabel } from "../cluster/owner-label.ts";
import type { TakeOver } from "../cluster/take-over.ts";
import { confirmInventory } from "../manifests/inventory.ts";
import type { ManagedResource, Manifest } from "../manifests/manifest.ts";
import { configMap, ownerKey, ownerOf, TargetFixture } from "../../test/target-fixture.ts";
import type { ApplyOptions, ApplyResult } from "./apply-manifests.ts";

const ownedBy = "landscaper.gardener.cloud/owned-by";
const mine = ownerOf("item", "mine");
const theirs = ownerOf("item", "theirs");
/** An item of another landscaper cluster with the namespace and the name of `mine`. */
const namesake: OwnerLabel = { ...mine, hub: "hub-2", item: { namespace: "mine", name: "item", uid: "another" } };
/** How `namesake` takes over what earlier releases have marked as the objects of `mine`. */
const takeOver: TakeOver = {
  from: "mine/item",
  stateOf: () => Promise.resolve({ type: "gone" }),
  onTaken: () => {},
};
const strategies: readonly UpdateStrategy[] = ["update", "patch", "merge", "mergeOverwrite", "apply"];
const done = { remaining: [], waitingFor: [], awaited: [], failures: [], left: [], problems: [] };

let target: TargetFixture;
const requests: string[] = [];
beforeAll(async () => {
  target = await TargetFixture.start();
  target.server.setFault(({ verb, resource }) => {
    if (resource === "configmaps") requests.push(verb);
    return undefined;
  });
});
afterAll(() => target.stop());

/** As the manifest deployer does it for an item of the owner. */
function optionsOf(owner: OwnerLabel, strategy: UpdateStrategy, force: boolean): Partial<ApplyOptions> {
  const managers = {
    manager: `landscaper/${owner.item?.namespace ?? "mine"}/item`,
    former: ["landscaper"],
    family: "landscaper/",
  };
  return { owner, strategy, serverSide: { managers, force } };
}

interface Job {
  readonly owner: OwnerLabel;
  readonly name: string;
  readonly by: string;
  readonly strategy?: UpdateStrategy;
  readonly force?: boolean;
  readonly entry?: Partial<Manifest>;
  readonly inventory?: readonly ManagedResource[];
  readonly takeOver?: TakeOver;
}

async function run({
  owner,
  name,
  by,
  strategy = "update",
  force = false,
  entry,
  inventory,
  takeOver: taking,
}: Job): Promise<ApplyResult> {
  const manifests: Manifest[] = [{ policy: "manage", manifest: configMap(name, { by }), ...entry }];
  return await target.apply("item", manifests, {
    ...optionsOf(owner, strategy, force),
    takeOver: taking,
    ...(inventory === undefined ? {} : { inventory }),
  });
}

/** The inventory of an item that has deployed. */
async function deploy(job: Job): Promise<ManagedResource[]> {
  const { applied, failures } = await run(job);
  expect(failures).toEqual([]);
  return confirmInventory([], applied);
}

async function markOf(name: string): Promise<unknown> {
  return (await target.find(name))?.metadata.annotations?.[ownedBy];
}

describe.each(strategies)("by strategy %s", (strategy) => {
  const name = (test: string): string => `${test}-${strategy.toLowerCase()}`;
  const problem = (object: string): string =>
    `ConfigMap n/${object} belongs to deploy item mine/item, by its annotation ${ownedBy}`;

  it("an object is not shared", async () => {
    const object = name("shared");
    await deploy({ owner: mine, name: object, by: "mine", strategy });
    const { failures } = await run({ owner: theirs, name: object, by: "theirs", strategy });
    expect(failures.map(({ message, reason }) => [message, reason])).toEqual([[problem(object), "TargetOwnedByOther"]]);
    expect(await target.find(object)).toMatchObject({
      metadata: { labels: { [ownerKey]: "item" }, annotations: { [ownedBy]: "mine/item/uid-of-item" } },
      data: { by: "mine" },
    });
  });

  it("a forged inventory gives no right to it, not even with force", async () => {
    const object = name("forged");
    const inventory = await deploy({ owner: mine, name: object, by: "mine", strategy });
    const forged = inventory.map((entry) => ({ ...entry, fieldManager: "landscaper/theirs/item" }));
    const job = { owner: theirs, name: object, by: "theirs", strategy, force: true, inventory: forged };
    expect((await run(job)).failures.map(({ message }) => message)).toEqual([problem(object)]);
    const left = { ...done, left: [`ConfigMap n/${object}`] };
    expect(await target.remove("item", forged, { owner: theirs })).toEqual(left);
    const unowned = forged.map((entry) => ({ ...entry, policy: "keep" as const }));
    expect(await target.remove("item", unowned, { owner: theirs })).toEqual(done);
    expect(await target.find(object)).toMatchObject({ data: { by: "mine" } });
    expect(await markOf(object)).toBe("mine/item/uid-of-item");
    expect(await target.remove("item", inventory, { owner: mine })).toEqual(done);
    expect(await target.find(object)).toBe(undefined);
  });

  it("adopt takes it over, and the former owner leaves it", async () => {
    const object = name("adopted");
    const former = await deploy({ owner: mine, name: object, by: "mine", strategy });
    const entry = { adopt: true };
    const inventory = await deploy({ owner: theirs, name: object, by: "theirs", strategy, entry });
    expect(await target.find(object)).toMatchObject({
      metadata: {
        annotations: { [ownedBy]: "theirs/item/uid-of-item", "landscaper.gardener.cloud/adopted-from": "mine/item" },
      },
    });
    const left = { ...done, left: [`ConfigMap n/${object}`] };
    expect(await target.remove("item", former, { owner: mine })).toEqual(left);
    expect(await target.remove("item", inventory, { owner: theirs })).toEqual(done);
  });

  it("an object of an earlier version gets the annotation with its next change", async () => {
    const object = name("unmarked");
    const { item: _identity, ...label } = mine;
    const inventory = await deploy({ owner: label, name: object, by: "1", strategy });
    expect(await markOf(object)).toBe(undefined);
    const job = { owner: mine, name: object, strategy, inventory };
    requests.length = 0;
    await deploy({ ...job, by: "1" });
    // An apply is sent in any case; the others write nothing for the sake of the annotation.
    expect(requests).toEqual(strategy === "apply" ? ["patch"] : ["get"]);
    expect(await markOf(object)).toBe(strategy === "apply" ? "mine/item/uid-of-item" : undefined);
    const labels = { app: "changed" };
    await deploy({ ...job, by: "1", entry: { manifest: configMap(object, { by: "1" }, { labels }) } });
    expect(await markOf(object)).toBe("mine/item/uid-of-item");
  });
});

// An apply is sent without a look at the object, and its field manager has the name alone: there both have the object in turn.
it.each(strategies.filter((strategy) => strategy !== "apply"))(
  "by strategy %s an item whose object a namesake of another cluster has taken does not fight for it, and does not delete it",
  async (strategy) => {
    const object = `clusters-${strategy.toLowerCase()}`;
    const inventory = await deploy({ owner: mine, name: object, by: "1", strategy });
    await deploy({ owner: namesake, name: object, by: "2", strategy, takeOver });
    const { failures } = await run({ owner: mine, name: object, by: "1", strategy, inventory });
    expect(failures.map(({ message }) => message)).toEqual([
      `ConfigMap n/${object} belongs to deploy item mine/item of landscaper cluster hub-2, by its annotation ${ownedBy}`,
    ]);
    expect(await target.remove("item", inventory, { owner: mine })).toEqual({
      ...done,
      left: [`ConfigMap n/${object}`],
    });
    expect(await markOf(object)).toBe("mine/item/another");
  },
);

it("by strategy apply, too, a namesake of another cluster is the only one who deletes the object", async () => {
  const inventory = await deploy({ owner: mine, name: "clusters-apply", by: "1", strategy: "apply" });
  await deploy({ owner: namesake, name: "clusters-apply", by: "2", strategy: "apply", takeOver });
  const left = { ...done, left: ["ConfigMap n/clusters-apply"] };
  expect(await target.remove("item", inventory, { owner: mine })).toEqual(left);
});

it("an object that bears no mark of the item is left, whatever the inventory says", async () => {
  const found = await target.client.create(kubeResources.configMap, configMap("by-hand", {}));
  const { uid } = found.metadata;
  const resource = { apiVersion: "v1", kind: "ConfigMap", namespace: "n", name: "by-hand", uid };
  const forged = [{ policy: "manage" as const, resource }];
  const left = { ...done, left: ["ConfigMap n/by-hand"] };
  expect(await target.remove("item", forged, { owner: theirs })).toEqual(left);
  expect(await target.find("by-hand")).toBeDefined();
});

it("an inventory without names deletes nothing", async () => {
  await deploy({ owner: mine, name: "nameless", by: "mine" });
  const resource = { apiVersion: "v1", kind: "ConfigMap", namespace: "n", name: "" };
  const { failures, remaining, problems } = await target.remove("item", [{ resource }], { owner: mine });
  const reason = "InventoryEntrySkipped";
  expect([failures, remaining, problems]).toMatchObject([[], [], [{ reason }]]);
  expect(await target.find("nameless")).toBeDefined();
});

it("deleteAllResources leaves what another item has marked", async () => {
  const label = { [ownerKey]: "item" };
  const marked = { labels: label, annotations: { [ownedBy]: "mine/item/uid-of-item" } };
  await target.client.create(kubeResources.configMap, configMap("selected-mine", {}, marked));
  await target.client.create(kubeResources.configMap, configMap("selected-unmarked", {}));
  const inventory = await deploy({ owner: theirs, name: "selected-theirs", by: "theirs" });
  const names = ["selected-mine", "selected-unmarked", "selected-theirs"];
  const resources = [{ apiVersion: "v1", kind: "ConfigMap", names }];
  const groups = [{ customResourceGroup: { resources, deleteAllResources: true } }];
  const result = await target.remove("item", inventory, { owner: theirs, groups });
  expect(result).toEqual({ ...done, left: ["ConfigMap n/selected-mine"] });
  const found = await Promise.all(names.map(async (object) => (await target.find(object))?.metadata.name));
  expect(found).toEqual(["selected-mine", undefined, undefined]);
});
