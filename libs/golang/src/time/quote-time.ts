import { encodeUtf8 } from "../value/utf8.ts";

/** The time package's own quote: each byte of a control or non-ASCII character is \xNN. */
export function quoteTime(text: string): string {
  let result = '"';
  for (const rune of text) {
    if (rune === '"' || rune === "\\") result += `\\${rune}`;
    else if (rune >= " " && rune < "\u0080") result += rune;
    else for (const byte of encodeUtf8(rune)) result += `\\x${byte.toString(16).padStart(2, "0")}`;
  }
  return `${result}"`;
}
