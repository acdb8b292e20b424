import { joinMarkers, withoutInjection, type Markers } from "../document/markers.ts";
import { completeList, completeMap } from "../value/build-value.ts";
import { Cell } from "../value/cell.ts";
import type { ListValue, MapValue, Value } from "../value/value.ts";
import { childOf, pathOf, type Environment } from "./environment.ts";
import { stepsOf } from "./merging/list-steps.ts";
import { mergeFields } from "./engine.ts";
import { findMarking, findOverride, isContainer, isDynamicExpression } from "./merging/stubs.ts";

/** Values without dynamic maps and redirected merges below. */
const plain = new WeakSet<ListValue | MapValue>();

/** The value of a stub's node that takes the place of another one. What a merge has found for the stub stays as it is. */
export function takenValue({ value, hasMerged }: Pick<Cell, "value" | "hasMerged">, environment: Environment): Value {
  return hasMerged ? value : substituteDynamic(value, environment);
}

/**
 * A stub's value that takes the place of a node: dynamic maps in maps below have the values that their templates give
 * there. Entries of lists stay templates, and dynamic expressions keep the value that they have in the stub. Fields that
 * look elsewhere into stubs do so again.
 */
function substituteDynamic(value: Value, environment: Environment): Value {
  if (typeof value !== "object" || value === null || (value.kind !== "map" && value.kind !== "list")) return value;
  if (!hasDynamic(value)) return value;
  if (value.kind === "map") {
    if (value.stubPath !== undefined) return mergeElsewhere(value, environment);
    return completeOpen(
      completeMap(
        new Map([...value.cells].map(([key, cell]) => [key, substituted(cell, childOf(environment, key, key))])),
      ),
    );
  }
  const steps = stepsOf(value.items, value.keyField);
  const items = value.items.map((cell, index) => {
    if (!isContainer(cell.value)) return cell;
    const name = `[${index}]`;
    return substituted(cell, childOf(environment, name, steps[index] ?? name));
  });
  return completeOpen(completeList(items, value.keyField));
}

/** The fields look into stubs where the merge beside them does. */
export function mergeElsewhere(value: MapValue, environment: Environment): MapValue {
  const { stubPath = [] } = value;
  const merged = mergeFields(value, { ...environment, stubPath: pathOf(stubPath), isUnmerged: false });
  merged.stubPath = stubPath;
  return merged;
}

/** What stubs mark the path with at which the fields of a map look into them: it is marked so, too. */
export function markersElsewhere(value: Value, { document: { stubs } }: Environment): Markers | undefined {
  if (typeof value !== "object" || value?.kind !== "map" || (value.stubPath?.length ?? 0) === 0) return undefined;
  const { stubPath = [] } = value;
  return withoutInjection((findOverride(stubs, stubPath) ?? findMarking(stubs, stubPath))?.markers);
}

/** Its dynamic maps are evaluated when they are needed. */
function completeOpen<T extends ListValue | MapValue>(value: T): T {
  value.isDeep = false;
  return value;
}

function substituted(cell: Cell, environment: Environment): Cell {
  const dynamic = ownDynamic(cell);
  const value = dynamic === undefined ? takenValue(cell, environment) : cell.value;
  if (dynamic === undefined && value === cell.value) return cell;
  const source = { kind: "scalar", value, markers: undefined } as const;
  const own = new Cell(value, dynamic === undefined ? undefined : { source, environment });
  own.dynamic = dynamic;
  own.markers = joinMarkers(cell.markers, markersElsewhere(cell.value, environment));
  own.isOfDefault = cell.isOfDefault;
  return own;
}

/** The template of a dynamic map. Defaults stay templates where they are. */
function ownDynamic(cell: Cell): Cell["dynamic"] {
  if (cell.markers?.isDefault === true || cell.isOfDefault || isDynamicExpression(cell)) return undefined;
  return cell.dynamic?.source.kind === "expression" ? undefined : cell.dynamic;
}

function hasDynamic(value: Value): boolean {
  if (typeof value !== "object" || value === null || (value.kind !== "map" && value.kind !== "list")) return false;
  if (plain.has(value)) return false;
  if (value.kind === "map" && value.stubPath !== undefined) return value.stubPath.length > 0;
  const isList = value.kind === "list";
  for (const cell of isList ? value.items : value.cells.values()) {
    if ((!isList && ownDynamic(cell) !== undefined) || (!cell.hasMerged && hasDynamic(cell.value))) return true;
  }
  plain.add(value);
  return false;
}
