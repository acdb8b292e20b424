import type { Scanner } from "./scanner.ts";

/** Whether an operand can start here: what decides between a concatenation and the end. */
export function startsOperand(scanner: Scanner): boolean {
  const next = scanner.peek(1);
  switch (scanner.peek()) {
    case "-":
      return /[0-9]/.test(next);
    case ".":
      return /[A-Za-z0-9_[]/.test(next);
    case "*":
      return /[A-Za-z0-9_.(*]/.test(next);
    case "!":
      return next !== "=";
    default:
      return /["A-Za-z0-9_([{$~]/.test(scanner.peek());
  }
}
