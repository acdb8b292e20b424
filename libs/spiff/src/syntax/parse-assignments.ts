import type { Assignment } from "./expression.ts";
import type { Scanner } from "./scanner.ts";

/** `k = v, ...` up to the closing bracket. */
export function parseAssignments(scanner: Scanner, close: string): Assignment[] {
  const entries: Assignment[] = [];
  scanner.skipBlanks();
  if (scanner.take(close)) return entries;
  for (;;) {
    scanner.skipBlanks();
    const key = scanner.parse();
    scanner.skipBlanks();
    scanner.expect("=");
    scanner.skipBlanks();
    entries.push({ key, value: scanner.parse() });
    scanner.skipBlanks();
    if (scanner.take(close)) return entries;
    scanner.expect(",");
  }
}
