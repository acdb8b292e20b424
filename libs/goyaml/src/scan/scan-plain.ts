import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  hash,
  isBlank,
  isBlankOrEnd,
  isBreak,
  openBrace,
  openBracket,
  questionMark,
  tab,
} from "./character.ts";
import type { Cursor } from "./cursor.ts";
import { foldBreaks } from "./fold-breaks.ts";

export interface PlainScalar {
  readonly text: string;
  /** Where the last character of the text was read; blanks after it are skipped. */
  readonly end: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** Whether line breaks follow it. */
  readonly endsLine: boolean;
}

export interface PlainContext {
  /** The least column of lines that continue it. */
  readonly indent: number;
  readonly isFlow: boolean;
}

/** Reads an unquoted scalar, over several lines if they are indented enough. */
export function scanPlain(cursor: Cursor, { indent, isFlow }: PlainContext): PlainScalar {
  const { text } = cursor;
  let value = "";
  let between = "";
  let end = cursor.offset;
  let endLine = cursor.line;
  let endColumn = cursor.column;
  let endsLine = false;
  while (cursor.code !== hash && !cursor.isAtDocumentIndicator()) {
    const from = cursor.offset;
    const to = endOfRun(text, from, isFlow);
    if (to > from) {
      value = value === "" ? text.slice(from, to) : value + between + text.slice(from, to);
      cursor.offset = to;
      end = to;
      endLine = cursor.line;
      endColumn = cursor.column;
      endsLine = false;
    }
    const blanksFrom = cursor.offset;
    while (isBlank(cursor.code)) cursor.offset++;
    const { code } = cursor;
    if (isBreak(code)) {
      between = foldBreaks(cursor, (blank) => {
        if (blank === tab && cursor.column < indent) cursor.fail("found a tab character that violates indentation");
      });
      endsLine = true;
      if (!isFlow && cursor.column < indent) break;
    } else {
      if (cursor.offset === blanksFrom) break;
      between = text.slice(blanksFrom, cursor.offset);
    }
  }
  return { text: value, end, endLine, endColumn, endsLine };
}

/** The offset after the characters of one word of a plain scalar. */
function endOfRun(text: string, from: number, isFlow: boolean): number {
  let i = from;
  for (;;) {
    const code = text.charCodeAt(i);
    if (code === colon ? isBlankOrEnd(text.charCodeAt(i + 1)) : isBlankOrEnd(code)) return i;
    if (isFlow && isFlowIndicator(code)) return i;
    i++;
  }
}

function isFlowIndicator(code: number): boolean {
  switch (code) {
    case comma:
    case questionMark:
    case openBracket:
    case closeBracket:
    case openBrace:
    case closeBrace:
      return true;
    default:
      return false;
  }
}
