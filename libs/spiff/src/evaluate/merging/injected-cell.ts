import { Cell } from "../../value/cell.ts";
import type { Environment } from "../environment.ts";
import { takenValue } from "../substitute-dynamic.ts";

/** A cell for a field that a stub gives: an own one, because each document evaluates what is dynamic in it at its own place. */
export function injectedCell(cell: Cell, environment: Environment): Cell {
  const { dynamic, markers } = cell;
  const source = { kind: "scalar", value: cell.value, markers: undefined } as const;
  const value = dynamic === undefined ? takenValue(cell, environment) : cell.value;
  const injected = new Cell(value, dynamic === undefined ? undefined : { source, environment });
  injected.dynamic = dynamic;
  injected.markers = markers;
  injected.wasInjected = true;
  return injected;
}
