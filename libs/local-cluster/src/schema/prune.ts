import { isRecord } from "../objects/json.ts";
import { fieldSchemaOf } from "./schema-node.ts";
import type { SchemaNode } from "./schema-node.ts";

const metaFields = new Set(["apiVersion", "kind", "metadata"]);

export interface Pruned {
  readonly value: unknown;
  /** Paths of the removed fields, sorted, e.g. `spec.list[0].x`. */
  readonly unknownFields: readonly string[];
}

/**
 * Removes the fields that the schema does not know. Models apiextensions pkg/apiserver/schema/pruning. The result may share structure with the
 * argument, which is not changed.
 */
export function prune(value: unknown, schema: SchemaNode, { isResource = true } = {}): Pruned {
  const unknownFields: string[] = [];
  const root = isResource ? { ...schema, isEmbeddedResource: true } : schema;
  const pruned = pruneValue({ path: "", unknownFields }, value, root);
  return { value: pruned, unknownFields: unknownFields.toSorted() };
}

interface Place {
  readonly path: string;
  readonly unknownFields: string[];
}

function child(place: Place, field: string): Place {
  return { ...place, path: place.path === "" ? field : `${place.path}.${field}` };
}

function itemPlace(place: Place, index: number): Place {
  return { ...place, path: `${place.path}[${index}]` };
}

function pruneValue(place: Place, value: unknown, schema: SchemaNode | undefined): unknown {
  if (Array.isArray(value)) {
    const preserves = schema?.preservesUnknownFields === true;
    const items =
      preserves && schema.items !== undefined ? { ...schema.items, preservesUnknownFields: true } : schema?.items;
    const isUntouched = preserves && items === undefined;
    return isUntouched ? value : value.map((item, index) => pruneValue(itemPlace(place, index), item, items));
  }
  return isRecord(value) ? pruneObject(place, value, schema) : value;
}

function pruneObject(place: Place, object: Record<string, unknown>, schema: SchemaNode | undefined): unknown {
  const kept: [string, unknown][] = [];
  for (const [field, value] of Object.entries(object)) {
    if (schema?.isEmbeddedResource === true && metaFields.has(field)) {
      kept.push([field, value]);
      continue;
    }
    const known = schema === undefined ? undefined : fieldSchemaOf(schema, field);
    if (known !== undefined || schema?.additionalProperties === "any") {
      kept.push([field, pruneValue(child(place, field), value, known)]);
    } else if (schema?.preservesUnknownFields === true) {
      kept.push([field, value]);
    } else {
      place.unknownFields.push(child(place, field).path);
    }
  }
  return Object.fromEntries(kept);
}
