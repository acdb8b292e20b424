/** One group of results as kubectl prints it: separated by blanks, objects and lists as JSON, strings without quotes. */
export function formatResults(results: readonly unknown[]): string {
  return results.map(formatValue).join(" ");
}

function formatValue(value: unknown): string {
  if (typeof value === "string") {
    return value;
  }
  if (typeof value === "number") {
    return formatNumber(value);
  }
  return toGoJson(value);
}

/** A number as Go's `%v`: an exponent below 1e-4 and from 1e21. */
function formatNumber(value: number): string {
  const text = String(value);
  const usesExponent = text.includes("e") || (value !== 0 && Math.abs(value) < 1e-4);
  return usesExponent ? value.toExponential().replace(/e([-+])(\d)$/, "e$10$2") : text;
}

/** JSON as Go's encoder writes it: sorted keys, `<`, `>`, `&` and the line separators escaped. */
function toGoJson(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(toGoJson).join(",")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    const sorted = fields.toSorted(([left], [right]) => (left < right ? -1 : 1));
    return `{${sorted.map(([key, field]) => `${toGoJson(key)}:${toGoJson(field)}`).join(",")}}`;
  }
  if (typeof value === "bigint") {
    return String(value);
  }
  return JSON.stringify(value ?? null).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}
