import { compilePattern } from "@landscaper/cel";
import { isDeepEqual } from "@landscaper/patch";
import { isRecord } from "../../objects/json.ts";
import type { FieldError } from "../../status/field-error.ts";
import { childOf, elementOf } from "../field-path.ts";
import { forbiddenValue, invalidValue } from "../schema-errors.ts";

type Raw = Readonly<Record<string, unknown>>;

/** What alternatives may not say, because the structure of an object must not depend on its values. */
const forbiddenKeywords: readonly (readonly [string, string, (value: unknown) => boolean])[] = [
  ["type", "must be empty to be structural", isSet],
  ["additionalProperties", "must be undefined to be structural", isSet],
  ["default", "must be undefined to be structural", isSet],
  ["title", "must be empty to be structural", isSet],
  ["description", "must be empty to be structural", isSet],
  ["nullable", "must be false to be structural", (value) => value === true],
  ["x-kubernetes-preserve-unknown-fields", "must be false to be structural", (value) => value === true],
  ["x-kubernetes-embedded-resource", "must be false to be structural", (value) => value === true],
  ["x-kubernetes-int-or-string", "must be false to be structural", (value) => value === true],
  ["x-kubernetes-list-map-keys", "must be empty to be structural", (value) => Array.isArray(value) && value.length > 0],
  ["x-kubernetes-list-type", "must be undefined to be structural", isSet],
  ["x-kubernetes-map-type", "must be undefined to be structural", isSet],
  ["x-kubernetes-validations", "must be empty to be structural", (value) => Array.isArray(value) && value.length > 0],
];

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

/** The one use of `type` inside of anyOf that is allowed. */
const intOrString = [{ type: "integer" }, { type: "string" }];

/** allOf, anyOf, oneOf and not of a schema, and its pattern. */
export function validateAlternatives(
  schema: Raw,
  path: string,
  { isIntOrString }: { readonly isIntOrString: boolean },
): FieldError[] {
  const errors = validatePattern(schema, path);
  for (const keyword of ["allOf", "anyOf", "oneOf"]) {
    const alternatives = schema[keyword];
    const isAllowed = isIntOrString && keyword === "anyOf" && isDeepEqual(alternatives, intOrString);
    const list: readonly unknown[] = Array.isArray(alternatives) && !isAllowed ? alternatives : [];
    for (const [index, alternative] of list.entries()) {
      const isFirst = isIntOrString && keyword === "allOf" && index === 0;
      errors.push(...validateNested(alternative, elementOf(childOf(path, keyword), index), { isIntOrString: isFirst }));
    }
  }
  return [...errors, ...validateNested(schema["not"], childOf(path, "not"), { isIntOrString: false })];
}

function validateNested(schema: unknown, path: string, options: { readonly isIntOrString: boolean }): FieldError[] {
  if (!isRecord(schema)) {
    return [];
  }
  const forbidden = forbiddenKeywords
    .filter(([keyword, , isWrong]) => isWrong(schema[keyword]))
    .map(([keyword, detail]) => forbiddenValue(childOf(path, keyword), detail));
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const metadata = childOf(path, "properties[metadata]");
  return [
    ...forbidden,
    ...validateAlternatives(schema, path, options),
    ...validateNested(schema["items"], childOf(path, "items"), { isIntOrString: false }),
    ...Object.entries(properties).flatMap(([field, property]) =>
      validateNested(property, elementOf(childOf(path, "properties"), field), { isIntOrString: false }),
    ),
    ...(Object.hasOwn(properties, "metadata")
      ? [forbiddenValue(metadata, "must not be specified in a nested context")]
      : []),
  ];
}

function validatePattern(schema: Raw, path: string): FieldError[] {
  const pattern = schema["pattern"];
  const compiled = typeof pattern === "string" ? compilePattern(pattern) : undefined;
  const detail = `must be a valid regular expression, but isn't: ${String(compiled)}`;
  return typeof compiled === "string" ? [invalidValue(childOf(path, "pattern"), pattern, detail)] : [];
}
