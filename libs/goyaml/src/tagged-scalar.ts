import { resolvePlainScalar, type ResolvedScalar } from "./resolve-scalar.ts";

const standardTag = "tag:yaml.org,2002:";

/** A scalar with an explicit tag; a string is go-yaml's error message. Unknown tags leave the text as it is. */
export function decodeTagged(tag: string, text: string): ResolvedScalar | string {
  if (!tag.startsWith(standardTag)) return { type: "string", value: text };
  const wanted = tag.slice(standardTag.length);
  switch (wanted) {
    case "str":
      return { type: "string", value: text };
    case "binary":
      return decodeBinary(text);
    case "bool":
    case "int":
    case "float":
    case "null":
    case "timestamp": {
      const found = resolvePlainScalar(text);
      if (found.type === wanted) return found;
      if (wanted === "float" && found.type === "int") return { type: "float", value: Number(found.value) };
      return `cannot decode !!${shortName(found)} \`${text}\` as a !!${wanted}`;
    }
    default:
      return { type: "string", value: text };
  }
}

function shortName(found: ResolvedScalar): string {
  return found.type === "string" ? "str" : found.type;
}

function decodeBinary(text: string): ResolvedScalar | string {
  const compact = text.replace(/[\r\n]/g, "");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(compact) || compact.length % 4 !== 0) {
    return "!!binary value contains invalid base64 data";
  }
  return { type: "string", value: Buffer.from(compact, "base64").toString("utf8") };
}
