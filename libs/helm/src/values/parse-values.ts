import { type GoMap, fromPlain, isMap } from "@landscaper/golang";
import { fromYaml } from "@landscaper/goyaml";
import { ChartError } from "../chart/chart-error.ts";

/** values.yaml, or a file of -f: a map, or nothing. Throws YamlError and ChartError with Go's messages. */
export function parseValues(text: string): GoMap {
  const value = fromPlain(fromYaml(text));
  if (isMap(value)) return value;
  if (value === null) return new Map();
  const kind = Array.isArray(value) ? "array" : jsonKinds[typeof value];
  const prefix = "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal";
  throw new ChartError(`${prefix} ${kind} into Go value of type map[string]interface {}`);
}

const jsonKinds: Readonly<Record<string, string>> = { string: "string", number: "number", boolean: "bool" };
