import type { FunctionMap } from "@landscaper/golang";
import type { Operand } from "../parse/node.ts";
import type { Evaluate } from "./compiled-template.ts";
import type { Scope } from "./scope.ts";

/** What compiling needs to know of its surroundings. */
export interface CompileContext {
  readonly functions: FunctionMap;
  readonly scope: Scope;
  /** Compiles an operand by itself. Arguments of a call are operands, which may be calls. */
  readonly compileOperand: (node: Operand, context: CompileContext) => Evaluate;
}
