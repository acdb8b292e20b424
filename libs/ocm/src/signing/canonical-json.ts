/**
 * JSON as RFC 8785 writes it: no spaces, keys by their UTF-16 code units, numbers and texts as ECMAScript writes them. Integers beyond 2^53 lose
 * digits, as the RFC says.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "bigint") return JSON.stringify(Number(value));
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${entries.join(",")}}`;
}
