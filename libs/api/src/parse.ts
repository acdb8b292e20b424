import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormatsModule from "ajv-formats";
import type { Static, TSchema } from "typebox";
import { LandscaperError } from "./error.ts";

/** A value of unknown shape becomes a `T`, or a LandscaperError that names the field; `where` says where it was read. */
export type Parser<T> = (value: unknown, where: string) => T;

// The package is CommonJS: its function is the module's default under Node and bundlers alike, which its types do not say.
const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;

/** Type of a JSON value for messages; never the value, which may be a secret. */
function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return `a ${typeof value}`;
}

const typeWords: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  array: "a list",
  object: "an object",
  null: "null",
};

/** "/imports/0/name" -> "imports[0].name" */
function toFieldPath(pointer: string): string {
  const names = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return names.reduce((path, name) => {
    if (/^\d+$/.test(name)) return `${path}[${name}]`;
    return path === "" ? name : `${path}.${name}`;
  }, "");
}

function expected(error: ErrorObject): string {
  const { keyword, params, message } = error;
  switch (keyword) {
    case "type": {
      const types: unknown = params["type"];
      const list = Array.isArray(types) ? types : String(types).split(",");
      return list.map((name) => typeWords[String(name)] ?? String(name)).join(" or ");
    }
    case "enum":
      return `one of ${JSON.stringify(params["allowedValues"]).slice(1, -1).replaceAll(",", ", ")}`;
    case "const":
      return JSON.stringify(params["allowedValue"]);
    case "anyOf":
      return "one of the allowed forms";
    default:
      return `a value that ${message ?? "fits"}`;
  }
}

/** The deepest error says most: alternatives of a union report errors for every branch. */
function mostTelling(errors: readonly ErrorObject[]): ErrorObject | undefined {
  return errors.toSorted((a, b) => b.instancePath.split("/").length - a.instancePath.split("/").length)[0];
}

function joinPath(parent: string, name: string): string {
  return parent === "" ? name : `${parent}.${name}`;
}

function explain(error: ErrorObject): string {
  const path = toFieldPath(error.instancePath);
  if (error.keyword === "required") {
    return `${joinPath(path, String(error.params["missingProperty"]))}: required field is missing`;
  }
  const at = path === "" ? "" : `${path}: `;
  return `${at}expected ${expected(error)}, found ${describe(error.data)}`;
}

/**
 * Parser of one shape. Unknown fields are kept and accepted, defaults of the schema are filled in, the given value is not changed.
 * The error names the place, the field, what was expected and the type of what was found, never the value itself.
 */
export function createParser<T = unknown>(schema: TSchema, kind: string): Parser<T> {
  let validate: ValidateFunction | undefined;
  return (value, where) => {
    if (validate === undefined) {
      const ajv = new Ajv2020({ strict: false, useDefaults: true, verbose: true });
      addFormats(ajv);
      validate = ajv.compile(schema);
    }
    const copy: unknown = structuredClone(value);
    if (validate(copy)) return copy as T;
    const error = mostTelling(validate.errors ?? []);
    throw new LandscaperError({
      message: `${where}: not a valid ${kind}: ${error === undefined ? "unknown reason" : explain(error)}`,
      reason: "InvalidInput",
      codes: ["ERR_CONFIGURATION_PROBLEM"],
      retry: "never",
    });
  };
}

/** `createParser` with the schema's own static type. */
export function createSchemaParser<S extends TSchema>(schema: S, kind: string): Parser<Static<S>> {
  return createParser<Static<S>>(schema, kind);
}
