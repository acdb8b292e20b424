import { equalNumbers, isNumeric, isRecord } from "@landscaper/json";

export { isNumeric, isRecord };

/** Whether two JSON values are equal, whatever the order of their keys. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isNumeric(a) && isNumeric(b)) return equalNumbers(a, b);
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((value, i) => equalJson(value, b[i]))
    );
  }
  return equalRecords(a as Record<string, unknown>, b as Record<string, unknown>); // no arrays, no null: see above
}

function equalRecords(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const keys = Object.keys(a).filter((key) => a[key] !== undefined);
  const others = Object.keys(b).filter((key) => b[key] !== undefined);
  return keys.length === others.length && keys.every((key) => Object.hasOwn(b, key) && equalJson(a[key], b[key]));
}

/** The value at a path of field names, or undefined. */
export function fieldAt(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const field of path) {
    if (!isRecord(at)) return undefined;
    at = at[field];
  }
  return at;
}

export function recordAt(value: unknown, ...path: readonly string[]): Record<string, unknown> {
  const found = fieldAt(value, ...path);
  return isRecord(found) ? found : {};
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = fieldAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function stringAt(value: unknown, ...path: readonly string[]): string {
  const found = fieldAt(value, ...path);
  return typeof found === "string" ? found : "";
}

/** Returns the number as float64, or undefined. */
export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = fieldAt(value, ...path);
  return isNumeric(found) ? Number(found) : undefined;
}
