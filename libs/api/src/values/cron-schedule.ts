import { Cron } from "croner";
import { parseDuration } from "./duration.ts";
import { LandscaperError } from "../errors/error.ts";

/** The times of a cron specification. */
export interface CronSchedule {
  /** The first time after `after`; undefined when there is none, as for 30 February. */
  next(after: Date): Date | undefined;
}

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Words for `min`, `min + 1`, ... */
  readonly words?: readonly string[];
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const fields: readonly Field[] = [
  { name: "minute", min: 0, max: 59 },
  { name: "hour", min: 0, max: 23 },
  { name: "day of month", min: 1, max: 31 },
  { name: "month", min: 1, max: 12, words: months },
  { name: "day of week", min: 0, max: 6, words: weekdays },
];

const descriptors: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

const minEveryMs = 1000;

function invalid(text: string, problem: string): LandscaperError {
  return new LandscaperError({
    message: `not a cron specification: ${problem}, found "${text}"`,
    reason: "InvalidCronSpec",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: 'write five fields such as "0 2 * * MON-FRI", or "@hourly", or "@every 90m"; "TZ=Europe/Berlin " may come first',
    retry: "never",
  });
}

/**
 * Reads a cron specification as the original does (core.md §1.5 D12): minute, hour, day of month, month, day of week; or @hourly,
 * @daily, @midnight, @weekly, @monthly, @yearly, @annually; or "@every" with a Go duration. "TZ=ZONE " or "CRON_TZ=ZONE " before
 * it names the time zone, which is UTC otherwise. When both days are restricted, either of them suffices.
 * Throws LandscaperError (InvalidCronSpec) that names the field.
 */
export function parseCronSpec(text: string): CronSchedule {
  const [, zone = "UTC", spec = ""] = /^(?:(?:CRON_)?TZ=(\S*)\s+)?(.*)$/s.exec(text.trim()) ?? [];
  if (!isTimeZone(zone)) throw invalid(text, `expected the name of a time zone after "TZ="`);
  const every = /^@every\s+(.*)$/s.exec(spec)?.[1];
  if (every !== undefined) return everySchedule(text, every);
  if (spec.startsWith("@") && descriptors[spec] === undefined) {
    throw invalid(text, `expected one of ${Object.keys(descriptors).join(", ")} or "@every DURATION"`);
  }
  const parts = (descriptors[spec] ?? spec).split(/\s+/);
  if (parts.length !== fields.length) throw invalid(text, `expected ${fields.length} fields, found ${parts.length}`);
  const pattern = fields.map((field, index) => normalizeField(text, field, parts[index] ?? "")).join(" ");
  const cron = new Cron(pattern, { paused: true, mode: "5-part", timezone: zone === "" ? "UTC" : zone });
  return { next: (after) => cron.nextRun(after) ?? undefined };
}

function isTimeZone(zone: string): boolean {
  if (zone === "") return true;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** Whole seconds, at least one. */
function everySchedule(text: string, duration: string): CronSchedule {
  let ms: number;
  try {
    ms = parseDuration(duration);
  } catch {
    throw invalid(text, 'expected a Go duration after "@every"');
  }
  const delayMs = Math.max(minEveryMs, Math.floor(ms / 1000) * 1000);
  return { next: (after) => new Date(Math.floor(after.getTime() / 1000) * 1000 + delayMs) };
}

/** The field in the words of croner, which has neither "N/step" nor steps longer than the field. */
function normalizeField(text: string, field: Field, list: string): string {
  return list
    .split(",")
    .map((part) => normalizePart(text, field, part))
    .join(",");
}

function normalizePart(text: string, field: Field, part: string): string {
  const [, range = "", stepText] = /^([^/]+)(?:\/(\d+))?$/.exec(part) ?? [];
  const step = stepText === undefined ? 1 : Number(stepText);
  const bounds = parseRange(field, range, stepText !== undefined);
  if (bounds === undefined || step < 1) {
    const words = field.words === undefined ? "" : ` or ${field.words[0] ?? ""} to ${field.words.at(-1) ?? ""}`;
    throw invalid(text, `${field.name}: expected ${field.min} to ${field.max}${words}, A-B, * or a step such as */5`);
  }
  const { start, end, isAny } = bounds;
  if (isAny && step === 1) return "*";
  if (step > end - start) return String(start);
  return `${start}-${end}/${step}`;
}

interface Bounds {
  readonly start: number;
  readonly end: number;
  readonly isAny: boolean;
}

function parseRange(field: Field, range: string, hasStep: boolean): Bounds | undefined {
  const { min, max } = field;
  if (range === "*" || range === "?") return { start: min, end: max, isAny: true };
  const [first, last, ...more] = range.split("-").map((value) => parseValue(field, value));
  if (first === undefined || more.length > 0) return undefined;
  if (!range.includes("-")) return { start: first, end: hasStep ? max : first, isAny: false };
  return last === undefined || last < first ? undefined : { start: first, end: last, isAny: false };
}

function parseValue({ min, max, words }: Field, text: string): number | undefined {
  const word = words?.indexOf(text.toLowerCase()) ?? -1;
  if (word >= 0) return min + word;
  if (!/^\d{1,4}$/.test(text)) return undefined;
  const value = Number(text);
  return value < min || value > max ? undefined : value;
}
