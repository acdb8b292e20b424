import { completeList, completeMap } from "../value/build-value.ts";
import { Cell } from "../value/cell.ts";
import type { ListValue, MapValue, Value } from "../value/value.ts";
import type { ControlSource, ListItem, Source } from "./source.ts";

/** The value of a map without expressions below. */
export function constantMap(entries: ReadonlyMap<string, Source>): MapValue | undefined {
  const cells = new Map<string, Cell>();
  for (const [key, source] of entries) {
    const value = constantOf(source);
    if (value === undefined) return undefined;
    cells.set(key, new Cell(value));
  }
  return completeMap(cells);
}

/** The value of a list without expressions and insertions below. */
export function constantList(items: readonly ListItem[], keyField: string | undefined): ListValue | undefined {
  const cells: Cell[] = [];
  for (const { source, isInsert } of items) {
    const value = isInsert ? undefined : constantOf(source);
    if (value === undefined) return undefined;
    cells.push(new Cell(value));
  }
  return completeList(cells, keyField);
}

function constantOf(source: Source): Value | undefined {
  switch (source.kind) {
    case "scalar":
      return source.value;
    case "map":
    case "list":
      return source.constant;
    case "expression":
    case "control":
      return undefined;
  }
}

/** Nothing in the fields of the control is an expression. */
export function isConstantControl({ options, entries }: ControlSource): boolean {
  return [...options.values(), ...entries.values()].every(isConstant);
}

/** It is no expression, and has none below. */
export function isConstant(source: Source): boolean {
  return constantOf(source) !== undefined;
}
