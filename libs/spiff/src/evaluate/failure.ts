/** `*` local mistake, `@` pending or part of a cycle, `-` depends on a node that failed (spiff.md §7). */
export type FailureTag = "*" | "@" | "-";

export interface Issue {
  readonly text: string;
  readonly nested: readonly Issue[];
}

export interface Failure {
  readonly tag: FailureTag | "";
  readonly issue: Issue;
}

/** An expression without a value. `||` and `catch` see only local failures; pending ones make the whole wait. */
export class EvaluationFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.issue.text);
    this.name = "EvaluationFailure";
    this.failure = failure;
  }

  get isLocal(): boolean {
    return this.failure.tag === "*" || this.failure.tag === "";
  }
}

/** Ends an expression with a mistake of its own. */
export function failLocally(text: string, nested: readonly Issue[] = []): never {
  throw new EvaluationFailure({ tag: "*", issue: { text, nested } });
}

/** Ends an expression because another node has no value. */
export function failPending(tag: "@" | "-", text: string): never {
  throw new EvaluationFailure({ tag, issue: { text, nested: [] } });
}

/** Says that one of the limits was reached; ends the whole run. */
export class BudgetFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = "BudgetFailure";
  }
}
