import type { UnstructuredObject } from "@landscaper/api";
import { groupOf } from "../cluster/resource-reference.ts";
import { fieldAt } from "../json-value.ts";

/** Whether Kubernetes deletes the object after it finishes: a Job with `ttlSecondsAfterFinished`. */
export function isExpiring(object: UnstructuredObject): boolean {
  const isJob = groupOf(object.apiVersion) === "batch" && object.kind === "Job";
  return isJob && typeof fieldAt(object, "spec", "ttlSecondsAfterFinished") === "number";
}
