import {
  endOfText,
  greaterThan,
  hash,
  isBlank,
  isBreak,
  isBreakOrEnd,
  isDigit,
  minus,
  plus,
  space,
  tab,
} from "./character.ts";
import type { Cursor } from "./cursor.ts";
import type { ScalarStyle } from "./token.ts";

interface Header {
  readonly chomping: "strip" | "clip" | "keep";
  /** Columns beyond the parent's; 0 when the first line tells. */
  readonly increment: number;
}

/**
 * Reads a scalar that `|` or `>` begins, where the cursor stands. `parentIndent` is the column of the collection around
 * it, -1 for none. A last line that the end of the text cuts off has no line break.
 */
export function scanBlockScalar(cursor: Cursor, parentIndent: number): { text: string; style: ScalarStyle } {
  const isFolded = cursor.code === greaterThan;
  cursor.offset++;
  const header = scanHeader(cursor);
  const given = header.increment === 0 ? 0 : Math.max(parentIndent, 0) + header.increment;
  const first = skipBreaks(cursor, { indent: given, parentIndent });
  const { indent } = first;
  let { breaks } = first;
  let value = "";
  let lastBreak = "";
  let lastIsIndented = false;
  while (cursor.column === indent && cursor.code !== endOfText) {
    const isIndented = isBlank(cursor.code);
    if (isFolded && lastBreak === "\n" && !lastIsIndented && !isIndented) {
      if (breaks === "") value += " ";
    } else value += lastBreak;
    const from = cursor.offset;
    const to = endOfLine(cursor.text, from);
    value += breaks + cursor.text.slice(from, to);
    cursor.offset = to;
    lastBreak = cursor.readBreak();
    lastIsIndented = isIndented;
    ({ breaks } = skipBreaks(cursor, { indent, parentIndent }));
  }
  if (header.chomping !== "strip") value += lastBreak;
  if (header.chomping === "keep") value += breaks;
  return { text: value, style: isFolded ? "folded" : "literal" };
}

function endOfLine(text: string, from: number): number {
  let i = from;
  while (!isBreakOrEnd(text.charCodeAt(i))) i++;
  return i;
}

function scanHeader(cursor: Cursor): Header {
  let chomping = scanChomping(cursor);
  const increment = scanIncrement(cursor);
  if (chomping === "clip") chomping = scanChomping(cursor);
  while (isBlank(cursor.code)) cursor.offset++;
  if (cursor.code === hash) cursor.offset = endOfLine(cursor.text, cursor.offset);
  if (!isBreakOrEnd(cursor.code)) cursor.fail("did not find expected comment or line break");
  cursor.readBreak();
  return { chomping, increment };
}

function scanChomping(cursor: Cursor): Header["chomping"] {
  const { code } = cursor;
  if (code !== plus && code !== minus) return "clip";
  cursor.offset++;
  return code === plus ? "keep" : "strip";
}

function scanIncrement(cursor: Cursor): number {
  const { code } = cursor;
  if (!isDigit(code)) return 0;
  if (code === 0x30) cursor.fail("found an indentation indicator equal to 0");
  cursor.offset++;
  return code - 0x30;
}

/** Steps over empty lines and over the indentation of the next one. An indent of 0 is found out here. */
function skipBreaks(
  cursor: Cursor,
  { indent, parentIndent }: { indent: number; parentIndent: number },
): { indent: number; breaks: string } {
  let breaks = "";
  let deepest = 0;
  for (;;) {
    while (cursor.code === space && (indent === 0 || cursor.column < indent)) cursor.offset++; // eslint-disable-line no-unmodified-loop-condition -- the column is what changes
    deepest = Math.max(deepest, cursor.column);
    if (cursor.code === tab && (indent === 0 || cursor.column < indent)) {
      cursor.fail("found a tab character where an indentation space is expected");
    }
    if (!isBreak(cursor.code)) break;
    breaks += cursor.readBreak();
  }
  return { indent: indent === 0 ? Math.max(deepest, parentIndent + 1, 1) : indent, breaks };
}
