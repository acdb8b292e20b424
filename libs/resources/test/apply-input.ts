// What decides how an object is applied: the manifest, the live object, the entry of the inventory.
import type { UnstructuredObject } from "@landscaper/api";
import type { ApplyInput } from "../src/apply/decide-apply.ts";
import type { ManagedResource, Manifest } from "../src/manifests/manifest.ts";

export const owner = { key: "manifest.deployer.landscaper.gardener.cloud/deployitem", value: "item" };
export const ours = { [owner.key]: "item" };
export const theirs = { [owner.key]: "other" };

export function configMap(
  metadata: Record<string, unknown> = {},
  fields: Record<string, unknown> = {},
): UnstructuredObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "n", ...metadata }, ...fields };
}

/** Because of the label. */
export const refused = { type: "refuse", owner: { owner: "other", by: "label" } };

/** What the API server adds. */
export const stored = { uid: "u", resourceVersion: "7", creationTimestamp: "2026-01-01T00:00:00Z" };

/** The inventory entry of the object; without uid it is only planned. */
export function entryOf(uid?: string, fieldManager?: string): ManagedResource {
  const resource = { apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: "n" };
  return {
    policy: "manage",
    resource: uid === undefined ? resource : { ...resource, uid },
    ...(fieldManager === undefined ? {} : { fieldManager }),
  };
}

export function input(overrides: Partial<ApplyInput> & { readonly entry?: Partial<Manifest> }): ApplyInput {
  const { entry, ...rest } = overrides;
  return {
    manifest: { policy: "manage", manifest: configMap({}, { data: { a: "1" } }), ...entry },
    live: undefined,
    strategy: "update",
    owner,
    recorded: entryOf("u"),
    ...rest,
  };
}
