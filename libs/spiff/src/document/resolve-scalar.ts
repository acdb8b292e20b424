const trueWords = new Set(["y", "yes", "true", "on"]);
const falseWords = new Set(["n", "no", "false", "off"]);
const integerPattern = /^[-+]?(?:0x[0-9a-fA-F]+|0b[01]+|0o?[0-7]+|[0-9]+)$/;
const floatPattern = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

/**
 * Meaning of an unquoted YAML scalar (spiff.md §3.1): YAML 1.1 words, octal, hex and binary ints as bigint, floats as
 * number. Dates stay text.
 */
export function resolveScalar(text: string): null | boolean | bigint | number | string {
  if (text === "" || text === "~" || text === "null" || text === "Null" || text === "NULL") return null;
  const first = text.charCodeAt(0);
  if (!isNumberStart(first)) return text.length > 5 ? text : resolveWord(text);
  const plain = text.replaceAll("_", "");
  if (integerPattern.test(plain)) {
    const value = parseInteger(plain);
    if (BigInt.asIntN(64, value) === value) return value;
  }
  if (floatPattern.test(plain)) {
    const value = Number(plain);
    return Number.isFinite(value) ? value : text;
  }
  return resolveInfinity(text);
}

/** Digits, signs and the dot. */
function isNumberStart(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x2e;
}

function resolveWord(text: string): boolean | string {
  const lower = text.toLowerCase();
  if (trueWords.has(lower)) return true;
  return falseWords.has(lower) ? false : text;
}

function parseInteger(text: string): bigint {
  const isNegative = text.startsWith("-");
  const digits = text.replace(/^[-+]/, "");
  const value = /^0[0-7]+$/.test(digits) ? BigInt(`0o${digits.slice(1)}`) : BigInt(digits);
  return isNegative ? -value : value;
}

function resolveInfinity(text: string): number | string {
  switch (text.toLowerCase()) {
    case ".inf":
    case "+.inf":
      return Number.POSITIVE_INFINITY;
    case "-.inf":
      return Number.NEGATIVE_INFINITY;
    case ".nan":
      return Number.NaN;
    default:
      return text;
  }
}
