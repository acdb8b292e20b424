import { findMeantName, pureTemplateFunctions, sourceSnippet } from "@landscaper/blueprint";
import type { TemplateError } from "@landscaper/gotemplate";
import type { InputText, Values } from "./read-values.ts";

/** A template's error for the terminal: Go's text first, as it is, then the key or function that may be meant, and the source around it. */
export function explainTemplateError(error: TemplateError, { name, text }: InputText, values: Values): string {
  const meant = findMeantName(error.message, { bindings: values, functions: Object.keys(pureTemplateFunctions) });
  const parts = meant === undefined ? [error.message] : [`${error.message}\n${meant}`];
  const { templateName, line, column } = error.position;
  if (templateName === name && line > 0) parts.push(`template source:\n${sourceSnippet(text, { line, column })}`);
  return `${parts.join("\n\n")}\n`;
}
