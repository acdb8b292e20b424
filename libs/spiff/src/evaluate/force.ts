import type { Cell } from "../value/cell.ts";
import { isGone, type ListValue, type MapValue, type Value } from "../value/value.ts";
import type { Environment } from "./environment.ts";
import { computeCell, injectedInPlaceOf } from "./engine.ts";
import {
  BudgetFailure,
  EvaluationFailure,
  failPending,
  known,
  quoting,
  type FailureTag,
  type Message,
} from "./failure.ts";

/** So many nodes are evaluated on top of each other before the evaluation starts over with the deepest one. */
const maxNested = 60;
/** Only endless recursion makes more nodes wait for their deepest one. */
const maxWaiting = 2000;

/** Unwinds the stack so that a long chain of nodes can be evaluated from its far end; never leaves this module. */
class Suspension extends Error {
  readonly cell: Cell;

  constructor(cell: Cell) {
    super("suspended");
    this.name = "Suspension";
    this.cell = cell;
  }
}

/** Counts nested evaluations of one run. */
export interface Nesting {
  nested: number;
}

/** Evaluates one node, not what lies below it. Afterwards it is done, failed, or running when it needs itself. */
export function force(cell: Cell): void {
  if (cell.state !== "new" || cell.source === undefined || cell.environment === undefined) return;
  const nesting = cell.environment.document.nesting;
  if (nesting.nested >= maxNested) throw new Suspension(cell);
  cell.state = "running";
  nesting.nested++;
  try {
    cell.value = computeCell(cell, cell.source, cell.environment);
    cell.state = "done";
  } catch (error) {
    if (error instanceof EvaluationFailure) {
      cell.failure = error.failure;
      cell.state = "failed";
    } else {
      if (error instanceof BudgetFailure && hasPlace(cell.environment)) error.at ??= cell;
      // Evaluation has no effects: a suspended node starts again from the beginning.
      cell.state = "new";
      throw error;
    }
  } finally {
    nesting.nested--;
  }
}

/** Nodes of templates and of documents within expressions stand nowhere in the document. */
function hasPlace({ instances, document }: Environment): boolean {
  return instances === undefined && document.outer === undefined;
}

/** Runs `step`, evaluating first what lies too deep for the stack. The step must be repeatable. */
export function settle<T>(nesting: Nesting, step: () => T): T {
  const waiting: Cell[] = [];
  const around = nesting.nested;
  try {
    for (;;) {
      const top = waiting.at(-1);
      if (top !== undefined) top.state = "new";
      nesting.nested = 0;
      try {
        if (top === undefined) return step();
        force(top);
        waiting.pop();
      } catch (error) {
        if (!(error instanceof Suspension)) throw error;
        if (top !== undefined) top.state = "running";
        if (waiting.length >= maxWaiting)
          throw new BudgetFailure(`more than ${maxWaiting * maxNested} nodes depend on each other in a row`);
        waiting.push(error.cell);
      }
    }
  } finally {
    nesting.nested = around;
  }
}

/** The value of a node that another one refers to as `name`. */
export function valueOf(cell: Cell, name: string | Message): Value {
  force(cell);
  if (cell.state === "done") return cell.value;
  const quoted = typeof name === "string" ? known(name) : name;
  return failPending(tagOf(cell), quoting`'${quoted}' unresolved`);
}

function tagOf(cell: Cell): Exclude<FailureTag, "*"> {
  if (cell.state !== "failed") return "@";
  return cell.failure?.tag === "@" ? "@" : "-";
}

/** Completes the keys of a map or the entries of a list. */
export function completeShape(container: MapValue | ListValue, name: string): void {
  const shape = container.pendingShape;
  if (shape === undefined) return;
  for (const cell of shape.cells) {
    force(cell);
    if (cell.state !== "done") failPending("@", `'${name}' not complete`);
  }
  try {
    shape.complete();
  } catch (error) {
    if (error instanceof EvaluationFailure) shape.isFailed = true;
    throw error;
  }
  container.pendingShape = undefined;
}

/** Whether the keys of a map are being found out right now, or cannot be: then only its explicit ones can be seen. */
export function isShapePending(map: MapValue): boolean {
  if (map.pendingShape?.isFailed === true) return true;
  return map.pendingShape?.cells.some((cell) => cell.state === "running" || cell.state === "failed") ?? false;
}

/** Evaluates everything below a value that is referred to as `name`; entries without a value go away. */
export function requireDeep(value: Value, name: string): Value {
  if (typeof value !== "object" || value === null) return value;
  if ((value.kind !== "map" && value.kind !== "list") || value.isDeep) return value;
  completeShape(value, name);
  if (value.kind === "map" && value.isRemoved) return value;
  if (value.kind === "map") requireDeepMap(value, name);
  else requireDeepList(value, name);
  value.isDeep = true;
  return value;
}

function requireDeepMap(map: MapValue, name: string): void {
  for (const [key, cell] of map.cells) {
    requireDeepCell(cell, name);
    if (!isGone(cell.value)) continue;
    const injected = injectedInPlaceOf(cell);
    if (injected === undefined) {
      map.cells.delete(key);
      continue;
    }
    requireDeepCell(injected, name);
    map.cells.set(key, injected);
  }
}

function requireDeepList(list: ListValue, name: string): void {
  let hasGone = false;
  for (const cell of list.items) {
    requireDeepCell(cell, name);
    if (isGone(cell.value)) hasGone = true;
  }
  if (hasGone) list.items = list.items.filter((cell) => !isGone(cell.value));
}

function requireDeepCell(cell: Cell, name: string): void {
  const value = valueOf(cell, name);
  if (typeof value === "object" && value !== null) requireDeep(value, name);
}
