import { readGoDuration } from "../objects/go-duration.ts";

interface ScheduleField {
  readonly least: number;
  readonly most: number;
  /** Names of the numbers from `least` on. */
  readonly names: readonly string[];
}

const fields: readonly ScheduleField[] = [
  { least: 0, most: 59, names: [] },
  { least: 0, most: 23, names: [] },
  { least: 1, most: 31, names: [] },
  { least: 1, most: 12, names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"] },
  { least: 0, most: 6, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
];

const descriptors: ReadonlySet<string> = new Set([
  "@annually",
  "@daily",
  "@hourly",
  "@midnight",
  "@monthly",
  "@weekly",
  "@yearly",
]);

/** Returns why a schedule of a CronJob is invalid, as the real server words it; undefined if it is valid. */
export function scheduleProblem(schedule: string): string | undefined {
  const text = withoutTimeZone(schedule);
  if (text.startsWith("@")) return descriptorProblem(text);
  const parts = text.split(/\p{White_Space}+/u).filter((part) => part !== "");
  if (parts.length !== 5) return `expected exactly 5 fields, found ${parts.length}: [${parts.join(" ")}]`;
  return firstProblem(parts, (part, i) => fieldProblem(part, i));
}

function withoutTimeZone(schedule: string): string {
  return /^(CRON_)?TZ=/.test(schedule) ? schedule.replace(/^\S*/, "").trim() : schedule;
}

const every = "@every ";

function descriptorProblem(text: string): string | undefined {
  if (descriptors.has(text)) return undefined;
  if (!text.startsWith(every)) return `unrecognized descriptor: ${text}`;
  const duration = readGoDuration(text.slice(every.length));
  return "problem" in duration ? `failed to parse duration ${text}: ${duration.problem}` : undefined;
}

function fieldProblem(text: string, index: number): string | undefined {
  const parts = text.split(",").filter((part) => part !== "");
  return firstProblem(parts, (part) => partProblem(part, index));
}

function firstProblem(
  parts: readonly string[],
  problemOf: (part: string, index: number) => string | undefined,
): string | undefined {
  for (const [i, part] of parts.entries()) {
    const problem = problemOf(part, i);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Returns why a number, range or wildcard, with or without a step, is invalid; undefined if it is valid. */
function partProblem(part: string, index: number): string | undefined {
  const { least = 0, most = 0, names = [] } = fields[index] ?? {};
  const [range = "", ...steps] = part.split("/");
  const [low = "", ...highs] = range.split("-");
  const isWildcard = low === "*" || low === "?";
  const first = isWildcard ? least : readNumber(low, { least, names });
  if (typeof first === "string") return first;
  if (!isWildcard && highs.length > 1) return `too many hyphens: ${part}`;
  const [high] = highs;
  let last: number | string = isWildcard ? most : first;
  if (!isWildcard && high !== undefined) last = readNumber(high, { least, names });
  if (typeof last === "string") return last;
  if (steps.length > 1) return `too many slashes: ${part}`;
  const step = steps[0] === undefined ? 1 : readNumber(steps[0]);
  if (typeof step === "string") return step;
  const end = steps.length > 0 && highs.length === 0 ? most : last;
  if (first < least) return `beginning of range (${first}) below minimum (${least}): ${part}`;
  if (end > most) return `end of range (${end}) above maximum (${most}): ${part}`;
  if (first > end) return `beginning of range (${first}) beyond end of range (${end}): ${part}`;
  return step === 0 ? `step of range should be a positive number: ${part}` : undefined;
}

/** Largest int of Go on 64 bits. */
const maxInteger = 2n ** 63n - 1n;

/** Returns the number that a text or name stands for, or why it does not stand for one. */
function readNumber(
  text: string,
  { least, names }: Pick<ScheduleField, "least" | "names"> = { least: 0, names: [] },
): number | string {
  const named = names.indexOf(text.toLowerCase());
  if (named !== -1) return least + named;
  const [, sign, digits] = /^([-+]?)0*(\d+)$/.exec(text) ?? [];
  const problem = `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: `;
  if (digits === undefined) return `${problem}invalid syntax`;
  if (digits.length > 19 || BigInt(digits) > maxInteger) return `${problem}value out of range`;
  return sign === "-" && digits !== "0" ? `negative number (-${digits}) not allowed: ${text}` : Number(digits);
}
