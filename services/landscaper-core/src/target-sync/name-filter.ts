import type { TargetSyncSpec } from "@landscaper/api";
import { GoRegExp, RegExpSyntaxError } from "@landscaper/golang";
import { invalidTargetSync } from "./target-sync-error.ts";

/** Which objects of the source cluster become Targets. */
export interface NameFilter {
  readonly mode: "secrets" | "shoots" | "none";
  readonly matches: (name: string) => boolean;
}

function compile(field: string, expression: string): (name: string) => boolean {
  if (expression === "*") return () => true;
  try {
    const pattern = GoRegExp.compile(expression);
    return (name) => pattern.test(name);
  } catch (error) {
    if (!(error instanceof RegExpSyntaxError)) throw error;
    throw invalidTargetSync(`spec.${field}: expected * or a regular expression: ${error.message}`);
  }
}

/** "*" takes all names, everything else is a regular expression in Go's syntax that matches anywhere in the name (core.md §3.9). */
export function parseNameFilter(spec: TargetSyncSpec): NameFilter {
  const { secretNameExpression = "", shootNameExpression = "" } = spec;
  if (secretNameExpression !== "" && shootNameExpression !== "") {
    throw invalidTargetSync("spec: expected secretNameExpression or shootNameExpression, found both");
  }
  if (secretNameExpression !== "") {
    return { mode: "secrets", matches: compile("secretNameExpression", secretNameExpression) };
  }
  if (shootNameExpression !== "") {
    return { mode: "shoots", matches: compile("shootNameExpression", shootNameExpression) };
  }
  return { mode: "none", matches: () => false };
}
