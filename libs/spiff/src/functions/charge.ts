import type { Environment } from "../evaluate/environment.ts";

/** Accounts for the text that a function gives. */
export function charged(text: string, { document }: Environment): string {
  document.budget.charge(text.length);
  return text;
}
