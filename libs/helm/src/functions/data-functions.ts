import {
  type CallContext,
  FunctionError,
  type FunctionMap,
  type GoFunction,
  type GoMap,
  type Value,
  define,
  fromPlain,
  isMap,
  isSlice,
  nilList,
  withType,
} from "@landscaper/golang";
import { fromGoJson, fromYaml, JsonError, toGoJson, toYaml, YamlError } from "@landscaper/goyaml";
import { fromToml } from "../toml/from-toml.ts";
import { toToml } from "../toml/to-toml.ts";
import { TomlError } from "../toml/toml-error.ts";
import { toYamlPretty } from "./to-yaml-pretty.ts";

/** Steps of the budget per character: the engine's own charge is for looking at a text, not for taking it apart. */
const steps = { yaml: 2, json: 0.25, toml: 5 } as const;

type Format = keyof typeof steps;

/** Writes a value, or gives the words of what is wrong. */
type Write = (value: Value, context: CallContext) => string | FunctionError;

function writer(format: Format, write: (value: Value) => string): Write {
  return (value, context) => {
    try {
      const text = write(value);
      context.spend(text.length * steps[format]);
      return text;
    } catch (error) {
      if (error instanceof YamlError || error instanceof TomlError || error instanceof RangeError) {
        return new FunctionError(error.message);
      }
      throw error;
    }
  };
}

/** A function that gives `onError` for what cannot be written. */
function lenient(write: Write, onError: (error: FunctionError) => string = () => ""): GoFunction {
  return define(["any"], ([value], context) => {
    const result = write(value, context);
    return typeof result === "string" ? result : onError(result);
  });
}

function must(write: Write): GoFunction {
  return define(["any"], ([value], context) => {
    const result = write(value, context);
    if (typeof result !== "string") throw result;
    return result;
  });
}

type Kind = "map" | "list";

/** Reads a text; what is wrong with it becomes the result. */
function reader(format: Format, read: (text: string, kind: Kind) => Value, kind: Kind = "map"): GoFunction {
  return define(["string"], ([text], context) => {
    context.spend(text.length * steps[format]);
    try {
      return read(text, kind);
    } catch (error) {
      const isProblem = error instanceof YamlError || error instanceof JsonError || error instanceof TomlError;
      if (!isProblem) throw error;
      if (kind === "list") return [error.message];
      const partial = error instanceof JsonError ? fromPlain(error.value) : null;
      return new Map([...(isMap(partial) ? partial : []), ["Error", error.message]]);
    }
  });
}

/** What json.Unmarshal says of a value that is no map or list; a nil one for null. */
function checkKind(value: Value, kind: Kind): Value {
  if (value === null) return kind === "map" ? nilMap() : nilList();
  if (kind === "map" ? isMap(value) : isSlice(value)) return value;
  const type = kind === "map" ? "map[string]interface {}" : "[]interface {}";
  throw new JsonError(`json: cannot unmarshal ${jsonKind(value)} into Go value of type ${type}`);
}

function nilMap(): GoMap {
  const map: GoMap = new Map();
  return withType(map, { name: "map[string]interface {}", element: "interface {}", isNil: true });
}

function jsonKind(value: Value): string {
  if (isMap(value)) return "object";
  if (isSlice(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

function readJson(text: string, kind: Kind): Value {
  try {
    return checkKind(fromPlain(fromGoJson(text)), kind);
  } catch (error) {
    // A number that is too large is found after a value of the wrong kind; null stands for one that is all of the text.
    if (error instanceof JsonError && error.value !== undefined) checkKind(fromPlain(error.value ?? 0), kind);
    throw error;
  }
}

/** YAML is read through JSON, and the error says so. */
function readYaml(text: string, kind: Kind): Value {
  const value = fromPlain(fromYaml(text));
  if (value === null) return kind === "map" ? new Map() : [];
  try {
    return checkKind(value, kind);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new JsonError(`error unmarshaling JSON: while decoding JSON: ${error.message}`);
  }
}

function withoutNewline(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}

const writeYaml = writer("yaml", (value) => withoutNewline(toYaml(value)));
const writeYamlPretty = writer("yaml", (value) => withoutNewline(toYamlPretty(value)));
const writeJson = writer("json", (value) => toGoJson(value));
const writeToml = writer("toml", toToml);

/** YAML, JSON and TOML. The `must` variants of toYaml and toToml are those of Helm v4. */
export const dataFunctions: FunctionMap = {
  toYaml: lenient(writeYaml),
  mustToYaml: must(writeYaml),
  toYamlPretty: lenient(writeYamlPretty),
  fromYaml: reader("yaml", readYaml),
  fromYamlArray: reader("yaml", readYaml, "list"),
  toJson: lenient(writeJson),
  mustToJson: must(writeJson),
  fromJson: reader("json", readJson),
  fromJsonArray: reader("json", readJson, "list"),
  toToml: lenient(writeToml, (error) => error.message),
  mustToToml: must(writeToml),
  fromToml: reader("toml", fromToml),
};
