import { annotations, type UnstructuredObject, type UpdateStrategy } from "@landscaper/api";
import { cloneJson, createMergePatch, isDeepEqual } from "@landscaper/patch";
import { deepMerge } from "./deep-merge.ts";
import { decideServerApply, type JsonPatch } from "./decide-server-apply.ts";
import { isJsonObject, setFieldAt, type JsonObject } from "../json-value.ts";
import { mayFit, type IgnoreRule } from "../fields/ignore-rules.ts";
import { appliedFields, keepsAll, withKeptFields, type KeptField } from "../fields/kept-field.ts";
import { namesOf, type FieldManagers } from "./managed-fields.ts";
import type { ManagedResource, Manifest } from "../manifests/manifest.ts";
import {
  adoptedFrom,
  bearsLabel,
  isNamesake,
  isOwnedBy,
  judgeOwnership,
  ownerAnnotationKeys,
  ownerAnnotations,
  withoutOwnerMark,
  type ForeignOwner,
  type OwnerLabel,
} from "../cluster/owner-label.ts";
import { copyControllerMetadata } from "./controller-metadata.ts";
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
  /** Server-side apply; `prepare` is a JSON patch that comes before it. `isNew`: refused as a conflict when there is an object. */
  | {
      readonly type: "apply";
      readonly body: UnstructuredObject;
      readonly prepare?: JsonPatch | undefined;
      readonly isNew?: boolean | undefined;
    }
  /** The live object is as it should be: no request. */
  | { readonly type: "unchanged" }
  /** Managed as it is (`immutable`). */
  | { readonly type: "adopt" }
  /** Belongs to somebody else (`fallback`): not touched and no longer recorded. */
  | { readonly type: "release" }
  /** Belongs to another item, and nobody has said that it may be taken from it. */
  | { readonly type: "refuse"; readonly owner: ForeignOwner };

export interface ApplyInput {
  readonly manifest: Manifest;
  readonly live: UnstructuredObject | undefined;
  readonly strategy: UpdateStrategy;
  readonly owner: OwnerLabel;
  /** Labels that every object gets beside the owner label. */
  readonly extraLabels?: Readonly<Record<string, string>> | undefined;
  /** The object's entry in the inventory; without uid it is only planned: a create of ours may have succeeded without our knowing. */
  readonly recorded?: ManagedResource | undefined;
  /** For strategy `apply`. */
  readonly managers?: FieldManagers | undefined;
  /** Fields that other clients set. */
  readonly ignore?: readonly IgnoreRule[] | undefined;
  /** Fields that keep their live value (`findKeptFields`). */
  readonly kept?: readonly KeptField[] | undefined;
  /** Whether the object may be taken from the item that has marked it (`decideTakeOver`). Default: no. */
  readonly takesOver?: boolean | undefined;
}

/**
 * What can be decided without looking at the live object: what is most likely absent is created, and what we have applied before
 * is applied again. Undefined: look first.
 */
export function decideApplyUnseen(input: ApplyInput): ApplyDecision | undefined {
  const { manifest, recorded, strategy, managers } = input;
  if (manifest.policy === "ignore") return { type: "ignore" };
  const uid = recorded?.resource.uid;
  if (strategy !== "apply") return uid === undefined ? decideApply({ ...input, live: undefined }) : undefined;
  // Like "create": refused when the object is there after all.
  if (uid === undefined) return decideServerApply({ desired: objectToCreate(input), isNew: true });
  const isApplied = managers !== undefined && recorded?.fieldManager === managers.manager;
  const isPlain = manifest.policy === "manage" || manifest.policy === "keep";
  // An unseen apply is not forced, so the API server reports fields of the cluster as conflicts.
  const mayIgnore = input.ignore?.some((rule) => mayFit(rule, manifest.manifest)) ?? false;
  if (!isApplied || !isPlain || mayIgnore) return undefined;
  return decideServerApply({ desired: labelled(input, manifest.manifest), uid });
}

/** The table of deployers.md §3.4. */
export function decideApply(input: ApplyInput): ApplyDecision {
  const { manifest, live, owner } = input;
  if (manifest.policy === "ignore") return { type: "ignore" };
  if (live === undefined) {
    const object = objectToCreate(input);
    return input.strategy === "apply"
      ? decideServerApply({ desired: object, isNew: true })
      : { type: "create", object };
  }
  if (manifest.policy === "fallback" && !isForItem(live, owner)) return { type: "release" };
  const other = foreignOwner(input, live);
  if (other !== undefined && input.takesOver !== true && !mayAdopt(manifest)) return { type: "refuse", owner: other };
  if (manifest.policy === "immutable") return { type: "adopt" };
  return decideUpdate(input, live);
}

/** What is kept is never deleted: several items may have it, such as a Namespace that each of them needs. */
function mayAdopt({ adopt, policy }: Manifest): boolean {
  return adopt === true || policy === "keep";
}

/** Whether the inventory has the very object. */
function isRecorded({ recorded }: ApplyInput, live: UnstructuredObject): boolean {
  return recorded?.resource.uid !== undefined && recorded.resource.uid === live.metadata.uid;
}

/** Ours, or that of an item of our name, and not handed over by its label. */
function isForItem(live: UnstructuredObject, owner: OwnerLabel): boolean {
  if (!bearsLabel(live, owner)) return false;
  const ownership = judgeOwnership(live, owner);
  if (ownership.type !== "other") return ownership.type === "ours";
  return ownership.mark !== undefined && owner.item !== undefined && isNamesake(ownership.mark, owner.item);
}

