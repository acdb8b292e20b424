import type { UnstructuredObject } from "@landscaper/api";
import { readManagedFields } from "@landscaper/patch";

const warning =
  ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: an entry is invalid";

interface Admitted {
  readonly object: UnstructuredObject;
  readonly warnings: readonly string[];
}

/**
 * Restores `metadata.managedFields` of the sent object if webhooks left an invalid entry, and warns, as kube-apiserver does. Removes an empty list, which
 * kube-apiserver does not store.
 */
export function keepManagedFields(sent: UnstructuredObject, patched: UnstructuredObject): Admitted {
  const { managedFields, ...metadata } = patched.metadata;
  if (managedFields === undefined || managedFields === sent.metadata.managedFields) {
    return { object: patched, warnings: [] };
  }
  const isValid = Array.isArray(managedFields) && readManagedFields(managedFields) !== undefined;
  const kept = isValid ? managedFields : sent.metadata.managedFields;
  const isKept = kept !== undefined && kept.length > 0;
  return {
    object: { ...patched, metadata: isKept ? { ...metadata, managedFields: kept } : metadata },
    warnings: isValid ? [] : [warning],
  };
}
