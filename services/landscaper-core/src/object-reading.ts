import { inheritedAnnotations, type KubeObject } from "@landscaper/api";

export { controllerOf, installationOwners, parentOf } from "@landscaper/api";

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

/** The annotations that what is below an object gets from it. */
export function inheritedFrom(object: KubeObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    inheritedAnnotations.flatMap((key) => {
      const value = annotationOf(object, key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/** Boolean annotations are set by the text "true" alone. */
export function hasAnnotation(object: KubeObject, key: string): boolean {
  return annotationOf(object, key) === "true";
}

export function isDeleting(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}

/** Whether the object was deleted with `--cascade=orphan`, and Kubernetes has not released its children yet. */
export function isReleasing(object: KubeObject): boolean {
  return isDeleting(object) && hasFinalizer(object, "orphan");
}

export function hasFinalizer(object: KubeObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) === true;
}
