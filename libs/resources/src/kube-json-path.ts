import { LandscaperError, suggestName } from "@landscaper/api";
import { BudgetError, type ContentBudget } from "@landscaper/budget";
import { compileJsonPath, JsonPathError, maxPathValues, type JsonPath } from "@landscaper/jsonpath";

/** A path of an export or check: written without braces, with or without leading dot (deployers.md §2). */
export interface FieldPath {
  /**
   * Everything that the path matches, in order; empty when nothing is there. `budget` is what all paths of a pass share. Throws LandscaperError
   * (ContentLimitExceeded) for a path that looks at more of the value than that.
   */
  find(value: unknown, budget?: ContentBudget): FieldMatches;
}

export interface FieldMatches {
  readonly values: readonly unknown[];
  /** Why the path does not fit the value, such as an index beyond the end of a list; then there are no values. */
  readonly problem?: string | undefined;
  /** `: did you mean "NAME"?` if there are no values and the value has a field that is like the missing one; else "". */
  readonly suggestion: string;
}

/** Throws LandscaperError naming `where` when the expression is no path; it may be a rendered value, so nothing of it is quoted. */
export function compileFieldPath(expression: string, where: string): FieldPath {
  try {
    const path = compileJsonPath(normalize(expression), { allowMissingKeys: true });
    return { find: (value, budget) => findMatches(path, value, { where, budget }) };
  } catch (error) {
    const position = error instanceof JsonPathError ? error.position : undefined;
    throw new LandscaperError({
      message: `${where}: not a JSON path${position === undefined ? "" : `, see its position ${position}`}`,
      reason: "InvalidJsonPath",
      codes: ["ERR_CONFIGURATION_PROBLEM"],
      retry: "never",
    });
  }
}

/** What does not fit now may fit later, when the object has grown: that is no error. */
function findMatches(
  path: JsonPath,
  value: unknown,
  { where, budget }: { readonly where: string; readonly budget: ContentBudget | undefined },
): FieldMatches {
  try {
    const values = path.evaluate(value, budget);
    const missing = values.length === 0 ? path.findMissingField(value, budget) : undefined;
    return { values, suggestion: missing === undefined ? "" : suggestName(missing.name, missing.siblings) };
  } catch (error) {
    if (error instanceof BudgetError) {
      throw new LandscaperError({
        message: `${where}: the JSON paths of the item look at more than ${maxPathValues} values`,
        reason: "ContentLimitExceeded",
        codes: ["ERR_CONFIGURATION_PROBLEM"],
        retry: "never",
      });
    }
    if (!(error instanceof JsonPathError)) throw error;
    return { values: [], problem: error.reason, suggestion: "" };
  }
}

function normalize(expression: string): string {
  const trimmed = expression.trim();
  if (trimmed.startsWith("{")) return trimmed;
  return trimmed.startsWith(".") || trimmed.startsWith("[") || trimmed.startsWith("$")
    ? `{${trimmed}}`
    : `{.${trimmed}}`;
}
