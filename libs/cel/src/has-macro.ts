import type { ASTNode } from "@marcbachmann/cel-js";
import { Optional } from "@marcbachmann/cel-js";
import { isRecord } from "@landscaper/json";

/** The parts of cel-js that a macro sees and its type declarations leave open. */
interface Checker {
  check(node: ASTNode, context: unknown): CheckedType;
  checkAccessOnType(node: ASTNode, context: unknown, type: CheckedType): unknown;
  createError(code: string, message: string, node: ASTNode): Error;
  getType(name: string): unknown;
}

interface CheckedType {
  readonly kind: string;
  readonly valueType?: CheckedType;
}

interface Evaluator {
  run(node: ASTNode, context: unknown): unknown;
  createError(code: string, message: string, node: ASTNode): Error;
}

interface Macro {
  readonly argument: ASTNode | undefined;
  typeCheck(checker: Checker, macro: Macro, context: unknown): unknown;
  evaluate(evaluator: Evaluator, macro: Macro, context: unknown): boolean;
}

/** `has(e.f)`: whether the value of any expression `e` has a field `f`. */
export function hasMacro({ args }: { readonly args: readonly ASTNode[] }): Macro {
  return { argument: args[0], typeCheck, evaluate };
}

function typeCheck(checker: Checker, { argument }: Macro, context: unknown): unknown {
  if (argument?.op !== "." || typeof argument.args[1] !== "string") {
    throw checker.createError("invalid_macro_argument", "invalid argument to has() macro", argument as ASTNode); // a call has its arguments
  }
  const type = checker.check(argument.args[0], context);
  checker.checkAccessOnType(
    argument,
    context,
    type.kind === "optional" && type.valueType !== undefined ? type.valueType : type,
  );
  return checker.getType("bool");
}

function evaluate(evaluator: Evaluator, { argument }: Macro, context: unknown): boolean {
  if (argument?.op !== ".") {
    return false;
  }
  const [operand, field] = argument.args;
  const value = evaluator.run(operand, context);
  if (value instanceof Optional) {
    return value.hasValue() && hasField(value.value(), field);
  }
  if (!(value instanceof Map) && !isRecord(value)) {
    throw evaluator.createError("no_such_overload", "no such overload", argument);
  }
  return hasField(value, field);
}

function hasField(value: unknown, field: string): boolean {
  return value instanceof Map ? value.get(field) !== undefined : isRecord(value) && Object.hasOwn(value, field);
}
