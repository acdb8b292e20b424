/** JSON with sorted keys. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(inOrder(value));
}

/** The same data with sorted keys. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, inOrder(item)]));
}
