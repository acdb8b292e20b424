import { expect, it } from "@jest/globals";
import type { BucketState } from "./bucket-state.ts";
import { DeletedKeys } from "./deleted-keys.ts";
import { ObjectStates, type ObjectRecord } from "./object-states.ts";

function createBucket(resourceVersion: string): BucketState {
  const at = () => ({ position: { resourceVersion, lists: 1 }, revision: 3 });
  return { states: new ObjectStates(), positions: { Installation: at(), Execution: at(), DeployItem: at() } };
}

function deletedAt({ states }: BucketState, resourceVersion: string): ObjectRecord {
  const state = {
    namespace: "n",
    name: "a",
    resourceVersion,
    phase: "Deleted",
    jobID: "",
    jobIDFinished: "",
    isDeleted: true,
  } as const;
  return Object.assign(states.of("DeployItem", `uid-${resourceVersion}`), {
    observed: state,
    claimed: { state, list: undefined },
  });
}

it("keeps the key of a deleted object until the position is behind the deletion", () => {
  const bucket = createBucket("7");
  const keys = new DeletedKeys();
  const [before, after] = [deletedAt(bucket, "7"), deletedAt(bucket, "8")];
  keys.add(before);
  keys.add(after);
  expect([...keys.take(bucket)]).toEqual([before]);
  expect([...bucket.states.all()]).toEqual([after]);
  bucket.positions.DeployItem.position = { resourceVersion: "8", lists: 1 };
  expect([...keys.take(bucket)]).toEqual([after]);
  expect([...keys.take(bucket)]).toEqual([]);
});

it("keeps the key of an object that exists again", () => {
  const bucket = createBucket("9");
  const keys = new DeletedKeys();
  const record = deletedAt(bucket, "7");
  keys.add(record);
  record.observed = { namespace: "n", name: "a", resourceVersion: "8", phase: "Init", jobID: "j", jobIDFinished: "" };
  expect([...keys.take(bucket)]).toEqual([]);
  expect(bucket.states.get(record.uid)).toBe(record);
});
