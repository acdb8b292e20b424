import { type Value, isSlice } from "@landscaper/golang";
import { findTwins, numberOf } from "./json-values.ts";
import { below, type Failure, numberText } from "./schema-failure.ts";
import { definedOnly, type Instance, type KeywordSchema, newInstance } from "./schema-instance.ts";
import type { Validator } from "./validate-value.ts";
import { gotWant } from "./validate-object.ts";

/** What the keywords for arrays say of a value that is one, in the order of the library that Helm uses. */
export function validateArray(validator: Validator, instance: Instance, scoped: KeywordSchema): Failure[] {
  const { value, at } = instance;
  if (!isSlice(value)) return [];
  const { schema } = scoped;
  const failures: (Failure | undefined)[] = [];
  const own = (text: string): number => failures.push({ at, text, causes: [] });
  const minimum = numberOf(schema.get("minItems"));
  if (minimum !== undefined && value.length < minimum) own(`minItems: ${gotWant(value.length, minimum)}`);
  const maximum = numberOf(schema.get("maxItems"));
  if (maximum !== undefined && value.length > maximum) own(`maxItems: ${gotWant(value.length, maximum)}`);
  const twins = schema.get("uniqueItems") === true ? findTwins(value) : undefined;
  if (twins !== undefined) own(`items at ${twins[0]} and ${twins[1]} are equal`);
  failures.push(...items(validator, instance, scoped));
  const contains = schema.get("contains");
  if (contains !== undefined && scoped.resource.draft >= 6) {
    failures.push(containsFailure(validator, instance, { scoped, contains }));
  }
  return definedOnly(failures);
}

function items(
  validator: Validator,
  { value, at, evaluated }: Instance,
  scoped: KeywordSchema,
): (Failure | undefined)[] {
  if (!isSlice(value)) return [];
  const { first, rest, restIsAdditional } = itemSchemas(scoped);
  const failures: (Failure | undefined)[] = [];
  if (rest === false && restIsAdditional && value.length > first.length) {
    for (const [index, schema] of first.entries()) {
      failures.push(validator.checkMember(value[index], { at, name: index, scoped, schema }));
    }
    const text = `last ${numberText(value.length - first.length)} additionalItem(s) not allowed`;
    return [...failures, { at, text, causes: [] }];
  }
  for (const [index, item] of value.entries()) {
    const schema = first[index] ?? rest;
    if (schema === undefined) break;
    evaluated.add(index);
    failures.push(validator.checkMember(item, { at, name: index, scoped, schema }));
  }
  return failures;
}

interface ItemSchemas {
  /** Of the first items, one each. */
  readonly first: readonly Value[];
  /** Of those behind. */
  readonly rest: Value;
  /** `rest` is additionalItems. */
  readonly restIsAdditional: boolean;
}

function itemSchemas({ schema, resource }: KeywordSchema): ItemSchemas {
  const own = schema.get("items");
  if (resource.draft === 2020) {
    const first = schema.get("prefixItems");
    return { first: isSlice(first) ? first : [], rest: own, restIsAdditional: false };
  }
  if (!isSlice(own)) return { first: [], rest: own, restIsAdditional: false };
  return { first: own, rest: schema.get("additionalItems"), restIsAdditional: true };
}

function containsFailure(
  validator: Validator,
  { value, at, evaluated }: Instance,
  { scoped, contains }: { readonly scoped: KeywordSchema; readonly contains: Value },
): Failure | undefined {
  if (!isSlice(value)) return undefined;
  const hasBounds = scoped.resource.draft >= 2019;
  const minimum = hasBounds ? numberOf(scoped.schema.get("minContains")) : undefined;
  const maximum = hasBounds ? numberOf(scoped.schema.get("maxContains")) : undefined;
  const matched: number[] = [];
  const causes: Failure[] = [];
  for (const [index, item] of value.entries()) {
    const failure = validator.checkPart(newInstance(item, below(at, index)), { ...scoped, references: [] }, contains);
    if (failure !== undefined) causes.push(failure);
    else {
      matched.push(index);
      if (scoped.resource.draft === 2020) evaluated.add(index);
    }
  }
  const places =
    matched.length === 0
      ? "but none matched"
      : `but matched ${numberText(matched.length)} items at ${matched.join(" ")}`;
  if (minimum !== undefined && matched.length < minimum) {
    return { at, text: `min ${numberText(minimum)} items required to match contains schema, ${places}`, causes };
  }
  if (minimum === undefined && matched.length === 0) return { at, text: "no items match contains schema", causes };
  if (maximum === undefined || matched.length <= maximum) return undefined;
  return { at, text: `max ${numberText(maximum)} items required to match contains schema, ${places}`, causes: [] };
}
