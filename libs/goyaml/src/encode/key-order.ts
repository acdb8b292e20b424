import { type Characters, charactersOf } from "../strings/characters.ts";

const letter = /^\p{L}$/u;
const digit = /^\p{Nd}$/u;

/** The order in which go-yaml v2 writes string keys: digits by their number, letters after the rest. */
export function compareKeys(a: string, b: string): number {
  let i = 0;
  while (i < a.length && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  if (i === a.length || i === b.length) return a.length - b.length;
  return compareLetters(a.charCodeAt(i), b.charCodeAt(i)) ?? compareCharacters(charactersOf(a), charactersOf(b));
}

/** The usual case: the first characters that differ are ASCII, and at least one is a letter. */
function compareLetters(x: number, y: number): number | undefined {
  if (x > 0x7f || y > 0x7f) return undefined;
  const xIsLetter = isLetter(x);
  const yIsLetter = isLetter(y);
  if (xIsLetter && yIsLetter) return x - y;
  if (!xIsLetter && !yIsLetter) return undefined;
  return yIsLetter ? -1 : 1;
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function compareCharacters(x: Characters, y: Characters): number {
  const length = Math.min(x.length, y.length);
  for (let i = 0; i < length; i++) {
    const xChar = x[i] ?? "";
    const yChar = y[i] ?? "";
    if (xChar === yChar) continue;
    const xIsLetter = letter.test(xChar);
    const yIsLetter = letter.test(yChar);
    if (xIsLetter && yIsLetter) return codeOf(xChar) - codeOf(yChar);
    if (xIsLetter || yIsLetter) return yIsLetter ? -1 : 1;
    return compareFrom(x, y, i);
  }
  return x.length - y.length;
}

function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0;
}

/** Compares where the first difference is, at `i`, between characters that are no letters. */
function compareFrom(x: Characters, y: Characters, i: number): number {
  let start = 0;
  if (x[i] === "0" || y[i] === "0") {
    // Within a number a zero counts: a10 comes after a1.
    for (let j = i - 1; j >= 0 && digit.test(x[j] ?? ""); j--) {
      if (x[j] === "0") continue;
      start = 1;
      break;
    }
  }
  const xNumber = readNumber(x, i, start);
  const yNumber = readNumber(y, i, start);
  if (xNumber.value < yNumber.value) return -1;
  if (xNumber.value > yNumber.value) return 1;
  if (xNumber.end !== yNumber.end) return xNumber.end - yNumber.end;
  return codeOf(x[i] ?? "") - codeOf(y[i] ?? "");
}

/** The number that the digits from an index on are, as an int64 that overflows. */
function readNumber(chars: Characters, from: number, start: number): { value: bigint | number; end: number } {
  let end = from;
  while (end < chars.length && digit.test(chars[end] ?? "")) end++;
  if (end - from < 15) {
    let value = start;
    for (let i = from; i < end; i++) value = value * 10 + codeOf(chars[i] ?? "") - 0x30;
    return { value, end };
  }
  let value = BigInt(start);
  for (let i = from; i < end; i++) {
    value = BigInt.asIntN(64, value * 10n + BigInt(codeOf(chars[i] ?? "") - 0x30));
  }
  return { value, end };
}
