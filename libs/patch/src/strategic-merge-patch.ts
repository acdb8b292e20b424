import { describeValue, typeName } from "./describe-value.ts";
import { cloneObject, getField, hasField, isJsonObject, setField } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";
import { isDirective, removeDirectives, discardNulls } from "./patch-directives.ts";
import { PatchError } from "./patch-error.ts";
import { mergeList, orderMergedList } from "./strategic-list.ts";
import { strategicFieldsOf } from "./strategic-schema.ts";
import type { FieldStrategy, StrategicFields } from "./strategic-schema.ts";

const deletePrefix = "$deleteFromPrimitiveList";
const orderPrefix = "$setElementOrder";

/**
 * Applies a strategic merge patch and returns the result, which shares nothing with the arguments.
 * Models apimachinery/pkg/util/strategicpatch/patch.go StrategicMergeMapPatch.
 * @throws PatchError 415 for kinds that are not built in, 400 or 500 (as the API server) for a malformed patch.
 */
export function applyStrategicMergePatch(
  target: JsonObject,
  patch: unknown,
  type: { readonly apiVersion: string; readonly kind: string },
): JsonObject {
  const fields = strategicFieldsOf(type.apiVersion, type.kind);
  if (fields === undefined) {
    throw new PatchError(
      415,
      `strategic merge patch is not supported for ${type.apiVersion} ${type.kind}; use a JSON merge patch`,
    );
  }
  if (!isJsonObject(patch)) {
    throw new PatchError(
      400,
      `json: cannot unmarshal ${jsonTypeName(patch)} into Go value of type map[string]interface {}`,
    );
  }
  return mergeObject(cloneObject(target), cloneObject(patch), fields);
}

function jsonTypeName(value: unknown): string {
  return Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
}

/** Merges `patch` into `original`; both are consumed. */
function mergeObject(original: JsonObject, patch: JsonObject, fields: StrategicFields): JsonObject {
  if (hasField(patch, "$patch")) {
    return followDirective(patch);
  }
  retainKeys(original, patch);
  mergeOrderedLists(original, patch, fields);
  for (const [patchKey, value] of Object.entries(patch)) {
    const isDeletion = patchKey.startsWith(deletePrefix);
    // Of large objects most fields: the data of ConfigMaps.
    if (typeof value === "string" && !isDeletion) {
      setField(original, patchKey, value);
      continue;
    }
    const key = isDeletion ? directiveTarget(patchKey, deletePrefix) : patchKey;
    if (value === null) {
      delete original[key];
      continue;
    }
    mergeField(original, { key, value, isDeletion, strategy: strategyOf(fields, key) });
  }
  return original;
}

interface FieldChange {
  readonly key: string;
  readonly value: unknown;
  /** The value lists scalars to remove from the field. */
  readonly isDeletion: boolean;
  readonly strategy: FieldStrategy;
}

function mergeField(original: JsonObject, { key, value, isDeletion, strategy }: FieldChange): void {
  const current = getField(original, key);
  if (isJsonObject(current) && isJsonObject(value)) {
    const merged = strategy.object === "replace" ? value : mergeObject(current, value, strategy.fields ?? {});
    setField(original, key, merged);
  } else if (Array.isArray(current) && Array.isArray(value)) {
    const merges = isDeletion || strategy.list === "merge";
    setField(
      original,
      key,
      merges ? mergeList({ original: current, patch: value, strategy, isDeletion, mergeItem: mergeObject }) : value,
    );
  } else if (!isDeletion) {
    setOrDrop(original, key, discardNulls(value));
  }
}

function setOrDrop(original: JsonObject, key: string, value: unknown): void {
  if (isDirective(value)) {
    delete original[key];
  } else {
    setField(original, key, removeDirectives(value));
  }
}

function strategyOf(fields: StrategicFields, key: string): FieldStrategy {
  return Object.hasOwn(fields, key) ? (fields[key] ?? {}) : {};
}

function followDirective(patch: JsonObject): JsonObject {
  const { $patch: directive, ...rest } = patch;
  switch (directive) {
    case "replace":
      return rest;
    case "delete":
      return {};
    default:
      throw new PatchError(500, `unknown patch type: ${describeValue(directive)} in map: ${describeValue(patch)}`);
  }
}

/** `$retainKeys`: all other fields of the original are cleared. */
function retainKeys(original: JsonObject, patch: JsonObject): void {
  if (!hasField(patch, "$retainKeys")) {
    return;
  }
  const retained = getField(patch, "$retainKeys");
  delete patch["$retainKeys"];
  if (!Array.isArray(retained)) {
    throw new PatchError(400, "invalid patch format of retainKeys");
  }
  const keys = new Set<unknown>(retained);
  for (const [key, value] of Object.entries(patch)) {
    const isOtherDirective = key.startsWith(deletePrefix) || key.startsWith(orderPrefix);
    if (value !== null && !isOtherDirective && !keys.has(key)) {
      throw new PatchError(400, "invalid patch format of retainKeys");
    }
  }
  for (const key of Object.keys(original)) {
    if (!keys.has(key)) {
      delete original[key];
    }
  }
}

/** `$setElementOrder/x`: merges the list x of the patch, then puts the items into the order that the directive gives. */
function mergeOrderedLists(original: JsonObject, patch: JsonObject, fields: StrategicFields): void {
  for (const directive of Object.keys(patch).filter((key) => key.startsWith(orderPrefix))) {
    const order = listOf(patch[directive]);
    delete patch[directive];
    const key = directiveTarget(directive, orderPrefix);
    const current = optionalListOf(getField(original, key));
    const changes = optionalListOf(getField(patch, key));
    const merged = orderMergedList({
      original: current,
      patch: changes,
      order,
      strategy: strategyOf(fields, key),
      mergeItem: mergeObject,
    });
    if (merged !== undefined) {
      setField(original, key, merged);
      delete patch[key];
    }
  }
}

function optionalListOf(value: unknown): unknown[] | undefined {
  return value === undefined ? undefined : listOf(value);
}

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) {
    throw new PatchError(500, `expected a []interface {}, but received a ${typeName(value)}`);
  }
  return value;
}

function directiveTarget(key: string, prefix: string): string {
  const slash = key.indexOf("/");
  if (slash < 0 || key.slice(0, slash) !== prefix) {
    const list = prefix === deletePrefix ? "primitive" : "setElementOrder";
    throw new PatchError(400, `invalid patch format of ${list} list`);
  }
  return key.slice(slash + 1);
}
