import { printExpression } from "../../syntax/print-expression.ts";
import type { Argument, Call } from "../../syntax/expression.ts";
import { LambdaValue, undefinedValue, type Value } from "../../value/value.ts";
import type { Environment } from "../environment.ts";
import { evaluate, evaluateShallow } from "../engine.ts";
import { EvaluationFailure, failLocally, withheldFailure } from "../failure.ts";
import { curry, type CallArguments } from "./bind-arguments.ts";
import { callLambda } from "./lambda.ts";
import { withoutRecord } from "../merging/merge-record.ts";
import { lookFunctions } from "./look-functions.ts";

/** Functions of the language itself, which see their arguments as they are written. */
const intrinsic = new Set(["catch", "defined", "require", "stub", "sync", "valid"]);

/** A call: a bare name is a function of the language, anything else must give a lambda. */
export function evaluateCall(call: Call, environment: Environment): Value {
  const name = bareName(call);
  const look = name === undefined ? undefined : lookFunctions.get(name);
  const isIntrinsic = name !== undefined && intrinsic.has(name);
  if (call.isCurry && isIntrinsic) return failLocally(`no currying for intrinsic builtin function (${name})`);
  if (look !== undefined && !call.isCurry) {
    const args = isIntrinsic ? call.args : spread(call.args, environment);
    return look(args, name === "catch" ? withoutRecord(environment) : environment);
  }
  if (name === undefined) return callValue(call, environment);
  if (name === "_") return callValue(call, environment);
  const args = evaluateArguments(call.args, environment);
  const callable = environment.document.functions.get(name);
  if (args.named.size > 0) return failLocally(`no named arguments for builtin function (${name})`);
  if (call.isCurry) return curryFunction(name, args);
  if (callable === undefined) return failLocally(`unknown function '${name}'`);
  if (name !== "error" || isLiteral(call.args[0])) return callable(args.positional, environment);
  return withhold(() => callable(args.positional, environment));
}

/** Arguments with the entries of lists in place of `list...`. */
function spread(args: readonly Argument[], environment: Environment): readonly Argument[] {
  if (!args.some(({ isSpread }) => isSpread)) return args;
  return evaluateArguments(args, environment).positional.map(bound);
}

/** An argument whose value is there already. */
function bound(value: Value): Argument {
  return { value: { kind: "value", value }, isSpread: false };
}

/** What error() is told by a literal are the author's own words; anything that is computed may be data. */
function isLiteral(argument: Argument | undefined): boolean {
  return argument === undefined || argument.value.kind === "literal";
}

function withhold(run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    throw error instanceof EvaluationFailure ? withheldFailure(error.failure) : error;
  }
}

function bareName({ callee }: Call): string | undefined {
  return callee.kind === "reference" && callee.tag === "" && callee.path.length === 1 ? callee.path[0] : undefined;
}

function callValue(call: Call, environment: Environment): Value {
  const callee = evaluateShallow(call.callee, environment);
  const args = evaluateArguments(call.args, environment);
  if (typeof callee !== "object" || callee?.kind !== "lambda") {
    return failLocally(`function call '${printExpression(call.callee)}' requires function name or lambda value`);
  }
  if (args.positional.includes(undefinedValue) || [...args.named.values()].includes(undefinedValue)) {
    return undefinedValue;
  }
  return call.isCurry ? curry(callee, args) : callLambda(callee, args, environment);
}

function evaluateArguments(args: readonly Argument[], environment: Environment): CallArguments {
  const positional: Value[] = [];
  const named = new Map<string, Value>();
  for (const { value: expression, isSpread, name } of args) {
    const value = evaluate(expression, environment);
    if (name !== undefined) named.set(name, value);
    else if (!isSpread) positional.push(value);
    else if (typeof value === "object" && value?.kind === "list") {
      positional.push(...value.items.map((cell) => cell.value));
    } else return failLocally("argument expansion required list argument");
  }
  return { positional, named };
}

/** `f*(a)` of a function: a lambda that takes the rest of the arguments. */
function curryFunction(name: string, args: CallArguments): Value {
  const rest = { kind: "reference", tag: "", path: ["__args"] } as const;
  const callee = { kind: "reference", tag: "", path: [name] } as const;
  const body: Call = {
    kind: "call",
    callee,
    args: [...args.positional.map(bound), { value: rest, isSpread: true }],
    isCurry: false,
  };
  return new LambdaValue({
    parameters: [{ name: "__args", isRest: true }],
    body,
    captured: [],
    definition: { scope: undefined },
    holdsData: true,
  });
}
