import { Cell } from "../value/cell.ts";
import type { MapValue } from "../value/value.ts";
import { childOf, isMerged, pathNames, type Environment } from "./environment.ts";
import { findInStubs } from "./stubs.ts";

/** Adds the fields that stubs mark with &inject or &default and the document lacks (spiff.md §3.7). */
export function addInjected(map: MapValue, environment: Environment): void {
  if (!isMerged(environment)) return;
  const { document } = environment;
  const stubPath = pathNames(environment.stubPath);
  for (const stub of document.stubs) {
    const value = stubPath.length === 0 ? stub : findInStubs([stub], stubPath)?.value;
    if (typeof value !== "object" || value?.kind !== "map") continue;
    for (const [key, cell] of value.cells) {
      const { markers } = cell;
      if (markers === undefined || map.cells.has(key) || !(markers.isInjected || markers.isDefault)) continue;
      map.cells.set(key, injectedCell(cell, childOf(environment, key, key)));
    }
  }
}

function injectedCell(cell: Cell, environment: Environment): Cell {
  const { dynamic } = cell;
  const source = { kind: "scalar", value: cell.value, markers: cell.markers } as const;
  const injected = new Cell(cell.value, dynamic === undefined ? undefined : { source, environment });
  injected.markers = cell.markers;
  return injected;
}
