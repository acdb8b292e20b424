import { isConstantControl } from "../../document/constant.ts";
import { findSyntaxProblem } from "../../document/find-syntax-problem.ts";
import { findFieldProblem } from "../../document/control-source.ts";
import type { ControlSource } from "../../document/source.ts";
import { Cell } from "../../value/cell.ts";
import { isGone, MapValue, typeName, undefinedValue, type Value } from "../../value/value.ts";
import { isDeepEqual } from "../operators/compare.ts";
import { childOf, isMerged, pathNames, type Environment, type Path } from "../environment.ts";
import { EvaluationFailure, failLocally, issueOf, known, quoting } from "../failure.ts";
import { completeShape, force, requireDeep } from "../force.ts";
import { addInjected } from "../merging/injected-fields.ts";
import { isKeptBranch, redirected } from "./control-branch.ts";
import { loop } from "./control-loop.ts";
import { mergeMaps, replaceFailed } from "./control-merge.ts";
import { optionValue, ownValue } from "./control-options.ts";
import { makeCell } from "../instantiate.ts";
import { callLambda } from "../calls/lambda.ts";
import { mergeStubs } from "../merging/merge-stubs.ts";
import { findInStubs, isContainer, isDynamicExpression } from "../merging/stubs.ts";
import { override, takeMarkers } from "../merging/override.ts";

/** One control in evaluation: its fields are nodes that see each other and what is around. */
export interface Control {
  readonly source: ControlSource;
  readonly host: MapValue;
  readonly options: ReadonlyMap<string, Cell>;
  readonly inner: Environment;
  /** Where the body of a loop is evaluated: its nodes look into stubs where the control does. */
  readonly around: Environment;
  /** Where the outermost control around looks into stubs. */
  readonly stubPath: Path | undefined;
  /** What fails now is an option, the keys of a branch or the body of a loop: no stub takes the place of the control. */
  isStuck: boolean;
}

/** The value of a control, with the stubs' values in it. `cell` takes over the markers of a branch. */
export function computeControl(cell: Cell, source: ControlSource, environment: Environment): Value {
  const { problem } = source;
  if (problem !== undefined) throw new EvaluationFailure({ tag: "*", issue: issueOf(problem), isStuck: true });
  const control = openControl(source, environment);
  let within = visibleNodes(control);
  let isChosen = false;
  try {
    const result = run(control);
    isChosen = result instanceof Cell;
    if (result instanceof Cell) within = [result];
    return controlResult(cell, { result, control }, environment);
  } catch (error) {
    if (!(error instanceof EvaluationFailure)) throw error;
    const { failure } = error;
    // Until the branch has its keys, it is one of the fields.
    if (control.isStuck && within[0]?.environment?.path?.place === undefined) within = visibleNodes(control);
    const isStuck = control.isStuck || failure.isStuck === true;
    if (isStuck || !error.isLocal) throw new EvaluationFailure({ ...failure, within, isStuck });
    const isKept = isChosen && within.some((node) => isDynamicExpression(node) || isListInStubs(node, control));
    const found = isKept ? undefined : replacement(cell, environment);
    if (found !== undefined) return found;
    // What <<merge merges can still be replaced, and has the markers of the branch then.
    if (isChosen) cell.markers ??= within[0]?.markers;
    throw failure.at === undefined ? error : new EvaluationFailure({ ...failure, within, isStuck: isKept });
  }
}

function isEntry({ path }: Environment): boolean {
  return path?.name.startsWith("[") === true;
}

/** What a stub has in place of a control; one that is an entry of a list stays, as other entries do. */
function replacement(cell: Cell, environment: Environment): Value | undefined {
  const isKept = cell.hasMerged || isEntry(environment);
  return isKept ? undefined : override(cell, environment);
}

/** The nodes of a control but those that are evaluated again and again. */
function visibleNodes({ host, options }: Control): readonly Cell[] {
  const all = [...options].filter(([name, { source }]) => {
    return !(name === "do" || name === "mapkey") || (source?.kind === "control" && source.problem !== undefined);
  });
  return [...all.map(([, cell]) => cell), ...host.cells.values()];
}

interface Outcome {
  readonly result: Cell | Value;
  readonly control: Control;
}

