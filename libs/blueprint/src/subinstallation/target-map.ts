import type { TargetImport } from "@landscaper/api";

/** Names of a target map import by key: `targetMap`, or a list of maps in `targets` (core.md §1.5 D4). */
export function targetMapOf(entry: TargetImport): Readonly<Record<string, string>> | undefined {
  if (entry.targetMap !== undefined) return entry.targetMap;
  const maps = (entry.targets ?? []).filter((item) => typeof item !== "string");
  if (maps.length === 0) return undefined;
  return Object.assign({}, ...maps);
}

/** Names of a target list import. */
export function targetListOf(entry: TargetImport): readonly string[] | undefined {
  return entry.targets?.filter((item) => typeof item === "string");
}

/** Names of all single targets that the import refers to. */
export function referencedTargets(entry: TargetImport): readonly string[] {
  if (entry.target !== undefined) return [entry.target];
  return [...(targetListOf(entry) ?? []), ...Object.values(targetMapOf(entry) ?? {})];
}
