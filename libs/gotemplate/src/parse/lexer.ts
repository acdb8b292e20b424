import { quote, unicodeName } from "@landscaper/golang";
import { isKeyword, type Token, type TokenType } from "./token.ts";

export interface Delimiters {
  readonly left: string;
  readonly right: string;
}

export interface LexerOptions {
  readonly delimiters: Delimiters;
  /** `break` and `continue` are keywords unless functions have these names. */
  readonly breakIsKeyword: boolean;
  readonly continueIsKeyword: boolean;
}

const decimalDigits = "0123456789_";
const hexDigits = "0123456789abcdefABCDEF_";

/** Splits a template into tokens, one at a time. Models Go's text/template/parse/lex.go. */
export class Lexer {
  readonly #input: string;
  readonly #options: LexerOptions;
  #pos = 0;
  #start = 0;
  #line = 1;
  #startLine = 1;
  /** Where the next line ends that is not counted yet. */
  #newline: number;
  #parenDepth = 0;
  #insideAction = false;
  /** After an error there are no more tokens. */
  #failed = false;

  constructor(input: string, options: LexerOptions) {
    this.#input = input;
    this.#options = options;
    this.#newline = this.#newlineFrom(0);
  }

  next(): Token {
    if (this.#failed) return { type: "eof", pos: 0, value: "EOF", line: this.#startLine };
    return this.#insideAction ? this.#lexAction() : this.#lexText();
  }

  #emit(type: TokenType): Token {
    const token = { type, pos: this.#start, value: this.#input.slice(this.#start, this.#pos), line: this.#startLine };
    this.#skip();
    return token;
  }

  /** Drops what was read: the next token starts here. */
  #skip(): void {
    for (; this.#newline < this.#pos; this.#newline = this.#newlineFrom(this.#newline + 1)) this.#line++;
    this.#start = this.#pos;
    this.#startLine = this.#line;
  }

  #newlineFrom(at: number): number {
    const found = this.#input.indexOf("\n", at);
    return found < 0 ? Number.POSITIVE_INFINITY : found;
  }

  #fail(message: string): Token {
    this.#failed = true;
    return { type: "error", pos: this.#start, value: message, line: this.#startLine };
  }

  #lexText(): Token {
    const { left } = this.#options.delimiters;
    for (;;) {
      const at = this.#input.indexOf(left, this.#pos);
      if (at < 0) {
        this.#pos = this.#input.length;
        return this.#emit(this.#pos > this.#start ? "text" : "eof");
      }
      const trim = this.#hasLeftTrim(at + left.length);
      let end = at;
      if (trim) while (end > this.#start && isSpace(this.#input.charCodeAt(end - 1))) end--;
      this.#pos = end;
      const text = end > this.#start ? this.#emit("text") : undefined;
      this.#pos = at;
      this.#skip();
      if (text !== undefined) return text;
      const token = this.#lexLeftDelim(at + left.length, trim ? 2 : 0);
      if (token !== undefined) return token;
    }
  }

