/** Reads a nested field of an API object; undefined if a part of the path is missing. */
export function readField(object: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value === undefined ? undefined : Reflect.get(Object(value), key)),
    object,
  );
}
