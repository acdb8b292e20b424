import { toWellFormed } from "@landscaper/golang";

/** Where an error happened in a template's source. */
export interface TemplatePosition {
  readonly templateName: string;
  /** From 1. */
  readonly line: number;
  /** From 0, in bytes, as Go counts; undefined when only the line is known (parse errors). */
  readonly column?: number | undefined;
}

/** What kind of mistake it is: of the template's syntax, at run time, or work beyond a budget. */
export type TemplateErrorKind = "parse" | "execution" | "budget";

/**
 * A mistake in a template or its data. `message` has Go's form:
 * `template: name:line: text` or `template: name:line:column: executing "name" at <node>: text`.
 */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
  readonly kind: TemplateErrorKind;
  readonly position: TemplatePosition;

  constructor(message: string, options: { kind: TemplateErrorKind; position: TemplatePosition; cause?: unknown }) {
    // Templates may hold bytes that are no text.
    super(toWellFormed(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = options.kind;
    this.position = options.position;
  }

  get templateName(): string {
    return this.position.templateName;
  }
  get line(): number {
    return this.position.line;
  }
  get column(): number | undefined {
    return this.position.column;
  }
}
