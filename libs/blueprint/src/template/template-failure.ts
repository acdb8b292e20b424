import { LandscaperError, redactLeaves } from "@landscaper/api";
import { TemplateError } from "@landscaper/gotemplate";
import { blueprintError } from "../blueprint-error.ts";
import type { BlueprintFiles } from "../blueprint-source.ts";
import { describeInput } from "./describe-input.ts";
import { sourceSnippet } from "./source-snippet.ts";

/** A template's text and the name that error positions bear: its file, or its execution for an inline one. */
export interface TemplateText {
  readonly name: string;
  readonly text: string;
}

export interface FailedTemplate {
  /** Names the execution in messages. */
  readonly where: string;
  readonly template: TemplateText;
  readonly bindings: Readonly<Record<string, unknown>>;
  /** Included files are looked up here. */
  readonly files: BlueprintFiles;
}

/**
 * The error of a template with a snippet of its source and the input with its leaves redacted (core.md §3.7). Errors
 * that are no mistake of the template stay as they are.
 */
export function templateFailure(error: unknown, failed: FailedTemplate): unknown {
  if (!(error instanceof TemplateError)) return error;
  const { where, bindings } = failed;
  const { templateName, line, column } = error.position;
  const parts = [`${where}: ${redactLeaves(error.message, secretsOf(bindings))}`];
  const text = sourceOf(templateName, failed);
  if (text !== undefined && line > 0) parts.push(`template source:\n${sourceSnippet(text, { line, column })}`);
  if (error.kind === "execution") parts.push(`template input:\n${describeInput(bindings)}`);
  const at = [{ file: templateName, line, column: column === undefined ? undefined : column + 1 }];
  return blueprintError("TemplatingFailed", parts.join("\n"), { at, cause: withoutCause(error) });
}

function sourceOf(templateName: string, { template, files }: FailedTemplate): string | undefined {
  if (templateName === template.name) return template.text;
  return files.has(templateName) ? files.readText(templateName) : undefined;
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
