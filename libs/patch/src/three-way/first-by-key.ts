import { isJsonObject, type JsonObject } from "../json-object.ts";

/** The items of a list that are objects, by their merge key; of several with one key the first. */
export function firstByKey(items: readonly unknown[], mergeKey: string): ReadonlyMap<unknown, JsonObject> {
  const found = new Map<unknown, JsonObject>();
  for (const item of items) {
    if (isJsonObject(item) && !found.has(item[mergeKey])) found.set(item[mergeKey], item);
  }
  return found;
}
