// Items that take over what other items have left on a target: the object, its marks, and what is told.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, type UpdateStrategy } from "@landscaper/api";
import { type OwnerLabel } from "../cluster/owner-label.ts";
import type { OwnerState, TakeOver } from "../cluster/take-over.ts";
import { confirmInventory } from "../manifests/inventory.ts";
import type { Manifest } from "../manifests/manifest.ts";
import { configMap, ownerKey, ownerOf, TargetFixture } from "../../test/target-fixture.ts";
import type { ApplyResult } from "./apply-manifests.ts";

const strategies: readonly UpdateStrategy[] = ["update", "patch", "merge", "mergeOverwrite", "apply"];
const done = { remaining: [], waitingFor: [], awaited: [], failures: [], left: [], problems: [] };
const former: OwnerLabel = { ...ownerOf("former", "mine"), hub: "hub-1", title: "blog/web" };
const next: OwnerLabel = { ...ownerOf("next", "mine"), hub: "hub-1", title: "blog/front" };

let target: TargetFixture;
beforeAll(async () => {
  target = await TargetFixture.start();
});
afterAll(() => target.stop());

interface Job {
  readonly owner: OwnerLabel;
  readonly strategy: UpdateStrategy;
  readonly state?: OwnerState;
  /** In place of `state`. */
  readonly stateOf?: TakeOver["stateOf"];
  readonly entry?: Partial<Manifest>;
  readonly from?: string;
}

/** With what was told of objects that were taken over. */
async function run(
  name: string,
  { owner, strategy, state = { type: "gone" }, stateOf = () => Promise.resolve(state), entry, from }: Job,
): Promise<ApplyResult & { readonly taken: readonly string[] }> {
  const taken: string[] = [];
  const takeOver: TakeOver = {
    from,
    stateOf,
    onTaken: (object, by) => void taken.push(`${object} from ${by ?? "nobody"}`),
  };
  const manifests: Manifest[] = [
    { policy: "manage", manifest: configMap(name, { by: owner.item?.name ?? "" }), ...entry },
  ];
  const manager = `landscaper/${owner.item?.namespace}/${owner.item?.name}`;
  const serverSide = { managers: { manager, former: ["landscaper"], family: "landscaper/" }, force: false };
  return { ...(await target.apply("", manifests, { owner, strategy, serverSide, takeOver })), taken };
}

