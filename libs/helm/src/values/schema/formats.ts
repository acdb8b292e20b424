import { FunctionError, GoRegExp, RegExpSyntaxError, parseTime, parseUrl, quote } from "@landscaper/golang";
import { isIPv6 } from "node:net";
import { quoted } from "./schema-failure.ts";

/** Why a text has not the format, in the words of the library that Helm uses; undefined if it has, or nobody knows it. */
export function formatProblem(format: string, text: string): string | undefined {
  return checks.get(format)?.(text);
}

type Check = (text: string) => string | undefined;

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["date", (text) => dateProblem(text)],
  ["time", timeProblem],
  ["date-time", dateTimeProblem],
  ["email", emailProblem],
  ["hostname", hostnameProblem],
  ["ipv4", ipv4Problem],
  ["ipv6", ipv6Problem],
  ["uri", (text) => urlProblem(text, true)],
  ["iri", (text) => urlProblem(text, true)],
  ["uri-reference", (text) => urlProblem(text, false)],
  ["iri-reference", (text) => urlProblem(text, false)],
  ["uuid", uuidProblem],
  ["json-pointer", jsonPointerProblem],
  ["regex", regexProblem],
]);

function dateProblem(text: string): string | undefined {
  const parsed = parseTime("2006-01-02", text);
  return typeof parsed === "string" ? parsed : undefined;
}

function timeProblem(text: string): string | undefined {
  if (text.length < 9) return "less than 9 characters long";
  if (text[2] !== ":" || text[5] !== ":") return "missing colon in correct place";
  const [hour, minute, second] = [0, 3, 6].map((at) => Number(/^\d\d$/.exec(text.slice(at, at + 2))?.[0]));
  if (hour === undefined || minute === undefined || second === undefined) return undefined;
  if (!(hour <= 23 && minute <= 59 && second <= 60)) return "hour/min/sec out of range";
  return zoneProblem(text.slice(8).replace(/^\.\d+/, ""));
}

function zoneProblem(zone: string): string | undefined {
  if (zone === "z" || zone === "Z") return undefined;
  if (zone.length !== 6) return "offset must be 6 characters long";
  return /^[+-]([01]\d|2[0-3]):[0-5]\d$/.test(zone) ? undefined : "hour/min out of range in offset";
}

function dateTimeProblem(text: string): string | undefined {
  if (text.length < 20) return "less than 20 characters long";
  if (text[10] !== "t" && text[10] !== "T") return "11th character must be t or T";
  const date = dateProblem(text.slice(0, 10));
  if (date !== undefined) return `invalid date element: ${date}`;
  const time = timeProblem(text.slice(11));
  return time === undefined ? undefined : `invalid time element: ${time}`;
}

function emailProblem(text: string): string | undefined {
  const at = text.lastIndexOf("@");
  if (text.length > 254) return "more than 255 characters long";
  if (at < 0) return "missing @";
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (local.length > 64) return "local part more than 64 characters long";
  if (!/^".*"$/s.test(local)) {
    if (local.startsWith(".")) return "starts with dot";
    if (local.endsWith(".")) return "ends with dot";
    if (local.includes("..")) return "consecutive dots";
    const wrong = Array.from(local).find((rune) => !/[\w.!#$%&'*+/=?^`{|}~-]/.test(rune));
    if (wrong !== undefined) return `invalid character ${quoted(wrong)}`;
  }
  const problem = hostnameProblem(domain);
  return problem === undefined ? undefined : `invalid domain: ${problem}`;
}

function hostnameProblem(text: string): string | undefined {
  const name = text.endsWith(".") ? text.slice(0, -1) : text;
  if (name.length > 253) return "more than 253 characters long";
  for (const label of name.split(".")) {
    if (label.length < 1 || label.length > 63) return "label must be 1 to 63 characters long";
    if (label.startsWith("-")) return "label starts with hyphen";
    if (label.endsWith("-")) return "label ends with hyphen";
    const wrong = Array.from(label).find((rune) => !/^[a-zA-Z0-9-]$/.test(rune));
    if (wrong !== undefined) return `invalid character ${quoted(wrong)}`;
  }
  return undefined;
}

function ipv4Problem(text: string): string | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return "expected four decimals";
  for (const part of parts) {
    if (part.length > 1 && part.startsWith("0")) return "leading zeros";
    if (!/^[+-]?\d+$/.test(part)) return `strconv.Atoi: parsing ${quote(part)}: invalid syntax`;
    if (Number(part) < 0 || Number(part) > 255) return "decimal must be between 0 and 255";
  }
  return undefined;
}

function ipv6Problem(text: string): string | undefined {
  if (!text.includes(":")) return "missing colon";
  if (text.includes("%")) return "zone id is not a part of ipv6 address";
  return isIPv6(text) ? undefined : `ParseAddr(${quote(text)}): unable to parse IP`;
}

function urlProblem(text: string, isAbsolute: boolean): string | undefined {
  try {
    const url = parseUrl(text);
    if (isAbsolute && url.scheme === "") return "relative url";
    return text.includes("\\") ? "contains \\" : undefined;
  } catch (error) {
    if (error instanceof FunctionError) return error.message;
    throw error;
  }
}

function uuidProblem(text: string): string | undefined {
  const lengths = [8, 4, 4, 4, 12];
  const parts = text.split("-");
  if (parts.length !== lengths.length) return "must have 5 elements";
  for (const [index, part] of parts.entries()) {
    if (part.length !== lengths[index]) return `element ${index + 1} must be ${lengths[index] ?? 0} characters long`;
    const wrong = Array.from(part).find((rune) => !/^[0-9a-fA-F]$/.test(rune));
    if (wrong !== undefined) return `non-hex character ${quoted(wrong)}`;
  }
  return undefined;
}

function jsonPointerProblem(text: string): string | undefined {
  if (text === "") return undefined;
  if (!text.startsWith("/")) return "not starting with /";
  return /~(?![01])/.test(text) ? "~ must be followed by 0 or 1" : undefined;
}

function regexProblem(text: string): string | undefined {
  try {
    GoRegExp.compile(text);
    return undefined;
  } catch (error) {
    if (error instanceof RegExpSyntaxError) return error.message;
    throw error;
  }
}
