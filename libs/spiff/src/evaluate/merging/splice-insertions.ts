import type { Cell } from "../../value/cell.ts";
import { undefinedValue, type ListValue } from "../../value/value.ts";
import type { Path } from "../environment.ts";
import { completeShape } from "../force.ts";
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
    if (cell.source?.kind === "control") {
      for (const result of resultsOf(cell)) {
        place(result, cell, items.length);
        items.push(result);
      }
    } else if (cell.environment?.record === undefined) items.push(cell);
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

/** Messages name an entry of a branch by its place among all entries, once the branch has given it. */
function place(result: Cell, { environment }: Cell, index: number): void {
  const path = placeOf(result.environment?.path);
  if (path === undefined || environment === undefined || placeOf(path.parent) !== environment.path) return;
  path.place = { path: { parent: environment.path?.parent, name: `[${index}]` } };
}

/** Where messages place a node: for what a control gives, that is the place of the control. */
function placeOf(path: Path | undefined): Path | undefined {
  let current = path;
  while (current?.place !== undefined) current = current.place.path;
  return current;
}
