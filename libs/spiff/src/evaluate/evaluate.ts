import { printExpression, printPath } from "../syntax/print-expression.ts";
import type { Assignment, Expression, Merge } from "../syntax/expression.ts";
import { completeList, completeMap, listOf } from "../value/build-value.ts";
import { Cell } from "../value/cell.ts";
import { isTrue, undefinedValue, type Value } from "../value/value.ts";
import { evaluateAuto } from "./auto.ts";
import { withoutInjection } from "../document/markers.ts";
import { calculate } from "./operators/arithmetic.ts";
import { evaluateCall } from "./calls/call.ts";
import { compare } from "./operators/compare.ts";
import { evaluateCatch, evaluateComprehension } from "./calls/comprehension.ts";
import { concatenate } from "./operators/concatenate.ts";
import { isMerged, pathNames, withBindings, type Environment } from "./environment.ts";
import { EvaluationFailure, failLocally } from "./failure.ts";
import { requireDeep } from "./force.ts";
import { evaluateLambda, lambdaFromValue } from "./calls/lambda.ts";
import { isDecided, logical } from "./operators/logical.ts";
import { withoutRecord, type MergeRecord } from "./merging/merge-record.ts";
import { mergeStubs } from "./merging/merge-stubs.ts";
import { evaluateSync } from "./calls/sync.ts";
import { resolveReference } from "./references/resolve-reference.ts";
import { evaluateRange, evaluateSelection, selectDynamic, evaluateProjection } from "./references/selection.ts";
import { findInStubs, findOverride, isContainer, withoutKeyField } from "./merging/stubs.ts";
import { markersElsewhere, takenValue } from "./substitute-dynamic.ts";
import { instantiateTemplate } from "./template.ts";

/** The value of an expression, complete. Throws EvaluationFailure. */
export function evaluate(expression: Expression, environment: Environment): Value {
  environment.document.budget.step();
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other kinds are in the default branch
  switch (expression.kind) {
    case "literal":
    case "value":
      return expression.value;
    case "undefined":
      return undefinedValue;
    case "reference":
      return complete(resolveReference(expression, environment), expression);
    case "group":
      return evaluate(expression.inner, environment);
    case "concat": {
      const left = evaluate(expression.left, environment);
      return concatenate(left, evaluate(expression.right, environment), { expression, environment });
    }
    case "or":
      return evaluateAlternative(expression, environment);
    case "conditional":
      return evaluate(isTrue(evaluate(expression.test, environment)) ? expression.yes : expression.no, environment);
    case "binary": {
      const left = evaluate(expression.left, environment);
      if (isDecided(expression.operator, left)) return expression.operator === "-or";
      return applyBinary(expression.operator, left, evaluate(expression.right, environment));
    }
    case "not":
      return !isTrue(evaluate(expression.operand, environment));
    default:
      return evaluateCompound(expression, environment);
  }
}

type Simple =
  | "literal"
  | "value"
  | "undefined"
  | "reference"
  | "group"
  | "concat"
  | "or"
  | "conditional"
  | "binary"
  | "not";
type Compound = Exclude<Expression, { kind: Simple }>;

function evaluateCompound(expression: Compound, environment: Environment): Value {
  switch (expression.kind) {
    case "qualified":
    case "dynamic":
      return complete(evaluateShallow(expression, withoutRecord(environment)), expression);
    case "element":
      return environment.element ?? null;
    case "projection":
      return evaluateProjection(expression, withoutRecord(environment));
    case "instantiate":
      return instantiateTemplate(expression.operand, environment);
    case "call":
      return complete(evaluateCall(expression, environment), expression);
    case "list":
      return evaluateList(expression.items, environment);
    case "range":
      return evaluateRange(expression.from, expression.to, environment);
    case "map":
      return evaluateMap(expression.entries, withoutRecord(environment));
    case "scope": {
      const names = evaluateMap(expression.entries, withoutRecord(environment)).cells;
      return evaluate(expression.body, withBindings(environment, names));
    }
    case "lambda":
      return evaluateLambda(expression, environment);
    case "lambdaReference":
      return lambdaFromValue(evaluate(expression.operand, environment), environment);
    case "comprehension":
      return evaluateComprehension(expression, withoutRecord(environment));
    case "catch":
      return evaluateCatch(expression, withoutRecord(environment));
    case "sync":
      return evaluateSync(expression, withoutRecord(environment));
    case "merge":
      return evaluateMerge(expression, environment);
    case "prefer":
      return evaluatePrefer(expression.operand, environment);
    case "auto":
      return evaluateAuto(environment);
    case "marked":
      return expression.inner === undefined ? null : evaluate(expression.inner, environment);
  }
}

/** Everything below a value; its expression is printed only when it is needed. */
function complete(value: Value, expression: Expression): Value {
  if (typeof value !== "object" || value === null) return value;
  if ((value.kind !== "map" && value.kind !== "list") || value.isDeep) return value;
  return requireDeep(value, printExpression(expression));
}

/** As evaluate, but what lies below a referenced container may stay unevaluated: only a part of it is needed. */
export function evaluateShallow(expression: Expression, environment: Environment): Value {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other kinds are in the default branch
  switch (expression.kind) {
    case "reference":
      return resolveReference(expression, environment);
    case "group":
      return evaluateShallow(expression.inner, environment);
    case "call":
      return evaluateCall(expression, environment);
    case "qualified":
      return evaluateSelection(evaluateShallow(expression.base, environment), expression);
    case "dynamic": {
      const base = evaluateShallow(expression.base, environment);
      const indices = expression.indices.map((index) => evaluate(index, environment));
      return selectDynamic(base, indices, expression);
    }
    default:
      return evaluate(expression, environment);
  }
}

