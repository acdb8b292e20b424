import { isDeepEqual } from "./is-deep-equal.ts";
import { cloneJson, cloneObject, getField, hasField, isJsonObject, setField } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";

/**
 * Applies a JSON merge patch (RFC 7386) and returns the result, which shares nothing with the arguments.
 * As in the Kubernetes API server, null fields of objects in a *new* list are dropped too.
 */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) {
    return cloneJson(patch);
  }
  return isJsonObject(target) ? mergeObject(target, patch) : pruneNulls(patch);
}

function mergeObject(target: JsonObject, patch: JsonObject): JsonObject {
  const result = cloneObject(target);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) {
      delete result[key];
    } else if (value !== undefined) {
      setField(result, key, mergeField(getField(target, key), value));
    }
  }
  return result;
}

function mergeField(current: unknown, value: unknown): unknown {
  if (isJsonObject(current)) {
    return isJsonObject(value) ? mergeObject(current, value) : cloneJson(value);
  }
  return pruneNulls(value);
}

function pruneNulls(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(pruneNulls);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const result: JsonObject = {};
  for (const [key, field] of Object.entries(value)) {
    if (field !== null && field !== undefined) {
      setField(result, key, pruneNulls(field));
    }
  }
  return result;
}

/**
 * The smallest JSON merge patch that turns `from` into `to`; `{}` when they are equal. Lists are replaced as a whole.
 * A null field in `to` cannot be expressed in a merge patch and removes the field.
 */
export function createMergePatch(from: JsonObject, to: JsonObject): JsonObject {
  const patch: JsonObject = {};
  for (const key of Object.keys(from)) {
    if (hasField(from, key) && !hasField(to, key)) {
      setField(patch, key, null);
    }
  }
  for (const [key, value] of Object.entries(to)) {
    const current = getField(from, key);
    if (value === undefined || isDeepEqual(current, value)) {
      continue;
    }
    setField(
      patch,
      key,
      isJsonObject(current) && isJsonObject(value) ? createMergePatch(current, value) : cloneJson(value),
    );
  }
  return patch;
}
