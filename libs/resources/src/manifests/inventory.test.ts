import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { confirmInventory, findOrphans, inventoryEntry, planInventory, sortInventory } from "./inventory.ts";
import type { AppliedObject, ManagedResource, Manifest } from "./manifest.ts";
import { formatResource, resourceId } from "../cluster/resource-reference.ts";

function manifest(name: string, overrides: Partial<Manifest> = {}): Manifest {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "n" } };
  return { policy: "manage", manifest: object, ...overrides };
}

function entry(name: string, uid?: string, overrides: Partial<ManagedResource> = {}): ManagedResource {
  const resource = { apiVersion: "v1", kind: "ConfigMap", name, namespace: "n" };
  return { policy: "manage", resource: uid === undefined ? resource : { ...resource, uid }, ...overrides };
}

function applied(...entries: readonly ManagedResource[]): Map<string, AppliedObject> {
  return new Map(entries.map((managed) => [resourceId(managed.resource), { entry: managed, live: undefined }]));
}

describe("the planned inventory", () => {
  it("lists new objects without uid", () => {
    expect(planInventory([], [manifest("a")])).toEqual([entry("a")]);
  });

  it("keeps the uid of what is known, with the new policy", () => {
    expect(planInventory([entry("a", "1")], [manifest("a", { policy: "keep" })])).toEqual([
      entry("a", "1", { policy: "keep" }),
    ]);
  });

  it("keeps what the manifests no longer have, as it was recorded", () => {
    const former = entry("b", "2", { policy: "keep", patchBeforeDelete: { data: { x: "1" } } });
    expect(planInventory([former], [manifest("a")])).toEqual([entry("a"), former]);
  });

  it("does not list what is ignored", () => {
    expect(planInventory([], [manifest("a", { policy: "ignore" })])).toEqual([]);
  });

  it("records what is done before the deletion", () => {
    const hooks = { annotateBeforeDelete: { a: "b" }, patchBeforeDelete: { spec: { x: 1 } } };
    expect(planInventory([], [manifest("a", hooks)])).toEqual([entry("a", undefined, hooks)]);
  });

  it("takes a version change for the same object", () => {
    const deployment = (version: string) => ({
      apiVersion: `apps/${version}`,
      kind: "Deployment",
      name: "d",
      namespace: "n",
    });
    const object = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "d", namespace: "n" } };
    const known: ManagedResource = { policy: "manage", resource: { ...deployment("v1beta2"), uid: "1" } };
    expect(planInventory([known], [{ policy: "manage", manifest: object }])).toEqual([
      { policy: "manage", resource: { ...deployment("v1"), uid: "1" } },
    ]);
  });

  it("does not believe a uid that stands in a manifest", () => {
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "n", uid: "foreign" } };
    expect(planInventory([], [{ policy: "manage", manifest: object }])).toEqual([entry("a")]);
  });

  it("never loses an entry, and planning again changes nothing", () => {
    const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e"));
    fc.assert(
      fc.property(names, names, (before, after) => {
        const previous = before.map((name) => entry(name, name));
        const manifests = after.map((name) => manifest(name));
        const planned = planInventory(previous, manifests);
        const listed = planned.map(({ resource }) => resource.name);
        expect(new Set(listed)).toEqual(new Set([...before, ...after]));
        expect(listed).toHaveLength(new Set(listed).size);
        expect(planInventory(planned, manifests)).toEqual(planned);
      }),
    );
  });
});

describe("orphans", () => {
  it("are what nothing applied covers", () => {
    expect(findOrphans([entry("a", "1"), entry("b", "2")], applied(entry("a", "1")))).toEqual([entry("b", "2")]);
  });

  it("are not found among objects with the uid of an applied one", () => {
    const moved = {
      policy: "manage",
      resource: { apiVersion: "apps/v1", kind: "Deployment", name: "d", uid: "1" },
    } as const;
    const former = { policy: "manage", resource: { ...moved.resource, apiVersion: "extensions/v1beta1" } } as const;
    expect(findOrphans([former], applied(moved))).toEqual([]);
  });

  it("are not found among planned entries by their missing uid", () => {
    const withoutUid = new Map([["other", { entry: entry("c"), live: undefined }]]);
    expect(findOrphans([entry("a")], withoutUid)).toEqual([entry("a")]);
  });

  it("do not include what was dealt with but is not managed", () => {
    const released = new Map([[resourceId(entry("a").resource), { entry: undefined, live: undefined }]]);
    expect(findOrphans([entry("a", "1")], released)).toEqual([]);
  });
});

describe("the confirmed inventory", () => {
  it("fills uids in, drops what was released and keeps what is open", () => {
    const inventory = [entry("a"), entry("b", "2"), entry("c", "3")];
    const done = applied(entry("a", "1"));
    done.set(resourceId(entry("b").resource), { entry: undefined, live: undefined });
    expect(confirmInventory(inventory, done)).toEqual([entry("a", "1"), entry("c", "3")]);
  });
});

it("the inventory is sorted by group of application, then by text", () => {
  const reference = (apiVersion: string, kind: string, path: string): ManagedResource => {
    const [name = "", namespace] = path.split("/").toReversed();
    return { resource: { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) } };
  };
  const sorted = sortInventory([
    reference("v1", "Secret", "n/b"),
    reference("v1", "ConfigMap", "n/b"),
    reference("v1", "ConfigMap", "m/b"),
    reference("rbac.authorization.k8s.io/v1", "ClusterRole", "r"),
    reference("v1", "Namespace", "n"),
    reference("apiextensions.k8s.io/v1", "CustomResourceDefinition", "things.example.org"),
    reference("apps/v1", "Deployment", "n/d"),
  ]);
  expect(sorted.map(({ resource }) => formatResource(resource))).toEqual([
    "CustomResourceDefinition things.example.org",
    "Namespace n",
    "ClusterRole r",
    "Deployment n/d",
    "ConfigMap m/b",
    "ConfigMap n/b",
    "Secret n/b",
  ]);
});

it("an inventory entry has no empty namespace", () => {
  const object = { apiVersion: "v1", kind: "Namespace", metadata: { name: "n", namespace: "" } };
  expect(inventoryEntry({ policy: "manage", manifest: object }, { uid: "1" })).toEqual({
    policy: "manage",
    resource: { apiVersion: "v1", kind: "Namespace", name: "n", uid: "1" },
  });
});
