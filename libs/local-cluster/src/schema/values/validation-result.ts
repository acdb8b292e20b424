import type { FieldError } from "../../status/field-error.ts";
import { childOf, printPath } from "../field-path.ts";

/** One failed check. */
export interface Problem {
  /** The full text of the check, by which equal problems are recognized. */
  readonly text: string;
  /** The error, its field below `prefix` ("" for a whole object, "status" for a status alone). */
  toFieldError(prefix: string): FieldError;
}

/** A problem of the value at `path`. */
export function problemAt(path: string, text: string, toError: (field: string) => FieldError): Problem {
  const inside = (prefix: string): string => (path === "" ? prefix : childOf(prefix, path));
  return { text, toFieldError: (prefix) => toError(printPath(inside(prefix))) };
}

/** What a validation found; of failed alternatives the one with the most matches makes the best explanation. */
export class ValidationResult {
  readonly problems: Problem[] = [];
  matches = 0;

  get isValid(): boolean {
    return this.problems.length === 0;
  }

  add(problem: Problem): void {
    if (!this.problems.some(({ text }) => text === problem.text)) {
      this.problems.push(problem);
    }
  }

  merge(other: ValidationResult): void {
    for (const problem of other.problems) {
      this.add(problem);
    }
    this.matches += other.matches;
  }
}
