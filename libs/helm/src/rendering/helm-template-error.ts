import { TemplateError } from "@landscaper/gotemplate";
import { AuthorError } from "../functions/flow-functions.ts";

/** A template's error in Helm's form; position, kind and cause stay. */
export function helmTemplateError(error: TemplateError): TemplateError {
  const { kind, position, cause } = error;
  const message = helmMessage(error);
  return message === undefined ? error : new TemplateError(message, { kind, position, cause });
}

function helmMessage(error: TemplateError): string | undefined {
  // The text has the form "template: PLACE: ...".
  const [, place = "", ...rest] = error.message.split(": ");
  const author = authorErrorIn(error);
  if (author !== undefined) return `execution error at (${place}): ${author.message}`;
  if (error.kind !== "parse" || error.cause !== undefined) return undefined;
  return `parse error at (${place}): ${rest.at(-1) ?? ""}`;
}

function authorErrorIn(error: unknown): AuthorError | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof AuthorError) return current;
  }
  return undefined;
}
