import { joinPath, type JsonPath } from "@landscaper/api";

/** Where a value differs from its masked form; a map with masked keys differs as a whole. */
export function maskedPaths(value: unknown, masked: unknown, path: JsonPath = ""): readonly JsonPath[] {
  if (value === masked) return [];
  if (!isNested(value) || !isNested(masked)) return [path];
  const others = new Map(Object.entries(masked));
  const entries = Object.entries(value);
  if (entries.some(([key]) => !others.has(key))) return [path];
  return entries.flatMap(([key, member]) => maskedPaths(member, others.get(key), joinPath(path, key)));
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