  /** A left delimiter token, an error, or nothing after a comment. */
  #lexLeftDelim(afterDelim: number, marker: number): Token | undefined {
    if (this.#input.startsWith("/*", afterDelim + marker)) {
      this.#pos = afterDelim + marker;
      this.#skip();
      return this.#lexComment();
    }
    this.#pos = afterDelim;
    const token = this.#emit("leftDelim");
    this.#insideAction = true;
    this.#pos += marker;
    this.#skip();
    this.#parenDepth = 0;
    return token;
  }

  #lexComment(): Token | undefined {
    const end = this.#input.indexOf("*/", this.#pos + 2);
    if (end < 0) return this.#fail("unclosed comment");
    this.#pos = end + 2;
    const right = this.#rightDelimAt(this.#pos);
    if (right === undefined) return this.#fail("comment ends before closing delimiter");
    this.#skipRightDelim(right);
    return undefined;
  }

  #hasLeftTrim(at: number): boolean {
    return this.#input[at] === "-" && isSpace(this.#input.charCodeAt(at + 1));
  }

  /** Whether a right delimiter starts at `at`, "trim" with a trim marker before it. */
  #rightDelimAt(at: number): "plain" | "trim" | undefined {
    const { right } = this.#options.delimiters;
    if (isSpace(this.#input.charCodeAt(at)) && this.#input[at + 1] === "-" && this.#input.startsWith(right, at + 2)) {
      return "trim";
    }
    return this.#input.startsWith(right, at) ? "plain" : undefined;
  }

  #skipRightDelim(kind: "plain" | "trim"): void {
    this.#pos += this.#options.delimiters.right.length + (kind === "trim" ? 2 : 0);
    if (kind === "trim") while (isSpace(this.#input.charCodeAt(this.#pos))) this.#pos++;
    this.#skip();
  }

  #lexRightDelim(kind: "plain" | "trim"): Token {
    if (kind === "trim") {
      this.#pos += 2;
      this.#skip();
    }
    this.#pos += this.#options.delimiters.right.length;
    const token = this.#emit("rightDelim");
    if (kind === "trim") {
      while (isSpace(this.#input.charCodeAt(this.#pos))) this.#pos++;
      this.#skip();
    }
    this.#insideAction = false;
    return token;
  }

  #lexAction(): Token {
    const right = this.#rightDelimAt(this.#pos);
    if (right !== undefined) {
      return this.#parenDepth === 0 ? this.#lexRightDelim(right) : this.#fail("unclosed left paren");
    }
    const rune = this.#runeAt(this.#pos);
    if (rune === "") return this.#fail("unclosed action");
    if (isSpace(rune.charCodeAt(0))) return this.#lexSpace();
    this.#pos += rune.length;
    switch (rune) {
      case "=":
        return this.#emit("assign");
      case ":":
        if (this.#input[this.#pos] !== "=") return this.#fail("expected :=");
        this.#pos++;
        return this.#emit("declare");
      case "|":
        return this.#emit("pipe");
      case '"':
        return this.#lexQuoted('"', "string");
      case "'":
        return this.#lexQuoted("'", "charConstant");
      case "`":
        return this.#lexRawString();
      case "$":
        return this.#lexFieldOrVariable("variable");
      case "(":
        this.#parenDepth++;
        return this.#emit("leftParen");
      case ")":
        this.#parenDepth--;
        return this.#parenDepth < 0 ? this.#fail("unexpected right paren") : this.#emit("rightParen");
      default:
        return this.#lexWord(rune);
    }
  }

  #lexWord(rune: string): Token {
    const next = this.#input.charCodeAt(this.#pos);
    const startsField = rune === "." && !(next >= 0x30 && next <= 0x39);
    if (startsField && this.#pos < this.#input.length) return this.#lexFieldOrVariable("field");
    if (".+-0123456789".includes(rune)) {
      this.#pos -= rune.length;
      return this.#lexNumber();
    }
    if (isAlphaNumeric(rune)) return this.#lexIdentifier();
    if (/^[ -~]$/.test(rune)) return this.#emit("char");
    return this.#fail(`unrecognized character in action: ${unicodeName(rune)}`);
  }

  #lexSpace(): Token {
    let count = 0;
    while (isSpace(this.#input.charCodeAt(this.#pos))) {
      this.#pos++;
      count++;
    }
    // A trim marker takes the last space with it.
    if (this.#rightDelimAt(this.#pos - 1) === "trim") {
      this.#pos--;
      if (count === 1) return this.#lexRightDelim("trim");
    }
    return this.#emit("space");
  }

  #lexIdentifier(): Token {
    const stop = this.#readAlphaNumeric();
    if (!this.#atTerminator()) return this.#fail(`bad character ${unicodeName(stop)}`);
    const word = this.#input.slice(this.#start, this.#pos);
    if (word === "true" || word === "false") return this.#emit("bool");
    if (word === "nil") return this.#emit("nil");
    if (word === "break" && !this.#options.breakIsKeyword) return this.#emit("identifier");
    if (word === "continue" && !this.#options.continueIsKeyword) return this.#emit("identifier");
    return this.#emit(isKeyword(word) ? word : "identifier");
  }

  #lexFieldOrVariable(type: "field" | "variable"): Token {
    if (this.#atTerminator()) return this.#emit(type === "variable" ? "variable" : "dot");
    const stop = this.#readAlphaNumeric();
    if (!this.#atTerminator()) return this.#fail(`bad character ${unicodeName(stop)}`);
    return this.#emit(type);
  }

  /** Reads letters, digits and underscores; returns the rune after them. */
  #readAlphaNumeric(): string {
    for (;;) {
      while (isAsciiAlphaNumeric(this.#input.charCodeAt(this.#pos))) this.#pos++;
      const rune = this.#runeAt(this.#pos);
      if (rune === "" || !isAlphaNumeric(rune)) return rune;
      this.#pos += rune.length;
    }
  }

  #atTerminator(): boolean {
    const rune = this.#runeAt(this.#pos);
    if (rune === "" || isSpace(rune.charCodeAt(0)) || ".,|:)(".includes(rune)) return true;
    return this.#input.startsWith(this.#options.delimiters.right, this.#pos);
  }

  #lexQuoted(delimiter: string, type: "string" | "charConstant"): Token {
    const what = type === "string" ? "quoted string" : "character constant";
    for (;;) {
      let char = this.#input[this.#pos++];
      if (char === delimiter) return this.#emit(type);
      if (char === "\\") {
        char = this.#input[this.#pos++];
        if (char !== undefined && char !== "\n") continue;
      }
      if (char === undefined || char === "\n") return this.#fail(`unterminated ${what}`);
    }
  }

  #lexRawString(): Token {
    const end = this.#input.indexOf("`", this.#pos);
    if (end < 0) return this.#fail("unterminated raw quoted string");
    this.#pos = end + 1;
    return this.#emit("rawString");
  }

  #lexNumber(): Token {
    if (!this.#scanNumber()) return this.#badNumber();
    const sign = this.#input[this.#pos];
    if (sign === "+" || sign === "-") {
      if (!this.#scanNumber() || this.#input[this.#pos - 1] !== "i") return this.#badNumber();
      return this.#emit("complex");
    }
    return this.#emit("number");
  }

  #badNumber(): Token {
    return this.#fail(`bad number syntax: ${quote(this.#input.slice(this.#start, this.#pos))}`);
  }

  #scanNumber(): boolean {
    this.#accept("+-");
    let digits = decimalDigits;
    if (this.#accept("0")) {
      if (this.#accept("xX")) digits = hexDigits;
      else if (this.#accept("oO")) digits = "01234567_";
      else if (this.#accept("bB")) digits = "01_";
    }
    this.#acceptRun(digits);
    if (this.#accept(".")) this.#acceptRun(digits);
    if (this.#accept(digits === decimalDigits ? "eE" : digits === hexDigits ? "pP" : "")) {
      this.#accept("+-");
      this.#acceptRun(decimalDigits);
    }
    this.#accept("i");
    const rune = this.#runeAt(this.#pos);
    if (rune === "" || !isAlphaNumeric(rune)) return true;
    this.#pos += rune.length;
    return false;
  }

  #accept(valid: string): boolean {
    const char = this.#input[this.#pos];
    if (char === undefined || !valid.includes(char)) return false;
    this.#pos++;
    return true;
  }

  #acceptRun(valid: string): void {
    while (this.#accept(valid));
  }

  #runeAt(at: number): string {
    const code = this.#input.codePointAt(at);
    return code === undefined ? "" : String.fromCodePoint(code);
  }
}

/** The spaces of Go's templates; NaN (end of text) is none. */
function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d || code === 0x0a;
}

/** `rune` is not empty. */
function isAlphaNumeric(rune: string): boolean {
  return isAsciiAlphaNumeric(rune.charCodeAt(0)) || (rune > "\u007f" && /^[\p{L}\p{Nd}_]$/u.test(rune));
}

/** Words are read once, mostly by code that is not yet compiled, where a pattern takes much longer than comparisons. */
function isAsciiAlphaNumeric(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x5f
  );
}
