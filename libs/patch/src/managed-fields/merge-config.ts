import type { JsonObject } from "../json-object.ts";
import { getField, isJsonObject, setField } from "../json-object.ts";
import type { FieldSchema, ListSchema, MapSchema } from "./field-schema.ts";
import { deducedSchema, fieldSchemaOf, itemElement, shapeOf } from "./field-schema.ts";

/** The live object with all that an applied configuration says; shares structure with both. */
export function mergeConfig(schema: FieldSchema, live: JsonObject, config: JsonObject): JsonObject {
  const merged = mergeValues(schema, live, config);
  return isJsonObject(merged) ? merged : live;
}

function mergeValues(schema: FieldSchema, live: unknown, config: unknown): unknown {
  if (config === undefined) return live;
  if (live === undefined) return config;
  const shape = shapeOf(schema, config);
  switch (shape.kind) {
    case "leaf":
      return config;
    case "map":
      if (config === null) return isFilled(live) ? live : null;
      return isJsonObject(config) ? mergeMaps(shape.schema, isJsonObject(live) ? live : {}, config) : config;
    case "list":
      if (config === null) return isFilled(live) ? live : null;
      return Array.isArray(config) ? mergeLists(shape.schema, Array.isArray(live) ? live : [], config) : config;
  }
}

/** A null says nothing about what a map or list contains. */
function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isJsonObject(value) && Object.keys(value).length > 0;
}

function mergeMaps(schema: MapSchema, live: JsonObject, config: JsonObject): JsonObject {
  const result: JsonObject = { ...live };
  for (const [key, value] of Object.entries(config)) {
    if (value !== undefined) {
      setField(result, key, mergeValues(fieldSchemaOf(schema, key) ?? deducedSchema, getField(live, key), value));
    }
  }
  return result;
}

/**
 * Items of both lists stand in the order of the configuration. An item of the live list alone keeps its place: before the next item of the live
 * list that both have, unless that one has moved to the front.
 */
function mergeLists(schema: ListSchema, live: readonly unknown[], config: readonly unknown[]): readonly unknown[] {
  const liveItems = new Map(live.map((item) => [itemElement(schema, item), item]));
  const configItems = config.map((item) => ({ element: itemElement(schema, item), item }));
  const applied = new Set(configItems.map(({ element }) => element));
  const shared = configItems.map(({ element }) => element).filter((element) => liveItems.has(element));
  const result: unknown[] = [];
  let nextConfig = 0;
  let nextShared = 0;
  const takeConfig = (until: string | undefined): void => {
    for (; nextConfig < configItems.length; nextConfig += 1) {
      const entry = configItems[nextConfig];
      if (entry === undefined) return;
      result.push(mergeValues(schema.item, liveItems.get(entry.element), entry.item));
      if (entry.element === until) {
        nextConfig += 1;
        return;
      }
    }
  };
  for (const item of live) {
    const element = itemElement(schema, item);
    if (!applied.has(element)) {
      result.push(item);
    } else if (element === shared[nextShared]) {
      takeConfig(element);
      nextShared += 1;
    }
  }
  takeConfig(undefined);
  return result;
}
