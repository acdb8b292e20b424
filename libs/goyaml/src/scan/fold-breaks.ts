import { isBlank, isBreak } from "./character.ts";
import type { Cursor } from "./cursor.ts";

/**
 * Steps over the line break here and the blanks and breaks after it, and gives what they are in a scalar that spans
 * lines: one break is a space, more are one less; U+2028 and U+2029 stay. `check` sees each blank that begins a line.
 */
export function foldBreaks(cursor: Cursor, check?: (blank: number) => void): string {
  const first = cursor.readBreak();
  const rest = skipToText(cursor, check);
  if (first !== "\n") return first + rest;
  return rest === "" ? " " : rest;
}

/** Steps over blanks and breaks and gives the breaks. */
export function skipToText(cursor: Cursor, check?: (blank: number) => void): string {
  let breaks = "";
  for (;;) {
    const { code } = cursor;
    if (isBlank(code)) {
      check?.(code);
      cursor.offset++;
    } else if (isBreak(code)) breaks += cursor.readBreak();
    else return breaks;
  }
}
