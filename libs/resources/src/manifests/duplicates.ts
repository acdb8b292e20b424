import { duplicateObject, type UnstructuredObject, type Warning } from "@landscaper/api";
import { isDeepEqual } from "@landscaper/patch";
import { formatResource, referenceTo, resourceId } from "../cluster/resource-reference.ts";

/** An object, and where a user has written it. */
export interface PlacedObject {
  readonly path: string;
  readonly object: UnstructuredObject;
}

/** Groups the copies of each object that is given more than once. `namespace`: of objects that name none. */
export function findDuplicates(
  objects: readonly PlacedObject[],
  namespace?: string,
): readonly (readonly [PlacedObject, ...PlacedObject[]])[] {
  const byId = new Map<string, [PlacedObject, ...PlacedObject[]]>();
  for (const placed of objects) {
    const reference = referenceTo(placed.object);
    const id = resourceId({ ...reference, namespace: reference.namespace ?? namespace });
    const copies = byId.get(id);
    if (copies === undefined) byId.set(id, [placed]);
    else copies.push(placed);
  }
  return [...byId.values()].filter((copies) => copies.length > 1);
}

/** Returns a warning for each copy that differs from the copy before it. Pure. */
export function warnOfDuplicates(objects: readonly PlacedObject[], namespace?: string): readonly Warning[] {
  return findDuplicates(objects, namespace).flatMap((copies) =>
    copies.slice(1).flatMap(({ path, object }, index) => {
      const before = copies[index];
      if (before === undefined || isDeepEqual(before.object, object)) return [];
      const message = `${path}: ${formatResource(referenceTo(object))} is also at ${before.path}, with other content; the last one is applied`;
      return [{ reason: duplicateObject, message }];
    }),
  );
}
