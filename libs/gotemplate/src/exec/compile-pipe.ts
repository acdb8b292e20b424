import { type GoFunction, type Value, collectionType } from "@landscaper/golang";
import type { CommandNode, FieldNode, Operand, PipeNode, VariableNode, ChainNode } from "../parse/node.ts";
import { nodeText } from "../parse/node-text.ts";
import { compileCall, compileMethodCall, type CallSite } from "./compile-call.ts";
import { compileConstant } from "./compile-constant.ts";
import type { CompileContext } from "./compile-context.ts";
import type { Evaluate } from "./compiled-template.ts";
import type { ExecState } from "./exec-state.ts";
import { accessField, readField, type Receiver } from "./field-access.ts";

/** A pipeline; its variables are declared in the scope when it has been compiled. */
export function compilePipe(pipe: PipeNode, context: CompileContext): { evaluate: Evaluate; slots: number[] } {
  const stages = pipe.commands.map((command, i) => compileCommand(command, i > 0, context));
  const slots = pipe.declarations.map((variable) => declareSlot(variable, pipe.isAssign, context));
  return { evaluate: compileStages(pipe, stages, slots), slots };
}

/** -1 for an assignment to a variable that does not exist: an error when it runs. */
function declareSlot(variable: VariableNode, isAssign: boolean, { scope }: CompileContext): number {
  const name = variable.path[0] ?? "";
  return isAssign ? (scope.lookup(name) ?? -1) : scope.declare(name);
}

function compileStages(pipe: PipeNode, stages: readonly Stage[], slots: readonly number[]): Evaluate {
  const [first, ...rest] = stages;
  if (first === undefined) return () => undefined;
  if (rest.length === 0 && slots.length === 0) {
    return (state) => {
      state.node = pipe;
      return concrete(first(state, undefined));
    };
  }
  return (state) => {
    state.node = pipe;
    let value = concrete(first(state, undefined));
    for (const stage of rest) value = concrete(stage(state, value));
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i] ?? -1;
      if (slot < 0) state.fail(`undefined variable: ${pipe.declarations[i]?.path[0]}`);
      state.setVariable(slot, value, false);
    }
    return value;
  };
}

/** The value inside an interface: a nil interface holds none. */
function concrete(value: Value): Value {
  return value === null ? undefined : value;
}

/** One command; `final` is the value piped into it, if it has one. */
type Stage = (state: ExecState, final: Value) => Value;

function compileCommand(command: CommandNode, hasFinal: boolean, context: CompileContext): Stage {
  const [first, ...args] = command.args;
  if (first === undefined) return () => undefined;
  const site: CallSite = { node: command, args, hasFinal };
  switch (first.type) {
    case "field":
      return compileField(first, site, context);
    case "chain":
      return compileChain(first, site, context);
    case "identifier":
      return compileCall(first, site, context);
    case "variable":
      return compileVariable(first, site, context);
    case "pipe": {
      const { evaluate } = compilePipe(first, context);
      return args.length > 0 || hasFinal ? (state) => notAFunction(state, first) : (state) => evaluate(state);
    }
    case "bool":
    case "dot":
    case "nil":
    case "number":
    case "string":
      break;
  }
  const constant = compileConstant(first);
  return (state) => {
    state.node = first;
    if (args.length > 0 || hasFinal) notAFunction(state, first);
    if (first.type === "nil") state.fail("nil is not a command");
    return constant(state);
  };
}

function notAFunction(state: ExecState, node: Operand): never {
  return state.fail(`can't give argument to non-function ${nodeText(node)}`);
}

function compileField(node: FieldNode, site: CallSite, context: CompileContext): Stage {
  const access = compileAccess(node, { path: node.path, site }, context);
  if (site.args.length === 0 && !site.hasFinal) {
    const { path } = node;
    return (state, final) => {
      state.node = node;
      const value = lookUp(state.dot, path);
      if (value !== undefined) return value;
      return access(state, { value: state.dot, isInterface: state.dotIsInterface }, final);
    };
  }
  return (state, final) => {
    state.node = node;
    return access(state, { value: state.dot, isInterface: state.dotIsInterface }, final);
  };
}

