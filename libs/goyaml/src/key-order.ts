const letter = /^\p{L}$/u;
const digit = /^\p{Nd}$/u;

/** The order in which go-yaml v2 writes string keys: digits by their number, letters after the rest. */
export function compareKeys(a: string, b: string): number {
  const x = Array.from(a);
  const y = Array.from(b);
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
function compareFrom(x: readonly string[], y: readonly string[], i: number): number {
  let start = 0n;
  if (x[i] === "0" || y[i] === "0") {
    // Within a number a zero counts: a10 comes after a1.
    for (let j = i - 1; j >= 0 && digit.test(x[j] ?? ""); j--) {
      if (x[j] === "0") continue;
      start = 1n;
      break;
    }
  }
  const xNumber = readNumber(x, i, start);
  const yNumber = readNumber(y, i, start);
  if (xNumber.value !== yNumber.value) return xNumber.value < yNumber.value ? -1 : 1;
  if (xNumber.end !== yNumber.end) return xNumber.end - yNumber.end;
  return codeOf(x[i] ?? "") - codeOf(y[i] ?? "");
}

function readNumber(chars: readonly string[], from: number, start: bigint): { value: bigint; end: number } {
  let value = start;
  let end = from;
  for (; end < chars.length && digit.test(chars[end] ?? ""); end++) {
    value = BigInt.asIntN(64, value * 10n + BigInt(codeOf(chars[end] ?? "") - 0x30));
  }
  return { value, end };
}