function evaluateAlternative(expression: Extract<Expression, { kind: "or" }>, environment: Environment): Value {
  try {
    const left = evaluate(expression.left, environment);
    const isMissing = left === undefinedValue || (expression.operator === "//" && left === null);
    if (!isMissing) return left;
  } catch (error) {
    if (!(error instanceof EvaluationFailure)) throw error;
    // With ||, the whole waits for an operand that waits; with //, it is a mistake, which || around it sees.
    if (!error.isLocal) throw expression.operator === "//" ? error.asLocal() : error;
  }
  return evaluate(expression.right, environment);
}

function applyBinary(operator: Extract<Expression, { kind: "binary" }>["operator"], left: Value, right: Value): Value {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other kinds are in the default branch
  switch (operator) {
    case "-or":
    case "-and":
      return logical(operator, left, right);
    case "==":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return compare(operator, left, right);
    default:
      return calculate(operator, left, right);
  }
}

function evaluateList(items: Extract<Expression, { kind: "list" }>["items"], environment: Environment): Value {
  const values: Value[] = [];
  for (const { value: item, isSpread } of items) {
    const value = evaluate(item, environment);
    if (!isSpread) {
      if (value !== undefinedValue) values.push(value);
    } else if (typeof value === "object" && value?.kind === "list") {
      values.push(...value.items.map((cell) => cell.value));
    } else return failLocally("argument expansion required list argument");
  }
  environment.document.budget.chargeEntries(values.length);
  return listOf(values);
}

function evaluateMap(entries: readonly Assignment[], environment: Environment): ReturnType<typeof completeMap> {
  const cells = new Map<string, Cell>();
  for (const { key, value } of entries) {
    const name = evaluate(key, environment);
    if (typeof name !== "string") return failLocally("assignment target must evaluate to string");
    const item = evaluate(value, environment);
    if (item !== undefinedValue) cells.set(name, new Cell(item));
  }
  environment.document.budget.chargeEntries(cells.size);
  return completeMap(cells);
}

function evaluateMerge(merge: Merge, environment: Environment): Value {
  const { document, stubPath, mergePath = stubPath, record, isBody } = environment;
  const mode = isBody === true ? "plain" : merge.mode;
  if (mode === "none") {
    if (record !== undefined) record.isNone = true;
    return null;
  }
  const target = merge.path.length > 0 ? merge.path : pathNames(mergePath);
  const found = target.length > 0 ? findInStubs(document.stubs, target) : undefined;
  const value = target.length > 0 ? found?.value : document.stubs[0];
  if (record !== undefined)
    takeDown({ ...merge, mode }, record, value === undefined ? undefined : (found ?? new Cell(value)));
  if (value !== undefined) return withKeyField(withoutRedirection(value), merge);
  return failLocally(`'${printPath(target)}' not found in any stub`);
}

function takeDown({ mode, path, keyField }: Merge, record: MergeRecord, found: Cell | undefined): void {
  if (path.length > 0) record.path = path;
  record.isNone = false;
  if (keyField !== undefined) record.keyField = keyField;
  if (found === undefined) return;
  record.isMerged = true;
  record.isReplaced = mode === "replace";
  record.dynamic = found.dynamic;
  // A map or list that a farther stub marks so is an ordinary value.
  const isOwn = found.source?.markers?.isDynamic === true || !isContainer(found.value);
  record.isDynamic = isOwn && found.markers?.isDynamic === true;
  record.addMarkers(found.markers);
}

/** Where a stub looks for the fields of a map concerns only what takes the place of that map. */
function withoutRedirection(value: Value): Value {
  if (typeof value !== "object" || value?.kind !== "map" || value.stubPath === undefined) return value;
  const map = completeMap(new Map(value.cells));
  map.isDeep = value.isDeep;
  return map;
}

/** `merge on f`: the field f names the entries of the list. */
function withKeyField(value: Value, { keyField }: Merge): Value {
  if (keyField === undefined) return withoutKeyField(value);
  return typeof value === "object" && value?.kind === "list" ? completeList(value.items, keyField) : value;
}

/** The stubs' values in the operand's; theirs alone when it has none. */
function evaluatePrefer(operand: Expression, environment: Environment): Value {
  const isLate = environment.isInBranch === true || (environment.isEarly ?? false) !== false;
  if (!isMerged(environment) || isLate) return evaluate(operand, environment);
  const path = pathNames(environment.stubPath);
  const { stubs } = environment.document;
  const isBody = environment.isBody === true;
  let value: Value;
  try {
    value = evaluate(operand, environment);
  } catch (error) {
    if (!(error instanceof EvaluationFailure) || !error.isLocal || isBody) throw error;
    const found = findOverride(stubs, path);
    if (found === undefined) throw error;
    return preferred(found, environment);
  }
  const found = findOverride(stubs, path);
  if (!isContainer(value)) {
    // As other entries of lists, it stays when it is no map or list; so does what the body of a loop is.
    const isEntry = environment.path?.name.startsWith("[") === true;
    return found === undefined || isEntry || isBody ? value : preferred(found, environment);
  }
  environment.record?.addMarkers(withoutInjection(found?.markers));
  return mergeStubs(value, environment);
}

/** A stub's value in place of the operand's: it has its markers, and dynamic nodes have values of this document. */
function preferred(found: Cell, environment: Environment): Value {
  const { record } = environment;
  record?.addMarkers(found.markers);
  record?.addMarkers(markersElsewhere(found.value, environment));
  if (record !== undefined) record.dynamic = found.dynamic;
  const value = withoutKeyField(found.value);
  return found.dynamic === undefined ? takenValue({ value, hasMerged: found.hasMerged }, environment) : value;
}
