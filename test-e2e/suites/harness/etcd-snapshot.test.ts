import { describe, expect, it } from "@jest/globals";
import { planRestore, type EtcdSnapshot } from "../../cluster/etcd-snapshot.ts";

const snapshot: EtcdSnapshot = {
  values: new Map([
    ["a", { value: "1", revision: "5" }],
    ["b", { value: "2", revision: "6" }],
  ]),
};
const present = (key: string, mod_revision: string) => ({ key, mod_revision });

describe("what puts the keys of an API server back", () => {
  it.each([
    { name: "is nothing when nothing was written", now: [present("a", "5"), present("b", "6")], operations: [] },
    {
      name: "deletes what has come",
      now: [present("a", "5"), present("b", "6"), present("c", "9")],
      operations: [{ request_delete_range: { key: "c" } }],
    },
    {
      name: "writes what was changed",
      now: [present("a", "5"), present("b", "9")],
      operations: [{ request_put: { key: "b", value: "2" } }],
    },
    {
      name: "writes what was deleted",
      now: [present("b", "6")],
      operations: [{ request_put: { key: "a", value: "1" } }],
    },
  ])("$name", ({ now, operations }) => {
    expect(planRestore(snapshot, now)).toEqual(operations);
  });
});
