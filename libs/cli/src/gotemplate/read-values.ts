import { fromYaml, YamlError } from "@landscaper/goyaml";
import { InvocationError } from "../usage-error.ts";

export type Values = Readonly<Record<string, unknown>>;

/** A text that a command was given, and where from. */
export interface InputText {
  readonly name: string;
  readonly text: string;
}

/**
 * Values of several YAML texts, merged as Helm merges its -f files: maps key by key, everything else is replaced by what
 * comes later. Only the first document of a text counts. Throws InvocationError for what is no map.
 */
export function readValues(inputs: readonly InputText[]): Values {
  let merged: Values = {};
  for (const input of inputs) merged = mergeValues(merged, parseValues(input));
  return merged;
}

function parseValues({ name, text }: InputText): Values {
  let values: unknown;
  try {
    values = fromYaml(text);
  } catch (error) {
    if (error instanceof YamlError) throw new InvocationError(`${name}: ${error.explanation}`);
    throw error;
  }
  if (values === null) return {};
  if (!isMap(values)) throw new InvocationError(`${name}: expected a map of values, found ${describe(values)}`);
  return values;
}

function mergeValues(base: Values, over: Values): Values {
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(over)) {
    const known = merged.get(key);
    merged.set(key, isMap(known) && isMap(value) ? mergeValues(known, value) : value);
  }
  return Object.fromEntries(merged);
}

function isMap(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
