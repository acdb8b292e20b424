import {
  type FunctionMap,
  define,
  fromLatin1,
  isLower,
  isUnicodeSpace,
  isUpper,
  latin1Of,
  mapRunes,
  lowerRune,
  titleRune,
  upperRune,
} from "@landscaper/golang";
import { camelToLower, toPascalCase } from "./identifier-case.ts";

/** Words: wrapping, abbreviations, initials. Lengths and cuts are in bytes, as in goutils. */
export const wordFunctions: FunctionMap = {
  wrap: define(["int", "string"], ([width, text]) =>
    wrapText(text, { width: width.toNumber(), newLine: "\n", breakWords: false }),
  ),
  wrapWith: define(["int", "string", "string"], ([width, separator, text], context) => {
    context.charge((text.length / Math.max(width.toNumber(), 1)) * separator.length);
    return wrapText(text, { width: width.toNumber(), newLine: separator === "" ? "\n" : separator, breakWords: true });
  }),
  abbrev: define(["int", "string"], ([width, text]) =>
    width.toNumber() < 4 ? text : abbreviate(text, 0, width.toNumber()),
  ),
  abbrevboth: define(["int", "int", "string"], ([left, right, text]) =>
    right.toNumber() < 4 || (left.toNumber() > 0 && right.toNumber() < 7)
      ? text
      : abbreviate(text, left.toNumber(), right.toNumber()),
  ),
  initials: define(["string"], ([text]) => initials(text)),
  untitle: define(["string"], ([text]) => uncapitalize(text)),
  swapcase: define(["string"], ([text]) => swapCase(text)),
  snakecase: define(["string"], ([text]) => camelToLower(text, "_")),
  kebabcase: define(["string"], ([text]) => camelToLower(text, "-")),
  camelcase: define(["string"], ([text]) => toPascalCase(text)),
};

interface WrapOptions {
  readonly width: number;
  readonly newLine: string;
  readonly breakWords: boolean;
}

function wrapText(text: string, { width, newLine, breakWords }: WrapOptions): string {
  const bytes = latin1Of(text);
  const lineLength = Math.max(width, 1);
  const lines: string[] = [];
  let offset = 0;
  while (bytes.length - offset > lineLength) {
    if (bytes.charAt(offset) === " ") {
      offset++;
      continue;
    }
    const space = bytes.lastIndexOf(" ", lineLength + offset);
    if (space >= offset) {
      lines.push(bytes.slice(offset, space));
      offset = space + 1;
    } else if (breakWords) {
      lines.push(bytes.slice(offset, offset + lineLength));
      offset += lineLength;
    } else {
      const next = bytes.indexOf(" ", lineLength + offset);
      // The rest is one long word: it ends the text without a new line.
      if (next < 0) return fromLatin1([...lines, bytes.slice(offset)].join(latin1Of(newLine)));
      lines.push(bytes.slice(offset, next));
      offset = next + 1;
    }
  }
  return fromLatin1([...lines, bytes.slice(offset)].join(latin1Of(newLine)));
}

function abbreviate(text: string, leftEdge: number, width: number): string {
  return fromLatin1(abbreviateBytes(latin1Of(text), leftEdge, width));
}

function abbreviateBytes(bytes: string, leftEdge: number, width: number): string {
  if (bytes === "" || width < 4) return "";
  if (bytes.length <= width) return bytes;
  const offset = Math.min(leftEdge, bytes.length);
  const start = bytes.length - offset < width - 3 ? bytes.length - (width - 3) : offset;
  if (start <= 4) return `${bytes.slice(0, width - 3)}...`;
  if (width < 7) return "";
  if (start + width - 3 < bytes.length) return `...${abbreviateBytes(bytes.slice(start), 0, width - 3)}`;
  return `...${bytes.slice(bytes.length - (width - 3))}`;
}

/** goutils takes the first byte of each word for a character. */
function initials(text: string): string {
  let afterGap = true;
  return mapRunes(latin1Of(text), (char) => {
    const isFirst = afterGap;
    afterGap = isUnicodeSpace(char);
    return isFirst && !afterGap ? char : "";
  });
}

function uncapitalize(text: string): string {
  let atStart = true;
  return mapRunes(text, (rune) => {
    if (isUnicodeSpace(rune)) {
      atStart = true;
      return rune;
    }
    const result = atStart ? lowerRune(rune) : rune;
    atStart = false;
    return result;
  });
}

/** A lower-case letter at the start of a word takes its title case. */
function swapCase(text: string): string {
  let atStart = true;
  return mapRunes(text, (rune) => {
    const toTitle = atStart;
    atStart = isUnicodeSpace(rune);
    if (isUpper(rune) || /^\p{Lt}$/u.test(rune)) return lowerRune(rune);
    if (!isLower(rune)) return rune;
    return toTitle ? titleRune(rune) : upperRune(rune);
  });
}
