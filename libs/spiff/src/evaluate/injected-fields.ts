import { Cell } from "../value/cell.ts";
import type { MapValue } from "../value/value.ts";
import { childOf, isInjecting, isMerged, pathNames, type Environment } from "./environment.ts";
import { stepsOf } from "./list-steps.ts";
import { mergeStubs } from "./merge-stubs.ts";
import { injectedEntriesOf, injectedInto, isContainer } from "./stubs.ts";
import { substituteDynamic } from "./substitute-dynamic.ts";

/** Adds the fields that the nearest stub which has them marks with &inject or &default, and the document lacks. */
export function addInjected(map: MapValue, environment: Environment): void {
  if (!isInjecting(environment)) return;
  const path = pathNames(environment.stubPath);
  for (const [key, cell] of injectedInto(environment.document.stubs, path, map.cells.keys())) {
    map.cells.set(key, injectedCell(cell, childOf(environment, key, key)));
  }
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
    const entry = injectedCell(cell, childOf(environment, step, step));
    // Without keys, places count, also of what is injected.
    if (!isKeyed && isContainer(cell.value)) entry.value = mergeStubs(cell.value, stubs, [...path, step]);
    return entry;
  });
}

function injectedCell(cell: Cell, environment: Environment): Cell {
  const { dynamic } = cell;
  const source = { kind: "scalar", value: cell.value, markers: undefined } as const;
  const value = dynamic === undefined ? substituteDynamic(cell.value, environment) : cell.value;
  const injected = new Cell(value, dynamic === undefined ? undefined : { source, environment });
  injected.dynamic = dynamic;
  injected.markers = cell.markers;
  injected.wasInjected = true;
  return injected;
}
