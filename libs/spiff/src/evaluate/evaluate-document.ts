import { printParsed } from "../document/parsed-expression.ts";
import type { Source } from "../document/source.ts";
import { printExpression } from "../syntax/print-expression.ts";
import { Cell } from "../value/cell.ts";
import { isGone, TemplateValue, type ListValue, type MapValue, type Value } from "../value/value.ts";
import { printIssue, SpiffError, sortUnresolved, unresolvedError, type UnresolvedNode } from "../spiff-error.ts";
import { pathNames, placeNames, type DocumentRun, type Environment, type Path } from "./environment.ts";
import { BudgetFailure, EvaluationFailure, issueOf, type Failure } from "./failure.ts";
import { isInsertPath, isRedirected, withKeys } from "./references/keyed-path.ts";
import { injectedInPlaceOf } from "./merging/injected-fields.ts";
import { isDynamicExpression } from "./merging/stubs.ts";
import { completeShape, force, requireDeep, settle } from "./force.ts";

/** Evaluates a whole document to a complete value. Throws SpiffError, unless unresolved nodes are allowed to stay. */
export function evaluateDocument(source: Source, document: DocumentRun): Value {
  const root = new Cell(null, {
    source,
    environment: { document, scope: document.outerScope, path: undefined, stubPath: undefined },
  });
  document.root = root;
  const unresolved: Unresolved[] = [];
  try {
    visit(root, { document, unresolved });
    if (unresolved.length > 0) keepOrThrow(unresolved, document);
    return settle(document.nesting, () => requireDeep(root.value, document.name));
  } catch (error) {
    // Limits end the whole run, not only a document within an expression.
    throw error instanceof BudgetFailure && document.outer === undefined ? budgetError(error, document) : error;
  }
}

/** Names the node that was in evaluation when a limit was reached. */
function budgetError({ at, message }: BudgetFailure, { name }: DocumentRun): SpiffError {
  if (at === undefined) return new SpiffError(`${name}: ${message}`);
  const node = describe(at, { tag: "*", issue: issueOf(message) });
  const { line, column, path } = node;
  const place = line === undefined || column === undefined ? undefined : { line, column };
  return new SpiffError([name, ...(path === "" ? [] : [path]), message].join(": "), [node], { place });
}

/** The nodes below a value that have none; evaluates the rest. */
export function unresolvedBelow(
  value: Value,
  task: { readonly source: Source; readonly environment: Environment },
): readonly Unresolved[] {
  const unresolved: Unresolved[] = [];
  const root = new Cell(value, task);
  root.value = value;
  root.state = "done";
  visit(root, { document: { ...task.environment.document, unresolved: undefined }, unresolved });
  return unresolved;
}

export interface Unresolved {
  readonly cell: Cell;
  readonly failure: Failure;
}

/** Nodes that may stay become their expressions, after all others were evaluated without them. */
function keepOrThrow(unresolved: readonly Unresolved[], document: DocumentRun): void {
  const nodes = unresolved.map(({ cell, failure }) => describe(failure.at ?? cell, failure));
  if (document.unresolved === undefined) throw unresolvedError(nodes);
  document.unresolved.push(...sortUnresolved(nodes));
  for (const { cell } of unresolved) {
    if (cell.source === undefined) continue;
    cell.value = new TemplateValue(cell.source, { scope: undefined });
    cell.state = "done";
  }
}

interface Visit {
  readonly document: DocumentRun;
  readonly unresolved: Unresolved[];
}

/** Evaluates a node and everything below; nodes that fail are collected, their neighbours are evaluated all the same. */
function visit(cell: Cell, walk: Visit): void {
  evaluateNode(cell, walk);
  if (cell.state === "failed") {
    if (cell.failure !== undefined) visitFailed(cell, cell.failure, walk);
    return;
  }
  const { value } = cell;
  if (typeof value !== "object" || value === null) return;
  if ((value.kind !== "map" && value.kind !== "list") || value.isDeep) return;
  for (const insertion of value.pendingShape?.cells ?? []) evaluateNode(insertion, walk);
  const failed = value.pendingShape?.cells.filter(({ state }) => state === "failed") ?? [];
  const isPartial = walk.document.unresolved !== undefined;
  if (value.kind === "list" && !isPartial && failed.length > 0 && failed.every(isFailedControl)) {
    visitBesideControls(value, walk);
    return;
  }
  for (const insertion of failed) visit(insertion, walk);
  try {
    settle(walk.document.nesting, () => completeShape(value, ""));
  } catch (error) {
    if (!(error instanceof EvaluationFailure)) throw error;
    if (error.isLocal || isPartial) walk.unresolved.push({ cell, failure: error.failure });
    // What is to come beside the fields is unknown: as in the original, they are not looked at.
    if (isPartial) return;
    // Controls that have values are known without their neighbours.
    const controls = value.kind === "list" ? value.pendingShape?.cells.filter(isDoneControl) : undefined;
    for (const control of controls ?? []) visit(control, walk);
    if (!error.isLocal) return;
    visitBelow(value, error.failure, walk);
    return;
  }
  if (isGone(value)) return;
  if (value.kind === "map") visitFields(value, walk);
  else for (const item of value.items) visit(item, walk);
}

