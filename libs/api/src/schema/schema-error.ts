import { typeWord } from "@landscaper/json";
import type { ErrorObject } from "ajv/dist/2020.js";
import { quoteText, shortenText } from "../errors/quote-text.ts";
import { didYouMean, findNearestName } from "../values/nearest-name.ts";

const typeWords: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  array: "a list",
  object: "an object",
  null: "null",
};

/** Type of a JSON value for messages; never the value, which may be a secret. */
function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object") return Object.keys(value).length === 0 ? "an empty object" : "an object";
  if (value === "") return "an empty string";
  return `a ${typeWord(value)}`;
}

/** "/imports/0/name" -> "imports[0].name" */
function toFieldPath(pointer: string): string {
  const names = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return names.reduce((path, name) => {
    if (/^\d+$/.test(name)) return `${path}[${shortenText(name)}]`;
    return joinPath(path, name);
  }, "");
}

function joinPath(parent: string, name: string): string {
  const shown = shortenText(name);
  return parent === "" ? shown : `${parent}.${shown}`;
}

function quoteList(values: unknown): string {
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)).join(", ") : "";
}

function expectedType(types: unknown): string {
  const list: readonly unknown[] = Array.isArray(types) ? types : [types];
  return list.map((name) => typeWords[String(name)] ?? String(name)).join(" or ");
}

function isRequirement(branch: unknown): branch is { required: string[] } {
  return typeof branch === "object" && branch !== null && "required" in branch && !("properties" in branch);
}

/** Fields of `exactlyOne`; empty for any other oneOf. */
function fieldsOfExactlyOne(error: ErrorObject): string[] {
  const branches: readonly unknown[] = Array.isArray(error.schema) ? error.schema : [];
  return branches.every(isRequirement) ? branches.flatMap(({ required }) => required) : [];
}

/** Unions say in their description what they take. */
function describeUnion(schema: unknown): string {
  const description = typeof schema === "object" && schema !== null && "description" in schema && schema.description;
  return typeof description === "string" ? description : "one of the allowed forms";
}

function atLeast(count: unknown, thing: string): string {
  return `at least ${String(count)} ${thing}${count === 1 ? "" : "s"}`;
}

const countedThings = { maxProperties: "fields", maxItems: "entries", maxLength: "characters" } as const;

function expected(error: ErrorObject): string {
  const { keyword, params } = error;
  switch (keyword) {
    case "type":
      return expectedType(params["type"]);
    case "enum":
      return `one of ${quoteList(params["allowedValues"])}`;
    case "const":
      return JSON.stringify(params["allowedValue"]);
    case "oneOf":
    case "anyOf": {
      const fields = fieldsOfExactlyOne(error);
      return fields.length > 0 ? `exactly one of the fields ${fields.join(", ")}` : describeUnion(error.parentSchema);
    }
    case "minProperties":
      return atLeast(params["limit"], "field");
    case "minItems":
      return atLeast(params["limit"], "entry").replace("entrys", "entries");
    case "uniqueItems":
      return "every entry once";
    case "minLength":
      return atLeast(params["limit"], "character");
    case "maxProperties":
    case "maxItems":
    case "maxLength":
      return `at most ${String(params["limit"])} ${countedThings[keyword]}`;
    case "pattern":
      return `text that matches ${JSON.stringify(params["pattern"])}`;
    case "multipleOf":
      return `a multiple of ${String(params["multipleOf"])}`;
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return `a number ${String(params["comparison"])} ${String(params["limit"])}`;
    case "format":
      return `a value of format ${String(params["format"])}`;
    default:
      return `a value that fits the keyword ${keyword}`;
  }
}

function depthOf(error: ErrorObject): number {
  return error.instancePath.split("/").length;
}

function isUnion({ keyword }: ErrorObject): boolean {
  return keyword === "oneOf" || keyword === "anyOf";
}

/** A union reports an error for every branch: the deepest one says most, and among equals the union's own. */
export function findTellingError(errors: readonly ErrorObject[]): ErrorObject | undefined {
  return errors.toSorted((a, b) => depthOf(b) - depthOf(a) || Number(isUnion(b)) - Number(isUnion(a)))[0];
}

/** Returns the most telling error of each union, and all other errors. Expects ajv's order: errors of branches precede the error of their union. */
export function findTellingErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const telling: ErrorObject[] = [];
  for (const error of errors) {
    const branches = isUnion(error) ? telling.splice(firstBranch(telling, error)) : [];
    telling.push(findTellingError([...branches, error]) ?? error);
  }
  return telling;
}

function firstBranch(errors: readonly ErrorObject[], union: ErrorObject): number {
  const isBranch = ({ schemaPath, instancePath }: ErrorObject): boolean =>
    schemaPath.startsWith(`${union.schemaPath}/`) && `${instancePath}/`.startsWith(`${union.instancePath}/`);
  return errors.findLastIndex((error) => !isBranch(error)) + 1;
}

