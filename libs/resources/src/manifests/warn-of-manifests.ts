import { duplicateObject, nestedList, type UnstructuredObject, type Warning } from "@landscaper/api";
import { isDeepEqual } from "@landscaper/patch";
import { checkManifest } from "./check-manifest.ts";
import { isJsonObject } from "../json-value.ts";
import { formatResource, referenceTo, resourceId } from "../cluster/resource-reference.ts";

/** An object of a configuration, and where it is. */
interface Placed {
  readonly path: string;
  readonly object: UnstructuredObject;
}

/**
 * Returns warnings of manifests that are accepted although they may not be meant so: a List within a List, which kubectl refuses, and an object that is given
 * twice with different content. `paths` are those of the manifests, for messages. Manifests that `checkManifest` refuses have no warnings. Pure.
 */
export function warnOfManifests(manifests: readonly unknown[], pathOf: (index: number) => string): readonly Warning[] {
  const valid = manifests.flatMap((manifest, index) => {
    const path = pathOf(index);
    return checkManifest(manifest, path).length > 0 ? [] : [{ path, object: manifest as UnstructuredObject }]; // checked
  });
  return [...valid.flatMap(({ path, object }) => nestedLists(object, path)), ...duplicates(valid.flatMap(itemsOf))];
}

function nestedLists(list: UnstructuredObject, path: string): Warning[] {
  const items: unknown = list["items"];
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: unknown, index) => {
    if (!isJsonObject(item) || !Array.isArray(item["items"])) return [];
    const at = `${path}.items[${index}]`;
    return [
      { reason: nestedList, message: `${at}: expected an object, found a List within a List; its items are applied` },
    ];
  });
}

function itemsOf({ path, object }: Placed): Placed[] {
  const items: unknown = object["items"];
  if (!Array.isArray(items)) return [{ path, object }];
  return items.flatMap(
    (item: unknown, index) => itemsOf({ path: `${path}.items[${index}]`, object: item as UnstructuredObject }), // checked with the List
  );
}

function duplicates(all: readonly Placed[]): Warning[] {
  const seen = new Map<string, Placed>();
  const warnings: Warning[] = [];
  for (const placed of all) {
    const reference = referenceTo(placed.object);
    const id = resourceId(reference);
    const before = seen.get(id);
    seen.set(id, placed);
    if (before === undefined || isDeepEqual(before.object, placed.object)) continue;
    const message = `${placed.path}: ${formatResource(reference)} is also at ${before.path}, with other content; the last one is applied`;
    warnings.push({ reason: duplicateObject, message });
  }
  return warnings;
}
