/** An expression that cannot be parsed, or that cannot be evaluated on a value. The message never quotes the value. */
export class JsonPathError extends Error {
  override readonly name = "JsonPathError";
  readonly expression: string;
  /** What is wrong, without expression and position. */
  readonly reason: string;
  /** Index in the expression where parsing stopped; absent when evaluation failed. */
  readonly position: number | undefined;

  constructor(expression: string, reason: string, position?: number) {
    super(
      `jsonpath ${JSON.stringify(expression)}: ${reason}${position === undefined ? "" : ` at position ${position}`}`,
    );
    this.expression = expression;
    this.reason = reason;
    this.position = position;
  }
}
