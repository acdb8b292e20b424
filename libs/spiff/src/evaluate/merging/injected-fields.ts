import { Cell } from "../../value/cell.ts";
import type { MapValue } from "../../value/value.ts";
import { childOf, isInjecting, isMerged, pathNames, type Environment } from "../environment.ts";
import { injectedCell } from "./injected-cell.ts";
import { stepsOf } from "./list-steps.ts";
import { mergeStubs } from "./merge-stubs.ts";
import { injectedEntriesOf, injectedInto, isContainer } from "./stubs.ts";
import { takenValue } from "../substitute-dynamic.ts";

/** Adds the fields that the nearest stub which has them marks with &inject or &default, and the document lacks. */
export function addInjected(map: MapValue, environment: Environment): void {
  if (!isInjecting(environment)) return;
  const path = pathNames(environment.stubPath);
  for (const [key, cell] of injectedInto(environment.document.stubs, path, map.cells.keys())) {
    map.cells.set(key, injectedCell(cell, childOf(environment, key, key)));
  }
}

/** What stubs mark with &inject or &default at the place of a field that has gone away. */
export function injectedInPlaceOf({ environment }: Cell): Cell | undefined {
  if (environment === undefined || !isInjecting(environment)) return undefined;
  const path = pathNames(environment.stubPath);
  const key = path.at(-1);
  const fields = injectedInto(environment.document.stubs, path.slice(0, -1), []);
  const [, found] = fields.find(([name]) => name === key) ?? [];
  return found === undefined ? undefined : injectedCell(found, environment);
}

/** Entries that stubs mark with &inject or &default. */
export function injectedEntries(environment: Environment, isOwnKeyed: boolean | undefined): Cell[] {
  if (!isMerged(environment)) return [];
  const { stubs } = environment.document;
  const path = pathNames(environment.stubPath);
  const { entries, keyField } = injectedEntriesOf(stubs, path);
  const isKeyed = isOwnKeyed ?? stepsOf(entries, keyField).length > 0;
  return entries.map((cell, index) => {
    const step = `[${index}]`;
    const entry = injectedEntry(cell, childOf(environment, step, step));
    // Without keys, places count, also of what is injected.
    if (!isKeyed && isContainer(cell.value)) entry.value = mergeStubs(cell.value, childOf(environment, step, step));
    return entry;
  });
}

/** Dynamic entries of lists are not evaluated again. */
function injectedEntry(cell: Cell, environment: Environment): Cell {
  const injected = new Cell(takenValue(cell, environment));
  injected.dynamic = cell.dynamic;
  injected.markers = cell.markers;
  injected.wasInjected = true;
  return injected;
}
