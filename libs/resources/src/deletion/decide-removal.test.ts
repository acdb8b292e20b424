import { describe, expect, it } from "@jest/globals";
import type { ManagePolicy, UnstructuredObject } from "@landscaper/api";
import { decideRemoval, decideRemovalUnseen } from "./decide-removal.ts";
import type { ManagedResource } from "../manifests/manifest.ts";

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
    ["a confirmed object has to be seen: another item may have taken it over", entry({ uid: "u" }), "inspect"],
    ["a planned one has to be seen", entry(), "inspect"],
    ["keep stays, without our label", entry({ policy: "keep", uid: "u" }), "disown"],
    ["keep stays, also when it was only planned", entry({ policy: "keep" }), "disown"],
    ["ignore stays", entry({ policy: "ignore", uid: "u" }), "leave"],
    ["fallback has to be seen: the label decides", entry({ policy: "fallback", uid: "u" }), "inspect"],
    ["an entry without policy is managed", { resource: entry({ uid: "u" }).resource }, "inspect"],
  ];
  it.each(rows)("%s", (_name, managed, want) => {
    expect(decideRemovalUnseen(managed).type).toBe(want);
  });
});

describe("without a look, when the label has been seen", () => {
  const owned = new Set(["u"]);
  const rows: readonly (readonly [string, ManagedResource, string])[] = [
    ["deletes by the uid", entry({ uid: "u" }), "delete"],
    ["deletes what falls back, too", entry({ policy: "fallback", uid: "u" }), "delete"],
    ["deletes what was never changed", entry({ policy: "immutable", uid: "u" }), "delete"],
    ["looks at what has another uid", entry({ uid: "v" }), "inspect"],
    ["looks at what is planned", entry(), "inspect"],
    ["looks at what gets annotations", entry({ uid: "u", annotateBeforeDelete: { a: "b" } }), "inspect"],
    ["looks at what gets a patch", entry({ uid: "u", patchBeforeDelete: { spec: { a: 1 } } }), "inspect"],
    [
      "leaves empty annotations and patches alone",
      entry({ uid: "u", annotateBeforeDelete: {}, patchBeforeDelete: {} }),
      "delete",
    ],
    ["keeps", entry({ policy: "keep", uid: "u" }), "disown"],
  ];
  it.each(rows)("%s", (_name, managed, want) => {
    expect(decideRemovalUnseen(managed, owned).type).toBe(want);
  });
});

describe("an object that another item has taken over", () => {
  const adopted = { annotations: { "landscaper.gardener.cloud/adopted-from": "item" } };
  const rows: readonly (readonly [string, UnstructuredObject, string])[] = [
    ["stays", live({ labels: { owner: "other" }, ...adopted }), "leave"],
    ["is deleted by its new owner", live({ labels: { owner: "item" }, ...adopted }), "delete"],
    ["is deleted when nobody has it any more", live(adopted), "delete"],
    ["is not meant when only the label was changed", live({ labels: { owner: "other" } }), "delete"],
  ];
  it.each(rows)("%s", (_name, object, want) => {
    expect(decideRemoval(entry({ uid: "u" }), object, owner).type).toBe(want);
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
      ["keep stays", "keep", "u", ours, "disown"],
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
