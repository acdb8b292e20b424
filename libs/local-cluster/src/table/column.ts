import type { UnstructuredObject } from "@landscaper/api";
import { numberAt, stringAt } from "../objects/json.ts";
import type { PrinterColumn } from "./printer-column.ts";

export type Cell = PrinterColumn["cell"];

export function column(name: string, cell: Cell, type: "string" | "integer" | "boolean" = "string"): PrinterColumn {
  return { name, type, format: "", description: "", priority: 0, cell };
}

/** A column that only `-o wide` shows. */
export function wideColumn(name: string, cell: Cell): PrinterColumn {
  return { ...column(name, cell), priority: 1 };
}

/** The number at a path, 0 when there is none. */
export function count(...path: readonly string[]): Cell {
  return (object) => numberAt(object, ...path) ?? 0;
}

/** The text at a path, "" when there is none. */
export function text(...path: readonly string[]): Cell {
  return (object) => stringAt(object, ...path);
}

/** The text at a path, or another one for nothing. */
export function textOr(nothing: string, ...path: readonly string[]): Cell {
  return (object) => stringAt(object, ...path) || nothing;
}

/** "ready/wanted". */
export function ratio(ready: readonly string[], wanted: readonly string[]): Cell {
  return (object: UnstructuredObject) => `${numberAt(object, ...ready) ?? 0}/${numberAt(object, ...wanted) ?? 0}`;
}
