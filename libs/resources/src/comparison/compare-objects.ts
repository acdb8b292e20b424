import type { UnstructuredObject } from "@landscaper/api";
import { createBreather } from "@landscaper/controller-runtime";
import { diffObjects, type FieldChange } from "./field-diff.ts";
import { ChangeMask } from "./mask-changes.ts";
import type { ObjectChange } from "./plan-diff.ts";
import { referenceTo, resourceId } from "../cluster/resource-reference.ts";

/**
 * What differs between two sets of objects as they are written down, in the order of the second, then what only the first has. No cluster
 * is asked: defaults count as differences. Masked as `planDiff` masks. Of an object that a set has twice, the last counts.
 */
export async function compareObjects(
  before: readonly UnstructuredObject[],
  after: readonly UnstructuredObject[],
): Promise<ObjectChange[]> {
  const [former, wanted] = [byId(before), byId(after)];
  const pairs = [...wanted].map(([id, to]) => ({ from: former.get(id), to }));
  const mask = new ChangeMask([...before, ...after]);
  const breathe = createBreather();
  const compared: { readonly object: UnstructuredObject; readonly fields: readonly FieldChange[] }[] = [];
  for (const { from, to } of pairs) {
    await breathe();
    compared.push({ object: to, fields: diffObjects(from, to) });
  }
  const masked = await mask.mask(compared);
  const written = pairs.map(({ from, to }, index): ObjectChange => {
    const fields = masked[index] ?? [];
    const isSame = from?.apiVersion === to.apiVersion && fields.length === 0;
    return { resource: referenceTo(to), type: from === undefined ? "create" : isSame ? "unchanged" : "update", fields };
  });
  const removed = [...former]
    .filter(([id]) => !wanted.has(id))
    .map(([, object]): ObjectChange => ({ resource: referenceTo(object), type: "delete", fields: [] }));
  return [...written, ...removed];
}

function byId(objects: readonly UnstructuredObject[]): ReadonlyMap<string, UnstructuredObject> {
  return new Map(objects.map((object) => [resourceId(referenceTo(object)), object]));
}
