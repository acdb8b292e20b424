import { completeList, completeMap } from "../value/build-value.ts";
import { Cell } from "../value/cell.ts";
import type { ListValue, MapValue, Value } from "../value/value.ts";
import { childOf, type Environment } from "./environment.ts";
import { stepsOf } from "./list-steps.ts";

/** Values without dynamic nodes below. */
const plain = new WeakSet<ListValue | MapValue>();

/** A stub's value that takes the place of a node: dynamic nodes below have the values that their templates give there. */
export function substituteDynamic(value: Value, environment: Environment): Value {
  if (typeof value !== "object" || value === null || (value.kind !== "map" && value.kind !== "list")) return value;
  if (!hasDynamic(value)) return value;
  if (value.kind === "map") {
    return completeOpen(
      completeMap(
        new Map([...value.cells].map(([key, cell]) => [key, substituted(cell, childOf(environment, key, key))])),
      ),
    );
  }
  const steps = stepsOf(value.items, value.keyField);
  const items = value.items.map((cell, index) => {
    const name = `[${index}]`;
    return substituted(cell, childOf(environment, name, steps[index] ?? name));
  });
  return completeOpen(completeList(items, value.keyField));
}

/** Its dynamic nodes are evaluated when they are needed. */
function completeOpen<T extends ListValue | MapValue>(value: T): T {
  value.isDeep = false;
  return value;
}

function substituted(cell: Cell, environment: Environment): Cell {
  const dynamic = ownDynamic(cell);
  const value = dynamic === undefined ? substituteDynamic(cell.value, environment) : cell.value;
  if (dynamic === undefined && value === cell.value) return cell;
  const source = { kind: "scalar", value, markers: undefined } as const;
  const own = new Cell(value, dynamic === undefined ? undefined : { source, environment });
  own.dynamic = dynamic;
  own.markers = cell.markers;
  return own;
}

/** Defaults stay templates where they are. */
function ownDynamic({ dynamic, markers }: Cell): Cell["dynamic"] {
  return markers?.isDefault === true ? undefined : dynamic;
}

function hasDynamic(value: Value): boolean {
  if (typeof value !== "object" || value === null || (value.kind !== "map" && value.kind !== "list")) return false;
  if (plain.has(value)) return false;
  for (const cell of value.kind === "map" ? value.cells.values() : value.items) {
    if (ownDynamic(cell) !== undefined || hasDynamic(cell.value)) return true;
  }
  plain.add(value);
  return false;
}