function controlResult(cell: Cell, { result, control }: Outcome, environment: Environment): Value {
  // Only an undefined insertion in what <<merge merges gives nothing: its node goes away.
  if (control.source.control === "merge" && result === undefinedValue) return undefinedValue;
  const branch = result instanceof Cell ? result : undefined;
  cell.isAbsent = result === undefinedValue && control.options.get("if")?.value !== undefinedValue;
  const given = result instanceof Cell ? branchValue(result, control, environment) : result;
  const value = isGone(given) ? undefinedValue : given;
  const isOwn =
    (typeof value === "object" && value?.kind === "map") || (branch !== undefined && isOwnList(branch, control));
  const isKept = branch !== undefined && isKeptBranch(branch, { isOwn, document: environment.document });
  cell.hasMerged ||= isKept;
  const isOpen = isMerged(environment) && !isKept;
  const found = isOpen && !isOwn ? replacement(cell, environment) : undefined;
  if (found !== undefined) return found;
  cell.markers ??= branch?.markers;
  cell.dynamic = branch?.dynamic;
  // A branch that stubs do not change has their markers, too; other entries of lists have not.
  const isMarked = environment.isUnmerged === "injecting" || (isOpen && isOwn) || !isEntry(environment);
  if (isMarked) takeMarkers(cell, environment);
  const isPassed = environment.isInBranch === true && !isConstantControl(control.source);
  if (!isOpen || !isOwn || isPassed) return value;
  const { stubs } = environment.document;
  const inner = redirected(branch, value, environment);
  if (!isMerged(inner)) return value;
  const path = pathNames(inner.stubPath);
  replaceFailed(value, stubs, path);
  return mergeStubs(requireDeep(value, "control"), inner);
}

/** A list that is dynamic, or that a stub has at the path of the branch, keeps its own entries. */
function isOwnList(branch: Cell, control: Control): boolean {
  const isDynamic = isDynamicExpression(branch) || (branch.source?.kind === "control" && branch.dynamic !== undefined);
  return (isDynamic && isContainer(branch.value)) || isListInStubs(branch, control);
}

/** A stub has it at the path of the branch. */
function isListInStubs(branch: Cell, { host, options, inner }: Control): boolean {
  const { source, value } = branch;
  const isList =
    source?.kind === "list" || (source === undefined && typeof value === "object" && value?.kind === "list");
  const field = isList ? [...host.cells, ...options].find(([, cell]) => cell === branch) : undefined;
  if (field === undefined || !isMerged({ ...inner, isUnmerged: false })) return false;
  const [name] = field;
  return findInStubs(inner.document.stubs, [...pathNames(inner.stubPath), name]) !== undefined;
}

/** The value of a branch. Messages name it in the place of its control, once its keys are known. */
function branchValue(branch: Cell, control: Control, { path: place }: Environment): Value {
  const { source, environment } = branch;
  const setPlace = (isPlaced: boolean): void => {
    if (environment?.path !== undefined) environment.path.place = isPlaced ? { path: place } : undefined;
  };
  const problem = source === undefined ? undefined : findSyntaxProblem(source);
  if (problem !== undefined) {
    // The control waits for all of its nodes, and the mistake is told in its place.
    control.isStuck = true;
    return failLocally(problem);
  }
  setPlace(source?.kind !== "control");
  const value = placedValue(branch, control, setPlace);
  if (typeof value === "object" && (value?.kind === "map" || value?.kind === "list")) {
    control.isStuck = true;
    try {
      completeShape(value, "control");
    } catch (error) {
      setPlace(error instanceof EvaluationFailure && error.isLocal);
      throw error instanceof EvaluationFailure ? new EvaluationFailure(error.failure, branch) : error;
    }
    control.isStuck = false;
  }
  setPlace(true);
  return value;
}

/** A control in a branch takes that place as soon as its options have values. */
function placedValue(branch: Cell, control: Control, setPlace: (isPlaced: boolean) => void): Value {
  try {
    return ownValue(branch);
  } catch (error) {
    const again = error instanceof EvaluationFailure ? inPlaceOf(branch, control) : undefined;
    if (again !== undefined) return again;
    if (!(error instanceof EvaluationFailure) || branch.source?.kind !== "control") throw error;
    const { at, tag, within = [] } = error.failure;
    const isPlacedWithin = within.length > 0 && within.every((node) => node.environment?.path?.place !== undefined);
    setPlace(at === branch ? tag === "*" : isPlacedWithin);
    control.isStuck = error.failure.isStuck === true;
    throw error;
  }
}

/** A dynamic merge that finds nothing looks into stubs once more, where the control stands. */
function inPlaceOf({ source, environment, failure }: Cell, { stubPath }: Control): Value | undefined {
  if (source?.kind !== "expression" || environment === undefined || failure?.tag !== "*") return undefined;
  const again = new Cell(null, { source, environment: { ...environment, stubPath } });
  if (!source.parsed.isMerging || !isDynamicExpression(again)) return undefined;
  force(again);
  return again.state === "done" ? again.value : undefined;
}

/** Options that a control stands for; others have a place of their own. */
const branches: ReadonlySet<string> = new Set(["then", "else", "default"]);

