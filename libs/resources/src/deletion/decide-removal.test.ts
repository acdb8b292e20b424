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
    ["stays", live({ labels: { owner: "other" }, ...adopted }), "foreign"],
    ["is deleted by its new owner", live({ labels: { owner: "item" }, ...adopted }), "delete"],
    ["stays when no item has it any more", live(adopted), "foreign"],
  ];
  it.each(rows)("%s", (_name, object, want) => {
    expect(decideRemoval(entry({ uid: "u" }), object, owner).type).toBe(want);
  });
});

describe("whose an object is, by the annotation", () => {
  const item = { namespace: "hub", name: "item", uid: "i" };
  const marked = (mark: string, label = "item"): UnstructuredObject =>
    live({ labels: { owner: label }, annotations: { "landscaper.gardener.cloud/owned-by": mark } });
  const rows: readonly (readonly [string, UnstructuredObject, string])[] = [
    ["our mark makes it ours", marked("hub/item/i"), "delete"],
    ["our mark makes it ours, whatever its label says", marked("hub/item/i", "other"), "delete"],
    ["that of an item of another namespace does not, whatever its label says", marked("other/item/o"), "foreign"],
    ["that of another item of our namespace does not", marked("hub/other/o"), "foreign"],
    ["that of an item of our name with another uid does not", marked("hub/item/former"), "foreign"],
    ["what is no mark leaves it to the label", marked("hub/item"), "delete"],
    ["what is no mark leaves it to the label of another item", marked("hub/item/i/x", "other"), "foreign"],
    ["without a mark the label decides", ours, "delete"],
    ["without a mark another label decides", theirs, "foreign"],
  ];
  it.each(rows)("%s", (_name, object, want) => {
    expect(decideRemoval(entry({ uid: "u" }), object, { ...owner, item }).type).toBe(want);
  });

  it("a former mark counts for an object that no item has marked", () => {
    const former = { ...owner, item, hasFormerMark: () => true };
    const objects = [nobodys, marked("other/item/o")];
    expect(objects.map((object) => decideRemoval(entry({ uid: "u" }), object, former).type)).toEqual([
      "delete",
      "foreign",
    ]);
  });
});

describe("with the live object", () => {
  const rows: readonly (readonly [string, ManagePolicy, string | undefined, UnstructuredObject | undefined, string])[] =
    [
      ["gone is gone", "manage", "u", undefined, "gone"],
      ["the recorded object is not ours when another item's label is there", "manage", "u", theirs, "foreign"],
      ["the recorded object is not ours without a mark", "immutable", "u", nobodys, "foreign"],
      ["another object with our label is ours", "manage", "former", ours, "delete"],
      ["another object without our label is not", "manage", "former", nobodys, "foreign"],
      ["a planned object with our label is ours", "manage", undefined, ours, "delete"],
      ["a planned object of somebody else is not", "manage", undefined, theirs, "foreign"],
      ["a planned object of nobody is not", "manage", undefined, nobodys, "foreign"],
      ["fallback with our label is ours", "fallback", "u", ours, "delete"],
      ["fallback that was handed over is not", "fallback", "u", theirs, "foreign"],
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
    const before = { ...live({ labels: { owner: "item" }, annotations: { other: "1" } }), data: { old: "1" } };
    expect(decideRemoval(managed, before, owner)).toEqual({
      type: "prepare",
      object: {
        ...live({ labels: { owner: "item" }, annotations: { other: "1", going: "yes" } }),
        data: { old: "1", k: "v" },
      },
    });
  });

  it("nothing is changed twice", () => {
    const prepared = { ...live({ labels: { owner: "item" }, annotations: { going: "yes" } }), data: { k: "v" } };
    expect(decideRemoval(managed, prepared, owner)).toEqual({ type: "delete", uid: "u" });
  });
});
