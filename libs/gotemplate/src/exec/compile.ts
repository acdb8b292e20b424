import { BudgetError } from "@landscaper/budget";
import {
  type FunctionMap,
  GoInt,
  GoObject,
  type Value,
  elementTypeName,
  formatDefault,
  int,
  isFunction,
  isMap,
  isSlice,
  isTrue,
  quote,
  sortedKeys,
  typeName,
} from "@landscaper/golang";
import {
  isEmptyTree,
  type ActionNode,
  type BranchNode,
  type ListNode,
  type Node,
  type TemplateNode,
  type Tree,
} from "../parse/node.ts";
import { nodeText } from "../parse/node-text.ts";
import type { CompileContext } from "./compile-context.ts";
import { compileOperand, compilePipe } from "./compile-pipe.ts";
import type { CompiledTemplate, Evaluate, Flow, Run } from "./compiled-template.ts";
import type { ExecState } from "./exec-state.ts";
import { Scope } from "./scope.ts";

/** Turns a definition into closures that call each other; names of functions and variables are resolved here. */
export function compileTemplate(tree: Tree, functions: FunctionMap): CompiledTemplate {
  let compiled: Run | undefined;
  const compile = (): Run => compileList(tree.root, { functions, scope: new Scope(), compileOperand });
  return { name: tree.name, isEmpty: isEmptyTree(tree.root), run: (state) => (compiled ??= compile())(state) };
}

function compileList(list: ListNode, context: CompileContext): Run {
  const runs = list.nodes.map((node) => compileNode(node, context));
  return (state) => {
    for (const run of runs) {
      const flow = run(state);
      if (flow !== 0) return flow;
    }
    return 0;
  };
}

function compileNode(node: Node, context: CompileContext): Run {
  switch (node.type) {
    case "text":
      return (state) => {
        state.write(node.text);
        return 0;
      };
    case "action":
      return compileAction(node, context);
    case "if":
    case "with":
      return compileIfOrWith(node, context);
    case "range":
      return compileRange(node, context);
    case "template":
      return compileTemplateCall(node, context);
    case "break":
      return () => 1;
    case "continue":
      return () => 2;
  }
}

function compileAction(node: ActionNode, context: CompileContext): Run {
  const { evaluate, slots } = compilePipe(node.pipe, context);
  if (slots.length > 0) {
    return (state) => {
      state.meter.step(1);
      evaluate(state);
      return 0;
    };
  }
  return (state) => {
    state.meter.step(1);
    const value = evaluate(state);
    if (typeof value === "string") state.write(value);
    else {
      state.node = node;
      print(state, node, value);
    }
    return 0;
  };
}

function print(state: ExecState, node: ActionNode, value: Value): void {
  if (value === undefined) state.write("<no value>");
  else if (isFunction(value)) state.fail(`can't print ${nodeText(node)} of type ${typeName(value)}`);
  else {
    state.meter.chargeValue(value);
    state.write((value instanceof GoObject ? value.printedText() : undefined) ?? formatDefault(value));
  }
}

function compileIfOrWith(node: BranchNode, context: CompileContext): Run {
  const mark = context.scope.open();
  const { evaluate } = compilePipe(node.pipe, context);
  const then = compileInner(node.list, context);
  const otherwise = node.elseList === undefined ? nothing : compileList(node.elseList, context);
  context.scope.close(mark);
  if (node.type === "if") {
    return (state) => {
      state.meter.step(1);
      return isTrue(evaluate(state)) ? then(state) : otherwise(state);
    };
  }
  return (state) => {
    state.meter.step(1);
    const value = evaluate(state);
    return isTrue(value) ? withDot(state, { value, isInterface: false }, then) : otherwise(state);
  };
}

/** A list in front of an else: its variables do not reach there, although the parser lets them. */
function compileInner(list: ListNode, context: CompileContext): Run {
  const mark = context.scope.open();
  const run = compileList(list, context);
  context.scope.close(mark);
  return run;
}

function nothing(): Flow {
  return 0;
}

function withDot(state: ExecState, dot: { value: Value; isInterface: boolean }, run: Run): Flow {
  const { dot: oldDot, dotIsInterface } = state;
  state.dot = dot.value;
  state.dotIsInterface = dot.isInterface;
  const flow = run(state);
  state.dot = oldDot;
  state.dotIsInterface = dotIsInterface;
  return flow;
}