function openControl(source: ControlSource, environment: Environment): Control {
  const host = new MapValue(new Map());
  const fields = lookupPlace(environment);
  const inner = {
    ...fields,
    isUnmerged: true,
    scope: { kind: "map", map: host, parent: environment.scope },
  } as const;
  const around = { ...inner, isUnmerged: environment.isUnmerged };
  const stubPath = environment.controlPath ?? environment.stubPath;
  const branchOf = (task: Environment, key: string): Environment => {
    return { ...childOf(task, key, key), controlPath: stubPath, isInBranch: true };
  };
  // Stubs that have the branch change what is in it.
  for (const [key, entry] of source.entries) {
    const isContainer = (entry.kind === "map" || entry.kind === "list") && entry.markers?.isTemplate !== true;
    host.cells.set(key, makeCell(entry, branchOf(isContainer ? around : inner, key)));
  }
  addInjected(host, fields);
  const options = new Map(
    [...source.options].map(([name, option]) => {
      const key = `<<${name}`;
      const task = branches.has(name) ? branchOf(inner, key) : childOf(inner, key, key);
      return [name, makeCell(option, task)] as const;
    }),
  );
  return { source, host, options, inner, around, stubPath, isStuck: false };
}

/** In a list, the fields of a control look into stubs where the list does. */
function lookupPlace(environment: Environment): Environment {
  return isEntry(environment) ? { ...environment, stubPath: environment.stubPath?.parent } : environment;
}

function run(control: Control): Cell | Value {
  const problem = findFieldProblem(control.source, [...control.host.cells.keys()]);
  if (problem !== undefined) return failLocally(problem);
  switch (control.source.control) {
    case "if":
      return choose(control);
    case "switch":
      return control.options.has("cases") ? chooseCase(control) : chooseField(control, switchKey(control));
    case "type":
      return chooseField(control, typeName(optionValue(control, "type")));
    case "for":
      return loop(control);
    case "merge":
      return mergeMaps(control);
  }
}

function choose(control: Control): Cell | Value {
  const condition = optionValue(control, "if");
  const isNothing = condition === null || condition === undefinedValue;
  if (typeof condition !== "boolean" && !isNothing) {
    return failLocally(`invalid condition value type: ${typeName(condition)}`);
  }
  return control.options.get(condition === true ? "then" : "else") ?? undefinedValue;
}

function switchKey(control: Control): string | null | undefined {
  const value = optionValue(control, "switch");
  if (value === undefinedValue) return undefined;
  if (value !== null && typeof value !== "string") return failLocally(`invalid switch value type: ${typeName(value)}`);
  return value;
}

/** The field with the name, or the default; null is no field. */
function chooseField({ host, options }: Control, key: string | null | undefined): Cell | Value {
  if (key === undefined) return undefinedValue;
  const chosen = (key === null ? undefined : host.cells.get(key)) ?? options.get("default");
  return chosen ?? failLocally(quoting`invalid switch value: ${key === null ? "nil" : JSON.stringify(key)}`);
}

/** The first case that is equal, or whose lambda says so; with a lambda, `case` counts no more. */
function chooseCase(control: Control): Cell | Value {
  const value = optionValue(control, "switch");
  if (value === undefinedValue) return undefinedValue;
  const cell = control.options.get("cases");
  const cases = cell === undefined ? null : ownValue(cell);
  if (typeof cases !== "object" || cases?.kind !== "list") return failLocally("cases must be a list");
  completeShape(cases, "<<cases");
  for (const [index, item] of cases.items.entries()) {
    const fields = ownValue(item);
    if (typeof fields !== "object" || fields?.kind !== "map") return failLocally(`case ${index} requires field 'case'`);
    completeShape(fields, "<<cases");
    if (isCase(fields, value, { index, control })) return valueOfCase(fields, control) ?? undefinedValue;
  }
  return control.options.get("default") ?? failLocally(`invalid switch value of type ${typeName(value)}`);
}

/** It stands for the control, as other branches do. */
function valueOfCase({ cells }: MapValue, { stubPath: controlPath }: Control): Cell | undefined {
  const cell = cells.get("value");
  if (cell?.environment !== undefined && cell.state === "new") cell.environment = { ...cell.environment, controlPath };
  return cell;
}

function isCase(fields: MapValue, value: Value, { index, control }: { index: number; control: Control }): boolean {
  const wrong = [...fields.cells.keys()].find((key) => !["case", "match", "value"].includes(key));
  if (wrong !== undefined) failLocally(quoting`case ${known(String(index))} invalid field "${wrong}"`);
  const match = fields.cells.get("match");
  const expected = fields.cells.get("case");
  if (match === undefined && expected === undefined) failLocally(`case ${index} requires 'case' or 'match' field`);
  const lambda = match === undefined ? undefined : ownValue(match);
  if (lambda === undefinedValue && expected === undefined)
    failLocally(`case ${index} requires 'case' or 'match' field`);
  if (typeof lambda !== "object" || lambda?.kind !== "lambda") {
    // As in the original, anything but a lambda matches everything that the case allows.
    return expected === undefined || isDeepEqual(requireDeep(ownValue(expected), "case"), value);
  }
  const result = callLambda(lambda, { positional: [value], named: new Map() }, control.inner);
  if (typeof result === "boolean") return result;
  return failLocally(`case ${index} boolean match result required, but got ${typeName(result)}`);
}
