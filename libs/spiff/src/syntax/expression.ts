import type { Value } from "../value/value.ts";

/** A parsed expression. Paths hold names and constant indices as "[n]"; an absolute path starts with "". */
export type Expression =
  | { readonly kind: "literal"; readonly value: null | boolean | bigint | number | string }
  | { readonly kind: "undefined" }
  /** The element of the projection around. */
  | { readonly kind: "element" }
  /** A value that was bound to a function; no text has it. */
  | { readonly kind: "value"; readonly value: Value }
  | Reference
  | { readonly kind: "group"; readonly inner: Expression }
  | { readonly kind: "qualified"; readonly base: Expression; readonly path: readonly string[] }
  | { readonly kind: "dynamic"; readonly base: Expression; readonly indices: readonly Expression[] }
  | Projection
  | { readonly kind: "concat"; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "or"; readonly operator: "||" | "//"; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "conditional"; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  | Binary
  | { readonly kind: "not"; readonly operand: Expression }
  | { readonly kind: "instantiate"; readonly operand: Expression }
  | Call
  | { readonly kind: "list"; readonly items: readonly Argument[] }
  | { readonly kind: "range"; readonly from: Expression; readonly to: Expression }
  | { readonly kind: "map"; readonly entries: readonly Assignment[] }
  | { readonly kind: "scope"; readonly entries: readonly Assignment[]; readonly body: Expression }
  | Lambda
  | { readonly kind: "lambdaReference"; readonly operand: Expression }
  | Comprehension
  | { readonly kind: "catch"; readonly operand: Expression; readonly lambda: Expression }
  | Sync
  | Merge
  | { readonly kind: "prefer"; readonly operand: Expression }
  | { readonly kind: "auto" }
  | Marked;

export interface Reference {
  readonly kind: "reference";
  /** The tag before "::"; empty for none. */
  readonly tag: string;
  readonly path: readonly string[];
}

export interface Projection {
  readonly kind: "projection";
  readonly base: Expression;
  /** A slice; undefined for [*]. */
  readonly range: { readonly from: Expression | undefined; readonly to: Expression | undefined } | undefined;
  /** What becomes of each element; undefined for the element itself. */
  readonly each: Expression | undefined;
}

export type BinaryOperator = "-or" | "-and" | "==" | "!=" | "<=" | ">=" | "<" | ">" | "+" | "-" | "*" | "/" | "%";
export interface Binary {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export interface Argument {
  readonly value: Expression;
  /** Followed by "...": the elements of a list. */
  readonly isSpread: boolean;
  /** Name or index of a named argument. */
  readonly name?: string;
}
export interface Call {
  readonly kind: "call";
  readonly callee: Expression;
  readonly args: readonly Argument[];
  /** `f*(...)`: bind the arguments, do not call. */
  readonly isCurry: boolean;
}
export interface Assignment {
  readonly key: Expression;
  readonly value: Expression;
}
export interface Parameter {
  readonly name: string;
  readonly fallback?: Expression;
  readonly isRest: boolean;
}
export interface Lambda {
  readonly kind: "lambda";
  readonly parameters: readonly Parameter[];
  readonly body: Expression;
}
export interface Comprehension {
  readonly kind: "comprehension";
  readonly form: "map" | "select" | "filter" | "sum";
  readonly target: "list" | "map";
  readonly source: Expression;
  /** Start value of a sum. */
  readonly initial?: Expression;
  readonly lambda: Expression;
}
export interface Sync {
  readonly kind: "sync";
  readonly operand: Expression;
  /** Lambdas on the value and, with two parameters, the error. */
  readonly condition: Expression;
  readonly value?: Expression;
  /** Seconds. */
  readonly timeout?: Expression;
}
export interface Merge {
  readonly kind: "merge";
  readonly mode: "plain" | "replace" | "required" | "none";
  /** Redirection; empty for the path of the node. */
  readonly path: readonly string[];
  readonly keyField?: string;
}
export interface Marked {
  readonly kind: "marked";
  readonly markers: readonly string[];
  /** The value in parentheses and its source text. */
  readonly inner?: Expression;
  readonly innerText?: string;
}
