import { completeList, completeMap } from "../value/build-value.ts";
import { Cell } from "../value/cell.ts";
import type { Value } from "../value/value.ts";

/** A complete value in which text that looks like an expression, and keys that look like insertions, are escaped. */
export function escapeTree(value: Value): Value {
  if (typeof value === "string") return escapeText(value);
  if (typeof value !== "object" || value === null) return value;
  if (value.kind === "list") return completeList(value.items.map(escapeCell), value.keyField);
  if (value.kind !== "map") return value;
  return completeMap(new Map([...value.cells].map(([key, cell]) => [escapeKey(key), escapeCell(cell)] as const)));
}

function escapeCell(cell: Cell): Cell {
  return new Cell(escapeTree(cell.value));
}

function escapeText(text: string): string {
  return text.startsWith("((") && text.endsWith("))") && text.length > 3 ? `((!${text.slice(2)}` : text;
}

function escapeKey(key: string): string {
  return /^<<<?!*$/.test(key) ? `${key}!` : key;
}
