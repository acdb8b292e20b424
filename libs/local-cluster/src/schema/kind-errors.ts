import { dns1035LabelProblems } from "../objects/validate-names.ts";
import type { FieldError } from "../status/field-error.ts";
import { invalidValue } from "./schema-errors.ts";

/** Errors of a kind, which is a DNS label in mixed case. */
export function kindErrors(path: string, kind: string): FieldError[] {
  const problems = dns1035LabelProblems(kind.toLowerCase());
  const detail = `may have mixed case, but should otherwise match: ${problems.join(",")}`;
  return problems.length === 0 ? [] : [invalidValue(path, kind, detail)];
}
