import type { ReadinessLevel, UnstructuredObject } from "@landscaper/api";
import { checkKstatus } from "./kstatus.ts";
import { checkWorkload, type Readiness } from "./workload-readiness.ts";

/** Whether an object is ready by the rules of a level: those of the original, or kstatus for every kind. */
export function checkObject(object: UnstructuredObject, level: ReadinessLevel): Readiness {
  if (level === "default") return checkWorkload(object);
  const result = checkKstatus(object);
  return result.status === "current" ? { ready: true } : { ready: false, message: result.message };
}

/**
 * Whether the status of `object` is surely about its present spec. A write changes the spec at once; the status follows when
 * the controller has seen it.
 */
export function isStatusUpToDate({ metadata, status }: UnstructuredObject): boolean {
  const observed: unknown =
    typeof status === "object" && status !== null ? Reflect.get(status, "observedGeneration") : 0;
  return typeof observed === "number" && observed >= (metadata.generation ?? 1);
}
