import { toGoJson } from "@landscaper/goyaml";
import { isRecord } from "../parameter/describe-value.ts";

const maxDepth = 10;
/** A status message is bounded and keeps its tail, so the input must not push the error out of it. */
const maxInputLength = 1500;
const maxJsonLength = 512;

/** Bindings whose values are secrets: everything that came from imports, exports and state. */
const secretBindings = new Set(["imports", "exports", "deployitems", "dataobjects", "targets", "values", "state"]);

/** The input of a template for an error text: one line per binding, values of secret ones replaced by their types. */
export function describeInput(bindings: Readonly<Record<string, unknown>>): string {
  const lines: string[] = [];
  let length = 0;
  for (const key of Object.keys(bindings).toSorted()) {
    if (!secretBindings.has(key)) continue;
    const json = toGoJson(redactTypes(bindings[key], 0), { escapeHtml: false });
    const line = `\t${key}: ${json.length > maxJsonLength ? `${json.slice(0, maxJsonLength)}...` : json}`;
    length += line.length;
    if (length > maxInputLength) return [...lines, "\t..."].join("\n");
    lines.push(line);
  }
  return lines.join("\n");
}

/** The value with its leaves replaced by `[...] (type)`, types in Go's words. */
export function redactTypes(value: unknown, depth: number): unknown {
  if (depth >= maxDepth) return `[...] (${goTypeOf(value)})`;
  if (Array.isArray(value)) return value.map((item: unknown) => redactTypes(item, depth + 1));
  if (isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactTypes(item, depth + 1)]));
  }
  return `[...] (${goTypeOf(value)})`;
}

function goTypeOf(value: unknown): string {
  if (value === null || value === undefined) return "nil";
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  return typeof value === "number" || typeof value === "bigint" ? "float64" : "map[string]interface {}";
}
