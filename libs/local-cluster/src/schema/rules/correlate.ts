import { isDeepEqual } from "@landscaper/patch";
import { isRecord } from "../../objects/json.ts";
import type { SchemaNode } from "../schema-node.ts";

/** The value before an update. */
export interface Counterpart {
  readonly value: unknown;
}

/**
 * The items of the old list that the items of the new one come from, for lists of type map: equal keys. Items of other lists cannot be told
 * apart, so that they have no counterpart.
 */
export function correlateItems(
  schema: SchemaNode,
  items: readonly unknown[],
  old: unknown,
): readonly (Counterpart | undefined)[] {
  if (schema.listType !== "map" || schema.listMapKeys.length === 0 || !Array.isArray(old)) {
    return items.map(() => undefined);
  }
  const before: readonly unknown[] = old;
  return items.map((item) => {
    const key = keyOf(schema, item);
    const value =
      key === undefined ? undefined : before.find((candidate) => isDeepEqual(keyOf(schema, candidate), key));
    return value === undefined ? undefined : { value };
  });
}

/** The scalar key fields of an item, undefined when one is missing. */
function keyOf(schema: SchemaNode, item: unknown): readonly unknown[] | undefined {
  if (!isRecord(item)) {
    return undefined;
  }
  const key = schema.listMapKeys.map((field) => item[field]);
  return key.every((part) => part !== undefined && part !== null && typeof part !== "object") ? key : undefined;
}
