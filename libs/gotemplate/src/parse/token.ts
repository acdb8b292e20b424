import { quote } from "@landscaper/golang";

export type TokenType =
  | "error"
  | "bool"
  | "char"
  | "charConstant"
  | "complex"
  | "assign"
  | "declare"
  | "eof"
  | "field"
  | "identifier"
  | "leftDelim"
  | "leftParen"
  | "number"
  | "pipe"
  | "rawString"
  | "rightDelim"
  | "rightParen"
  | "space"
  | "string"
  | "text"
  | "variable"
  | "dot"
  | "nil"
  | Keyword;

export type Keyword = "block" | "break" | "continue" | "define" | "else" | "end" | "if" | "range" | "template" | "with";

const keywords: ReadonlySet<string> = new Set([
  "block",
  "break",
  "continue",
  "define",
  "else",
  "end",
  "if",
  "range",
  "template",
  "with",
]);

export function isKeyword(word: string): word is Keyword {
  return keywords.has(word);
}

export interface Token {
  readonly type: TokenType;
  /** Index in the text, in UTF-16 units. */
  readonly pos: number;
  readonly value: string;
  /** Line of the token's start, from 1. */
  readonly line: number;
}

/** The token as Go's error messages show it. */
export function describeToken(token: Token): string {
  if (token.type === "eof") return "EOF";
  if (token.type === "error") return token.value;
  if (isKeyword(token.type) || token.type === "dot" || token.type === "nil") return `<${token.value}>`;
  if (token.value.length > 10) return `${quote(Array.from(token.value).slice(0, 10).join(""))}...`;
  return quote(token.value);
}
