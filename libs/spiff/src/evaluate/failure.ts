import type { Cell } from "../value/cell.ts";

/**
 * How mistakes are told. Documents are evaluated with imports, and these may be secrets: a message says in which of its
 * parts data stands, so that it can also be shown without them.
 *
 * - `failLocally("list argument required")`: plain text holds no data. Names of functions, types, markers, parameters
 *   and printed expressions may stand in it, counts and positions too: they come from the template, or say nothing.
 * - `failLocally(quoting`'${text}' is no address`)`: everything that stands in the holes is data and prints as `[...]` in
 *   the safe form. `known(...)` around something in a hole says that it is not data.
 */

/** `*` local mistake, `@` pending or part of a cycle, `-` depends on a node that failed. */
export type FailureTag = "*" | "@" | "-";

/** A text in full, and with `[...]` in place of data. */
export interface Message {
  readonly text: string;
  readonly safeText: string;
}

export interface Issue extends Message {
  readonly nested: readonly Issue[];
  /** The text is a whole node of a template with its reason. */
  readonly isNode?: boolean;
}

export interface Failure {
  readonly tag: FailureTag | "";
  readonly issue: Issue;
  readonly at?: Cell;
  /** Nodes within the failed one: what fails among them is the cause. */
  readonly within?: readonly Cell[];
  /** Of a control: stubs do not take the place of the controls around it. */
  readonly isStuck?: boolean;
}

/** An expression without a value. `||` and `catch` see only local failures; pending ones make the whole wait. */
export class EvaluationFailure extends Error {
  readonly failure: Failure;

  /** `at`: the node that messages name, where it is not the one in evaluation. */
  constructor(failure: Failure, at?: Cell) {
    super(failure.issue.text);
    this.name = "EvaluationFailure";
    this.failure = at === undefined || failure.at !== undefined ? failure : { ...failure, at };
  }

  /** The same as a mistake of the expression itself. */
  asLocal(): EvaluationFailure {
    return new EvaluationFailure({ tag: "*", issue: this.failure.issue });
  }

  get isLocal(): boolean {
    return this.failure.tag === "*" || this.failure.tag === "";
  }
}

/** What stands in safe messages in place of data. */
export const withheld = "[...]";

/** A message that quotes data: what stands in the holes, unless it is `known` or a message itself. */
export function quoting(
  strings: TemplateStringsArray,
  ...holes: readonly (string | number | bigint | Message)[]
): Message {
  let text = strings[0] ?? "";
  let safeText = text;
  holes.forEach((hole, index) => {
    const after = strings[index + 1] ?? "";
    const isMessage = typeof hole === "object";
    text += `${isMessage ? hole.text : hole}${after}`;
    safeText += `${isMessage ? hole.safeText : withheld}${after}`;
  });
  return { text, safeText };
}

/** Text that holds no data. */
export function known(text: string): Message {
  return { text, safeText: text };
}

/** A message as the issue of a failure. */
export function issueOf(message: string | Message, nested: readonly Issue[] = []): Issue {
  return typeof message === "string"
    ? { text: message, safeText: message, nested }
    : { text: message.text, safeText: message.safeText, nested };
}

/** The failure of an expression that is data itself: nothing of it is safe to show. */
export function withheldFailure({ tag, issue, at }: Failure): EvaluationFailure {
  const hide = (hidden: Issue): Issue => ({ ...hidden, safeText: withheld, nested: hidden.nested.map(hide) });
  return new EvaluationFailure({ tag, issue: hide(issue) }, at);
}

/** Ends an expression with a mistake of its own. Data in the message is marked by `quoting`. */
export function failLocally(message: string | Message, nested: readonly Issue[] = []): never {
  throw new EvaluationFailure({ tag: "*", issue: issueOf(message, nested) });
}

/** Ends an expression because another node has no value. */
export function failPending(tag: "@" | "-", message: string | Message): never {
  throw new EvaluationFailure({ tag, issue: issueOf(message) });
}

/** Says that one of the limits was reached; ends the whole run. */
export class BudgetFailure extends Error {
  /** The node that was being evaluated. */
  at: Cell | undefined;

  constructor(message: string) {
    super(message);
    this.name = "BudgetFailure";
  }
}
