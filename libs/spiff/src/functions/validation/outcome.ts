import { known, type Message } from "../../evaluate/failure.ts";

/** Whether a value passes, and a text that is true of it: "is of type int", "is not of type int". */
export interface Outcome {
  readonly isValid: boolean;
  readonly statement: Message;
}

/** An outcome with statements that hold no data. */
export function outcome(
  isValid: boolean,
  { valid, invalid }: { readonly valid: string; readonly invalid: string },
): Outcome {
  return { isValid, statement: known(isValid ? valid : invalid) };
}

/** Several statements as one. */
export function joinStatements(statements: readonly Message[]): Message {
  const [only] = statements;
  if (statements.length === 1 && only !== undefined) return only;
  const join = (form: "text" | "safeText"): string =>
    `(${statements.map((statement) => statement[form]).join(" and ")})`;
  return { text: join("text"), safeText: join("safeText") };
}
