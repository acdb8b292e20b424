const nanosecondsByUnit: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1000n],
  ["µs", 1000n],
  ["μs", 1000n],
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
]);

/** Nanoseconds of a duration in Go's notation, or Go's error for the text. */
export type GoDuration = { readonly nanoseconds: bigint } | { readonly problem: string };

const amount = /(\d*)(?:(\.)(\d*))?/y;
const unitPattern = /[^.\d]*/y;
const maxNanoseconds = 2n ** 63n - 1n;
/** Digits of the largest amount; longer amounts overflow. */
const maxDigits = 19;

/** Reads a duration such as "1h30m", "-1.5s" or "0" in time that is linear in its length. */
export function readGoDuration(text: string): GoDuration {
  const sign = /^[-+]/.exec(text)?.[0] ?? "";
  const invalid = { problem: `time: invalid duration ${quote(text)}` };
  const limit = sign === "-" ? maxNanoseconds + 1n : maxNanoseconds;
  if (text.slice(sign.length) === "0") return { nanoseconds: 0n };
  if (text.length === sign.length) return invalid;
  let total = 0n;
  for (let at = sign.length; at < text.length;) {
    amount.lastIndex = at;
    const [part = "", whole = "", , fraction = ""] = amount.exec(text) ?? [];
    if (whole === "" && fraction === "") return invalid;
    const digits = whole.replace(/^0+/, "");
    if (digits.length > maxDigits) return invalid;
    unitPattern.lastIndex = at + part.length;
    const [unit = ""] = unitPattern.exec(text) ?? [];
    if (unit === "") return { problem: `time: missing unit in duration ${quote(text)}` };
    const factor = nanosecondsByUnit.get(unit);
    if (factor === undefined) return { problem: `time: unknown unit ${quote(unit)} in duration ${quote(text)}` };
    total += BigInt(digits) * factor + partOf(fraction.slice(0, maxDigits - 1), factor);
    if (total > limit) return invalid;
    at += part.length + unit.length;
  }
  return { nanoseconds: sign === "-" ? -total : total };
}

function partOf(fraction: string, factor: bigint): bigint {
  return (BigInt(fraction) * factor) / 10n ** BigInt(fraction.length);
}

/** Quotes as Go's package time does, which escapes the bytes of other characters. */
function quote(text: string): string {
  const escaped = text.replaceAll(/["\\]|[^ -~]+/g, (found) =>
    found === '"' || found === "\\"
      ? `\\${found}`
      : [...Buffer.from(found)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join(""),
  );
  return `"${escaped}"`;
}
