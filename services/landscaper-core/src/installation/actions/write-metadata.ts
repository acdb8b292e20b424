import {
  annotations,
  defaultContextName,
  finalizer,
  keyOf,
  operations,
  resources,
  type Installation,
} from "@landscaper/api";
import type { Core } from "../../core.ts";
import { annotationOf, hasFinalizer, isDeleting } from "../../object-reading.ts";
import { withStored, type InstallationPass } from "../installation-pass.ts";

export interface MetadataPatch {
  readonly metadata: {
    readonly resourceVersion?: string | undefined;
    readonly finalizers?: readonly string[];
    readonly annotations?: Readonly<Record<string, string | null>>;
  };
  readonly spec?: { readonly context: string };
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
    ...(canGetMore && (installation.spec.context ?? "") === "" ? { spec: { context: defaultContextName } } : {}),
  };
}

/** One metadata write (design.md §6): finalizer, default context, and the operation annotation that the job has taken. */
export async function writeMetadata(
  core: Core,
  { pass, removesOperation }: { readonly pass: InstallationPass; readonly removesOperation: boolean },
  signal: AbortSignal,
): Promise<InstallationPass> {
  const { installation } = pass;
  const body = buildMetadataPatch(installation, removesOperation);
  const stored = await core.client.patch(resources.installation, keyOf(installation), { type: "merge", body, signal });
  return withStored(pass, stored);
}

/** Whether a trigger is waiting on an object. */
export function isTriggered(object: Installation): boolean {
  return annotationOf(object, annotations.operation) === operations.reconcile;
}
