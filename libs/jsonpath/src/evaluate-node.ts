import type { ContentBudget } from "@landscaper/budget";
import { compareValues } from "./compare-values.ts";
import type { FilterNode, ListNode, PathNode, SliceNode } from "./path-node.ts";

/** How evaluation reports what it cannot do; the caller adds the expression. */
export class EvaluationFailure extends Error {
  override readonly name = "EvaluationFailure";
  readonly isMissingField: boolean;

  constructor(message: string, { isMissingField = false }: { readonly isMissingField?: boolean } = {}) {
    super(message);
    this.isMissingField = isMissingField;
  }
}

export interface EvaluationOptions {
  /** A missing field gives no result instead of an error. */
  readonly allowMissingKeys: boolean;
  /** Counts what is looked at and what is selected. */
  readonly budget: ContentBudget;
}

/**
 * The results of one node on the results of the node before. `range` and `end` are control flow of the template and not handled here.
 * Models client-go/util/jsonpath/jsonpath.go.
 */
export function evaluateNode(
  input: readonly unknown[],
  node: PathNode,
  options: EvaluationOptions,
): readonly unknown[] {
  options.budget.takeEntries("", 1 + input.length);
  switch (node.kind) {
    case "list":
      return evaluateList(input, node, options);
    case "text":
      return [node.text];
    case "constant":
      return input.map(() => node.value);
    case "field":
      return evaluateField(input, node.name, options);
    case "slice":
      return evaluateSlice(input, node, options.budget);
    case "filter":
      return input.flatMap((value) => filterItems(value, node, options));
    case "wildcard":
      return input.flatMap((value) => childrenOf(value, options.budget));
    case "recursive":
      return descendantsOf(input, options.budget);
    case "union":
      return node.lists.flatMap((list) => evaluateList(input, list, options));
    case "identifier":
      throw new EvaluationFailure(`unrecognized identifier ${node.name}`);
  }
}

function evaluateList(input: readonly unknown[], list: ListNode, options: EvaluationOptions): readonly unknown[] {
  return list.nodes.reduce((values, node) => evaluateNode(values, node, options), input);
}

function evaluateField(input: readonly unknown[], name: string, options: EvaluationOptions): readonly unknown[] {
  const results: unknown[] = [];
  for (const value of input) if (isObject(value) && hasField(value, name)) results.push(value[name]);
  if (results.length === 0 && input.length > 0 && !options.allowMissingKeys) {
    throw new EvaluationFailure(`${name} is not found`, { isMissingField: true });
  }
  return results;
}

/** As in client-go the first selection of nothing ends the step: lists behind an empty one are not looked at. */
function evaluateSlice(input: readonly unknown[], node: SliceNode, budget: ContentBudget): unknown[] {
  const results: unknown[] = [];
  for (const value of input) {
    if (isNil(value)) continue;
    const selected = sliceOf(value, node);
    if (selected === "nothing") break;
    budget.takeEntries("", selected.length);
    for (const item of selected) results.push(item);
  }
  return results;
}

function sliceOf(value: unknown, node: SliceNode): unknown[] | "nothing" {
  if (!Array.isArray(value)) {
    throw new EvaluationFailure(`${typeNameOf(value)} is not array or slice`);
  }
  const { start, end } = boundsOf(node, value.length);
  if (start === end) {
    return "nothing";
  }
  for (const [index, isOutside] of [
    [start, start < 0 || start >= value.length],
    [end - 1, end < 0 || end > value.length],
  ] as const) {
    if (isOutside) {
      throw new EvaluationFailure(`array index out of bounds: index ${index}, length ${value.length}`);
    }
  }
  if (start > end) {
    throw new EvaluationFailure(`starting index ${start} is greater than ending index ${end}`);
  }
  const step = node.step ?? 1;
  if (step <= 0) {
    throw new EvaluationFailure("step must be > 0");
  }
  return value.slice(start, end).filter((_, index) => index % step === 0);
}

function boundsOf(node: SliceNode, length: number): { start: number; end: number } {
  const start = node.start ?? 0;
  const end = node.end ?? length;
  return {
    start: start < 0 ? start + length : start,
    end: end < 0 || (end === 0 && node.isIndex) ? end + length : end,
  };
}

function filterItems(value: unknown, node: FilterNode, options: EvaluationOptions): unknown[] {
  if (!Array.isArray(value)) {
    throw new EvaluationFailure(`${typeNameOf(value)} is not array or slice and cannot be filtered`);
  }
  const items: unknown[] = value;
  options.budget.takeEntries("", items.length);
  return items.filter((item) =>
    node.operator === "exists" ? exists(item, node, options) : passes(item, node, options),
  );
}

/** As in client-go an item passes when its condition cannot be evaluated, unless a field is missing. */
function exists(item: unknown, node: FilterNode, options: EvaluationOptions): boolean {
  try {
    return evaluateList([item], node.left, options).length > 0;
  } catch (error) {
    if (error instanceof EvaluationFailure) {
      return !error.isMissingField;
    }
    throw error;
  }
}

function passes(item: unknown, node: FilterNode, options: EvaluationOptions): boolean {
  const left = evaluateList([item], node.left, options);
  if (left.length === 0) {
    return false;
  }
  const right = evaluateList([item], node.right, options);
  if (left.length > 1 || right.length > 1) {
    throw new EvaluationFailure("can only compare one element at a time");
  }
  if (right.length === 0) {
    return false;
  }
  const comparison = compareValues(left[0], node.operator, right[0]);
  if ("problem" in comparison) {
    throw new EvaluationFailure(comparison.problem);
  }
  return comparison.result;
}

/** Values of an object in document order (Go's is random), items of a list, UTF-8 bytes of a string. */
function childrenOf(value: unknown, budget: ContentBudget): readonly unknown[] {
  if (typeof value === "string") budget.takeEntries("", value.length);
  const children = entriesOf(value);
  // Twice: they are collected, and looked at.
  budget.takeEntries("", 2 * children.length);
  return children;
}

function entriesOf(value: unknown): readonly unknown[] {
  if (typeof value === "string") {
    return [...new TextEncoder().encode(value)];
  }
  if (Array.isArray(value)) {
    return value;
  }
  return isObject(value) ? Object.values(value).filter((field) => field !== undefined) : [];
}

/** The values with all below them that have children, each before its children; a value can be nested deeper than the stack is. */
function descendantsOf(values: readonly unknown[], budget: ContentBudget): unknown[] {
  const results: unknown[] = [];
  const left = values.toReversed();
  for (let value = left.pop(); value !== undefined || left.length > 0; value = left.pop()) {
    const children = childrenOf(value, budget);
    if (children.length === 0) continue;
    results.push(value);
    for (const child of children.toReversed()) left.push(child);
  }
  return results;
}

function hasField(value: Record<string, unknown>, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNil(value: unknown): boolean {
  return value === null || value === undefined;
}

function typeNameOf(value: unknown): string {
  return isNil(value) ? "null" : Array.isArray(value) ? "array" : typeof value;
}
