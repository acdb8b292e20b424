import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import type { StoreEvent } from "./event-history.ts";
import { Store } from "./store.ts";

const object = (name: string, namespace?: string): UnstructuredObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, uid: `uid-${name}`, ...(namespace === undefined ? {} : { namespace }) },
});
const summary = ({ type, current, revision }: StoreEvent) => [type, current.name, revision];

describe("Store", () => {
  it("gives every write a revision of its own and writes it into the object", () => {
    const store = new Store();
    const start = store.revision;
    const first = store.put("configmaps", object("a", "x"), undefined);
    const second = store.put("configmaps", object("a", "x"), first);
    const removed = store.remove("configmaps", second.object, second);
    expect([first, second, removed].map(({ revision }) => revision - start)).toEqual([1, 2, 3]);
    expect(second.object.metadata.resourceVersion).toBe(String(start + 2));
    expect(removed.object.metadata.resourceVersion).toBe(String(start + 3));
    expect(store.collection("configmaps").get("x", "a")).toBeUndefined();
  });

  it.each([
    [1_572_000, undefined],
    [1_573_000, "etcdserver: request is too large"],
    [
      2_097_152,
      "rpc error: code = ResourceExhausted desc = trying to send message larger than max (2097460 vs. 2097152)",
    ],
  ])("takes an object with %i characters as etcd does", (size, message) => {
    const store = new Store();
    const put = () => store.put("configmaps", { ...object("a", "x"), data: { a: "x".repeat(size) } }, undefined);
    if (message === undefined) expect(put).not.toThrow();
    else expect(put).toThrow(new Error(message));
    expect(store.collection("configmaps").list().length).toBe(message === undefined ? 1 : 0);
  });

  it("lists by namespace and name, whatever the order of creation", () => {
    const store = new Store();
    for (const [name, namespace] of [
      ["b", "y"],
      ["c", "x"],
      ["a", "y"],
      ["a", "x"],
    ] as const) {
      store.put("configmaps", object(name, namespace), undefined);
    }
    const names = (namespace?: string) =>
      store
        .collection("configmaps")
        .list(namespace)
        .map((stored) => `${stored.namespace}/${stored.name}`);
    expect(names()).toEqual(["x/a", "x/c", "y/a", "y/b"]);
    expect(names("y")).toEqual(["y/a", "y/b"]);
    expect(names("none")).toEqual([]);
  });

  it("counts objects, not writes", () => {
    const store = new Store();
    const first = store.put("configmaps", object("a", "x"), undefined);
    store.put("configmaps", object("a", "x"), first);
    const other = store.put("configmaps", object("b", "x"), undefined);
    store.remove("configmaps", other.object, other);
    expect(store.collection("configmaps").size).toBe(1);
  });

  it("tells listeners of a collection and of everything", () => {
    const store = new Store();
    const seen: unknown[] = [];
    const stop = store.subscribe("configmaps", (event) => seen.push(["own", ...summary(event)]));
    store.subscribe("*", (event) => seen.push(["all", ...summary(event)]));
    const first = store.put("configmaps", object("a"), undefined);
    store.put("secrets", object("s"), undefined);
    stop();
    store.remove("configmaps", first.object, first);
    expect(seen).toEqual([
      ["own", "ADDED", "a", 101],
      ["all", "ADDED", "a", 101],
      ["all", "ADDED", "s", 102],
      ["all", "DELETED", "a", 103],
    ]);
  });

  it("remembers what happened since a revision until it is compacted", () => {
    const store = new Store();
    const start = store.revision;
    const first = store.put("configmaps", object("a"), undefined);
    store.put("secrets", object("s"), undefined);
    store.put("configmaps", object("b"), undefined);
    const since = (revision: number) => store.history("configmaps").since(revision)?.map(summary);
    expect(since(start)).toEqual([
      ["ADDED", "a", 101],
      ["ADDED", "b", 103],
    ]);
    expect(since(first.revision)).toEqual([["ADDED", "b", 103]]);
    expect(since(store.revision)).toEqual([]);
    store.compact();
    expect(since(start)).toBeUndefined();
    expect(since(store.revision)).toEqual([]);
    expect(store.history("new").since(start)).toBeUndefined();
  });
});
