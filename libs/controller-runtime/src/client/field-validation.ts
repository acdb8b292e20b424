import { AsyncLocalStorage } from "node:async_hooks";
import type { FieldValidation } from "@landscaper/api";

/** How the writes of some work to foreign API servers are judged there. */
export interface WriteValidation {
  readonly fieldValidation: FieldValidation;
  /** What a server says of a request that it has carried out, such as an unknown field or a deprecated version. */
  readonly onWarning: (text: string) => void;
}

const validation = new AsyncLocalStorage<WriteValidation>();

/** Carries out `work`, whose writes to foreign API servers are judged as it says. */
export async function withFieldValidation<T>(options: WriteValidation, work: () => Promise<T>): Promise<T> {
  return await validation.run(options, work);
}

/** Without being asked, API servers read objects once more to warn of unknown and repeated fields, and nobody reads the warnings. */
export function presentFieldValidation(): FieldValidation {
  return validation.getStore()?.fieldValidation ?? "Ignore";
}

/** `299 - "text"`, each in a header of its own or behind a comma; a quote in the text stands behind a backslash (RFC 7234 5.5). */
const warningValue = /\b299 \S+ "((?:[^"\\]|\\.)*)"/g;

export function noteWarnings(headers: readonly string[]): void {
  const { onWarning } = validation.getStore() ?? {};
  if (onWarning === undefined) return;
  for (const header of headers) {
    for (const [, quoted = ""] of header.matchAll(warningValue)) onWarning(quoted.replaceAll(/\\(.)/g, "$1"));
  }
}