/** The usual case: keys of ordinary maps. Undefined for all others, which are then looked at from the start. */
function lookUp(start: Value, path: readonly string[]): Value {
  let value = start;
  for (const name of path) {
    if (!(value instanceof Map) || value[collectionType] !== undefined) return undefined;
    value = value.get(name);
  }
  return value;
}

function compileChain(node: ChainNode, site: CallSite, context: CompileContext): Stage {
  const access = compileAccess(node, { path: node.fields, site }, context);
  const { base } = node;
  if (base.type === "nil") {
    return (state) => {
      state.node = node;
      return state.fail(`indirection through explicit nil in ${nodeText(node)}`);
    };
  }
  const evaluate = compileOperand(base, context);
  return (state, final) => {
    state.node = node;
    const value = evaluate(state);
    return access(state, { value, isInterface: false }, final);
  };
}

function compileVariable(node: VariableNode, site: CallSite, context: CompileContext): Stage {
  const [name = "", ...fields] = node.path;
  const slot = context.scope.lookup(name);
  if (slot === undefined) {
    return (state) => {
      state.node = node;
      return state.fail(`undefined variable: ${name}`);
    };
  }
  if (fields.length > 0) {
    const access = compileAccess(node, { path: fields, site }, context);
    const isPlain = site.args.length === 0 && !site.hasFinal;
    return (state, final) => {
      state.node = node;
      const found = isPlain ? lookUp(state.variables[slot], fields) : undefined;
      if (found !== undefined) return found;
      const isInterface = state.interfaceVariables[slot] === true;
      return access(state, { value: state.variables[slot], isInterface }, final);
    };
  }
  return (state) => {
    state.node = node;
    if (site.args.length > 0 || site.hasFinal) notAFunction(state, node);
    return state.variables[slot];
  };
}

/** An operand by itself, evaluated where it stands as an argument or the base of a chain. */
export function compileOperand(node: Operand, context: CompileContext): Evaluate {
  const site: CallSite = { node, args: [], hasFinal: false };
  const stage = compileOperandStage(node, site, context);
  return (state) => {
    state.node = node;
    return stage(state, undefined);
  };
}

function compileOperandStage(node: Operand, site: CallSite, context: CompileContext): Stage {
  switch (node.type) {
    case "field":
      return compileField(node, site, context);
    case "chain":
      return compileChain(node, site, context);
    case "variable":
      return compileVariable(node, site, context);
    case "identifier":
      return compileCall(node, site, context);
    case "pipe":
      return compilePipe(node, context).evaluate;
    case "bool":
    case "dot":
    case "nil":
    case "number":
    case "string":
      return compileConstant(node);
  }
}

/** Walks a path of fields; the last one takes the arguments, if it is a method. Errors of methods are shown at `node`. */
function compileAccess(
  node: FieldNode | ChainNode | VariableNode,
  { path, site }: { path: readonly string[]; site: CallSite },
  context: CompileContext,
): (state: ExecState, receiver: Receiver, final: Value) => Value {
  const inner = path.slice(0, -1).map((name) => ({
    name,
    callMethod: compileMethodCall(name, { node, args: [], hasFinal: false }, context),
  }));
  const last = path.at(-1) ?? "";
  const hasArguments = site.args.length > 0 || site.hasFinal;
  const callLast = compileMethodCall(last, { ...site, node }, context);
  return (state, receiver, final) => {
    let current = receiver;
    for (const { name, callMethod } of inner) {
      const call = (method: GoFunction): Value => callMethod(state, method, undefined);
      current = readField(state, current, { name, hasArguments: false, call });
    }
    const call = (method: GoFunction): Value => callLast(state, method, final);
    return accessField(state, current, { name: last, hasArguments, call });
  };
}
