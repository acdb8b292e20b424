import { readGoDuration } from "../../objects/go-duration.ts";

const day = 86_400_000_000_000n;

/** Units of the format `duration`. The beginning of a word decides: "seconds" counts as "sec". */
const wordsByUnit: readonly (readonly [RegExp, bigint])[] = [
  [/^(?:ns$|nano)/, 1n],
  [/^(?:us$|µs$|micro)/, 1000n],
  [/^(?:ms$|milli)/, 1_000_000n],
  [/^(?:s$|sec)/, 1_000_000_000n],
  [/^(?:m$|min)/, 60_000_000_000n],
  [/^(?:h$|hr$|hour)/, 3_600_000_000_000n],
  [/^(?:d$|day)/, day],
  [/^(?:w$|wk$|week)/, 7n * day],
];

/** Largest number before a unit that the server reads. */
const maxFactor = 2n ** 63n - 1n;
const maxFactorDigits = 19;

/**
 * Nanoseconds of a duration in the format `duration`: Go's ("1h30m", "-1.5s") or the wordy form ("2 days"). Undefined when it is neither.
 * Models kube-openapi strfmt.ParseDuration.
 */
export function parseGoDuration(text: string): bigint | undefined {
  const strict = readGoDuration(text);
  return "nanoseconds" in strict ? strict.nanoseconds : parseWords(text);
}

/** Each match begins where the previous one ends: the time is linear in the length of the text. */
const part = /(\d+)\s*([A-Za-zµ]*)|\D+/g;

function parseWords(text: string): bigint | undefined {
  let total: bigint | undefined;
  for (const [, digits, word = ""] of text.matchAll(part)) {
    const unit = word === "" ? undefined : wordsByUnit.find(([pattern]) => pattern.test(word.toLowerCase()));
    if (digits === undefined || unit === undefined) continue;
    const factor = factorOf(digits);
    if (factor === undefined) return undefined;
    total = (total ?? 0n) + factor * unit[1];
  }
  return total;
}

function factorOf(text: string): bigint | undefined {
  const digits = text.replace(/^0+/, "");
  if (digits.length > maxFactorDigits) return undefined;
  const factor = BigInt(digits);
  return factor > maxFactor ? undefined : factor;
}
