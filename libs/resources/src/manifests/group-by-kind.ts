import type { ResourceReference } from "../cluster/resource-reference.ts";

/** Puts together what one list can answer for: items whose references have the same kind, version and namespace. */
export function groupByKind<T>(items: readonly T[], referenceOf: (item: T) => ResourceReference): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const { apiVersion, kind, namespace = "" } = referenceOf(item);
    const key = JSON.stringify([apiVersion, kind, namespace]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
