import { keyOf, labels, resources, type DataObject, type KubeObject, type Target } from "@landscaper/api";
import type { Client, Lister } from "@landscaper/controller-runtime";
import { ensureObject, overlayMetadata, replaceMetadata } from "../ensure-object.ts";
import { isSameJson } from "../is-same-json.ts";
import { labelOf } from "../object-reading.ts";
import { isOwnExport, isStaleImport } from "./export-objects.ts";
import type { ScopeObjects } from "./imports/import-copies.ts";

/** What writing needs of the core. */
interface ScopeWriter {
  readonly client: Client;
  readonly informers: {
    readonly dataObjects: { readonly lister: Lister<DataObject> };
    readonly targets: { readonly lister: Lister<Target> };
  };
}

/** Called for an object that is there already; throws when it may not be overwritten. */
export type CheckExisting = (existing: KubeObject, desired: KubeObject) => void;

const anyOwner: CheckExisting = () => {};

function checkCached<T extends KubeObject>(lister: Lister<T>, desired: T, check: CheckExisting): void {
  const existing = lister.get(keyOf(desired));
  if (existing !== undefined) check(existing, desired);
}

/** What is selected by its name does not need the label of the job: it does not change alone. */
function mergeObject<T extends DataObject | Target>(existing: T, desired: T, isNamed: boolean): T {
  const isReplaced = isStaleImport(existing, desired) || isOwnExport(existing, desired);
  const merge = isReplaced ? replaceMetadata<T> : overlayMetadata<T>;
  if (isNamed && isSameJson(merge(existing, withJobOf(existing, desired)), existing)) return existing;
  return merge(existing, desired);
}

/** The desired object with the job that the existing one bears. */
function withJobOf<T extends KubeObject>(existing: KubeObject, desired: T): T {
  const { [labels.dataJobId]: _, ...others } = desired.metadata.labels ?? {};
  const job = labelOf(existing, labels.dataJobId);
  const own = job === undefined ? others : { ...others, [labels.dataJobId]: job };
  return { ...desired, metadata: { ...desired.metadata, labels: own } };
}

export interface ScopeWrite {
  readonly objects: ScopeObjects;
  readonly check?: CheckExisting;
  /** How readers find the objects: by their names alone, or by the label of the job as well. */
  readonly selectedBy: "name" | "job";
}

/** Creates or updates DataObjects and Targets; objects that are as wanted cost nothing. */
export async function writeScope(
  { client, informers }: ScopeWriter,
  { objects, check = anyOwner, selectedBy }: ScopeWrite,
  signal: AbortSignal,
): Promise<void> {
  const merge = <T extends DataObject | Target>(existing: T, desired: T): T => {
    check(existing, desired);
    return mergeObject(existing, desired, selectedBy === "name");
  };
  // All before the first write: a refusal leaves nothing half-written.
  for (const desired of objects.dataObjects) checkCached(informers.dataObjects.lister, desired, check);
  for (const desired of objects.targets) checkCached(informers.targets.lister, desired, check);
  await Promise.all([
    ...objects.dataObjects.map((desired) =>
      ensureObject({
        client,
        type: resources.dataObject,
        lister: informers.dataObjects.lister,
        desired,
        merge,
        signal,
      }),
    ),
    ...objects.targets.map((desired) =>
      ensureObject({ client, type: resources.target, lister: informers.targets.lister, desired, merge, signal }),
    ),
  ]);
}
