import { type GoMap, GoRegExp, type Value, isMap, isSlice } from "@landscaper/golang";
import { numberOf } from "./json-values.ts";
import { type Failure, membersOf, numberText, quoted, quotedList } from "./schema-failure.ts";
import { definedOnly, type Instance, type KeywordSchema, newInstance } from "./schema-instance.ts";
import type { Validator } from "./validate-value.ts";

/** What the keywords for objects say of a value that is one, in the order of the library that Helm uses. */
export function validateObject(validator: Validator, instance: Instance, scoped: KeywordSchema): Failure[] {
  const { value, at } = instance;
  if (!isMap(value)) return [];
  const own = (text: string, causes: readonly Failure[] = []): Failure => ({ at, text, causes });
  const { schema } = scoped;
  const { draft } = scoped.resource;
  const failures: (Failure | undefined)[] = [];
  const minimum = numberOf(schema.get("minProperties"));
  if (minimum !== undefined && value.size < minimum)
    failures.push(own(`minProperties: ${gotWant(value.size, minimum)}`));
  const maximum = numberOf(schema.get("maxProperties"));
  if (maximum !== undefined && value.size > maximum)
    failures.push(own(`maxProperties: ${gotWant(value.size, maximum)}`));
  const missing = missingNames(value, schema.get("required"));
  if (missing.length > 0)
    failures.push(own(`missing ${missing.length === 1 ? "property" : "properties"} ${quotedList(missing)}`));
  failures.push(...dependencies(validator, instance, { scoped, keyword: "dependencies" }));
  failures.push(...properties(validator, instance, scoped));
  const names = schema.get("propertyNames");
  if (names !== undefined && draft >= 6) {
    for (const name of sortedNames(value)) {
      const failure = validator.checkPart(newInstance(name, ""), { ...scoped, references: [] }, names);
      if (failure !== undefined) failures.push(own(`invalid propertyName ${quoted(name)}`, membersOf(failure)));
    }
  }
  if (draft >= 2019) {
    failures.push(...dependencies(validator, instance, { scoped, keyword: "dependentSchemas" }));
    failures.push(...dependencies(validator, instance, { scoped, keyword: "dependentRequired" }));
  }
  return definedOnly(failures);
}

export function gotWant(got: number, want: number): string {
  return `got ${numberText(got)}, want ${numberText(want)}`;
}

function missingNames(value: GoMap, names: Value): string[] {
  return isSlice(names) ? names.filter((name) => typeof name === "string").filter((name) => !value.has(name)) : [];
}

/** Go has them in random order. */
function sortedNames(value: GoMap): string[] {
  return [...value.keys()].toSorted();
}

function dependencies(
  validator: Validator,
  instance: Instance,
  { scoped, keyword }: { readonly scoped: KeywordSchema; readonly keyword: string },
): Failure[] {
  const { value, at } = instance;
  const wanted = scoped.schema.get(keyword);
  if (!isMap(value) || !isMap(wanted)) return [];
  return sortedNames(wanted).flatMap((name): readonly Failure[] => {
    const needs = wanted.get(name);
    if (!value.has(name) || needs === undefined) return [];
    if (isSlice(needs)) {
      const missing = missingNames(value, needs);
      if (missing.length === 0) return [];
      return [{ at, text: `properties ${quotedList(missing)} required, if ${quoted(name)} exists`, causes: [] }];
    }
    const failure = validator.checkPart(instance, scoped, needs);
    return failure === undefined ? [] : [failure];
  });
}

function properties(validator: Validator, instance: Instance, scoped: KeywordSchema): (Failure | undefined)[] {
  const { value, at, evaluated } = instance;
  if (!isMap(value)) return [];
  const { schema } = scoped;
  const named = schema.get("properties");
  const patterns = schema.get("patternProperties");
  const matchers = isMap(patterns) ? [...patterns].map(([text, part]) => [GoRegExp.compile(text), part] as const) : [];
  const additional = schema.get("additionalProperties");
  const failures: (Failure | undefined)[] = [];
  const unknown: string[] = [];
  for (const name of sortedNames(value)) {
    const parts = matchers.flatMap(([pattern, part]) => (pattern.test(name) ? [part] : []));
    const own = isMap(named) ? named.get(name) : undefined;
    if (own !== undefined) parts.unshift(own);
    if (parts.length === 0 && additional !== undefined) {
      if (additional === false) unknown.push(name);
      else parts.push(additional);
    }
    if (parts.length > 0 || additional === false) evaluated.add(name);
    for (const part of parts) failures.push(validator.checkMember(value.get(name), { at, name, scoped, schema: part }));
  }
  if (unknown.length > 0) {
    failures.push({ at, text: `additional properties ${quotedList(unknown)} not allowed`, causes: [] });
  }
  return failures;
}
