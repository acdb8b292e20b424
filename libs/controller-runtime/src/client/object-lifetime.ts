import type { KubeObject } from "@landscaper/api";

/**
 * Whether an object that a delete, or the update which took its last finalizer, has answered with does not exist any more:
 * marked for deletion, and nothing keeps it (no finalizer, no grace period).
 */
export function isObjectGone(object: KubeObject & { readonly spec?: unknown }): boolean {
  const { deletionTimestamp, finalizers, deletionGracePeriodSeconds } = object.metadata;
  if (deletionTimestamp === undefined || (finalizers?.length ?? 0) > 0) return false;
  return (deletionGracePeriodSeconds ?? 0) === 0 && !hasSpecFinalizers(object.spec);
}

/** Namespaces keep their finalizers in the spec. */
function hasSpecFinalizers(spec: unknown): boolean {
  if (typeof spec !== "object" || spec === null || !("finalizers" in spec)) return false;
  return Array.isArray(spec.finalizers) && spec.finalizers.length > 0;
}
