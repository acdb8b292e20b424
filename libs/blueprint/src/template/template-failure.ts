import { capMessage, LandscaperError, redacted, redactMessage, type SourceLocation } from "@landscaper/api";
import { TemplateError } from "@landscaper/gotemplate";
import type { SpiffError } from "@landscaper/spiff";
import { blueprintError, type BlueprintErrorReason } from "../blueprint-error.ts";
import type { BlueprintFiles } from "../blueprint-source.ts";
import { withFrankMessage } from "../provenance/frank-message.ts";
import { findMeantName } from "./find-meant-name.ts";
import { goTemplateFunctionNames } from "./go-template-functions.ts";
import { sourceSnippet } from "./source-snippet.ts";

/** A template's text and the name that error positions bear: its file, or its execution for an inline one. */
export interface TemplateText {
  readonly name: string;
  readonly text: string;
}

export interface FailedTemplate {
  /** Names the execution or the data mapping in messages. */
  readonly where: string;
  readonly template: TemplateText;
  /** Imports, exports and state, whose values are masked. */
  readonly bindings: Readonly<Record<string, unknown>>;
  /** What the template saw. Default: `bindings`. */
  readonly scope?: Readonly<Record<string, unknown>>;
  /** Included files are looked up here. */
  readonly files?: BlueprintFiles | undefined;
  /** Default TemplatingFailed. */
  readonly reason?: BlueprintErrorReason | undefined;
}

/**
 * The error of a Go template with a snippet of its source, and the nearest key or function of a misspelt one (core.md §3.7). Errors
 * that are not mistakes of the template stay as they are.
 */
export function goTemplateFailure(error: unknown, failed: FailedTemplate): unknown {
  if (!(error instanceof TemplateError)) return error;
  const { templateName: file, line, column } = error.position;
  return templateFailure(failed, {
    frank: error.message,
    message: maskQuoted(error.message, sourceOf(file, failed) ?? failed.template.text),
    places: line > 0 ? [{ file, line, column: column === undefined ? undefined : column + 1 }] : [{ file }],
    cause: error.cause,
  });
}

/** Functions whose messages are the author's own words, without any mark of what of it is an operand. */
const speaking = new Set(["fail", "required"]);

/** Functions quote what they refuse: what is quoted, but does not stand in the template, comes from its input. */
function maskQuoted(message: string, template: string): string {
  const call = [...message.matchAll(/: error calling (\w+): /g)].at(-1);
  if (call === undefined) return message;
  const detail = call.index + call[0].length;
  if (speaking.has(call[1] ?? "")) return message.slice(0, detail) + redacted;
  const masked = message
    .slice(detail)
    .replace(/(["`'])((?:\\.|(?!\1).)*)\1/gs, (quoted: string, quote: string, text: string) =>
      template.includes(text) ? quoted : `${quote}${redacted}${quote}`,
    );
  return message.slice(0, detail) + masked;
}

/** More unresolved nodes than these say nothing new, and would push the rest out of a status. */
const maxLines = 12;
const maxMessageLength = 1500;

/** The same for a document of the spiff language. `cause` is what a function of the host threw, if any. */
export function spiffFailure(error: SpiffError, failed: FailedTemplate, cause: unknown): LandscaperError {
  const { name } = failed.template;
  const placed = error.nodes.filter(({ line }) => line !== undefined);
  const places = placed.slice(0, maxLines).map(({ line, column }) => ({ file: name, line, column }));
  return templateFailure(failed, {
    frank: shorten(error.message),
    message: shorten(error.safeMessage),
    places: places.length > 0 ? places : [{ file: name, ...error.place }],
    cause,
  });
}

function shorten(message: string): string {
  const lines = message.split("\n");
  const shown = lines.slice(0, maxLines).join("\n").slice(0, maxMessageLength);
  return shown.length === message.length ? message : `${shown}\n\t... (${lines.length} lines)`;
}

interface TemplateFailure {
  /** Without operands: what is said unless a second rendering shows which of them derive from secrets. */
  readonly message: string;
  readonly frank: string;
  /** Lines and columns from 1; the first one is shown. */
  readonly places: readonly SourceLocation[];
  readonly cause: unknown;
}

function templateFailure(failed: FailedTemplate, { message, frank, places, cause }: TemplateFailure): LandscaperError {
  const { where, bindings, reason = "TemplatingFailed" } = failed;
  const parts: string[] = [];
  const [place] = places;
  const text = place === undefined ? undefined : sourceOf(place.file, failed);
  if (text !== undefined && place?.line !== undefined) {
    const column = place.column === undefined ? undefined : place.column - 1;
    parts.push(`template source:\n${sourceSnippet(text, { line: place.line, column })}`);
  }
  const meant = findMeantName(frank, { bindings: failed.scope ?? bindings, functions: goTemplateFunctionNames });
  const print = (said: string): string =>
    [`${where}: ${said}`, ...(meant === undefined ? [] : [meant]), ...parts].join("\n");
  // Only our own errors are kept as a cause: their codes count, and others may quote values.
  const error = blueprintError(reason, print(redactMessage(message, secretsOf(bindings))), {
    at: places,
    cause: cause instanceof LandscaperError ? cause : undefined,
  });
  return withFrankMessage(error, print(capMessage(frank)));
}

function sourceOf(file: string, { template, files }: FailedTemplate): string | undefined {
  if (file === template.name) return template.text;
  return files?.has(file) === true ? files.readText(file) : undefined;
}

/** Everything that came from imports, exports and state. */
function secretsOf(bindings: Readonly<Record<string, unknown>>): unknown {
  const { imports, exports, deployitems, dataobjects, targets, state } = bindings;
  return [imports, exports, deployitems, dataobjects, targets, state];
}
