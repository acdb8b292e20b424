import { completeList, completeMap } from "../value/build-value.ts";
import { Cell } from "../value/cell.ts";
import type { Markers } from "../document/markers.ts";
import { undefinedValue, type Value } from "../value/value.ts";

/** A complete value without the nodes that `isDropped` names and without undefined ones; markers stay. */
export function cleanTree(value: Value, isDropped: (markers: Markers) => boolean): Value {
  if (typeof value !== "object" || value === null) return value;
  if (value.kind === "list") {
    return completeList(
      value.items.filter((cell) => isKept(cell, isDropped)).map((cell) => cleanCell(cell, isDropped)),
      value.keyField,
    );
  }
  if (value.kind !== "map") return value;
  const cells = new Map<string, Cell>();
  for (const [key, cell] of value.cells) if (isKept(cell, isDropped)) cells.set(key, cleanCell(cell, isDropped));
  return completeMap(cells);
}

function isKept(cell: Cell, isDropped: (markers: Markers) => boolean): boolean {
  if (cell.value === undefinedValue) return false;
  if (typeof cell.value === "object" && cell.value?.kind === "map" && cell.value.isRemoved) return false;
  return cell.markers === undefined || !isDropped(cell.markers);
}

function cleanCell(cell: Cell, isDropped: (markers: Markers) => boolean): Cell {
  const cleaned = new Cell(cleanTree(cell.value, isDropped));
  cleaned.markers = cell.markers;
  cleaned.dynamic = cell.dynamic;
  return cleaned;
}

/** The fields of a document that are marked &state, as in the original not those below others; undefined without any. */
export function stateTree(value: Value): Value | undefined {
  if (typeof value !== "object" || value?.kind !== "map") return undefined;
  const cells = [...value.cells].filter(([, { markers }]) => markers?.isState === true);
  return cells.length === 0 ? undefined : completeMap(new Map(cells));
}
