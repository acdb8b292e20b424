import { describe, expect, it } from "@jest/globals";
import { EventHistory } from "./event-history.ts";
import { StoredObject } from "./stored-object.ts";

const event = (revision: number) => ({
  type: "ADDED" as const,
  current: new StoredObject({ apiVersion: "v1", kind: "X", metadata: { name: `o${revision}` } }, revision),
  previous: undefined,
  revision,
  storage: "xs",
});

describe("EventHistory", () => {
  it("keeps at least its limit and forgets the oldest", () => {
    const history = new EventHistory(10, 0);
    for (let revision = 1; revision <= 25; revision += 1) history.add(event(revision));
    expect(history.oldest).toBe(10);
    expect(history.since(9)).toBeUndefined();
    expect(history.since(10)?.map(({ revision }) => revision)).toEqual([
      11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
    ]);
    expect(history.since(24)?.map(({ revision }) => revision)).toEqual([25]);
    expect(history.since(99)).toEqual([]);
  });

  it("does not go back before the revision that it started with", () => {
    const history = new EventHistory(10, 5);
    expect(history.since(4)).toBeUndefined();
    expect(history.since(5)).toEqual([]);
  });
});
