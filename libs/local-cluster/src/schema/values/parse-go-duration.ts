const nanosecondsByUnit: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const day = 86_400_000_000_000n;

/** Names that only the format `duration` knows; a longer word counts by its beginning, as "seconds" by "sec". */
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

/**
 * Nanoseconds of a duration in the format `duration`: Go's ("1h30m", "-1.5s") or the wordy form ("2 days"). Undefined when it is neither.
 * Models kube-openapi strfmt.ParseDuration.
 */
export function parseGoDuration(text: string): bigint | undefined {
  return parseStrict(text) ?? parseWords(text);
}

function parseStrict(text: string): bigint | undefined {
  const [, sign, body = ""] = /^([-+]?)(.*)$/s.exec(text) ?? [];
  if (body === "0") {
    return 0n;
  }
  const parts = [...body.matchAll(/(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/gy)];
  const isComplete = parts.map(([part]) => part).join("") === body;
  if (!isComplete || parts.length === 0 || parts.some(([, whole, fraction]) => `${whole}${fraction ?? ""}` === "")) {
    return undefined;
  }
  const total = parts.reduce((sum, [, whole = "", fraction = "", unit = ""]) => {
    const nanoseconds = nanosecondsByUnit[unit] ?? 0n;
    const digits = fraction.slice(0, 18);
    return (
      sum + BigInt(whole || "0") * nanoseconds + (BigInt(digits || "0") * nanoseconds) / 10n ** BigInt(digits.length)
    );
  }, 0n);
  return sign === "-" ? -total : total;
}

function parseWords(text: string): bigint | undefined {
  let total: bigint | undefined;
  for (const [, factor = "0", word = ""] of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    const unit = wordsByUnit.find(([pattern]) => pattern.test(word.toLowerCase()));
    if (unit !== undefined) {
      total = (total ?? 0n) + BigInt(factor) * unit[1];
    }
  }
  return total;
}
