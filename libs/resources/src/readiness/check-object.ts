import type { ReadinessLevel, UnstructuredObject } from "@landscaper/api";
import { fieldAt } from "../json-value.ts";
import { checkKstatus } from "./kstatus.ts";
import type { KStatus } from "./kstatus-result.ts";
import { checkWorkload, type Readiness } from "./workload-readiness.ts";

/** Whether an object is ready by the rules of a level: those of the original, or kstatus for every kind. */
export function checkObject(object: UnstructuredObject, level: ReadinessLevel): Readiness {
  if (level === "default") return checkWorkload(object);
  return toReadiness(checkKstatus(object));
}

export function toReadiness(status: KStatus): Readiness {
  return status.status === "current" ? { ready: true } : { ready: false, message: status.message };
}

/**
 * Whether the status of `object` is surely about its present spec. A write changes the spec at once; the status follows when
 * the controller has seen it. A Job that has ended stays so.
 */
export function isStatusUpToDate({ apiVersion, kind, metadata, status }: UnstructuredObject): boolean {
  if (apiVersion === "batch/v1" && kind === "Job") return true;
  const observed = fieldAt({ status }, "status", "observedGeneration");
  return typeof observed === "number" && observed >= (metadata.generation ?? 1);
}
