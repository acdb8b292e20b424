import { keyOf, resources, type DataObject, type KubeObject, type Target } from "@landscaper/api";
import type { Client, Lister } from "@landscaper/controller-runtime";
import { ensureObject, overlayMetadata, replaceMetadata } from "../ensure-object.ts";
import { isStaleImport } from "./export-objects.ts";
import type { ScopeObjects } from "./import-copies.ts";

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

/** Creates or updates DataObjects and Targets; objects that are as wanted cost nothing. */
export async function writeScope(
  { client, informers }: ScopeWriter,
  { objects, check = anyOwner }: { readonly objects: ScopeObjects; readonly check?: CheckExisting },
  signal: AbortSignal,
): Promise<void> {
  const merge = <T extends DataObject | Target>(existing: T, desired: T): T => {
    check(existing, desired);
    return isStaleImport(existing, desired) ? replaceMetadata(existing, desired) : overlayMetadata(existing, desired);
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
