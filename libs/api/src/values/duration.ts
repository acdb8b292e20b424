import { configurationError } from "../errors/configuration-error.ts";
import { LandscaperError } from "../errors/error.ts";
import { didYouMean } from "./nearest-name.ts";

const millisecondsPerUnit: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3, // micro sign
  μs: 1e-3, // Greek mu
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
const part = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y;

/**
 * Milliseconds of a Go duration text such as "1h30m" or "1.5s"; "none" and "0" are 0 (core.md §3.4).
 * Throws LandscaperError for anything else.
 */
export function parseDuration(text: string): number {
  if (text === "none") return 0;
  const sign = text.startsWith("-") ? -1 : 1;
  const rest = text.replace(/^[+-]/, "");
  if (rest === "0") return 0;
  let total = 0;
  part.lastIndex = 0;
  let end = 0;
  while (end < rest.length) {
    part.lastIndex = end;
    const match = part.exec(rest);
    if (match === null) break;
    total += Number(match[1]) * (millisecondsPerUnit[match[2] ?? ""] ?? 0);
    end = part.lastIndex;
  }
  if (rest === "" || end < rest.length) {
    throw new LandscaperError({
      message: `expected a duration such as 5m30s, or none, found ${describeFound(text)}`,
      reason: "InvalidDuration",
      codes: ["ERR_CONFIGURATION_PROBLEM"],
      retry: "never",
    });
  }
  return sign * total;
}

/** Go units by the words that users write instead. */
const units: ReadonlyMap<string, string> = new Map([
  ["millisecond", "ms"],
  ["msec", "ms"],
  ["s", "s"],
  ["second", "s"],
  ["sec", "s"],
  ["m", "m"],
  ["minute", "m"],
  ["min", "m"],
  ["h", "h"],
  ["hour", "h"],
  ["hr", "h"],
]);

/** Describes a text that is not a duration. Quotes only a number with a unit of time: any other text may be a secret. */
function describeFound(text: string): string {
  if (text === "") return "an empty text";
  if (/^[+-]?\d+\.?\d*$/.test(text)) return "a number without a unit";
  const [, amount = "", word = ""] = /^(\d{1,6}) ?([a-z]{1,12})$/i.exec(text) ?? [];
  const unit = findUnit(word.toLowerCase());
  if (unit !== undefined) return `${JSON.stringify(text)}${didYouMean(`${amount}${unit}`)}`;
  const days = /^days?$|^d$/i.test(word) ? Number(amount) * 24 : 0;
  return days > 0 ? `${JSON.stringify(text)}${didYouMean(`${days}h`)}` : "another text";
}

function findUnit(word: string): string | undefined {
  return units.get(word) ?? units.get(word.replace(/s$/, ""));
}

/** Returns the milliseconds of a duration in the field `where` of a deploy item, at least 0. Throws LandscaperError (InvalidInput) that names the field. */
export function parseDurationField(text: string, where: string): number {
  let problem = "expected a duration of at least 0, found a negative one";
  try {
    const ms = parseDuration(text);
    if (ms >= 0) return ms;
  } catch (error) {
    if (!(error instanceof LandscaperError)) throw error;
    problem = error.message;
  }
  throw new LandscaperError({
    message: `${where}: ${problem}`,
    reason: "InvalidInput",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}

/** Milliseconds of a duration in a configuration file, at least 0. `where` begins the message. Throws LandscaperError. */
export function parseConfiguredDuration(text: string, where: string): number {
  let found = JSON.stringify(text);
  try {
    const ms = parseDuration(text);
    if (ms >= 0) return ms;
    found += ", which is negative";
  } catch (error) {
    if (!(error instanceof LandscaperError)) throw error;
  }
  throw configurationError(`${where}: expected a Go duration such as "1h30m" or "90s", or "none", found ${found}`);
}

function trimZeros(value: number, digits: number): string {
  return value.toFixed(digits).replace(/\.?0+$/, "");
}

/** Go's way to write a duration of `ms` milliseconds: "1h30m0s", "1.5s", "300ms"; 0 is "none". */
export function formatDuration(ms: number): string {
  if (ms === 0) return "none";
  if (ms < 0) return `-${formatDuration(-ms)}`;
  if (ms < 1e-3) return `${Math.round(ms * 1e6)}ns`;
  if (ms < 1) return `${trimZeros(ms * 1e3, 3)}µs`;
  if (ms < 1000) return `${trimZeros(ms, 6)}ms`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  const seconds = trimZeros((ms % 60_000) / 1000, 9);
  const start = hours > 0 ? `${hours}h${minutes}m` : minutes > 0 ? `${minutes}m` : "";
  return `${start}${seconds === "" ? "0" : seconds}s`;
}
