/** A text that is no YAML, or YAML that is no JSON. `message` has go-yaml's wording, also its way to count lines. */
export class YamlError extends Error {
  override readonly name = "YamlError";
  /** What is wrong, without prefixes and line, and without any value of the text: `message` may quote such. */
  readonly problem: string;
  /** From 1, where the problem was found; undefined when the error has no place in the text. */
  readonly line: number | undefined;
  /** From 1. */
  readonly column: number | undefined;

  /** `details.problem` may be left out where `message` quotes nothing. */
  constructor(
    message: string,
    details: { problem?: string; line?: number | undefined; column?: number | undefined } = {},
  ) {
    super(message);
    this.problem = details.problem ?? message.replace(/^yaml: /, "");
    this.line = details.line;
    this.column = details.column;
  }

  /**
   * What was expected and found, where, and what is wrong: `expected YAML, found other text at line 2, column 5: ...`. An error without a place is about a
   * limit, or about a value that JSON does not have. Quotes no value.
   */
  get explanation(): string {
    if (this.line === undefined) return `the YAML cannot be used: ${this.problem}`;
    return `expected YAML, found other text${this.place}: ${this.problem}`;
  }

  /** " at line 2, column 5", to follow a word such as YAML. Empty without a place. */
  get place(): string {
    if (this.line === undefined) return "";
    return ` at line ${this.line}${this.column === undefined ? "" : `, column ${this.column}`}`;
  }
}
