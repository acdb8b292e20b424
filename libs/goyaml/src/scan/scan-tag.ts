import {
  exclamationMark,
  greaterThan,
  hexValue,
  isBlankOrEnd,
  isWordCharacter,
  lessThan,
  percent,
} from "./character.ts";
import type { Cursor } from "./cursor.ts";

export interface TagText {
  /** `!`, `!!` or `!name!`; "" when `suffix` is the whole tag. */
  readonly handle: string;
  readonly suffix: string;
}

/** Reads a tag; the cursor stands on its `!`. */
export function scanTag(cursor: Cursor): TagText {
  const tag = cursor.codeAt(1) === lessThan ? scanVerbatim(cursor) : scanShorthand(cursor);
  if (!isBlankOrEnd(cursor.code)) cursor.fail("did not find expected whitespace or line break");
  return tag;
}

function scanVerbatim(cursor: Cursor): TagText {
  cursor.offset += 2;
  const suffix = scanTagUri(cursor, "");
  if (cursor.code !== greaterThan) cursor.fail("did not find the expected '>'");
  cursor.offset++;
  return { handle: "", suffix };
}

function scanShorthand(cursor: Cursor): TagText {
  const handle = scanTagHandle(cursor);
  if (handle.length > 1 && handle.endsWith("!")) return { handle, suffix: scanTagUri(cursor, "") };
  const suffix = scanTagUri(cursor, handle);
  return suffix === "" ? { handle: "", suffix: "!" } : { handle: "!", suffix };
}

/** Reads `!`, `!!`, `!name!` or `!name`. */
export function scanTagHandle(cursor: Cursor): string {
  if (cursor.code !== exclamationMark) cursor.fail("did not find expected '!'");
  const from = cursor.offset++;
  while (isWordCharacter(cursor.code)) cursor.offset++;
  if (cursor.code === exclamationMark) cursor.offset++;
  return cursor.text.slice(from, cursor.offset);
}

/** Reads the rest of a tag's URI; `head` is what a handle that was none has read of it, with its `!`. */
export function scanTagUri(cursor: Cursor, head: string): string {
  let uri = head.slice(1);
  let isEmpty = head === "";
  for (;;) {
    const from = cursor.offset;
    while (isUriCharacter(cursor.code)) cursor.offset++;
    if (cursor.offset > from) {
      uri += cursor.text.slice(from, cursor.offset);
      isEmpty = false;
    }
    if (cursor.code !== percent) break;
    uri += scanUriEscapes(cursor);
    isEmpty = false;
  }
  if (isEmpty) cursor.fail("did not find expected tag URI");
  return uri;
}

function isUriCharacter(code: number): boolean {
  return isWordCharacter(code) || (code < 0x80 && ";/?:@&=+$,.!~*'()[]".includes(String.fromCharCode(code)));
}

/** Reads the `%xx` of one character. */
function scanUriEscapes(cursor: Cursor): string {
  const bytes = [scanUriByte(cursor)];
  const width = sequenceWidth(bytes[0] ?? 0);
  if (width === 0) cursor.fail("found an incorrect leading UTF-8 octet");
  cursor.offset += 3;
  while (bytes.length < width) {
    const byte = scanUriByte(cursor);
    if ((byte & 0xc0) !== 0x80) cursor.fail("found an incorrect trailing UTF-8 octet");
    bytes.push(byte);
    cursor.offset += 3;
  }
  return Buffer.from(bytes).toString("utf8");
}

function scanUriByte(cursor: Cursor): number {
  if (cursor.code === percent) {
    const high = hexValue(cursor.codeAt(1));
    const low = high < 0 ? -1 : hexValue(cursor.codeAt(2));
    if (low >= 0) return high * 16 + low;
  }
  return cursor.fail("did not find URI escaped octet");
}

/** Bytes of the UTF-8 sequence that a byte begins; 0 for none. */
function sequenceWidth(first: number): number {
  if (first < 0x80) return 1;
  if ((first & 0xe0) === 0xc0) return 2;
  if ((first & 0xf0) === 0xe0) return 3;
  return (first & 0xf8) === 0xf0 ? 4 : 0;
}
