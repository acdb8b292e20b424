import { identifyError, quoteText } from "@landscaper/api";
import { RegExpSyntaxError } from "@landscaper/golang";

type Explain = (...found: readonly string[]) => string;

/** Messages of ajv that say what a user has to change. */
const explanations: readonly (readonly [RegExp, Explain])[] = [
  [
    /^can't resolve reference (\S+) from id /,
    (ref = "") => `$ref: expected the address of a schema of the blueprint, found ${quoteText(ref)}`,
  ],
  [
    /^reference "([^"]*)" resolves to more than one schema$/,
    (address = "") => `two of its parts have the address ${quoteText(address)}; change the $id or $anchor of one`,
  ],
  [
    /^"(\$dynamicRef|\$recursiveRef)" only supports hash fragment reference$/,
    (keyword = "") => `${keyword}: expected a reference that begins with #, found another one`,
  ],
  [/^"nullable" cannot be used without "type"$/, () => "nullable: expected the keyword type beside it, found none"],
  [/^enum must have non-empty array$/, () => "enum: expected at least 1 entry, found an empty list"],
  [
    /^parent schema must have dependencies of (\w+): ([\w,]+)$/,
    (keyword = "", needed = "") => `${keyword}: expected the keyword ${needed} beside it, found none`,
  ],
  [
    /^(\w+) value must be \["(\w+)"\]$/,
    (keyword = "", type = "") => `${keyword}: expected a ${type}, found another value`,
  ],
];

/** Explains why a schema that fits its metaschema cannot be compiled, without the words of ajv. */
export function explainCompileError(error: unknown): string {
  // Landscaper throws this error itself. Its message has Go's words about the pattern.
  if (error instanceof RegExpSyntaxError) return error.message;
  const message = error instanceof Error ? error.message : "";
  for (const [pattern, explain] of explanations) {
    const match = pattern.exec(message);
    if (match !== null) return explain(...match.slice(1));
  }
  return `a keyword has a value that cannot be used (${identifyError(error)}); correct the schema`;
}
