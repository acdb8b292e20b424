import { type Decimal, fixedDecimal, floatParts, shortestDecimal, significantDecimal } from "./decimal.ts";

/** Float formats of strconv.FormatFloat. */
export type FloatFormat = "e" | "E" | "f" | "g" | "G" | "x" | "X" | "b";

/** strconv.FormatFloat(value, format, precision, 64); precision -1 gives the shortest text that reads back the same. */
export function formatFloat(value: number, format: FloatFormat, precision: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value < 0 ? "-Inf" : "+Inf";
  const negative = value < 0 || Object.is(value, -0);
  return (negative ? "-" : "") + formatPositive(Math.abs(value), format, precision);
}

/** The text of `%v`: shortest digits, exponent form below 1e-4 and from 1e+06... on when that many digits are needed. */
export function formatFloatDefault(value: number): string {
  // The usual case first: Go and JavaScript agree on numbers that need no exponent in either.
  const magnitude = Math.abs(value);
  if (magnitude >= 1e-4 && magnitude < 1e6) return String(value);
  return formatFloat(value, "g", -1);
}

function formatPositive(value: number, format: FloatFormat, precision: number): string {
  switch (format) {
    case "f": {
      const decimal = precision < 0 ? shortestDecimal(value) : fixedDecimal(value, precision);
      return plainForm(decimal, precision < 0 ? Math.max(decimal.digits.length - decimal.point, 0) : precision);
    }
    case "e":
    case "E": {
      const decimal = precision < 0 ? shortestDecimal(value) : significantDecimal(value, precision + 1);
      return exponentForm(decimal, precision < 0 ? Math.max(decimal.digits.length - 1, 0) : precision, format);
    }
    case "g":
    case "G":
      return generalForm(value, format === "g" ? "e" : "E", precision);
    case "x":
    case "X":
      return hexForm(value, format, precision);
    case "b": {
      const { mantissa, exponent } = floatParts(value);
      return `${mantissa}p${exponent >= 0 ? "+" : ""}${exponent}`;
    }
  }
}

function generalForm(value: number, letter: "e" | "E", precision: number): string {
  const shortest = precision < 0;
  const wanted = precision === 0 ? 1 : precision;
  const decimal = shortest ? shortestDecimal(value) : stripZeros(significantDecimal(value, wanted));
  const count = decimal.digits.length;
  // The precision decides between the forms; for the shortest text Go uses 21 in fmt's %v and 6 in strconv.
  let limit = shortest ? 6 : wanted;
  if (!shortest && limit > count && count >= decimal.point) limit = count;
  const exponent = decimal.point - 1;
  if (count > 0 && (exponent < -4 || exponent >= limit)) return exponentForm(decimal, Math.max(count - 1, 0), letter);
  return plainForm(decimal, Math.max(count - decimal.point, 0));
}

function stripZeros(decimal: Decimal): Decimal {
  let end = decimal.digits.length;
  while (end > 0 && decimal.digits.charCodeAt(end - 1) === 0x30) end--;
  return { digits: decimal.digits.slice(0, end), point: end === 0 ? 0 : decimal.point };
}

function plainForm({ digits, point }: Decimal, places: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, "0") : "0";
  if (places <= 0) return whole;
  const fraction = point >= 0 ? digits.slice(point) : "0".repeat(Math.min(-point, places)) + digits;
  return `${whole}.${fraction.slice(0, places).padEnd(places, "0")}`;
}

function exponentForm({ digits, point }: Decimal, places: number, letter: "e" | "E"): string {
  const first = digits.charAt(0) || "0";
  const rest = places > 0 ? `.${digits.slice(1, places + 1).padEnd(places, "0")}` : "";
  const exponent = digits === "" ? 0 : point - 1;
  const sign = exponent < 0 ? "-" : "+";
  return `${first}${rest}${letter}${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

function hexForm(value: number, letter: "x" | "X", precision: number): string {
  let { mantissa, exponent } = floatParts(value);
  if (mantissa === 0n) exponent = 0;
  else {
    // One bit before the point, 52 behind.
    while (mantissa < 1n << 52n) {
      mantissa <<= 1n;
      exponent--;
    }
    exponent += 52;
  }
  if (precision >= 0 && precision < 13) {
    const drop = BigInt(4 * (13 - precision));
    const half = 1n << (drop - 1n);
    const low = mantissa & ((1n << drop) - 1n);
    mantissa >>= drop;
    if (low > half || (low === half && mantissa % 2n === 1n)) mantissa++;
    mantissa <<= drop;
    if (mantissa >= 1n << 53n) {
      mantissa >>= 1n;
      exponent++;
    }
  }
  const lead = mantissa >> 52n;
  let fraction = (mantissa & ((1n << 52n) - 1n)).toString(16).padStart(13, "0");
  fraction = precision < 0 ? fraction.replace(/0{1,13}$/, "") : fraction.slice(0, precision).padEnd(precision, "0");
  const sign = exponent < 0 ? "-" : "+";
  const text = `0x${lead}${fraction === "" ? "" : `.${fraction}`}p${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
  return letter === "X" ? text.toUpperCase() : text;
}

/** Go's strconv.FormatFloat(value, 'g', -1, 32): the fewest digits that tell the float32 from its neighbours. */
export function formatFloat32(value: number): string {
  const single = Math.fround(value);
  for (let digits = 1; digits <= 9; digits++) {
    const candidate = Number(single.toPrecision(digits));
    if (Math.fround(candidate) === single) return formatFloat(candidate, "g", -1);
  }
  return formatFloat(value, "g", -1);
}