/** What a control gives has no influence on the other entries of its list: they stand where they stand without those that fail. */
function visitBesideControls(list: ListValue, walk: Visit): void {
  const { pendingShape: shape } = list;
  if (shape === undefined) return;
  try {
    settle(walk.document.nesting, shape.complete);
  } catch (error) {
    if (!(error instanceof EvaluationFailure)) throw error;
  }
  for (const item of list.items) visit(item, walk);
}

/** Where a field goes away, stubs can inject another one. */
function visitFields({ cells }: MapValue, walk: Visit): void {
  for (const [key, cell] of cells) {
    visit(cell, walk);
    const injected = cell.state === "done" && isGone(cell.value) ? injectedInPlaceOf(cell) : undefined;
    if (injected === undefined) continue;
    cells.set(key, injected);
    visit(injected, walk);
  }
}

/** A control that fails by its own fields, and does not wait for its options or its body. */
function isFailedControl({ source, failure }: Cell): boolean {
  if (source?.kind !== "control") return false;
  return source.problem !== undefined || failure?.isStuck !== true || failure.within?.some(isDynamicBranch) === true;
}

function isDoneControl({ source, state }: Cell): boolean {
  return source?.kind === "control" && state === "done";
}

function isDynamicBranch(node: Cell): boolean {
  return isDynamicExpression(node) && node.environment?.path?.place !== undefined;
}

/** What fails within a node is told in its place; in partial output, the node stays as a whole. */
function visitFailed(cell: Cell, failure: Failure, walk: Visit): void {
  const told = walk.unresolved.length;
  if (walk.document.unresolved === undefined) for (const node of failure.within ?? []) visit(node, walk);
  if (walk.unresolved.length === told) walk.unresolved.push({ cell, failure });
}

/** Fields beside an insertion of a wrong type; those that need it have the same failure. */
function visitBelow(value: MapValue | ListValue, { issue }: Failure, walk: Visit): void {
  const unresolved: Unresolved[] = [];
  const below = { ...walk, unresolved };
  for (const child of value.kind === "map" ? value.cells.values() : value.items) visit(child, below);
  walk.unresolved.push(...unresolved.filter(({ failure }) => failure.issue !== issue));
}

function evaluateNode(cell: Cell, { document }: Visit): void {
  try {
    settle(document.nesting, () => force(cell));
  } catch (error) {
    if (error instanceof BudgetFailure && document.outer === undefined) error.at ??= cell;
    throw error;
  }
}

function describe(cell: Cell, failure: Failure): UnresolvedNode {
  const { source, environment } = cell;
  const path = placeNames(environment?.path);
  const at = source === undefined || source.kind === "scalar" ? undefined : source.at;
  return {
    expression: printNode(source, environment),
    document: environment?.document.name ?? "",
    path: path.join("."),
    stubPath: stubPathOf(source, environment).join("."),
    tag: failure.tag,
    issue: failure.issue,
    message: printIssue(failure.issue, "text"),
    safeMessage: printIssue(failure.issue, "safeText"),
    line: at?.line,
    column: at?.column,
  };
}

export function printSource(source: Source | undefined): string {
  if (source?.kind === "expression") return printParsed(source.parsed);
  if (source?.kind === "control") return source.problem === undefined ? `<${source.control} control>` : "<map>";
  return `<${source?.kind ?? "value"}>`;
}

/** A merge is printed with the path that the merge around gives it. */
function printNode(source: Source | undefined, environment: Environment | undefined): string {
  const expression = source?.kind === "expression" ? source.parsed.whole : undefined;
  if (environment === undefined || expression?.kind !== "merge") return printSource(source);
  const isPlain = expression.mode === "plain" && expression.path.length === 0;
  if (!isPlain || !isRedirected(environment)) return printSource(source);
  const own = pathNames(environment.stubPath);
  return `(( ${printExpression({ ...expression, path: own })} ))`;
}

/** The path of a node, with the fields of a control in a list where the list is: there they look into stubs. */
function fieldNames(path: Path | undefined): string[] {
  if (path === undefined) return [];
  const { parent, name, place } = path;
  const isField = (name.startsWith("<<") && !isInsertPath([name])) || (place !== undefined && place.path === parent);
  return [...fieldNames(isField && parent?.name.startsWith("[") === true ? parent.parent : parent), name];
}

/** A key that is not known, so that the entry goes by the text of its expression: messages go by its place. */
function isWrittenKey(step: string): boolean {
  return /^[^:]*:\(\(.*\)\)$/s.test(step);
}

/** Messages name the path in stubs only of merges and where it is not that of the node: insertions, lists with keys. */
function stubPathOf(source: Source | undefined, environment: Environment | undefined): readonly string[] {
  if (environment === undefined || source?.kind !== "expression") return [];
  const { expression } = source.parsed;
  const own = pathNames(environment.stubPath);
  if (expression?.kind === "merge") return expression.path.length > 0 ? expression.path : own;
  const path = fieldNames(environment.path);
  if (isInsertPath(path)) return own;
  const keyed = withKeys(path, own).map((step, index) => (isWrittenKey(step) ? (path[index] ?? step) : step));
  return keyed.join(".") !== placeNames(environment.path).join(".") || expression?.kind === "auto" ? keyed : [];
}
