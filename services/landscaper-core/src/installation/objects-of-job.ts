import { labels, type KubeObject } from "@landscaper/api";
import { labelOf } from "../object-reading.ts";

/** The objects of a scope that belong to a job: all of them where none bears the label of any job. */
export function selectOfJob<T extends KubeObject>(
  objects: readonly T[],
  isOfJob: (object: T) => boolean,
): readonly T[] {
  return objects.some(bearsJob) ? objects.filter(isOfJob) : objects;
}

function bearsJob(object: KubeObject): boolean {
  return (labelOf(object, labels.dataJobId) ?? "") !== "";
}
