import { canonicalQuantity } from "./quantity.ts";
import { isNumeric } from "../objects/json.ts";
import type { ScalarKind } from "./parse-builtin-types.ts";

/** A value as Go would write it again, or why Go cannot read it. */
export type ScalarResult =
  | { readonly value: unknown }
  /** "of a wrong type": reported with the JSON type found and the Go type expected. */
  | { readonly mismatch: string }
  | { readonly problem: string };

const quantityProblem = String.raw`quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`;

/** Reads one value of a scalar type; null has been handled before. */
export function readScalar(scalar: ScalarKind, value: unknown): ScalarResult {
  switch (scalar) {
    case "any":
    case "raw":
      return { value };
    case "string":
    case "duration":
      return typeof value === "string" ? { value } : mismatchOf(value);
    case "bool":
      return typeof value === "boolean" ? { value } : mismatchOf(value);
    case "int32":
    case "int64":
      if (!isNumeric(value)) return mismatchOf(value);
      return fitsInteger(value, scalar) ? { value } : { mismatch: `number ${value}` };
    case "float64":
      return isNumeric(value) ? { value } : mismatchOf(value);
    case "bytes":
      return typeof value === "string" ? readBytes(value) : mismatchOf(value);
    case "intOrString":
      return typeof value === "number" || typeof value === "string" ? { value } : mismatchOf(value);
    case "quantity":
      return readQuantity(value);
    case "time":
    case "microtime":
      return typeof value === "string" ? readTime(scalar, value) : mismatchOf(value);
  }
}

const bits = { int32: 32, int64: 64 } as const;

function fitsInteger(value: number | bigint, scalar: "int32" | "int64"): boolean {
  if (typeof value === "number" && !Number.isInteger(value)) return false;
  const integer = BigInt(value);
  return BigInt.asIntN(bits[scalar], integer) === integer;
}

/** Scalars that are structs in Go, which are never left out. */
export const structScalars: ReadonlySet<ScalarKind> = new Set([
  "time",
  "microtime",
  "quantity",
  "intOrString",
  "duration",
  "raw",
]);

/** What Go writes for a scalar that was never set. */
export function zeroScalar(scalar: ScalarKind): unknown {
  switch (scalar) {
    case "string":
      return "";
    case "bool":
      return false;
    case "int32":
    case "int64":
    case "float64":
    case "intOrString":
      return 0;
    case "quantity":
      return "0";
    case "duration":
      return "0s";
    case "any":
    case "raw":
    case "bytes":
    case "time":
    case "microtime":
      return null;
  }
}

/** "number", "string", ... as Go's decoder names what it found. */
export function jsonTypeName(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value === "bigint" ? "number" : typeof value;
}

function mismatchOf(value: unknown): ScalarResult {
  return { mismatch: jsonTypeName(value) };
}

function readQuantity(value: unknown): ScalarResult {
  if (typeof value !== "string" && !isNumeric(value)) return { problem: quantityProblem };
  const canonical = canonicalQuantity(String(value));
  return canonical === undefined ? { problem: quantityProblem } : { value: canonical };
}

function readBytes(text: string): ScalarResult {
  const bad = badBase64Byte(text);
  if (bad !== undefined) return { problem: `illegal base64 data at input byte ${bad}` };
  return { value: text.replaceAll(/[\r\n]/g, "") };
}

const isBase64Digit = (character: string | undefined): boolean =>
  character !== undefined && /[A-Za-z0-9+/]/.test(character);
const isLineBreak = (character: string | undefined): boolean => character === "\n" || character === "\r";

/** Returns the place at which Go refuses padded base64; undefined if it does not. Line breaks may be anywhere. */
function badBase64Byte(text: string): number | undefined {
  if (text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isBase64Digit(character)) digits = (digits + 1) % 4;
    else if (character === "=" && digits >= 2) return badPaddingByte(text, at + 1, digits === 2);
    else if (!isLineBreak(character)) return at;
  }
  return digits === 0 ? undefined : text.length - digits;
}

/** `at` is the place after the first padding character. */
function badPaddingByte(text: string, at: number, needsSecond: boolean): number | undefined {
  let next = afterLineBreaks(text, at);
  if (needsSecond) {
    if (next === text.length) return next;
    if (text[next] !== "=") return next - 1;
    next = afterLineBreaks(text, next + 1);
  }
  return next === text.length ? undefined : next;
}

function afterLineBreaks(text: string, at: number): number {
  let next = at;
  while (isLineBreak(text[next])) next += 1;
  return next;
}

const layouts = {
  time: { name: "2006-01-02T15:04:05Z07:00", fraction: /^(\.\d+)?/, digits: "" },
  microtime: { name: "2006-01-02T15:04:05.000000Z07:00", fraction: /^\.\d{6}/, digits: ".000000" },
} as const;

/** Models time.Parse for the two layouts that Kubernetes uses. */
function readTime(scalar: "time" | "microtime", text: string): ScalarResult {
  const layout = layouts[scalar];
  const fail = (rest: string, expected: string): ScalarResult => ({
    problem: `parsing time ${quote(text)} as ${quote(layout.name)}: cannot parse ${quote(rest)} as ${quote(expected)}`,
  });
  const date = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0];
  if (date === undefined) return fail(text, "2006");
  const clock = /^T\d{2}:\d{2}:\d{2}/.exec(text.slice(date.length))?.[0];
  if (clock === undefined) return fail(text.slice(date.length), "T");
  const rest = text.slice(date.length + clock.length);
  const fraction = layout.fraction.exec(rest)?.[0];
  if (fraction === undefined) return fail(rest, layout.digits);
  const zone = rest.slice(fraction.length);
  if (!/^(Z|[+-]\d{2}:\d{2})$/.test(zone)) return fail(zone, "Z07:00");
  const ms = Date.parse(`${date}${clock}${zone}`);
  if (Number.isNaN(ms)) return { problem: `parsing time ${quote(text)}: day out of range` };
  return { value: `${new Date(ms).toISOString().slice(0, 19)}${scalar === "time" ? "" : fraction}Z` };
}

function quote(text: string): string {
  return JSON.stringify(text);
}
