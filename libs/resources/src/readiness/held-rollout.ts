import type { UnstructuredObject } from "@landscaper/api";
import { groupOf } from "../cluster/resource-reference.ts";
import { fieldAt } from "../json-value.ts";

/**
 * Returns why a workload makes no progress until its user acts; undefined for other objects. Helm does not wait for such a workload. Pure.
 */
export function findHold({ apiVersion, kind, metadata, spec }: UnstructuredObject): string | undefined {
  if (metadata.deletionTimestamp !== undefined || groupOf(apiVersion) !== "apps") return undefined;
  if (kind === "Deployment" && fieldAt({ spec }, "spec", "paused") === true) {
    return "it is paused; set spec.paused to false to roll it out";
  }
  if (kind === "StatefulSet" && fieldAt({ spec }, "spec", "updateStrategy", "type") === "OnDelete") {
    return "its update strategy is OnDelete; delete its Pods to update them";
  }
  return undefined;
}
