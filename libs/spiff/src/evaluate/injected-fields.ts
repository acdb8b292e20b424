import { Cell } from "../value/cell.ts";
import type { MapValue } from "../value/value.ts";
import { childOf, isInjecting, isMerged, pathNames, type Environment } from "./environment.ts";
import { stepsOf } from "./list-steps.ts";
import { mergeStubs } from "./merge-stubs.ts";
import { findInStubs, isContainer } from "./stubs.ts";
import { substituteDynamic } from "./substitute-dynamic.ts";

/** Adds the fields that the nearest stub which has them marks with &inject or &default, and the document lacks (spiff.md §3.7). */
export function addInjected(map: MapValue, environment: Environment): void {
  if (!isInjecting(environment)) return;
  const { document } = environment;
  const stubPath = pathNames(environment.stubPath);
  const seen = new Set(map.cells.keys());
  for (const stub of document.stubs) {
    const value = stubPath.length === 0 ? stub : findInStubs([stub], stubPath)?.value;
    if (typeof value !== "object" || value?.kind !== "map") continue;
    for (const [key, cell] of value.cells) {
      const { markers } = cell;
      if (seen.has(key)) continue;
      seen.add(key);
      if (markers?.isInjected !== true && markers?.isDefault !== true) continue;
      map.cells.set(key, injectedCell(cell, childOf(environment, key, key)));
    }
  }
}

/** Entries that the nearest stub with the list marks with &inject or &default; those of farther stubs are in it. */
export function injectedEntries(environment: Environment, isOwnKeyed: boolean | undefined): Cell[] {
  if (!isMerged(environment)) return [];
  const { stubs } = environment.document;
  const stubPath = pathNames(environment.stubPath);
  const value = stubPath.length === 0 ? stubs[0] : findInStubs(stubs, stubPath)?.value;
  if (typeof value !== "object" || value?.kind !== "list") return [];
  const injected = value.items.filter(({ markers }) => markers?.isInjected === true || markers?.isDefault === true);
  const isKeyed = isOwnKeyed ?? stepsOf(injected, value.keyField).length > 0;
  return injected.map((cell, index) => {
    const step = `[${index}]`;
    const entry = injectedCell(cell, childOf(environment, step, step));
    // Without keys, places count, also of what is injected.
    if (!isKeyed && isContainer(cell.value)) entry.value = mergeStubs(cell.value, stubs, [...stubPath, step]);
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
  return injected;
}
