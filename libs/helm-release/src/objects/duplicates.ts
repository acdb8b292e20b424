import { formatResource, findDuplicates, referenceTo, resourceId, type PlacedObject } from "@landscaper/resources";
import type { ReleaseObject } from "./release-objects.ts";

/** Splits objects so that no part has an object twice. The copies of an object are in successive parts, in their order. */
export function splitDuplicates(objects: readonly ReleaseObject[]): readonly (readonly ReleaseObject[])[] {
  const parts: ReleaseObject[][] = [];
  const counts = new Map<string, number>();
  for (const item of objects) {
    const id = resourceId(referenceTo(item.object));
    const index = counts.get(id) ?? 0;
    counts.set(id, index + 1);
    (parts[index] ??= []).push(item);
  }
  return parts;
}

/** Describes the objects that a chart has more than once, with their templates; undefined if there are none. */
export function describeDuplicates(objects: readonly PlacedObject[], namespace: string): string | undefined {
  const duplicates = findDuplicates(objects, namespace).map((copies) => {
    const paths = [...new Set(copies.map(({ path }) => path))];
    return `${formatResource(referenceTo(copies[0].object))} (${copies.length} times, in ${paths.join(", ")})`;
  });
  return duplicates.length === 0 ? undefined : duplicates.join("; ");
}