/** The item that a live object belongs to, when it is not ours, whatever the inventory says. */
function foreignOwner({ owner }: ApplyInput, live: UnstructuredObject): ForeignOwner | undefined {
  const ownership = judgeOwnership(live, owner);
  if (ownership.type !== "other") return undefined;
  const { type: _type, ...other } = ownership;
  return other;
}

function fieldsToKeep(
  { manifest: { manifest }, strategy, managers, kept = [] }: ApplyInput,
  live: UnstructuredObject,
): readonly KeptField[] {
  if (strategy !== "apply") return kept;
  return appliedFields({ manifest, live, managers: managers === undefined ? [] : namesOf(managers) }, kept);
}

function decideUpdate(given: ApplyInput, live: UnstructuredObject): ApplyDecision {
  const { manifest: entry, kept = [] } = given;
  if (keepsAll(kept)) return { type: "unchanged" };
  const fields = fieldsToKeep(given, live);
  const input = { ...given, manifest: { ...entry, manifest: withKeptFields(entry.manifest, fields) } };
  switch (input.strategy) {
    case "apply": {
      const { managers } = input;
      const from = foreignOwner(input, live);
      const adoption = from === undefined ? undefined : { from: adoptedFrom(from, input.owner), by: input.owner };
      const isGuarded = fields.length > 0;
      return decideServerApply({ desired: manifestOf(input, live), live, managers, adoption, isGuarded });
    }
    case "update": {
      const object = replacement(input, live);
      return isAsWanted(object, live) ? { type: "unchanged" } : { type: "replace", object };
    }
    case "patch": {
      const object = replacement(input, live);
      return isAsWanted(object, live) ? { type: "unchanged" } : { type: "patch", body: createMergePatch(live, object) };
    }
    case "merge":
    case "mergeOverwrite": {
      const object = merged(input, live);
      return isAsWanted(object, live) ? { type: "unchanged" } : { type: "replace", object };
    }
  }
}

/** Missing owner annotations alone do not cause a write. */
function isAsWanted(object: UnstructuredObject, live: UnstructuredObject): boolean {
  if (isDeepEqual(object, live)) return true;
  const { annotations: wanted = {} } = object.metadata;
  const { annotations: found = {} } = live.metadata;
  const isMarkedOtherwise = ownerAnnotationKeys.some((key) => found[key] !== undefined && found[key] !== wanted[key]);
  return !isMarkedOtherwise && isDeepEqual(withoutOwnerMark(object), withoutOwnerMark(live));
}

function objectToCreate(input: ApplyInput): UnstructuredObject {
  return withMetadata(labelled(input, input.manifest.manifest), "annotations", input.manifest.annotateBeforeCreate);
}

/** Foreign fields vanish; what the server or the kind demands is carried over. */
function replacement(input: ApplyInput, live: UnstructuredObject): UnstructuredObject {
  const desired = copyForChange(manifestOf(input, live));
  copyRequiredFields(desired, live);
  copyControllerMetadata(desired, live);
  noteAdoption(desired, input, live);
  return desired;
}

/** A copy whose metadata and spec are its own; everything else, which can be large, is shared. */
function copyForChange<T extends UnstructuredObject>(object: T): T {
  const own = Object.entries(object).filter(([key]) => key === "metadata" || key === "spec");
  return { ...object, ...Object.fromEntries(own.map(([key, value]) => [key, cloneJson(value)])) };
}

/** A create whose answer was lost is repeated here: the result must be what the create would have left. */
function manifestOf(input: ApplyInput, live: UnstructuredObject): UnstructuredObject {
  const repeatsCreate = input.recorded?.resource.uid === undefined && isOwnedBy(live, input.owner);
  return repeatsCreate ? objectToCreate(input) : labelled(input, input.manifest.manifest);
}

/** So that the former owner leaves the object alone from now on (`decideRemoval`). */
function noteAdoption(object: UnstructuredObject, input: ApplyInput, live: UnstructuredObject): void {
  // Several items that keep an object have it in turn.
  const isShared = input.manifest.policy === "keep" && isRecorded(input, live);
  const foreign = isShared ? undefined : foreignOwner(input, live);
  const former =
    foreign === undefined ? live.metadata.annotations?.[annotations.adoptedFrom] : adoptedFrom(foreign, input.owner);
  if (former !== undefined) setFieldAt(object, ["metadata", "annotations", annotations.adoptedFrom], former);
}

function merged(input: ApplyInput, live: UnstructuredObject): UnstructuredObject {
  const override = input.strategy === "mergeOverwrite";
  // The merge keeps apiVersion, kind and metadata of the live object, so the result is an object again.
  const whole = deepMerge(withoutOwnerMark(live), input.manifest.manifest, { override }) as UnstructuredObject;
  const object = copyForChange(labelled(input, whole));
  noteAdoption(object, input, live);
  return object;
}

function labelled({ owner, extraLabels }: ApplyInput, object: UnstructuredObject): UnstructuredObject {
  const withLabels = withMetadata(object, "labels", { ...extraLabels, [owner.key]: owner.value });
  return withMetadata(withLabels, "annotations", ownerAnnotations(owner));
}

/** A copy with more labels or annotations, which shares everything else: for a thousand objects deep copies are what costs most. */
function withMetadata(
  object: UnstructuredObject,
  field: "labels" | "annotations",
  more: Readonly<Record<string, string>> | undefined,
): UnstructuredObject {
  if (more === undefined || Object.keys(more).length === 0) return object;
  const { [field]: current } = object.metadata;
  const values = { ...(isJsonObject(current) ? current : {}), ...more };
  return { ...object, metadata: { ...object.metadata, [field]: values } };
}
