import type { Expression } from "./expression.ts";

/** An expression that does not follow the grammar; `position` counts characters of its text from 0. */
export class SyntaxFailure extends Error {
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.name = "SyntaxFailure";
    this.position = position;
  }
}

const blanks = /[ \t\n\r]*/y;

/** A position in the text of an expression. Alternatives are tried by setting `position` back. */
export class Scanner {
  readonly text: string;
  position = 0;
  /** The furthest place that a failed alternative reached, for the message. */
  furthest = 0;
  depth = 0;
  readonly #parse: (scanner: Scanner) => Expression;

  /** `parse` reads an expression of any kind: what stands in brackets, bodies and operands is one. */
  constructor(text: string, parse: (scanner: Scanner) => Expression) {
    this.text = text;
    this.#parse = parse;
  }

  /** The expression here, whatever its kind. */
  parse(): Expression {
    return this.#parse(this);
  }

  peek(offset = 0): string {
    return this.text.charAt(this.position + offset);
  }

  get isAtEnd(): boolean {
    return this.position >= this.text.length;
  }

  /** Skips blanks; whether there were any. */
  skipBlanks(): boolean {
    blanks.lastIndex = this.position;
    blanks.exec(this.text);
    const hadBlanks = blanks.lastIndex > this.position;
    this.position = blanks.lastIndex;
    return hadBlanks;
  }

  startsWith(token: string): boolean {
    return this.text.startsWith(token, this.position);
  }

  /** Takes the token when it stands here. */
  take(token: string): boolean {
    if (!this.startsWith(token)) return false;
    this.position += token.length;
    return true;
  }

  /** Takes what a sticky pattern matches here. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.position += found.length;
    return found;
  }

  expect(token: string): void {
    if (!this.take(token)) this.fail(`'${token}'`);
  }

  fail(expected: string): never {
    this.furthest = Math.max(this.furthest, this.position);
    const at = this.furthest;
    const found = at >= this.text.length ? "the end" : `'${this.text.slice(at, at + 10).trim()}'`;
    throw new SyntaxFailure(`parse error near symbol ${at}: expected ${expected}, found ${found}`, at);
  }

  /** Tries an alternative; undefined and the old position when it fails. */
  attempt<T>(parse: () => T): T | undefined {
    const start = this.position;
    const { depth } = this;
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof SyntaxFailure)) throw error;
      this.furthest = Math.max(this.furthest, error.position);
      this.position = start;
      this.depth = depth;
      return undefined;
    }
  }
}
