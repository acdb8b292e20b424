import type { ContentBudget } from "@landscaper/budget";
import { GoRegExp } from "@landscaper/golang";
import { toGoJson } from "@landscaper/goyaml";
import { _, type Ajv, type ErrorObject } from "ajv";
import { isRecord } from "../parameter/describe-value.ts";
import { costKeyword } from "./weigh-schema.ts";

/** Errors of one evaluation, with what they hold. */
const bytesPerEvaluation = 512;
/** The same for an entry of the value, whose schema may have no cost of its own. */
const bytesPerEntry = 64;

/** Steps that a matcher does in about a millisecond. */
const instructionsPerMs = 20_000;

/** The check that is going on: what the keywords count in. Checks are synchronous, one at a time for each compiled schema. */
export interface RunningCheck {
  /** Begins errors of the budget. */
  place: string;
  budget: ContentBudget;
}

/** Adds the keyword that counts evaluations, and replaces those of ajv that take more than linear time. */
export function addBoundedKeywords(ajv: Ajv, check: RunningCheck): void {
  const count = (cost: number, data: unknown): void => {
    const size = sizeOf(data);
    check.budget.step(check.place, cost * (1 + size));
    check.budget.take(check.place, bytesPerEvaluation + size * bytesPerEntry);
  };
  ajv.addKeyword({
    keyword: costKeyword,
    schemaType: "number",
    before: "$ref",
    // A call in the code of the schema around it: a function for each schema would double the time to compile.
    code: ({ gen, data, schema }) => {
      gen.code(_`${gen.scopeValue("func", { ref: count })}(${schema}, ${data})`);
    },
  });
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    compile: (isUnique: boolean, { items }: Record<string, unknown>) => checkUnique(isUnique, items, check),
  });
}

/** Two characters of an address that the pattern of the format "url" compares in about so many ms. */
const msPerUrlPair = 1 / 1_000_000;

/** The one format of ajv-formats whose pattern takes more than linear time. */
export function boundUrlFormat(ajv: Ajv, check: RunningCheck): void {
  const pattern = ajv.formats["url"];
  if (!(pattern instanceof RegExp)) return;
  ajv.addFormat("url", {
    validate: (text: string) => {
      if (text.length > 1000) check.budget.announce(check.place, text.length ** 2 * msPerUrlPair);
      return pattern.test(text);
    },
  });
}

/** What a schema looks at in a value itself: its entries, or its characters. */
function sizeOf(data: unknown): number {
  if (typeof data === "string") return data.length / 64;
  if (Array.isArray(data)) return data.length;
  return isRecord(data) ? Object.keys(data).length : 0;
}

/** Gives its errors beside its result: so ajv calls it. */
interface DataCheck {
  (data: unknown): boolean;
  errors?: Partial<ErrorObject>[];
}

/** Compares items by their JSON, in linear time; the pair that an error names is the one that ajv would name. */
function checkUnique(isUnique: boolean, items: unknown, check: RunningCheck): DataCheck {
  const types = scalarTypesOf(items);
  const validate: DataCheck = (data: unknown) => {
    if (!isUnique || !Array.isArray(data) || data.length < 2) return true;
    check.budget.step(check.place, data.length);
    const pair = types === undefined ? findEqual(data, check) : findEqualScalars(data, types);
    if (pair === undefined) return true;
    const [i, j] = pair;
    const message = `must NOT have duplicate items (items ## ${j} and ${i} are identical)`;
    validate.errors = [{ keyword: "uniqueItems", params: { i, j }, message, data } satisfies Partial<ErrorObject>];
    return false;
  };
  return validate;
}

/** The last item that equals an earlier one, and the last of these. */
function findEqual(items: readonly unknown[], check: RunningCheck): [number, number] | undefined {
  const seen = new Map<string, number>();
  let found: [number, number] | undefined;
  for (const [index, item] of items.entries()) {
    const text = toGoJson(item);
    check.budget.step(check.place, 1 + text.length / 64);
    const before = seen.get(text);
    if (before !== undefined) found = [index, before];
    seen.set(text, index);
  }
  return found;
}

/** The same for items of scalar types: ajv leaves out those of other types, and finds the pair that begins last. */
function findEqualScalars(items: readonly unknown[], types: ReadonlySet<string>): [number, number] | undefined {
  const seen = new Map<unknown, number>();
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index];
    if (!isOfType(item, types)) continue;
    const after = seen.get(item);
    if (after !== undefined) return [index, after];
    seen.set(item, index);
  }
  return undefined;
}

function isOfType(value: unknown, types: ReadonlySet<string>): boolean {
  if (value === null) return types.has("null");
  if (typeof value !== "number") return types.has(typeof value);
  return (types.has("number") && Number.isFinite(value)) || (types.has("integer") && Number.isInteger(value));
}

/** The types of items, when all of them are scalar. */
function scalarTypesOf(items: unknown): ReadonlySet<string> | undefined {
  if (!isRecord(items) || items["type"] === undefined) return undefined;
  const { type, nullable } = items;
  const types = new Set<string>((Array.isArray(type) ? type : [type]).map(String));
  if (nullable === true) types.add("null");
  return types.size === 0 || types.has("object") || types.has("array") ? undefined : types;
}

/** How ajv compiles patterns: in Go's syntax, matched in linear time, which the budget is told before. */
export function patternCompiler(check: RunningCheck): (pattern: string) => { test: (text: string) => boolean } {
  return (pattern) => {
    check.budget.step(check.place, pattern.length);
    const compiled = GoRegExp.compile(pattern);
    const test = (text: string): boolean => {
      const milliseconds = (compiled.size * text.length) / instructionsPerMs;
      if (milliseconds < 1) check.budget.step(check.place, 1 + milliseconds * 100);
      else check.budget.announce(check.place, milliseconds);
      return compiled.test(text);
    };
    // ajv keeps patterns apart by their texts: without one of its own each would be taken for the first.
    return { test, toString: () => pattern };
  };
}
