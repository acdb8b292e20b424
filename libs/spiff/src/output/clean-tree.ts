import { completeList, completeMap } from "../value/build-value.ts";
import { Cell } from "../value/cell.ts";
import type { Markers } from "../document/markers.ts";
import { isGone, type MapValue, type Value } from "../value/value.ts";

/** A complete value without the nodes that `isDropped` names and without undefined ones; markers stay. */
export function cleanTree(value: Value, isDropped: (markers: Markers) => boolean): Value {
  if (typeof value !== "object" || value === null) return value;
  if (value.kind === "list") {
    const items = value.items.flatMap((cell) => cleanCell(cell, isDropped) ?? []);
    const isSame = items.length === value.items.length && items.every((cell, index) => cell === value.items[index]);
    return isSame ? value : completeList(items, value.keyField);
  }
  return value.kind === "map" ? cleanMap(value, isDropped) : value;
}

function cleanMap(map: MapValue, isDropped: (markers: Markers) => boolean): MapValue {
  let cells: Map<string, Cell> | undefined;
  for (const [key, cell] of map.cells) {
    const cleaned = cleanCell(cell, isDropped);
    if (cleaned === cell) continue;
    cells ??= new Map(map.cells);
    if (cleaned === undefined) cells.delete(key);
    else cells.set(key, cleaned);
  }
  return cells === undefined ? map : completeMap(cells);
}

/** The same cell where nothing goes away; undefined when it goes away itself. */
function cleanCell(cell: Cell, isDropped: (markers: Markers) => boolean): Cell | undefined {
  const { value, markers } = cell;
  if (isGone(value) || (markers !== undefined && isDropped(markers))) return undefined;
  const kept = cleanTree(value, isDropped);
  if (kept === value) return cell;
  const cleaned = new Cell(kept);
  cleaned.markers = markers;
  cleaned.dynamic = cell.dynamic;
  return cleaned;
}

/** The fields of a document that are marked &state, as in the original not those below others; undefined without any. */
export function stateTree(value: Value): Value | undefined {
  if (typeof value !== "object" || value?.kind !== "map") return undefined;
  const cells = [...value.cells].filter(([, { markers }]) => markers?.isState === true);
  return cells.length === 0 ? undefined : completeMap(new Map(cells));
}
