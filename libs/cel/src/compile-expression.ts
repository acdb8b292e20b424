import type { Environment } from "@marcbachmann/cel-js";
import { compilePattern } from "./compile-pattern.ts";
import { isCelError } from "./cel-messages.ts";
import { describeCompileError, formatFinding } from "./compile-messages.ts";
import { restoreNames, useLibraryNames } from "./expression-tokens.ts";
import { isSyntaxNode, walkSyntax } from "./syntax-node.ts";

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
  try {
    const program = environment.parse(useLibraryNames(expression));
    const checked = program.check();
    if (!checked.valid) {
      throw checked.error ?? new CelCompileError("the expression is not valid");
    }
    checkRegexLiterals(program.ast, expression);
    return { type: checked.type ?? "dyn", evaluate: (variables) => program(variables) };
  } catch (error) {
    if (!isCelError(error)) {
      throw error;
    }
    const functionNames = (): ReadonlySet<string> => namesOfFunctions(environment);
    throw new CelCompileError(describeCompileError(error, { expression, functionNames }));
  }
}

function namesOfFunctions(environment: Environment): ReadonlySet<string> {
  return new Set(environment.getDefinitions().functions.map(({ name }) => restoreNames(name)));
}

/** Malformed patterns are found before they are used. */
function checkRegexLiterals(ast: unknown, expression: string): void {
  for (const { op, args } of walkSyntax(ast)) {
    const [name, , parameters]: readonly unknown[] = op === "rcall" && Array.isArray(args) ? args : [];
    const [pattern]: readonly unknown[] = Array.isArray(parameters) ? parameters : [];
    const isMatch = typeof name === "string" && restoreNames(name) === "matches";
    if (
      isMatch &&
      isSyntaxNode(pattern) &&
      pattern.op === "value" &&
      typeof compilePattern(String(pattern.args)) === "string"
    ) {
      const finding = { message: "invalid matches argument", position: pattern.start };
      throw new CelCompileError(formatFinding(finding, expression));
    }
  }
}
