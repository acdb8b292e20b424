import { TemplateError } from "../template-error.ts";
import type { Lexer } from "./lexer.ts";
import type { SourceText } from "./node.ts";
import { describeToken, type Token, type TokenType } from "./token.ts";

const none: Token = { type: "eof", pos: 0, value: "", line: 0 };

/** Three tokens of look-ahead over a lexer, with the parser's errors. */
export class TokenReader {
  readonly lexer: Lexer;
  readonly source: SourceText;
  /** Line of the action that is being read, 0 outside. */
  actionLine = 0;
  readonly #tokens: [Token, Token, Token] = [none, none, none];
  #peeked = 0;

  constructor(lexer: Lexer, source: SourceText) {
    this.lexer = lexer;
    this.source = source;
  }

  next(): Token {
    if (this.#peeked > 0) this.#peeked--;
    else this.#tokens[0] = this.lexer.next();
    return this.#tokens[this.#peeked] ?? none;
  }

  peek(): Token {
    if (this.#peeked > 0) return this.#tokens[this.#peeked - 1] ?? none;
    this.#peeked = 1;
    this.#tokens[0] = this.lexer.next();
    return this.#tokens[0];
  }

  /** Puts the last token back. */
  backup(): void {
    this.#peeked++;
  }

  /** Puts back `first`, which came before the last token. */
  backup2(first: Token): void {
    this.#tokens[1] = first;
    this.#peeked = 2;
  }

  /** Puts back `first` and `second`, which came before the last token. */
  backup3(first: Token, second: Token): void {
    this.#tokens[1] = second;
    this.#tokens[2] = first;
    this.#peeked = 3;
  }

  nextNonSpace(): Token {
    for (;;) {
      const token = this.next();
      if (token.type !== "space") return token;
    }
  }

  peekNonSpace(): Token {
    const token = this.nextNonSpace();
    this.backup();
    return token;
  }

  expect(types: readonly TokenType[], context: string): Token {
    const token = this.nextNonSpace();
    if (!types.includes(token.type)) this.unexpected(token, context);
    return token;
  }

  unexpected(token: Token, context: string): never {
    if (token.type !== "error") this.fail(`unexpected ${describeToken(token)} in ${context}`);
    let extra = "";
    if (this.actionLine !== 0 && this.actionLine !== token.line) {
      // "unclosed action" already says action.
      const words = token.value.endsWith(" action") ? "" : " in action";
      extra = `${words} started at ${this.source.parseName}:${this.actionLine}`;
    }
    this.fail(token.value + extra);
  }

  fail(message: string): never {
    const { line } = this.#tokens[0];
    const templateName = this.source.parseName;
    throw new TemplateError(`template: ${templateName}:${line}: ${message}`, {
      kind: "parse",
      position: { templateName, line },
    });
  }
}
