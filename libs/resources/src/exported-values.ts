import { LandscaperError } from "@landscaper/api";
import { BudgetError, type ContentBudget } from "@landscaper/budget";
import { maxPathValues } from "@landscaper/jsonpath";
import { defineField, fieldAt, isJsonObject, type JsonObject } from "./json-value.ts";

/** More than any document has; what is nested much deeper fails in ways that say nothing. */
const maxSteps = 100;

/** Exports of several keys as one value; a dotted key builds nested maps. Takes time linear in the keys and in what is merged. */
export class ExportedValues {
  readonly values: JsonObject = {};
  /** Maps that were made here. All others belong to objects of the target and do not change. */
  readonly #own = new WeakSet<JsonObject>([this.values]);

  /** As `mergeExports` merges. Merged fields count in the budget of the paths. Throws LandscaperError (ContentLimitExceeded). */
  add(key: string, value: unknown, budget: ContentBudget): void {
    const steps = key.split(".");
    if (steps.length > maxSteps)
      throw limitExceeded(`export key of ${steps.length} steps: expected at most ${maxSteps}`);
    const last = steps.pop() ?? "";
    const parent = steps.reduce((map, step) => this.#enter(map, step), this.values);
    try {
      this.#set(parent, last, { value, budget });
    } catch (error) {
      if (!(error instanceof BudgetError)) throw error;
      throw limitExceeded(
        `export of key ${key}: more than ${maxPathValues} fields are merged by exports of the same key`,
      );
    }
  }

  /** The map at a key, which may be changed. */
  #enter(map: JsonObject, key: string): JsonObject {
    const current = fieldAt(map, key);
    if (isJsonObject(current) && this.#own.has(current)) return current;
    const own = isJsonObject(current) ? mergeExports(current, {}) : {};
    this.#own.add(own);
    defineField(map, key, own);
    return own;
  }

  #set(map: JsonObject, key: string, { value, budget }: { value: unknown; budget: ContentBudget }): void {
    if (!isJsonObject(fieldAt(map, key)) || !isJsonObject(value)) {
      defineField(map, key, value);
      return;
    }
    const target = this.#enter(map, key);
    const members = Object.entries(value);
    budget.takeEntries("", members.length);
    for (const [name, member] of members) this.#set(target, name, { value: member, budget });
  }
}

function limitExceeded(message: string): LandscaperError {
  return new LandscaperError({
    message,
    reason: "ContentLimitExceeded",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}

/** Exports of two kinds as one: maps are merged, anything else of `upper` wins. */
export function mergeExports(lower: JsonObject, upper: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(lower)) defineField(result, key, value);
  for (const [key, value] of Object.entries(upper)) {
    const current = fieldAt(lower, key);
    defineField(result, key, isJsonObject(current) && isJsonObject(value) ? mergeExports(current, value) : value);
  }
  return result;
}
