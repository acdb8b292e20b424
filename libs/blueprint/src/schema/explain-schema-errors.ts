import { suggestName } from "@landscaper/api";
import type { ErrorObject } from "ajv";
import { describeType } from "../parameter/describe-value.ts";

/** More problems than this are not worth a status. */
const maxProblems = 5;

/** Problems beyond this many are not put into words: the number of different ones is not exact then. */
const maxExplained = 1000;

/** A schema can be as long as a blueprint: longer lists of values are cut. */
const maxValuesLength = 1000;

/** The problems of a value in words: path, expected, type of what was found. Never the value. */
export function explainSchemaErrors(errors: readonly ErrorObject[], path: string): string {
  const telling = errors.filter(isTelling);
  const explained = (telling.length === 0 ? errors : telling).slice(0, maxExplained);
  const lines = [...new Set(explained.map((error) => explain(error, path)))];
  const shown = lines.slice(0, maxProblems);
  if (lines.length > maxProblems) shown.push(`and ${lines.length - maxProblems} more`);
  return shown.join("; ");
}

/** if, not and the like repeat what other errors say better. */
function isTelling({ keyword }: ErrorObject): boolean {
  return keyword !== "if" && keyword !== "propertyNames";
}

function explain(error: ErrorObject, path: string): string {
  const at = path + pathOf(error.instancePath);
  const found = `found ${describeType(error.data)}`;
  const limit: unknown = error.params["limit"];
  switch (error.keyword) {
    case "type":
      return `${at}: expected ${typesOf(error.params["type"])}, ${found}`;
    case "required":
    case "dependentRequired":
    case "dependencies":
      return `${at}.${String(error.params["missingProperty"])}: expected a value, found nothing`;
    case "additionalProperties":
      return `${at}: ${notAllowed(error, error.params["additionalProperty"])}`;
    case "unevaluatedProperties":
      return `${at}: ${notAllowed(error, error.params["unevaluatedProperty"])}`;
    case "enum":
      return `${at}: expected one of ${valueText(error.params["allowedValues"])}, found another value`;
    case "const":
      return `${at}: expected ${valueText(error.params["allowedValue"])}, found another value`;
    case "pattern":
      return `${at}: expected text that matches ${JSON.stringify(error.params["pattern"])}, found text that does not`;
    case "format":
      return `${at}: expected text in the format ${String(error.params["format"])}, found text in another form`;
    case "minLength":
    case "maxLength":
      return `${at}: expected ${boundWord(error.keyword)} ${String(limit)} characters`;
    case "minItems":
    case "maxItems":
      return `${at}: expected ${boundWord(error.keyword)} ${String(limit)} items`;
    case "minProperties":
    case "maxProperties":
      return `${at}: expected ${boundWord(error.keyword)} ${String(limit)} fields`;
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return `${at}: expected a number ${String(error.params["comparison"])} ${String(limit)}`;
    case "anyOf":
    case "oneOf":
      return `${at}: expected a value that fits ${error.keyword === "anyOf" ? "one" : "exactly one"} of the schemas`;
    case "false schema":
      return `${at}: expected nothing, ${found}`;
    default:
      return `${at}: expected ${expectedOf(error)}`;
  }
}

/** Returns what rare keywords expect. The words of the library may change, and may quote the value. */
function expectedOf({ keyword, params }: ErrorObject): string {
  switch (keyword) {
    case "multipleOf":
      return `a multiple of ${String(params["multipleOf"])}`;
    case "uniqueItems":
      return `every item once, found the items ${String(params["j"])} and ${String(params["i"])} to be equal`;
    case "contains":
      return `${countOf(params)} that fit the schema of contains`;
    case "additionalItems":
    case "items":
    case "unevaluatedItems":
      return `at most ${String(params["limit"] ?? params["len"])} items`;
    case "not":
      return "a value that does not fit the schema of not";
    case "if":
      return `a value that fits the schema of ${String(params["failingKeyword"])}`;
    case "propertyNames":
      return "field names that fit the schema of propertyNames";
    case "formatMinimum":
    case "formatMaximum":
    case "formatExclusiveMinimum":
    case "formatExclusiveMaximum":
      return `a value ${String(params["comparison"])} ${String(params["limit"])}`;
    default:
      return `a value that fits the keyword ${keyword}`;
  }
}

function countOf(params: ErrorObject["params"]): string {
  const most: unknown = params["maxContains"];
  return `at least ${String(params["minContains"])}${typeof most === "number" ? ` and at most ${most}` : ""} items`;
}

/** Describes a field that the schema does not allow, with the known field that is most like it. */
function notAllowed({ parentSchema }: ErrorObject, field: unknown): string {
  const properties: unknown = parentSchema?.["properties"];
  const known = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  return `the field ${JSON.stringify(field)} is not allowed${suggestName(String(field), known)}`;
}

function valueText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > maxValuesLength ? `${text.slice(0, maxValuesLength)}...` : text;
}

function boundWord(keyword: string): string {
  return keyword.startsWith("min") ? "at least" : "at most";
}

const typeWords: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  array: "a list",
  object: "a map",
  null: "null",
};

function typesOf(types: unknown): string {
  const list: readonly unknown[] = Array.isArray(types) ? types : [types];
  return list.map((type) => typeWords[String(type)] ?? String(type)).join(" or ");
}

/** "/a/0/b" as ".a[0].b". */
function pathOf(pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join("");
}
