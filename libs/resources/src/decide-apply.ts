import type { UnstructuredObject, UpdateStrategy } from "@landscaper/api";
import { createMergePatch, isDeepEqual } from "@landscaper/patch";
import { deepMerge } from "./deep-merge.ts";
import { setFieldAt, type JsonObject } from "./json-value.ts";
import type { Manifest } from "./manifest.ts";
import { isOwnedBy, type OwnerLabel } from "./owner-label.ts";
import { copyRequiredFields } from "./required-fields.ts";

/** What is to be done with one object of the target. */
export type ApplyDecision =
  /** Policy `ignore`: neither touched nor recorded. */
  | { readonly type: "ignore" }
  | { readonly type: "create"; readonly object: UnstructuredObject }
  /** PUT, guarded by the resource version of the live object. */
  | { readonly type: "replace"; readonly object: UnstructuredObject }
  /** JSON merge patch. */
  | { readonly type: "patch"; readonly body: JsonObject }
  /** The live object is as it should be: no request. */
  | { readonly type: "unchanged" }
  /** Managed as it is (`immutable`). */
  | { readonly type: "adopt" }
  /** Belongs to somebody else (`fallback`): not touched and no longer recorded. */
  | { readonly type: "release" };

export interface ApplyInput {
  readonly manifest: Manifest;
  readonly live: UnstructuredObject | undefined;
  readonly strategy: UpdateStrategy;
  readonly owner: OwnerLabel;
  /** Labels that every object gets beside the owner label. */
  readonly extraLabels?: Readonly<Record<string, string>> | undefined;
  /** Whether the inventory knows the object only as planned: a create of ours may have succeeded without our knowing. */
  readonly isPlanned: boolean;
}

/** The table of deployers.md §3.4. */
export function decideApply(input: ApplyInput): ApplyDecision {
  const { manifest, live, owner } = input;
  if (manifest.policy === "ignore") return { type: "ignore" };
  if (live === undefined) return { type: "create", object: objectToCreate(input) };
  if (manifest.policy === "fallback" && !isOwnedBy(live, owner)) return { type: "release" };
  if (manifest.policy === "immutable") return { type: "adopt" };
  return decideUpdate(input, live);
}

function decideUpdate(input: ApplyInput, live: UnstructuredObject): ApplyDecision {
  switch (input.strategy) {
    case "update": {
      const object = replacement(input, live);
      return isDeepEqual(object, live) ? { type: "unchanged" } : { type: "replace", object };
    }
    case "patch": {
      const body = createMergePatch(live, replacement(input, live));
      return Object.keys(body).length === 0 ? { type: "unchanged" } : { type: "patch", body };
    }
    case "merge":
    case "mergeOverwrite": {
      const object = merged(input, live);
      return isDeepEqual(object, live) ? { type: "unchanged" } : { type: "replace", object };
    }
  }
}

function objectToCreate(input: ApplyInput): UnstructuredObject {
  const object = labelled(input, input.manifest.manifest);
  annotate(object, input.manifest.annotateBeforeCreate);
  return object;
}

/** Foreign fields vanish; what the server or the kind demands is carried over. */
function replacement(input: ApplyInput, live: UnstructuredObject): UnstructuredObject {
  // A create whose answer was lost is repeated here: the result must be what the create would have left.
  const repeatsCreate = input.isPlanned && isOwnedBy(live, input.owner);
  const desired = repeatsCreate ? objectToCreate(input) : labelled(input, input.manifest.manifest);
  copyRequiredFields(desired, live);
  return desired;
}

function merged(input: ApplyInput, live: UnstructuredObject): UnstructuredObject {
  const override = input.strategy === "mergeOverwrite";
  // The merge keeps apiVersion, kind and metadata of the live object, so the result is an object again.
  const object = structuredClone(deepMerge(live, input.manifest.manifest, { override })) as UnstructuredObject;
  setLabels(object, input);
  return object;
}

function labelled(input: ApplyInput, object: UnstructuredObject): UnstructuredObject {
  const copy = structuredClone(object);
  setLabels(copy, input);
  return copy;
}

function setLabels(object: UnstructuredObject, { owner, extraLabels }: ApplyInput): void {
  for (const [key, value] of Object.entries({ ...extraLabels, [owner.key]: owner.value })) {
    setFieldAt(object, ["metadata", "labels", key], value);
  }
}

function annotate(object: UnstructuredObject, annotations: Readonly<Record<string, string>> | undefined): void {
  for (const [key, value] of Object.entries(annotations ?? {})) {
    setFieldAt(object, ["metadata", "annotations", key], value);
  }
}
