/** A text that is no YAML, or YAML that is no JSON. `message` has go-yaml's wording where it has one. */
export class YamlError extends Error {
  override readonly name = "YamlError";
  /** From 1; undefined when the error has no place in the text. */
  readonly line: number | undefined;
  /** From 1. */
  readonly column: number | undefined;

  constructor(message: string, position: { line?: number | undefined; column?: number | undefined } = {}) {
    super(message);
    this.line = position.line;
    this.column = position.column;
  }
}