/** What an explanation may use beside the error. */
interface ExplainOptions {
  /** The value has no secrets, so that the message may quote a word that is not one of the allowed words. Default: false. */
  readonly isPublic?: boolean;
  /** Schema of the whole value. A field that is unknown at its place, but is a field of this schema, gets a hint. */
  readonly root?: unknown;
}

/** "field: expected X, found Y", with the type of what was found, but not its value, and the nearest allowed name. */
export function explainSchemaError(error: ErrorObject, { isPublic = false, root }: ExplainOptions = {}): string {
  const path = toFieldPath(error.instancePath);
  if (error.keyword === "required") {
    return `${joinPath(path, String(error.params["missingProperty"]))}: required field is missing`;
  }
  if (error.keyword === "additionalProperties") {
    const field = String(error.params["additionalProperty"]);
    const problem = `${joinPath(path, field)}: unknown field`;
    if (path !== "" && fieldsOf(root).includes(field)) return `${problem}; ${field} is a field of the top level`;
    return `${problem}${didYouMean(findNearestName(field, fieldsOf(error.parentSchema)), ",")}`;
  }
  const at = path === "" ? "" : `${path}: `;
  return `${at}expected ${expected(error)}, found ${describeFound(error, isPublic)}${didYouMean(nearestWord(error), ",")}`;
}

function describeFound(error: ErrorObject, isPublic: boolean): string {
  const { data, keyword } = error;
  if (isPublic && keyword === "enum" && typeof data === "string" && data !== "") return quoteText(data);
  const found = allowsTexts(error) ? "another text" : (foundCount(error) ?? describe(data));
  if (isWordOfYaml(error)) return `${found}${yamlWords}`;
  return isUnquoted(error) ? `${found} (put it in quotes: ${JSON.stringify(String(data))})` : found;
}

/** Returns the allowed word that the found one resembles. Only the allowed word may be shown: the found one may be a secret. */
function nearestWord({ keyword, params, data }: ErrorObject): string | undefined {
  const allowed: unknown = keyword === "const" ? [params["allowedValue"]] : params["allowedValues"];
  // With one allowed word, the message already says what is meant.
  if (typeof data !== "string" || !Array.isArray(allowed) || allowed.length === 1) return undefined;
  return findNearestName(
    data,
    allowed.filter((word): word is string => typeof word === "string"),
  );
}

function fieldsOf(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null || !("properties" in schema)) return [];
  return Object.keys(schema.properties ?? {});
}

/** Returns the number of characters, entries or fields for a value that is too short; undefined for an empty one, which has words of its own. */
function foundCount({ keyword, data }: ErrorObject): string | undefined {
  const count = keyword.startsWith("min") ? countOf(data) : 0;
  return count === 0 ? undefined : String(count);
}

/** Counts code points of a string, as JSON Schema does. */
function countOf(value: unknown): number {
  if (typeof value === "string") return Array.from(value).length;
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
}

/** Whether a boolean is where a string belongs. */
function isWordOfYaml({ keyword, params, data }: ErrorObject): boolean {
  return keyword === "type" && params["type"] === "string" && typeof data === "boolean";
}

/** Writers of `name: n` did not mean a boolean. */
const yamlWords = " (YAML reads y, n, yes, no, on, off, true and false as booleans: put a string in quotes)";

/** Whether a number or boolean would be an allowed text if it had quotes. The message may then show the value, because it equals an allowed one. */
function isUnquoted({ keyword, params, data }: ErrorObject): boolean {
  const allowed: unknown = params["allowedValues"];
  if (keyword !== "enum" || !Array.isArray(allowed)) return false;
  return (typeof data === "number" || typeof data === "boolean") && allowed.includes(String(data));
}

/** Whether the value is a text, as the schema requires, but not one that the schema allows. */
function allowsTexts({ data, keyword, parentSchema }: ErrorObject): boolean {
  if (typeof data !== "string") return false;
  if (keyword === "pattern") return true;
  if (keyword === "const" || keyword === "enum") return isTextOrList(parentSchema?.[keyword]);
  const branches: unknown = keyword === "anyOf" ? parentSchema?.["anyOf"] : undefined;
  const isText = (schema: unknown): boolean =>
    typeof schema === "object" && schema !== null && "type" in schema && schema.type === "string";
  return Array.isArray(branches) && branches.some(isText);
}

/** Whether the value of `const` or `enum` is a text or contains one. */
function isTextOrList(allowed: unknown): boolean {
  return typeof allowed === "string" || (Array.isArray(allowed) && allowed.some((word) => typeof word === "string"));
}
