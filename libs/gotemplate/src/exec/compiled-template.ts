import type { Value } from "@landscaper/golang";
import type { ExecState } from "./exec-state.ts";

/** How a list ended: 0 to its end, 1 by break, 2 by continue. */
export type Flow = 0 | 1 | 2;

export type Run = (state: ExecState) => Flow;
export type Evaluate = (state: ExecState) => Value;

/** A template as closures. Stateless: one may run many times at once. */
export interface CompiledTemplate {
  readonly name: string;
  /** Whether it has nothing but space, so that it does not replace another definition. */
  readonly isEmpty: boolean;
  readonly run: Run;
}
