import type { Cell } from "../value/cell.ts";
import { undefinedValue, type ListValue } from "../value/value.ts";
import { completeShape } from "./force.ts";
import { keyOf } from "./list-steps.ts";

interface Splicing {
  /** Entries and insertions. */
  readonly cells: readonly Cell[];
  /** Keys of entries: what is inserted with such a key is skipped. */
  readonly taken: ReadonlySet<string | undefined>;
}

/** Replaces insertions by the entries of their lists, and controls by their results. */
export function spliceInsertions(list: ListValue, { cells, taken }: Splicing): void {
  const field = list.keyField ?? "name";
  const items: Cell[] = [];
  for (const cell of cells) {
    if (cell.source?.kind === "control") items.push(...resultsOf(cell));
    else if (cell.environment?.record === undefined) items.push(cell);
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
