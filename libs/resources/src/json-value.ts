/** A JSON object. */
export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Value of a nested field; undefined when a step is missing or no object. Own fields only. */
export function fieldAt(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (!isJsonObject(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}

/** A nested field that should be a number; `fallback` otherwise. */
export function numberAt(value: unknown, path: readonly string[], fallback: number): number {
  const found = fieldAt(value, ...path);
  return typeof found === "number" ? found : fallback;
}

/** Sets a nested field, creating the objects on the way. Keys are plain data, also `__proto__`. */
export function setFieldAt(object: JsonObject, path: readonly string[], value: unknown): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  if (rest.length === 0) {
    defineField(object, key, value);
    return;
  }
  const next = fieldAt(object, key);
  const child: JsonObject = isJsonObject(next) ? next : {};
  defineField(object, key, child);
  setFieldAt(child, rest, value);
}

/** Assigns an own field; `__proto__` becomes data as in any JSON document. */
export function defineField(object: JsonObject, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
