import type { Environment } from "@marcbachmann/cel-js";
import { describeCompileError, isCelError } from "./cel-messages.ts";
import { useLibraryNames } from "./expression-tokens.ts";

/** A checked expression. */
export interface CelProgram {
  /** E.g. "bool", "string", "list<int>", "dyn". */
  readonly type: string;
  /** Throws the errors of cel-js, see cel-messages.ts. */
  evaluate(variables: Readonly<Record<string, unknown>>): unknown;
}

/** An expression that does not compile; the message is what cel-go prints. */
export class CelCompileError extends Error {
  override readonly name = "CelCompileError";
}

/** Parses and type-checks an expression. Throws CelCompileError. */
export function compileExpression(environment: Environment, expression: string): CelProgram {
  const source = useLibraryNames(expression);
  try {
    const program = environment.parse(source);
    const checked = program.check();
    if (!checked.valid) {
      throw checked.error ?? new CelCompileError("the expression is not valid");
    }
    return { type: checked.type ?? "dyn", evaluate: (variables) => program(variables) };
  } catch (error) {
    throw isCelError(error) ? new CelCompileError(describeCompileError(error, expression)) : error;
  }
}
