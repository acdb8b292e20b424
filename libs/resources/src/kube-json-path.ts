import { LandscaperError } from "@landscaper/api";
import { compileJsonPath, JsonPathError } from "@landscaper/jsonpath";

/** A path of an export or check: written without braces, with or without leading dot (deployers.md §2). */
export interface FieldPath {
  /** Everything that the path matches, in order; empty when nothing is there. */
  find(value: unknown): readonly unknown[];
}

/** Throws LandscaperError naming `where` when the expression is no path; it may be a rendered value, so nothing of it is quoted. */
export function compileFieldPath(expression: string, where: string): FieldPath {
  try {
    const path = compileJsonPath(normalize(expression), { allowMissingKeys: true });
    return { find: (value) => path.evaluate(value) };
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

function normalize(expression: string): string {
  const trimmed = expression.trim();
  if (trimmed.startsWith("{")) return trimmed;
  return trimmed.startsWith(".") || trimmed.startsWith("[") || trimmed.startsWith("$")
    ? `{${trimmed}}`
    : `{.${trimmed}}`;
}
