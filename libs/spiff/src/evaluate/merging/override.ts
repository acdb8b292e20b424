import { joinMarkers, withoutInjection } from "../../document/markers.ts";
import type { Cell } from "../../value/cell.ts";
import { TemplateValue, undefinedValue, type Value } from "../../value/value.ts";
import { isInjecting, isMerged, pathNames, type Environment } from "../environment.ts";
import { MergeRecord } from "./merge-record.ts";
import { mergeStubs } from "./merge-stubs.ts";
import { findMarking, findOverride, isContainer, isKept } from "./stubs.ts";
import { markersElsewhere, takenValue } from "../substitute-dynamic.ts";
import { countInstance, evaluateSource } from "../template.ts";

/** The value that the first stub with the node's path gives it. */
export function override(cell: Cell, environment: Environment): Value | undefined {
  if (!isMerged(environment)) return undefined;
  const found = findOverride(environment.document.stubs, pathNames(environment.stubPath));
  if (found === undefined) return undefined;
  cell.markers = joinMarkers(joinMarkers(cell.markers, found.markers), markersElsewhere(found.value, environment));
  cell.hasMerged ||= isKept(found);
  if (found.dynamic !== undefined) return evaluateDynamic(cell, found.dynamic, environment);
  return found.value === undefinedValue ? undefined : takenValue(found, environment);
}

/** What keeps its own value, fields or entries can be marked by a stub, also by a default; it is injected nowhere because of that. */
export function takeMarkers(cell: Cell, environment: Environment): void {
  if (!isInjecting(environment)) return;
  const { document, stubPath, mergePath = stubPath } = environment;
  for (const path of new Set([mergePath, stubPath])) {
    const names = pathNames(path);
    const found = findOverride(document.stubs, names) ?? findMarking(document.stubs, names);
    cell.markers = joinMarkers(cell.markers, withoutInjection(found?.markers));
  }
}

/** A dynamic node has the value that its template gives here, and hands the template on. */
export function evaluateDynamic(cell: Cell, template: TemplateValue, environment: Environment): Value {
  // Maps and lists are values from now on, but not what injected ones insert.
  const { source } = template;
  const inserts = cell.wasInjected && source.kind === "map" && source.insert !== undefined;
  const isValue = (source.kind === "map" && !inserts) || source.kind === "list";
  cell.dynamic = isValue ? undefined : template;
  // It may merge itself from the stub that it comes from.
  const instances = countInstance(environment);
  const record = new MergeRecord();
  const value = evaluateSource(source, { ...environment, mergePath: undefined, isUnmerged: true, instances, record });
  // A template that the expression gives is what the documents behind evaluate.
  if (value instanceof TemplateValue) cell.dynamic = value;
  const { dynamic = template } = record;
  // What it merges can be a dynamic map.
  if (dynamic !== template && value === dynamic) return evaluateDynamic(cell, dynamic, environment);
  if (source.kind !== "expression" || !isContainer(value) || !isMerged(environment)) return value;
  takeMarkers(cell, environment);
  return mergeStubs(value, environment);
}
