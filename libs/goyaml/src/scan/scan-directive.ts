import { dot, hash, isBlank, isBlankOrEnd, isBreakOrEnd, isDigit, isWordCharacter } from "./character.ts";
import type { Cursor } from "./cursor.ts";
import { scanTagHandle, scanTagUri } from "./scan-tag.ts";

export interface Directive {
  readonly kind: "version-directive" | "tag-directive";
  /** The version, or the prefix that the handle stands for. */
  readonly text: string;
  readonly handle: string;
}

/** Digits that a part of a version may have. */
const longestNumber = 2;

/** Reads a directive line; the cursor stands on its `%`. */
export function scanDirective(cursor: Cursor): Directive {
  cursor.offset++;
  const name = scanName(cursor);
  let directive: Directive;
  if (name === "YAML") directive = { kind: "version-directive", text: scanVersion(cursor), handle: "" };
  else if (name === "TAG") directive = scanTagDirective(cursor);
  else return cursor.fail("found unknown directive name");
  skipBlanks(cursor);
  if (cursor.code === hash) while (!isBreakOrEnd(cursor.code)) cursor.offset++;
  if (!isBreakOrEnd(cursor.code)) cursor.fail("did not find expected comment or line break");
  cursor.readBreak();
  return directive;
}

function skipBlanks(cursor: Cursor): void {
  while (isBlank(cursor.code)) cursor.offset++;
}

function scanName(cursor: Cursor): string {
  const from = cursor.offset;
  while (isWordCharacter(cursor.code)) cursor.offset++;
  if (cursor.offset === from) cursor.fail("could not find expected directive name");
  if (!isBlankOrEnd(cursor.code)) cursor.fail("found unexpected non-alphabetical character");
  return cursor.text.slice(from, cursor.offset);
}

function scanVersion(cursor: Cursor): string {
  skipBlanks(cursor);
  const major = scanNumber(cursor);
  if (cursor.code !== dot) cursor.fail("did not find expected digit or '.' character");
  cursor.offset++;
  return `${major}.${scanNumber(cursor)}`;
}

function scanNumber(cursor: Cursor): number {
  let value = 0;
  let length = 0;
  for (; isDigit(cursor.code); cursor.offset++) {
    if (++length > longestNumber) cursor.fail("found extremely long version number");
    value = value * 10 + cursor.code - 0x30;
  }
  if (length === 0) cursor.fail("did not find expected version number");
  return value;
}

function scanTagDirective(cursor: Cursor): Directive {
  skipBlanks(cursor);
  const handle = scanTagHandle(cursor);
  if (handle !== "!" && (handle.length === 1 || !handle.endsWith("!"))) cursor.fail("did not find expected '!'");
  if (!isBlank(cursor.code)) cursor.fail("did not find expected whitespace");
  skipBlanks(cursor);
  const prefix = scanTagUri(cursor, "");
  if (!isBlankOrEnd(cursor.code)) cursor.fail("did not find expected whitespace or line break");
  return { kind: "tag-directive", text: prefix, handle };
}
