import { isConstantControl } from "../document/constant.ts";
import { joinMarkers } from "../document/markers.ts";
import type { ExpressionSource, Source } from "../document/source.ts";
import type { Cell } from "../value/cell.ts";
import { TemplateValue, type Value } from "../value/value.ts";
import { computeControl } from "./control/control.ts";
import { definitionAt, isMerged, pathNames, pathOf, placeNames, type Environment } from "./environment.ts";
import { evaluate } from "./evaluate.ts";
import { EvaluationFailure, failLocally } from "./failure.ts";
import { instantiate } from "./instantiate.ts";
import { isElsewhere } from "./references/keyed-path.ts";
import { beside, MergeRecord } from "./merging/merge-record.ts";
import { mergeStubs } from "./merging/merge-stubs.ts";
import { evaluateDynamic, override, takeMarkers } from "./merging/override.ts";
import { isContainer } from "./merging/stubs.ts";

/** The value of a node of a document: the first stub's, or its own. Throws EvaluationFailure. */
export function computeCell(cell: Cell, source: Source, environment: Environment): Value {
  if (source.markers?.isDynamic === true) return computeDynamic(cell, source, environment);
  return computeOwn(cell, source, environment);
}

/** In its own document, a dynamic map stays a template, and a dynamic expression has a value: a stub's in place of its own. */
function computeDynamic(cell: Cell, source: Source, environment: Environment): Value {
  const value = computeOwn(cell, source, environment);
  if (cell.dynamic !== undefined) return value;
  const isTemplate = typeof value === "object" && value?.kind === "template";
  if (!isTemplate) {
    if (source.markers?.isTemplate === true) return value;
    const given = source.kind === "expression" ? override(cell, environment) : undefined;
    return given === undefined ? failLocally("dynamic marker for non-template value node") : given;
  }
  if (source.kind === "expression") return evaluatePlaced(cell, value, environment);
  cell.dynamic = value;
  return value;
}

/** A merge below a branch that finds nothing looks into stubs once more, where the control stands. */
function evaluatePlaced(cell: Cell, template: TemplateValue, environment: Environment): Value {
  try {
    return evaluateDynamic(cell, template, environment);
  } catch (error) {
    const place = placeNames(environment.path);
    const isPlaced = place.join(".") !== pathNames(environment.path).join(".");
    if (!(error instanceof EvaluationFailure) || !error.isLocal || !isPlaced) throw error;
    return evaluateDynamic(cell, template, { ...environment, stubPath: pathOf(place) });
  }
}

function computeOwn(cell: Cell, source: Source, environment: Environment): Value {
  if (source.markers?.isTemplate === true) {
    const isKept = environment.isEarly === true || (source.kind === "expression" && source.markers.isDynamic);
    const found = isKept ? undefined : override(cell, environment);
    if (found !== undefined) return found;
    if (isEmptyTemplate(source)) return failLocally("empty template value");
    if (environment.isUnmerged === "injecting") takeMarkers(cell, environment);
    return new TemplateValue(withoutMarkers(source), definitionAt(environment));
  }
  switch (source.kind) {
    case "scalar": {
      const found = isInsertion(environment) ? undefined : overrideData(cell, environment);
      if (found !== undefined) return found;
      return cell.dynamic === undefined ? source.value : evaluateDynamic(cell, cell.dynamic, environment);
    }
    case "expression":
      return computeExpression(cell, source, environment);
    case "map":
    case "list":
      takeMarkers(cell, environment);
      return instantiate(source, environment, cell);
    case "control":
      return computeControl(cell, source, isConstantControl(source) ? early(environment) : environment);
  }
}

/** Without expressions in it, a control has its value when data has. */
function early(environment: Environment): Environment {
  const { mergePath } = environment;
  return mergePath === undefined ? environment : { ...environment, stubPath: mergePath };
}

/** Data is looked up where merges are, and again where expressions are; maps and lists are merged there. */
function overrideData(cell: Cell, environment: Environment): Value | undefined {
  const { mergePath } = environment;
  if (mergePath === undefined) return override(cell, environment);
  const found = override(cell, { ...environment, stubPath: mergePath });
  if (cell.hasMerged) return found;
  if (found !== undefined && isContainer(found)) return mergeStubs(found, environment);
  const late = override(cell, environment);
  return late === undefined ? found : late;
}

function computeExpression(cell: Cell, source: ExpressionSource, environment: Environment): Value {
  const { expression, problem, isMerging } = source.parsed;
  const isInsert = isInsertion(environment);
  const isEarly = environment.isEarly === true && expression?.kind !== "undefined";
  if (!isInsert && !isEarly && (!isMerging || problem !== undefined)) {
    const found = override(cell, environment);
    if (found !== undefined) return found;
  }
  if (problem !== undefined) failLocally(problem);
  if (expression === undefined) return null;
  // Without stubs, no merge finds anything.
  if (!isMerging && environment.document.stubs.length === 0) return evaluate(expression, environment);
  // An insertion has a record already, for what stands beside it.
  const { record = new MergeRecord() } = environment;
  try {
    const value = evaluate(expression, { ...environment, record });
    cell.markers = joinMarkers(cell.markers, record.markers);
    cell.hasMerged = record.isMerged;
    if (!isMerging && !isInsert && isContainer(value) && isMerged(environment)) takeMarkers(cell, environment);
    if (record.isDynamic && hasWrongTemplate(record, environment)) {
      return failLocally("dynamic marker for non-template value node");
    }
    const isOpen =
      isMerging &&
      source.parsed.whole?.kind !== "prefer" &&
      !isInsert &&
      environment.mergePath !== undefined &&
      record.isUnfound;
    const found = isOpen ? override(cell, environment) : undefined;
    if (found !== undefined) return found;
    if (record.dynamic === undefined) return value;
  } catch (error) {
    if (!(error instanceof EvaluationFailure) || !error.isLocal) throw error;
    if (isOptional(source, environment)) return null;
    if (!isMerging) throw error;
    const found = isInsert ? undefined : override(cell, environment);
    if (found === undefined) throw error;
    cell.isReplaced = true;
    return found;
  }
  // What a dynamic map inserts stands in the map around.
  const path = isInsert ? environment.path?.parent : environment.path;
  return evaluateDynamic(cell, record.dynamic, { ...beside(environment, record), path });
}

/** Elsewhere, a merge finds the value of a dynamic expression, not its template; a list inserts no list that is dynamic itself. */
function hasWrongTemplate({ dynamic, path }: MergeRecord, environment: Environment): boolean {
  const kind = dynamic?.source.kind;
  if (kind === "map") return false;
  if (path !== undefined) return kind !== "list";
  const isInList = environment.path?.parent?.name.startsWith("[") === true;
  return isInsertion(environment) && (kind !== "list" || isInList);
}

/** A plain merge, alone at an insert key and without markers, inserts nothing where no stub has the path. */
function isOptional({ parsed: { whole } }: ExpressionSource, environment: Environment): boolean {
  if (whole?.kind !== "merge" || whole.path.length > 0) return false;
  const isPlain = whole.mode === "plain" || (whole.mode !== "replace" && environment.isBody === true);
  return isPlain && isInsertion(environment) && !isElsewhere(environment);
}

function isInsertion({ path }: Environment): boolean {
  return path?.name === "<<" || path?.name === "<<<";
}

function isEmptyTemplate(source: Source): boolean {
  return source.kind === "expression" && source.parsed.expression === undefined && source.parsed.problem === undefined;
}

function withoutMarkers(source: Source): Source {
  if (source.kind === "scalar") return source;
  return { ...source, markers: undefined };
}
