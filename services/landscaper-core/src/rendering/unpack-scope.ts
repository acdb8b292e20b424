import type { DataObject, Target } from "@landscaper/api";
import { unpack } from "@landscaper/threads";
import type { ScopeObjects } from "../installation/imports/import-copies.ts";
import { createBreather } from "@landscaper/controller-runtime";
import type { PackedScope } from "./render-task.ts";

/** The objects that a thread has made, one by one: large ones do not keep the main thread together. */
export async function unpackScope({ dataObjects, targets }: PackedScope): Promise<ScopeObjects> {
  const breathe = createBreather();
  const found: { dataObjects: DataObject[]; targets: Target[] } = { dataObjects: [], targets: [] };
  for (const packed of dataObjects) {
    await breathe();
    // The thread has made them of these kinds.
    found.dataObjects.push(unpack(packed) as DataObject);
  }
  for (const packed of targets) {
    await breathe();
    found.targets.push(unpack(packed) as Target);
  }
  return found;
}
