/** A JSON object. A field with the value `undefined` counts as absent. */
export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own field; never one of the prototype, so that patches cannot read `constructor` and friends. */
export function getField(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function hasField(object: JsonObject, key: string): boolean {
  return getField(object, key) !== undefined;
}

/** Sets an own field. `__proto__` becomes plain data as in any JSON document instead of changing the prototype. */
export function setField(object: JsonObject, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}

/** A deep copy of JSON data that shares nothing with `value`. */
export function cloneJson(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(cloneJson);
  }
  return isJsonObject(value) ? cloneObject(value) : value;
}

/** {@link cloneJson} for what is known to be an object. */
export function cloneObject<T extends JsonObject>(value: T): T {
  const copy: JsonObject = {};
  for (const [key, field] of Object.entries(value)) {
    if (field !== undefined) {
      setField(copy, key, cloneJson(field));
    }
  }
  // The same fields.
  return copy as T;
}

/** Returns the size of a value as JSON without white space, in bytes. */
export function sizeOfJson(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(JSON.stringify(value));
  if (Array.isArray(value)) return 1 + Math.max(1, sumOf(value.map((item) => sizeOfJson(item) + 1)));
  if (!isJsonObject(value)) return String(value).length;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return 1 + Math.max(1, sumOf(fields.map(([key, field]) => sizeOfJson(key) + sizeOfJson(field) + 2)));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
