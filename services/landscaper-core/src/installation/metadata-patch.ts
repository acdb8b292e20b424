import { annotations, defaultContextName, finalizer, operations, type Installation } from "@landscaper/api";
import { annotationOf, hasFinalizer, isDeleting } from "../object-reading.ts";

export interface MetadataPatch {
  readonly metadata: {
    readonly resourceVersion?: string | undefined;
    readonly finalizers?: readonly string[];
    readonly annotations?: Readonly<Record<string, string | null>>;
  };
  readonly spec?: { readonly context: string };
}

function lacksContext({ spec }: Installation): boolean {
  return (spec.context ?? "") === "";
}

/** Finalizer and context have to be there before the first sub-object is; what is being deleted may not get them any more. */
export function lacksMetadata(installation: Installation): boolean {
  if (isDeleting(installation)) return false;
  return !hasFinalizer(installation, finalizer) || lacksContext(installation);
}

/** Merge patch for everything that an Installation's metadata lacks, guarded by its resourceVersion. */
export function buildMetadataPatch(installation: Installation, removesOperation: boolean): MetadataPatch {
  const { resourceVersion, finalizers = [] } = installation.metadata;
  const canGetMore = !isDeleting(installation);
  const isRetry = annotationOf(installation, annotations.reconcileReason) !== undefined;
  return {
    metadata: {
      resourceVersion,
      ...(canGetMore && !hasFinalizer(installation, finalizer) ? { finalizers: [...finalizers, finalizer] } : {}),
      ...(removesOperation
        ? {
            annotations: { [annotations.operation]: null, ...(isRetry ? { [annotations.reconcileReason]: null } : {}) },
          }
        : {}),
    },
    ...(canGetMore && lacksContext(installation) ? { spec: { context: defaultContextName } } : {}),
  };
}

/**
 * The Installation as it will be once its metadata is complete: its context, and the generation that this makes. The write is guarded
 * by the resourceVersion, so that no other change can come between.
 */
export function withDefaultContext(installation: Installation): Installation {
  if (isDeleting(installation) || !lacksContext(installation)) return installation;
  const { metadata, spec } = installation;
  const generation = (metadata.generation ?? 0) + 1;
  return { ...installation, metadata: { ...metadata, generation }, spec: { ...spec, context: defaultContextName } };
}

/** Whether a trigger is waiting on an object. */
export function isTriggered(object: Installation): boolean {
  return annotationOf(object, annotations.operation) === operations.reconcile;
}
