import { completeList, completeMap } from "../value/build-value.ts";
import { Cell } from "../value/cell.ts";
import type { Markers } from "../document/markers.ts";
import { isGone, type ListValue, type MapValue, type Value } from "../value/value.ts";

/**
 * A complete value without the nodes that `isDropped` names and without undefined ones; markers stay. A list or map that
 * stands in several places is cleaned once.
 */
export function cleanTree(value: Value, isDropped: (markers: Markers) => boolean): Value {
  return clean(value, { isDropped, cleaned: new Map() });
}

interface Cleaning {
  readonly isDropped: (markers: Markers) => boolean;
  readonly cleaned: Map<ListValue | MapValue, Value>;
}

function clean(value: Value, cleaning: Cleaning): Value {
  if (typeof value !== "object" || value === null || (value.kind !== "list" && value.kind !== "map")) return value;
  const known = cleaning.cleaned.get(value);
  if (known !== undefined) return known;
  const result = value.kind === "list" ? cleanList(value, cleaning) : cleanMap(value, cleaning);
  cleaning.cleaned.set(value, result);
  return result;
}

function cleanList(list: ListValue, cleaning: Cleaning): ListValue {
  const items = list.items.flatMap((cell) => cleanCell(cell, cleaning) ?? []);
  const isSame = items.length === list.items.length && items.every((cell, index) => cell === list.items[index]);
  return isSame ? list : completeList(items, list.keyField);
}

function cleanMap(map: MapValue, cleaning: Cleaning): MapValue {
  let cells: Map<string, Cell> | undefined;
  let dropped: Set<string> | undefined;
  for (const [key, cell] of map.cells) {
    const cleaned = cleanCell(cell, cleaning);
    if (cleaned === cell) continue;
    cells ??= new Map(map.cells);
    if (cleaned !== undefined) {
      cells.set(key, cleaned);
      continue;
    }
    cells.delete(key);
    if (!isGone(cell.value)) (dropped ??= new Set(map.localKeys)).add(key);
  }
  if (cells === undefined) return map;
  const cleaned = completeMap(cells);
  cleaned.stubPath = map.stubPath;
  cleaned.localKeys = dropped ?? map.localKeys;
  return cleaned;
}

/** The same cell where nothing goes away; undefined when it goes away itself. */
function cleanCell(cell: Cell, cleaning: Cleaning): Cell | undefined {
  const { value, markers } = cell;
  if (isGone(value) || (markers !== undefined && cleaning.isDropped(markers))) return undefined;
  const kept = clean(value, cleaning);
  if (kept === value) return cell;
  const { source, environment } = cell;
  const cleaned = new Cell(kept, source && environment && { source, environment });
  cleaned.state = "done";
  cleaned.markers = markers;
  cleaned.dynamic = cell.dynamic;
  cleaned.hasMerged = cell.hasMerged;
  cleaned.wasInjected = cell.wasInjected;
  cleaned.isReplaced = cell.isReplaced;
  cleaned.isOfDefault = cell.isOfDefault;
  return cleaned;
}

/** The fields of a document that are marked &state, as in the original not those below others; undefined without any. */
export function stateTree(value: Value): Value | undefined {
  if (typeof value !== "object" || value?.kind !== "map") return undefined;
  const cells = [...value.cells].filter(([, { markers }]) => markers?.isState === true);
  return cells.length === 0 ? undefined : completeMap(new Map(cells));
}