describe.each(strategies)("by strategy %s", (strategy) => {
  const nameOf = (test: string): string => `${test}-${strategy.toLowerCase()}`;

  it("an object is marked with the item, its landscaper cluster and its Installation", async () => {
    await run(nameOf("marks"), { owner: former, strategy });
    expect((await target.find(nameOf("marks")))?.metadata.annotations).toEqual({
      [annotations.ownedBy]: "mine/former/uid-of-former",
      [annotations.ownedByHub]: "hub-1",
      [annotations.ownedByItem]: "blog/web",
    });
  });

  it("an item takes over what an item of its namespace has left that is gone, and is the one that deletes it", async () => {
    const name = nameOf("gone");
    const left = confirmInventory([], (await run(name, { owner: former, strategy })).applied);
    const { applied, failures, taken } = await run(name, { owner: next, strategy });
    expect([failures, taken]).toEqual([[], [`ConfigMap n/${name} from former (blog/web)`]]);
    expect(await target.find(name)).toMatchObject({
      metadata: {
        labels: { [ownerKey]: "next" },
        annotations: {
          [annotations.ownedBy]: "mine/next/uid-of-next",
          [annotations.ownedByHub]: "hub-1",
          [annotations.ownedByItem]: "blog/front",
        },
      },
      data: { by: strategy === "merge" ? "former" : "next" },
    });
    // The next job has nothing to take over.
    expect((await run(name, { owner: next, strategy })).taken).toEqual([]);
    const kept = { ...done, left: [`ConfigMap n/${name}`] };
    expect(await target.remove("", left, { owner: former })).toEqual(kept);
    expect(await target.remove("", confirmInventory([], applied), { owner: next })).toEqual(done);
  });

  it.each<[state: OwnerState["type"], ending: string]>([
    ["exists", ""],
    ["deleting", "; the deploy item is being deleted"],
  ])("an item does not get an object whose owner has the state %s", async (type, ending) => {
    const name = nameOf(type);
    await run(name, { owner: former, strategy });
    // This state has no further fields.
    const { failures, taken } = await run(name, { owner: next, strategy, state: { type } as OwnerState });
    expect(failures.map(({ reason, message, retry }) => [reason, message, retry])).toEqual([
      [
        "TargetOwnedByOther",
        `ConfigMap n/${name} belongs to deploy item former (blog/web), by its annotation ${annotations.ownedBy}${ending}`,
        "backoff",
      ],
    ]);
    expect(taken).toEqual([]);
    expect((await target.find(name))?.data).toEqual({ by: "former" });
  });

  it("an object of another landscaper cluster is only taken over with the annotation that the failure names", async () => {
    const name = nameOf("hubs");
    const foreign: OwnerLabel = { ...former, hub: "hub-2" };
    await run(name, { owner: foreign, strategy });
    const { failures } = await run(name, { owner: next, strategy });
    expect(failures.map(({ hint }) => hint)).toEqual([
      `if its former owner no longer exists, set the annotation ${annotations.takeOverFrom}: "hub-2/mine" on the Installation (or on the DeployItem, if it has no Installation), and trigger a new job`,
    ]);
    const { taken } = await run(name, { owner: next, strategy, from: "hub-2/mine" });
    expect(taken).toEqual([`ConfigMap n/${name} from mine/former (blog/web) of landscaper cluster hub-2`]);
    expect((await target.find(name))?.metadata.annotations).toMatchObject({
      [annotations.ownedByHub]: "hub-1",
      [annotations.adoptedFrom]: "former",
    });
  });

  it("nothing is left of the marks of the former owner", async () => {
    const name = nameOf("stale");
    await run(name, { owner: { ...former, hub: "hub-2" }, strategy });
    const bare = ownerOf("bare", "mine");
    await run(name, { owner: bare, strategy, from: "hub-2" });
    const { [annotations.adoptedFrom]: _from, ...marks } = (await target.find(name))?.metadata.annotations ?? {};
    expect(marks).toEqual({ [annotations.ownedBy]: "mine/bare/uid-of-bare" });
  });

  it("an item that was created again takes over what it has left", async () => {
    const name = nameOf("again");
    await run(name, { owner: former, strategy });
    const again: OwnerLabel = { ...former, item: { namespace: "mine", name: "former", uid: "another" } };
    const { failures, taken } = await run(name, { owner: again, strategy });
    expect([failures, taken]).toEqual([[], [`ConfigMap n/${name} from mine/former (blog/web)`]]);
    expect((await target.find(name))?.metadata.annotations?.[annotations.ownedBy]).toBe("mine/former/another");
  });

  it("an object that was there before, and that no item has marked, is taken over and told of once", async () => {
    const name = nameOf("nobody");
    await target.client.create(kubeResources.configMap, configMap(name, {}));
    const first = await run(name, { owner: next, strategy });
    expect(first.taken).toEqual([`ConfigMap n/${name} from nobody`]);
    expect((await run(name, { owner: next, strategy })).taken).toEqual([]);
    expect((await target.find(name))?.metadata.annotations?.[annotations.ownedBy]).toBe("mine/next/uid-of-next");
  });

  it("policy immutable leaves the object as it is, and tells nothing", async () => {
    const name = nameOf("immutable");
    await run(name, { owner: former, strategy });
    const { failures, taken } = await run(name, { owner: next, strategy, entry: { policy: "immutable" } });
    expect([failures, taken]).toEqual([[], []]);
    expect((await target.find(name))?.metadata.annotations?.[annotations.ownedBy]).toBe("mine/former/uid-of-former");
  });

  it("an object is not taken from an item that takes it over at the same time", async () => {
    const name = nameOf("race");
    await run(name, { owner: former, strategy });
    const rival: OwnerLabel = { ...ownerOf("rival", "mine"), hub: "hub-1" };
    let isRaced = false;
    const stateOf = async ({ name: asked }: { readonly name: string }): Promise<OwnerState> => {
      if (asked === "rival") return { type: "exists" };
      if (!isRaced) {
        isRaced = true;
        // Between our look at the object and our write.
        await run(name, { owner: rival, strategy });
      }
      return { type: "gone" };
    };
    const { failures } = await run(name, { owner: next, strategy, stateOf });
    expect(failures.map(({ message }) => message)).toEqual([
      `ConfigMap n/${name} belongs to deploy item rival, by its annotation ${annotations.ownedBy}`,
    ]);
    expect(await target.find(name)).toMatchObject({
      metadata: { annotations: { [annotations.ownedBy]: "mine/rival/uid-of-rival" } },
      data: { by: strategy === "merge" ? "former" : "rival" },
    });
  });

  it("an object that lacks only the new marks is not written for their sake", async () => {
    const name = nameOf("old-marks");
    const { hub: _hub, title: _title, ...old } = former;
    const { applied } = await run(name, { owner: old, strategy });
    const before = (await target.find(name))?.metadata.resourceVersion;
    const inventory = confirmInventory([], applied);
    const manifests: Manifest[] = [{ policy: "manage", manifest: configMap(name, { by: "former" }) }];
    const serverSide = {
      managers: { manager: "landscaper/mine/former", former: ["landscaper"], family: "landscaper/" },
      force: false,
    };
    await target.apply("", manifests, { owner: former, strategy, serverSide, inventory });
    const after = await target.client.get(kubeResources.configMap, { namespace: "n", name });
    // An apply is sent in any case.
    expect(after.metadata.resourceVersion === before).toBe(strategy !== "apply");
  });
});
