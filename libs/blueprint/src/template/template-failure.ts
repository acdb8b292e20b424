import { LandscaperError, redactLeaves } from "@landscaper/api";
import { TemplateError } from "@landscaper/gotemplate";
import { blueprintError } from "../blueprint-error.ts";
import { describeInput } from "./describe-input.ts";
import { sourceSnippet } from "./source-snippet.ts";

/** A template's text and the name that error positions bear: its file, or its execution for an inline one. */
export interface TemplateText {
  readonly name: string;
  readonly text: string;
}

/**
 * The error of a template with a snippet of its source and the input with its leaves redacted (core.md §3.7). Errors
 * that are no mistake of the template stay as they are.
 */
export function templateFailure(
  error: unknown,
  { where, template, bindings }: { where: string; template: TemplateText; bindings: Readonly<Record<string, unknown>> },
): unknown {
  if (!(error instanceof TemplateError)) return error;
  // The innermost error may be an own error of a function, such as a file that does not exist.
  const { templateName, line, column } = error.position;
  const message = redactLeaves(error.message, secretsOf(bindings));
  const parts = [`${where}: ${message}`];
  if (templateName === template.name && line > 0) {
    parts.push(`template source:\n${sourceSnippet(template.text, { line, column })}`);
  }
  if (error.kind === "execution") parts.push(`template input:\n${describeInput(bindings)}`);
  const at = [{ file: templateName, line, column: column === undefined ? undefined : column + 1 }];
  return blueprintError("TemplatingFailed", parts.join("\n"), { at, cause: withoutCause(error) });
}

/** Everything that came from imports, exports and state. */
function secretsOf(bindings: Readonly<Record<string, unknown>>): unknown {
  const { imports, deployitems, dataobjects, targets, state } = bindings;
  return [imports, deployitems, dataobjects, targets, state];
}

/** Only our own errors are kept as a cause: their codes count, and others may quote values. */
function withoutCause(error: TemplateError): unknown {
  return error.cause instanceof LandscaperError ? error.cause : undefined;
}
