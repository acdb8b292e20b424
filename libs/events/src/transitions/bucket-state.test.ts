import { expect, it } from "@jest/globals";
import { checkBucket, loadBucket, type BucketState } from "./bucket-state.ts";
import type { EventLink } from "./event-link.ts";
import { ObjectStates } from "./object-states.ts";

/** A bucket that fails after some writes, as if the process were killed. */
function createBucket(maxWrites: number): { readonly link: EventLink; readonly keys: readonly string[] } {
  const keys: string[] = [];
  const put = (key: string): Promise<number> => {
    if (keys.length === maxWrites) return Promise.reject(new Error("killed"));
    return Promise.resolve(keys.push(key));
  };
  return { link: { place: "NATS (n:4222)", put, get: () => Promise.resolve(undefined) } as unknown as EventLink, keys };
}

function stateOf(uids: readonly string[]): BucketState {
  const states = new ObjectStates();
  for (const uid of uids) {
    const state = { namespace: "n", name: uid, resourceVersion: "5", phase: "Init", jobID: "j", jobIDFinished: "" };
    Object.assign(states.of("Installation", uid), { observed: state, claimed: { state } });
  }
  const at = { position: { resourceVersion: "9", lists: 1 }, revision: 3 };
  return { states, positions: { Installation: { ...at }, Execution: { ...at }, DeployItem: { ...at } } };
}

it("stores no position in an emptied bucket before all objects are stored", async () => {
  const owner = { hubId: "hub", by: "me" };
  const killed = createBucket(1);
  await expect(checkBucket(killed.link, stateOf(["a", "b"]), owner)).rejects.toThrow("killed");
  expect(killed.keys).toEqual(["hub.Installation.a"]);
  const whole = createBucket(10);
  await checkBucket(whole.link, stateOf(["a", "b"]), owner);
  expect(whole.keys).toEqual([
    "hub.Installation.a",
    "hub.Installation.b",
    "hub.Installation.position",
    "hub.Execution.position",
    "hub.DeployItem.position",
    "hub.owner",
  ]);
});

/** Value of the key of a DeployItem with other fields than expected. */
function claimOf(fields: Readonly<Record<string, unknown>>): string {
  const data = { kind: "DeployItem", namespace: "n", name: "u", uid: "u", resourceVersion: "5", phase: "Init" };
  return JSON.stringify({ by: "me", time: "", data: { ...data, ...fields } });
}

it.each([
  ["hub.Installation.position", "text"],
  ["hub.Installation.position", "null"],
  ["hub.DeployItem.u", "{}"],
  ["hub.DeployItem.u", '{"by":"x","time":"","data":{"resourceVersion":"5"}}'],
  ["hub.DeployItem.u", claimOf({ kind: "Installation" })],
  ["hub.DeployItem.u", claimOf({ uid: "other" })],
  ["hub.DeployItem.u.v", claimOf({})],
  ["hub.DeployItem", claimOf({})],
  ["hub.DeployItem.u", claimOf({ phase: 5 })],
  ["hub.DeployItem.u", claimOf({ jobID: {} })],
  ["hub.DeployItem.u", claimOf({ name: "n".repeat(5_000) })],
  ["hub.DeployItem.u", claimOf({ resourceVersion: "5\r\nNats-Rollup: all" })],
  ["hub.Installation.position", '{"lists":1e300}'],
  ["hub.Installation.position", '{"lists":-1}'],
  ["hub.Installation.position", '{"lists":1,"resourceVersion":5}'],
  ["hub.Installation.position", '{"lists":1,"resourceVersion":"5&watch=false"}'],
])("names the key %s with the foreign value %.120s", async (key, value) => {
  const readAll = (): unknown => Promise.resolve([{ key, value, revision: 4 }]);
  const link = { ...createBucket(10).link, readAll } as unknown as EventLink;
  await expect(loadBucket(link, { hubId: "hub", by: "me" })).rejects.toThrow(
    `NATS (n:4222): the bucket of the events: the value of the key ${key} was not written by a publisher of events. Delete the key.`,
  );
});
