import { quoteTime } from "./quote-time.ts";

const nanosPerUnit: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const maxDuration = 2n ** 63n;

/** time.ParseDuration in nanoseconds; a string is Go's error message. */
export function parseGoDuration(text: string): bigint | string {
  const sign = text.startsWith("-") ? -1n : 1n;
  let rest = /^[+-]/.test(text) ? text.slice(1) : text;
  const invalid = `time: invalid duration ${quoteTime(text)}`;
  if (rest === "0") return 0n;
  if (rest === "") return invalid;
  let total = 0n;
  while (rest !== "") {
    const match = /^([0-9]*)(\.[0-9]*)?([^0-9.]*)/.exec(rest);
    const [all = "", whole = "", fraction = "", unit = ""] = match ?? [];
    if (whole === "" && fraction.length <= 1) return invalid;
    if (unit === "") return `time: missing unit in duration ${quoteTime(text)}`;
    const nanos = Object.hasOwn(nanosPerUnit, unit) ? nanosPerUnit[unit] : undefined;
    if (nanos === undefined) return `time: unknown unit ${quoteTime(unit)} in duration ${quoteTime(text)}`;
    total += BigInt(whole === "" ? "0" : whole) * nanos;
    const digits = fraction.slice(1);
    if (digits !== "") total += (BigInt(digits) * nanos) / 10n ** BigInt(digits.length);
    if (total > maxDuration) return invalid;
    rest = rest.slice(all.length);
  }
  if (sign > 0n && total === maxDuration) return invalid;
  return sign * total;
}

/** time.Duration.String: "1h30m0s", "1.5s", "2µs", "0s". */
export function formatGoDuration(nanos: bigint): string {
  if (nanos === 0n) return "0s";
  const magnitude = nanos < 0n ? -nanos : nanos;
  const sign = nanos < 0n ? "-" : "";
  if (magnitude < 1_000n) return `${sign}${magnitude}ns`;
  if (magnitude < 1_000_000n) return `${sign}${decimal(magnitude, 3)}µs`;
  if (magnitude < 1_000_000_000n) return `${sign}${decimal(magnitude, 6)}ms`;
  const seconds = magnitude / 1_000_000_000n;
  const small = `${decimal((seconds % 60n) * 1_000_000_000n + (magnitude % 1_000_000_000n), 9)}s`;
  const minutes = seconds / 60n;
  if (minutes === 0n) return sign + small;
  if (minutes < 60n) return `${sign}${minutes}m${small}`;
  return `${sign}${minutes / 60n}h${minutes % 60n}m${small}`;
}

/** value / 10^places without trailing zeros. */
function decimal(value: bigint, places: number): string {
  const divisor = 10n ** BigInt(places);
  const fraction = (value % divisor).toString().padStart(places, "0").replace(/0+$/, "");
  return `${value / divisor}${fraction === "" ? "" : `.${fraction}`}`;
}
