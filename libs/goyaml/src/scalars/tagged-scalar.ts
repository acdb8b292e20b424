import { decodeBytes } from "../strings/decode-bytes.ts";
import { fitsInt64 } from "../numbers/parse-number.ts";
import { resolvePlainScalar, type ResolvedScalar } from "./resolve-scalar.ts";
import type { YamlScalar } from "../nodes/node.ts";
import { YamlError } from "../yaml-error.ts";

const standardTag = "tag:yaml.org,2002:";

/**
 * What a scalar means by its tag, or if it has none by its text; quoted and block scalars are strings. Tags that are no
 * standard ones say nothing. Throws YamlError for a text that its tag does not allow.
 */
export function resolveScalar(node: YamlScalar): ResolvedScalar {
  const { text, tag, style } = node;
  if (tag === undefined) return style === "plain" ? resolvePlainScalar(text) : { type: "string", value: text };
  if (!tag.startsWith(standardTag)) return { type: "string", value: text };
  const wanted = tag.slice(standardTag.length);
  switch (wanted) {
    case "binary":
      return { type: "string", value: decodeBinary(node) };
    case "bool":
    case "int":
    case "float":
    case "null":
    case "timestamp": {
      const found = resolvePlainScalar(text);
      if (found.type === wanted) return found;
      if (wanted === "float" && found.type === "int" && fitsInt64(found.value)) {
        return { type: "float", value: Number(found.value) };
      }
      throw decodeError(node, `!!${shortName(found)}`, `!!${wanted}`);
    }
    default:
      return { type: "string", value: text };
  }
}

function decodeError({ text, line, column }: YamlScalar, found: string, wanted: string): YamlError {
  const problem = `cannot decode ${found} as a ${wanted}`;
  return new YamlError(`yaml: cannot decode ${found} \`${text}\` as a ${wanted}`, { problem, line, column });
}

function shortName({ type }: ResolvedScalar): string {
  // Dates are looked for only where a timestamp may be.
  return type === "string" || type === "timestamp" ? "str" : type;
}

function decodeBinary(node: YamlScalar): string {
  const compact = node.text.replace(/[\r\n]/g, "");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(compact) || compact.length % 4 !== 0) {
    const { line, column } = node;
    throw new YamlError("yaml: !!binary value contains invalid base64 data", { line, column });
  }
  // What is no UTF-8 becomes U+FFFD, byte by byte, on the way through JSON.
  return decodeBytes(Buffer.from(compact, "base64"), () => "\ufffd");
}
