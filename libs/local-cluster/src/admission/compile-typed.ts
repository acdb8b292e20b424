import { CelCompileError, type CelProgram, compileExpression } from "@landscaper/cel";
import type { Environment } from "@marcbachmann/cel-js";

/** An expression with its program, or the reason why there is none. */
export interface CompiledExpression {
  readonly expression: string;
  readonly program: CelProgram | undefined;
  readonly problem: string | undefined;
}

/** Compiles an expression that must give a type; `undefined` accepts any. Problems have the words of the API server. */
export function compileTyped(
  environment: Environment,
  { expression, type }: { readonly expression: string; readonly type: string | undefined },
): CompiledExpression {
  try {
    const program = compileExpression(environment, expression);
    if (type === undefined || program.type === type) {
      return { expression, program, problem: undefined };
    }
    return { expression, program: undefined, problem: `must evaluate to ${type} but got ${program.type}` };
  } catch (error) {
    if (error instanceof CelCompileError) {
      return { expression, program: undefined, problem: `compilation failed: ${error.message}` };
    }
    throw error;
  }
}
