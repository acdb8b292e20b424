import { BudgetError } from "@landscaper/budget";
import {
  FunctionError,
  type GoFunction,
  type ParamType,
  type Value,
  isTrue,
  quote,
  typeName,
} from "@landscaper/golang";
import { builtins } from "../builtins/builtins.ts";
import type { AnyNode, IdentifierNode, Operand } from "../parse/node.ts";
import { nodeText } from "../parse/node-text.ts";
import { TemplateError } from "../template-error.ts";
import { compileArgument } from "./compile-argument.ts";
import type { CompileContext } from "./compile-context.ts";
import type { Evaluate } from "./compiled-template.ts";
import type { ExecState } from "./exec-state.ts";
import { validateArgument } from "./param-type.ts";

/** Where a function or method is called. */
export interface CallSite {
  /** The node that errors of the call are shown at. */
  readonly node: AnyNode;
  readonly args: readonly Operand[];
  /** Whether a value is piped into it as its last argument. */
  readonly hasFinal: boolean;
}

type Stage = (state: ExecState, final: Value) => Value;

/** A function by name. Functions that the template set defines hide the built-in ones. */
export function compileCall(node: IdentifierNode, site: CallSite, context: CompileContext): Stage {
  const { name } = node;
  const own = Object.hasOwn(context.functions, name) ? context.functions[name] : undefined;
  const fn = own ?? (Object.hasOwn(builtins, name) ? builtins[name] : undefined);
  if (fn === undefined) {
    return (state) => {
      state.node = node;
      return state.fail(`${quote(name)} is not a defined function`);
    };
  }
  const body =
    own === undefined && (name === "and" || name === "or")
      ? compileAndOr(name, site, context)
      : compileInvocation({ name, fn }, site, context);
  return (state, final) => {
    state.node = node;
    return body(state, final);
  };
}

/** Go's message for a wrong number of arguments, or undefined. */
function countProblem(name: string, fn: GoFunction, site: CallSite): string | undefined {
  const given = site.args.length + (site.hasFinal ? 1 : 0);
  const fixed = fn.params.length;
  if (fn.rest !== undefined) {
    return given < fixed
      ? `wrong number of args for ${name}: want at least ${fixed} got ${site.args.length}`
      : undefined;
  }
  return given === fixed ? undefined : `wrong number of args for ${name}: want ${fixed} got ${given}`;
}

function compileInvocation(
  { name, fn }: { name: string; fn: GoFunction },
  site: CallSite,
  context: CompileContext,
): Stage {
  const problem = countProblem(name, fn, site);
  if (problem !== undefined) return (state) => state.fail(problem);
  const evaluators = site.args.map((arg, i) => compileArgument(arg, typeOfParam(fn, i), context));
  const finalType = typeOfParam(fn, site.args.length);
  // The built-in `call` names its callee in messages.
  const isPipedCall = fn === builtins["call"] && site.args[0] === undefined;
  if (fn === builtins["call"] && site.args[0] !== undefined) {
    const calleeName = nodeText(site.args[0]);
    evaluators.unshift(() => calleeName);
  }
  const count = evaluators.length;
  const { hasFinal, node } = site;
  const target = { name, fn, node };
  return (state, final) => {
    const args: Value[] = [];
    for (let i = 0; i < count; i++) args.push(evaluators[i]?.(state));
    if (isPipedCall) args.push(nameOfValue(final));
    if (hasFinal) args.push(validateArgument(state, final, finalType));
    return invoke(state, target, args);
  };
}

/** Go's reflect.Value.String. */
function nameOfValue(value: Value): string {
  return typeof value === "string" ? value : `<${typeName(value)} Value>`;
}

function typeOfParam(fn: GoFunction, index: number): ParamType {
  return fn.params[index] ?? fn.rest ?? "any";
}

interface Target {
  readonly name: string;
  readonly fn: GoFunction;
  readonly node: AnyNode;
}

function invoke(state: ExecState, target: Target, args: readonly Value[]): Value {
  const { meter } = state;
  const { fn } = target;
  try {
    meter.step(1);
    for (const arg of args) {
      if (typeof arg === "string" || fn.isShallow !== true) meter.chargeValue(arg, fn.costFactor);
    }
    const result = fn.call(args, state);
    if (typeof result === "string" && result.length > 256) meter.charge(result.length);
    return result;
  } catch (error) {
    return explain(state, target, error);
  }
}

/** Throws an error of a function as Go shows it. */
function explain(state: ExecState, { name, node }: Target, error: unknown): never {
  if (error instanceof FunctionError) {
    state.node = node;
    state.fail(`error calling ${name}: ${error.message}`, { cause: error });
  }
  // A budget is exceeded in one place, and that is where the error points to.
  if (error instanceof TemplateError && error.kind !== "budget") {
    state.node = node;
    state.fail(`error calling ${name}: ${error.message}`, { kind: error.kind, cause: error });
  }
  if (error instanceof BudgetError || error instanceof RangeError) state.node = node;
  throw error;
}

/** `and` and `or` evaluate no further than they must. */
function compileAndOr(name: "and" | "or", site: CallSite, context: CompileContext): Stage {
  if (site.args.length === 0 && !site.hasFinal) {
    return (state) => state.fail(`wrong number of args for ${name}: want at least 1 got 0`);
  }
  const stopAt = name === "or";
  const evaluators: Evaluate[] = site.args.map((arg) => compileArgument(arg, "value", context));
  return (state, final) => {
    let value: Value;
    for (const evaluate of evaluators) {
      value = evaluate(state);
      if (isTrue(value) === stopAt) return value;
    }
    return site.hasFinal ? final : value;
  };
}

/** A method with the arguments of its field node. Its parameters are known only when it is there. */
export function compileMethodCall(
  name: string,
  site: CallSite,
  context: CompileContext,
): (state: ExecState, method: GoFunction, final: Value) => Value {
  if (site.args.length === 0 && !site.hasFinal) {
    return (state, method) => {
      const problem = countProblem(name, method, site);
      if (problem !== undefined) state.fail(problem);
      return invoke(state, { name, fn: method, node: site.node }, []);
    };
  }
  // Compiled when it runs, but with the variables of this place.
  const here = { ...context, scope: context.scope.snapshot() };
  const compiled = new WeakMap<GoFunction, Stage>();
  return (state, method, final) => {
    let stage = compiled.get(method);
    if (stage === undefined) {
      stage = compileInvocation({ name, fn: method }, site, here);
      compiled.set(method, stage);
    }
    return stage(state, final);
  };
}
