import { type GoMap, fromPlain, isMap } from "@landscaper/golang";
import { fromYaml, YamlError } from "@landscaper/goyaml";
import { ChartError } from "../chart/chart-error.ts";
import type { ValueRules } from "../versions/helm-dialect.ts";
import { ValueMerging } from "./merge-values.ts";
import { splitDocuments } from "./split-documents.ts";

/**
 * Reads values.yaml, or a file of -f: a map, or an empty text. `documents`: "first" ignores all further YAML documents, "all" merges them in
 * their order. Throws YamlError and ChartError with Go's messages.
 */
export function parseValues(text: string, documents: ValueRules["documents"] = "first"): GoMap {
  if (documents === "first") return parseDocument(text);
  const merging = new ValueMerging();
  for (const document of splitDocuments(text)) merging.add(inDocument(() => parseDocument(document)));
  return merging.values;
}

function parseDocument(text: string): GoMap {
  const value = fromPlain(fromYaml(text));
  if (isMap(value)) return value;
  if (value === null) return new Map();
  const kind = Array.isArray(value) ? "array" : jsonKinds[typeof value];
  const prefix = "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal";
  throw new ChartError(`${prefix} ${kind} into Go value of type map[string]interface {}`);
}

function inDocument<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof YamlError) && !(error instanceof ChartError)) throw error;
    throw new ChartError(`cannot unmarshal yaml document: ${error.message}`, { cause: error });
  }
}

const jsonKinds: Readonly<Record<string, string>> = { string: "string", number: "number", boolean: "bool" };
