/** The type of a JSON value for messages: `typeof`, and "number" for each number. */
export function typeWord(value: unknown): string {
  return typeof value === "bigint" ? "number" : typeof value;
}