/**
 * One turn of a range: element, its index or key, and whether Go's static type of the element is interface {}. A number
 * is the index of a list, made a Go int only where a variable takes it.
 */
type Turn = (element: Value, index: number | string | undefined, isInterface: boolean) => boolean;

function compileRange(node: BranchNode, context: CompileContext): Run {
  const mark = context.scope.open();
  const { evaluate, slots } = compilePipe(node.pipe, context);
  const body = compileInner(node.list, context);
  const otherwise = node.elseList === undefined ? nothing : compileList(node.elseList, context);
  context.scope.close(mark);
  const elementSlot = slots.length === 2 ? slots[1] : slots[0];
  const indexSlot = slots.length === 2 ? slots[0] : undefined;
  return (state) => {
    state.node = node;
    const collection = evaluate(state);
    let broke: Flow = 0;
    const turn: Turn = (element, index, isInterface) => {
      state.meter.step(1);
      if (elementSlot !== undefined) state.setVariable(elementSlot, element, isInterface);
      if (indexSlot !== undefined) {
        state.setVariable(indexSlot, typeof index === "number" ? int(index) : index, false);
      }
      broke = withDot(state, { value: element, isInterface }, body);
      return broke !== 1;
    };
    return iterate(state, { collection, twoVariables: slots.length === 2, turn }) ? 0 : otherwise(state);
  };
}

/** Runs the turns; false if there were none. */
function iterate(
  state: ExecState,
  { collection, twoVariables, turn }: { collection: Value; twoVariables: boolean; turn: Turn },
): boolean {
  if (collection === undefined || collection === null) return false;
  if (isSlice(collection) || collection instanceof Uint8Array) {
    const isInterface = elementTypeName(collection) === "interface {}";
    const items = isSlice(collection) ? collection : Array.from(collection, (byte) => new GoInt("uint8", byte));
    // Go fixes the length of a slice when the range starts.
    for (let i = 0, { length } = items; i < length; i++) if (!turn(items[i], i, isInterface)) break;
    return items.length > 0;
  }
  if (isMap(collection)) {
    const isInterface = elementTypeName(collection) === "interface {}";
    const entries = sortedKeys(collection).map((key) => [key, collection.get(key)] as const);
    for (const [key, value] of entries) if (!turn(value, key, isInterface)) break;
    return entries.length > 0;
  }
  if (collection instanceof GoInt) return iterateInt(state, collection, { twoVariables, turn });
  const text = formatDefault(collection);
  // Go dereferences a pointer before it checks the kind of the value.
  return state.fail(`range can't iterate over ${collection instanceof GoObject ? text.replace(/^&/, "") : text}`);
}

function iterateInt(state: ExecState, limit: GoInt, loop: { twoVariables: boolean; turn: Turn }): boolean {
  if (loop.twoVariables) state.fail(`can't use ${limit.value} to iterate over more than one variable`);
  for (let i = 0n; i < limit.value; i++) if (!loop.turn(new GoInt(limit.kind, i), undefined, false)) break;
  return limit.value > 0n;
}

function compileTemplateCall(node: TemplateNode, context: CompileContext): Run {
  const evaluate: Evaluate = node.pipe === undefined ? () => undefined : compilePipe(node.pipe, context).evaluate;
  return (state) => {
    state.node = node;
    state.meter.step(1);
    const template = state.templates.lookup(node.name);
    if (template === undefined) return state.fail(`template ${quote(node.name)} not defined`);
    if (state.depth >= state.meter.maxDepth) {
      throw new BudgetError(`templates nested deeper than ${state.meter.maxDepth}`);
    }
    const dot = evaluate(state);
    callTemplate(state, template, dot);
    return 0;
  };
}

/** Runs another template in place: it sees its dot and no variables. */
function callTemplate(state: ExecState, template: CompiledTemplate, dot: Value): void {
  const { template: oldTemplate, variables, interfaceVariables } = state;
  state.template = template;
  state.variables = [dot];
  state.interfaceVariables = [];
  state.depth++;
  withDot(state, { value: dot, isInterface: false }, template.run);
  state.depth--;
  state.template = oldTemplate;
  state.variables = variables;
  state.interfaceVariables = interfaceVariables;
}
