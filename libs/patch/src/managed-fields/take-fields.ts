import { parseJson } from "@landscaper/json";
import { isDeepEqual } from "../is-deep-equal.ts";
import type { JsonObject } from "../json-object.ts";
import { getField, isJsonObject, setField } from "../json-object.ts";
import { childOf, elementsOf, emptyFieldSet, isMember } from "./field-set.ts";
import type { Pruning } from "./prune-fields.ts";

/**
 * `object` without the fields to prune, for who does not know its schema, as a client: what the sets say of lists is taken from their elements. A map or
 * list of which nothing is left goes as well, where the API server may keep a null.
 */
export function takeFields(object: JsonObject, pruning: Pruning): JsonObject {
  const left = takeFromMap(object, pruning);
  return left ?? {};
}

function takeFromValue(value: unknown, pruning: Pruning): unknown {
  if (isJsonObject(value)) return takeFromMap(value, pruning);
  return Array.isArray(value) ? takeFromList(value, pruning) : value;
}

/** Undefined when nothing is left. */
function takeFromMap(value: JsonObject, { last, owned }: Pruning): JsonObject | undefined {
  const result: JsonObject = {};
  for (const [key, content] of Object.entries(value)) {
    const before = childOf(last, `f:${key}`);
    const now = childOf(owned, `f:${key}`);
    const isGone = before !== undefined && now === undefined;
    const kept =
      before === undefined || now === undefined ? content : takeFromValue(content, { last: before, owned: now });
    if (!isGone && kept !== undefined) setField(result, key, kept);
  }
  const isEmptied = Object.keys(result).length === 0 && Object.keys(value).length > 0;
  return isEmptied ? undefined : result;
}

function takeFromList(items: readonly unknown[], { last, owned }: Pruning): readonly unknown[] | undefined {
  const elements = elementsOf(last);
  const left = items.flatMap((item, index) => {
    const element = elements.find((candidate) => isElementOf(candidate, { item, index }));
    const before = element === undefined ? undefined : childOf(last, element);
    if (element === undefined || before === undefined) return [item];
    const now = childOf(owned, element);
    if (isMember(before) && !isMember(now)) return [];
    const kept = takeFromValue(item, { last: before, owned: now ?? emptyFieldSet });
    return kept === undefined ? [] : [kept];
  });
  return left.length === 0 && items.length > 0 ? undefined : left;
}

function isElementOf(element: string, { item, index }: { readonly item: unknown; readonly index: number }): boolean {
  const rest = element.slice(2);
  switch (element.slice(0, 2)) {
    case "k:": {
      const keys: unknown = parseJson(rest);
      return (
        isJsonObject(keys) &&
        isJsonObject(item) &&
        Object.entries(keys).every(([key, value]) => isDeepEqual(getField(item, key), value))
      );
    }
    case "v:":
      return isDeepEqual(parseJson(rest), item);
    default:
      return rest === String(index);
  }
}
