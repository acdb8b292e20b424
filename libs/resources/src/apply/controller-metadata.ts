import type { UnstructuredObject } from "@landscaper/api";
import { isJsonObject, setFieldAt } from "../json-value.ts";

/** Annotations that Kubernetes' own controllers and its API server write; `*` stands for any end. */
const controllerAnnotations = [
  "apf.kubernetes.io/autoupdate-spec",
  "autoscaling.alpha.kubernetes.io/*",
  "batch.kubernetes.io/*",
  "control-plane.alpha.kubernetes.io/leader",
  "deployment.kubernetes.io/*",
  "deprecated.daemonset.template.generation",
  "endpoints.kubernetes.io/*",
  "endpointslice.kubernetes.io/*",
  "kubernetes.io/service-account.uid",
  "pv.kubernetes.io/*",
  "volume.beta.kubernetes.io/storage-provisioner",
  "volume.kubernetes.io/*",
] as const;

/** Finalizers of Kubernetes itself, such as kubernetes.io/pvc-protection and service.kubernetes.io/load-balancer-cleanup. */
const controllerFinalizer = /^([a-z0-9.-]+\.)?kubernetes\.io\/|^(foregroundDeletion|orphan)$/;

function isControllerAnnotation(key: string): boolean {
  return controllerAnnotations.some((known) =>
    known.endsWith("*") ? key.startsWith(known.slice(0, -1)) : key === known,
  );
}

/**
 * Copies into `desired`, whose metadata is its own, the annotations and finalizers of `live` that Kubernetes' own controllers have
 * written and that the manifest does not name: each would be written again, and some raise the object's generation.
 */
export function copyControllerMetadata(desired: UnstructuredObject, live: UnstructuredObject): void {
  const { annotations = {}, finalizers } = live.metadata;
  const { annotations: wanted, finalizers: wantedFinalizers } = desired.metadata;
  for (const [key, value] of Object.entries(annotations)) {
    const isNamed = isJsonObject(wanted) && Object.hasOwn(wanted, key);
    if (!isNamed && isControllerAnnotation(key)) setFieldAt(desired, ["metadata", "annotations", key], value);
  }
  const own = Array.isArray(wantedFinalizers) ? wantedFinalizers : [];
  const kept = (finalizers ?? []).filter((name) => own.includes(name) || controllerFinalizer.test(name));
  const added = own.filter((name) => !kept.includes(name));
  if (kept.length > 0) setFieldAt(desired, ["metadata", "finalizers"], [...kept, ...added]);
}
