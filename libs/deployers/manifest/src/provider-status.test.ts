import { describe, expect, it } from "@jest/globals";
import { readDeletionGroups, readInventory, writeInventory } from "./provider-status.ts";

const entry = {
  policy: "keep",
  annotateBeforeDelete: { a: "b" },
  patchBeforeDelete: { data: { x: "1" } },
  resource: { apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: "n", uid: "u" },
} as const;

describe("the provider status", () => {
  it("is written in version v1alpha2 and read again", () => {
    const status = writeInventory([entry], undefined);
    expect(status).toEqual({
      apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha2",
      kind: "ProviderStatus",
      managedResources: [entry],
    });
    expect([readInventory(status), readDeletionGroups(status)]).toEqual([[entry], undefined]);
  });

  it("has the deletion groups of the last job", () => {
    const groups = [{ predefinedResourceGroup: { type: "namespaced-resources" } }] as const;
    expect(readDeletionGroups(writeInventory([entry], groups))).toEqual(groups);
    expect(readDeletionGroups(undefined)).toBe(undefined);
  });

  it("of a new item has no inventory", () => {
    expect(readInventory(undefined)).toEqual([]);
    expect(readInventory({})).toEqual([]);
  });

  it("of version v1alpha1 has bare references", () => {
    const status = {
      apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha1",
      kind: "ProviderStatus",
      managedResources: [entry.resource, { policy: "keep", resource: entry.resource }],
    };
    expect(readInventory(status)).toEqual([
      { policy: "manage", resource: entry.resource },
      { policy: "keep", resource: entry.resource },
    ]);
  });

  it("that is damaged is not taken for an empty one", () => {
    expect(() => readInventory({ managedResources: "none" })).toThrow(
      "status.providerStatus: not a valid ProviderStatus: managedResources: expected a list, found a string",
    );
  });
});
