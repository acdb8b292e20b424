/** Numbers of each field of a schedule, and names for some of them. */
const fields: readonly { readonly least: number; readonly most: number; readonly names: readonly string[] }[] = [
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

/** Why a schedule of a CronJob cannot be read; undefined if it can. */
export function scheduleProblem(schedule: string): string | undefined {
  const text = schedule.replace(/^(CRON_)?TZ=\S*/, "").trim();
  if (text.startsWith("@")) return descriptorProblem(text);
  const parts = text.split(/\s+/);
  if (parts.length !== 5) return `expected exactly 5 fields, found ${parts.length}: [${parts.join(" ")}]`;
  return parts.map((part, i) => fieldProblem(part, i)).find((problem) => problem !== undefined);
}

function descriptorProblem(text: string): string | undefined {
  if (descriptors.has(text)) return undefined;
  const duration = /^@every (.*)$/.exec(text)?.[1];
  if (duration === undefined) return `unrecognized descriptor: ${text}`;
  const isDuration = /^[-+]?(0|(\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h))+$/.test(duration);
  return isDuration ? undefined : `failed to parse duration ${text}: missing unit in duration`;
}

function fieldProblem(text: string, index: number): string | undefined {
  return text
    .split(",")
    .map((part) => partProblem(part, index))
    .find((problem) => problem !== undefined);
}

/** A number, a range or a wildcard, each with or without a step. */
function partProblem(part: string, index: number): string | undefined {
  const { least = 0, most = 0, names = [] } = fields[index] ?? {};
  const [range = "", step, ...rest] = part.split("/");
  if (rest.length > 0) return `too many slashes: ${part}`;
  if (step !== undefined && !/^\d+$/.test(step)) return `failed to parse int from ${step}`;
  if (step !== undefined && Number(step) === 0) return `step of range should be a positive number: ${part}`;
  if (range === "*" || range === "?") return undefined;
  const [first, last, ...more] = range.split("-").map((number) => numberOf(number, names));
  if (more.length > 0) return `too many hyphens: ${part}`;
  if (first === undefined || (range.includes("-") && last === undefined)) return `failed to parse int from ${range}`;
  const end = last ?? (step === undefined ? first : most);
  if (first < least) return `beginning of range (${first}) below minimum (${least}): ${part}`;
  if (end > most) return `end of range (${end}) above maximum (${most}): ${part}`;
  return first > end ? `beginning of range (${first}) beyond end of range (${end}): ${part}` : undefined;
}

function numberOf(text: string, names: readonly string[]): number | undefined {
  const named = names.indexOf(text.toLowerCase());
  if (named !== -1) return names.length === 12 ? named + 1 : named;
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
