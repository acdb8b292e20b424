import { groupName, type KubeObject, type OwnerReference } from "@landscaper/api";

/** Whether the owner reference points to a Landscaper object of this kind. */
function isOwnerOfKind(owner: OwnerReference, kind: string): boolean {
  return owner.kind === kind && owner.apiVersion.startsWith(`${groupName}/`);
}

/** The Installations that own an object, as controller or plainly. */
export function installationOwners(object: KubeObject): readonly OwnerReference[] {
  return (object.metadata.ownerReferences ?? []).filter((owner) => isOwnerOfKind(owner, "Installation"));
}

/** The Landscaper object of `kind` that controls this one. */
export function controllerOf(object: KubeObject, kind: string): OwnerReference | undefined {
  return (object.metadata.ownerReferences ?? []).find(
    (owner) => owner.controller === true && isOwnerOfKind(owner, kind),
  );
}

/** The parent of a subinstallation; undefined for roots, whatever else may own them (core.md §2.2). */
export function parentOf(object: KubeObject): OwnerReference | undefined {
  return installationOwners(object)[0];
}

export function uidOf(object: KubeObject): string {
  return object.metadata.uid ?? "";
}

export function nameOf(object: KubeObject): string {
  return object.metadata.name ?? "";
}

export function namespaceOf(object: KubeObject): string {
  return object.metadata.namespace ?? "";
}

export function annotationOf(object: KubeObject, key: string): string | undefined {
  return object.metadata.annotations?.[key];
}

export function labelOf(object: KubeObject, key: string): string | undefined {
  return object.metadata.labels?.[key];
}

/** Boolean annotations are set by the text "true" alone. */
export function hasAnnotation(object: KubeObject, key: string): boolean {
  return annotationOf(object, key) === "true";
}

export function isDeleting(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}

export function hasFinalizer(object: KubeObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) === true;
}
