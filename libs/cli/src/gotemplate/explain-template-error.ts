import { describeInput, sourceSnippet } from "@landscaper/blueprint";
import type { TemplateError } from "@landscaper/gotemplate";
import type { InputText, Values } from "./read-values.ts";

/** A template's error for the terminal: Go's text first, as it is, then the source around it and the redacted values. */
export function explainTemplateError(error: TemplateError, { name, text }: InputText, values: Values): string {
  const parts = [error.message];
  const { templateName, line, column } = error.position;
  if (templateName === name && line > 0) parts.push(`template source:\n${sourceSnippet(text, { line, column })}`);
  if (error.kind === "execution") parts.push(`template input:\n${describeInput({ values })}`);
  return `${parts.join("\n\n")}\n`;
}
