import type { Cell } from "../../value/cell.ts";
import { force } from "../force.ts";

/** How the entries of a list are named in stubs: by their keys, where all have one of their own; undefined otherwise. */
export function stepsOf(cells: readonly Cell[], keyField: string | undefined): readonly (string | undefined)[] {
  if (keyField === "") return [];
  const field = keyField ?? "name";
  return uniqueSteps(
    cells.map((cell) => keyOf(cell, field)),
    field,
  );
}

export function uniqueSteps(keys: readonly (string | undefined)[], field: string): readonly (string | undefined)[] {
  if (keys.includes(undefined) || new Set(keys).size < keys.length) return [];
  return keys.map((key) => `${field}:${key ?? ""}`);
}

/** The key of an entry of a list, where it is text. */
export function keyOf(cell: Cell, field: string): string | undefined {
  force(cell);
  if (cell.state !== "done" || typeof cell.value !== "object" || cell.value?.kind !== "map") return undefined;
  const key = cell.value.cells.get(field);
  if (key === undefined) return undefined;
  force(key);
  return key.state === "done" && typeof key.value === "string" ? key.value : undefined;
}
