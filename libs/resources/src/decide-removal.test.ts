import { describe, expect, it } from "@jest/globals";
import type { ManagePolicy, UnstructuredObject } from "@landscaper/api";
import { decideRemoval, decideRemovalUnseen } from "./decide-removal.ts";
import type { ManagedResource } from "./manifest.ts";

const owner = { key: "owner", value: "item" };

function entry(overrides: Partial<ManagedResource> & { readonly uid?: string | undefined } = {}): ManagedResource {
  const { uid, ...rest } = overrides;
  const resource = { apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: "n" };
  return { policy: "manage", resource: uid === undefined ? resource : { ...resource, uid }, ...rest };
}

function live(metadata: Record<string, unknown>): UnstructuredObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "n", uid: "u", ...metadata } };
}

const ours = live({ labels: { owner: "item" } });
const theirs = live({ labels: { owner: "other" } });
const nobodys = live({});

describe("without a look at the object", () => {
  const rows: readonly (readonly [string, ManagedResource, string])[] = [
    ["a confirmed object is deleted by its uid", entry({ uid: "u" }), "delete"],
    ["a planned one has to be seen", entry(), "inspect"],
    ["keep stays", entry({ policy: "keep", uid: "u" }), "leave"],
    ["keep stays, also when it was only planned", entry({ policy: "keep" }), "leave"],
    ["ignore stays", entry({ policy: "ignore", uid: "u" }), "leave"],
    ["fallback has to be seen: the label decides", entry({ policy: "fallback", uid: "u" }), "inspect"],
    ["immutable is deleted, though it was never changed", entry({ policy: "immutable", uid: "u" }), "delete"],
    ["annotations of deletion need the object", entry({ uid: "u", annotateBeforeDelete: { a: "b" } }), "inspect"],
    ["a patch of deletion needs the object", entry({ uid: "u", patchBeforeDelete: { spec: { a: 1 } } }), "inspect"],
    [
      "empty annotations and patches need nothing",
      entry({ uid: "u", annotateBeforeDelete: {}, patchBeforeDelete: {} }),
      "delete",
    ],
  ];
  it.each(rows)("%s", (_name, managed, want) => {
    expect(decideRemovalUnseen(managed).type).toBe(want);
  });

  it("an entry without policy is managed", () => {
    expect(decideRemovalUnseen({ resource: entry({ uid: "u" }).resource })).toEqual({ type: "delete", uid: "u" });
  });
});

describe("with the live object", () => {
  const rows: readonly (readonly [string, ManagePolicy, string | undefined, UnstructuredObject | undefined, string])[] =
    [
      ["gone is gone", "manage", "u", undefined, "gone"],
      ["the recorded object is ours, whatever its label says", "manage", "u", theirs, "delete"],
      ["the recorded object without label is ours", "immutable", "u", nobodys, "delete"],
      ["another object with our label is ours", "manage", "former", ours, "delete"],
      ["another object without our label is not", "manage", "former", nobodys, "leave"],
      ["a planned object with our label is ours", "manage", undefined, ours, "delete"],
      ["a planned object of somebody else is not", "manage", undefined, theirs, "leave"],
      ["a planned object of nobody is not", "manage", undefined, nobodys, "leave"],
      ["fallback with our label is ours", "fallback", "u", ours, "delete"],
      ["fallback that was handed over is not", "fallback", "u", theirs, "leave"],
      ["keep stays", "keep", "u", ours, "leave"],
      ["ignore stays", "ignore", "u", ours, "leave"],
    ];
  it.each(rows)("%s", (...[_name, policy, uid, object, want]) => {
    expect(decideRemoval(entry({ policy, uid }), object, owner).type).toBe(want);
  });

  it("waits for what is being deleted already", () => {
    const terminating = live({ labels: { owner: "item" }, deletionTimestamp: "2026-01-01T00:00:00Z" });
    const managed = entry({ uid: "u", annotateBeforeDelete: { a: "b" } });
    expect(decideRemoval(managed, terminating, owner)).toEqual({ type: "terminating" });
  });
});

describe("what is changed before a deletion", () => {
  const managed = entry({ uid: "u", annotateBeforeDelete: { going: "yes" }, patchBeforeDelete: { data: { k: "v" } } });

  it("annotations and patch are merged into the live object", () => {
    const before = { ...live({ annotations: { other: "1" } }), data: { old: "1" } };
    expect(decideRemoval(managed, before, owner)).toEqual({
      type: "prepare",
      object: { ...live({ annotations: { other: "1", going: "yes" } }), data: { old: "1", k: "v" } },
    });
  });

  it("nothing is changed twice", () => {
    const prepared = { ...live({ annotations: { going: "yes" } }), data: { k: "v" } };
    expect(decideRemoval(managed, prepared, owner)).toEqual({ type: "delete", uid: "u" });
  });
});
