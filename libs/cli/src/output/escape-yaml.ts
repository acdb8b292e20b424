import { parseDocument, visit } from "yaml";
import { escapeQuotedYaml, hasUnsafe } from "./clean-text.ts";

/** Replaces every unsafe character of one YAML document by its escape. The result parses to the same value; text without such characters is unchanged. */
export function escapeYaml(text: string): string {
  if (!hasUnsafe(text)) return text;
  const document = parseDocument(text, { logLevel: "error" });
  visit(document, {
    Scalar: (_key, node) => {
      // Only double-quoted strings have escapes.
      if (typeof node.value === "string" && hasUnsafe(node.value)) node.type = "QUOTE_DOUBLE";
    },
  });
  return escapeQuotedYaml(document.toString());
}
