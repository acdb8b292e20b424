import type { Cell } from "../value/cell.ts";
import { undefinedValue, type ListValue } from "../value/value.ts";
import { completeShape, force } from "./force.ts";

/** Replaces insertions by the entries of their lists; entries whose key is there already are skipped (spiff.md §3.6). */
export function spliceInsertions(list: ListValue, cells: readonly Cell[], insertions: ReadonlySet<Cell>): void {
  const field = list.keyField ?? "name";
  const taken = new Set(cells.filter((cell) => !insertions.has(cell)).map((cell) => keyOf(cell, field)));
  const items: Cell[] = [];
  for (const cell of cells) {
    if (!insertions.has(cell)) items.push(cell);
    else if (cell.source?.kind === "control") items.push(...resultsOf(cell));
    else if (typeof cell.value === "object" && cell.value?.kind === "list") {
      for (const item of cell.value.items) {
        const key = keyOf(item, cell.value.keyField ?? field);
        if (key === undefined || !taken.has(key)) items.push(item);
      }
    }
  }
  list.items = items;
}

/** The result of a control stands in the list: as its entries when it is a list. */
function resultsOf(cell: Cell): readonly Cell[] {
  const { value } = cell;
  if (value === undefinedValue) return [];
  if (typeof value !== "object" || value?.kind !== "list") return [cell];
  completeShape(value, "control");
  return value.items;
}

function keyOf(cell: Cell, field: string): string | undefined {
  force(cell);
  if (cell.state !== "done" || typeof cell.value !== "object" || cell.value?.kind !== "map") return undefined;
  const key = cell.value.cells.get(field);
  if (key === undefined) return undefined;
  force(key);
  return key.state === "done" && typeof key.value === "string" ? key.value : undefined;
}
