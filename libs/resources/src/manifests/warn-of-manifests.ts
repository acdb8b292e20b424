import { nestedList, type UnstructuredObject, type Warning } from "@landscaper/api";
import { checkManifest } from "./check-manifest.ts";
import { warnOfDuplicates, type PlacedObject } from "./duplicates.ts";
import { isJsonObject } from "../json-value.ts";

/**
 * Returns warnings of manifests that are accepted although they may not be meant so: a List within a List, which kubectl refuses, and an object that is given
 * twice with different content. `paths` are those of the manifests, for messages. Manifests that `checkManifest` refuses have no warnings. Pure.
 */
export function warnOfManifests(manifests: readonly unknown[], pathOf: (index: number) => string): readonly Warning[] {
  const valid = manifests.flatMap((manifest, index) => {
    const path = pathOf(index);
    return checkManifest(manifest, path).length > 0 ? [] : [{ path, object: manifest as UnstructuredObject }]; // checked
  });
  return [
    ...valid.flatMap(({ path, object }) => nestedLists(object, path)),
    ...warnOfDuplicates(valid.flatMap(itemsOf)),
  ];
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

function itemsOf({ path, object }: PlacedObject): PlacedObject[] {
  const items: unknown = object["items"];
  if (!Array.isArray(items)) return [{ path, object }];
  return items.flatMap(
    (item: unknown, index) => itemsOf({ path: `${path}.items[${index}]`, object: item as UnstructuredObject }), // checked with the List
  );
}
