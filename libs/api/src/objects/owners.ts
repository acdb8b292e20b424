import { groupName } from "./api-group.ts";
import type { KubeObject, OwnerReference } from "./kube-object.ts";

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
