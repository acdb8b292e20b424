import { isRecord } from "../../objects/json.ts";
import type { FieldError } from "../../status/field-error.ts";
import { childOf, elementOf } from "../field-path.ts";
import { forbiddenValue, invalidValue, requiredValue } from "../schema-errors.ts";
import { validateAlternatives } from "./validate-alternatives.ts";
import { validateKeywords } from "./validate-keywords.ts";

type Raw = Readonly<Record<string, unknown>>;

/** Where a schema stands, which decides about the words of a missing type. */
type Level = "root" | "items" | "field";

const missingType: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  items: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

/**
 * The rules of structural schemas, on the schema as it stands in the CRD. Models apiextensions pkg/apiserver/schema/validation.go and parts of
 * pkg/apis/apiextensions/validation.
 */
export function validateStructural(schema: unknown, path: string): FieldError[] {
  return isRecord(schema) ? validateNode(schema, path, "root") : [];
}

function validateNode(schema: Raw, path: string, level: Level): FieldError[] {
  return [
    ...validateType(schema, path, level),
    ...validateExtensions(schema, path),
    ...validateTypeMeta(schema, path, level),
    ...validateKeywords(schema, path),
    ...validateAlternatives(schema, path, { isIntOrString: schema["x-kubernetes-int-or-string"] === true }),
    ...validateChildren(schema, path, level),
  ];
}

function validateType(schema: Raw, path: string, level: Level): FieldError[] {
  const type = schema["type"];
  const place = childOf(path, "type");
  if (schema["x-kubernetes-embedded-resource"] === true) {
    return type === "object" ? [] : [embeddedTypeError(place, type)];
  }
  const mayBeAbsent =
    schema["x-kubernetes-int-or-string"] === true || schema["x-kubernetes-preserve-unknown-fields"] === true;
  if (type === undefined || type === "") {
    return mayBeAbsent ? [] : [requiredValue(place, missingType[level])];
  }
  return level === "root" && type !== "object" ? [invalidValue(place, type, "must be object at the root")] : [];
}

function embeddedTypeError(place: string, type: unknown): FieldError {
  const detail = "must be object if x-kubernetes-embedded-resource is true";
  return type === undefined || type === "" ? requiredValue(place, detail) : invalidValue(place, type, detail);
}

function validateExtensions(schema: Raw, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const preserves = schema["x-kubernetes-preserve-unknown-fields"];
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
  if (preserves === false) {
    errors.push(
      invalidValue(childOf(path, "x-kubernetes-preserve-unknown-fields"), false, "must be true or undefined"),
    );
  }
  if (schema["x-kubernetes-int-or-string"] === true) {
    const detail = "must be false if x-kubernetes-int-or-string is true";
    if (preserves === true) {
      errors.push(invalidValue(childOf(path, "x-kubernetes-preserve-unknown-fields"), true, detail));
    }
    if (isEmbedded) {
      errors.push(invalidValue(childOf(path, "x-kubernetes-embedded-resource"), true, detail));
    }
  }
  const properties = schema["properties"];
  if (isEmbedded && preserves !== true && !(isRecord(properties) && Object.keys(properties).length > 0)) {
    const detail =
      "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
    errors.push(requiredValue(childOf(path, "properties"), detail));
  }
  if (isEmbedded && schema["additionalProperties"] !== undefined) {
    const detail = "must not be used if x-kubernetes-embedded-resource is set";
    errors.push(forbiddenValue(childOf(path, "additionalProperties"), detail));
  }
  return errors;
}

/** apiVersion, kind and metadata of resources may hardly be described: they are the same for all. */
function validateTypeMeta(schema: Raw, path: string, level: Level): FieldError[] {
  const properties = schema["properties"];
  if (!isRecord(properties) || (level !== "root" && schema["x-kubernetes-embedded-resource"] !== true)) {
    return [];
  }
  const errors: FieldError[] = [];
  for (const [field, type] of [
    ["apiVersion", "string"],
    ["kind", "string"],
    ["metadata", "object"],
  ] as const) {
    const property = properties[field];
    if (isRecord(property) && property["type"] !== type) {
      const place = childOf(elementOf(childOf(path, "properties"), field), "type");
      errors.push(invalidValue(place, property["type"] ?? "", `must be ${type}`));
    }
  }
  return level === "root" ? [...errors, ...validateMetadata(properties["metadata"], path)] : errors;
}

function validateMetadata(metadata: unknown, path: string): FieldError[] {
  if (!isRecord(metadata)) {
    return [];
  }
  const place = elementOf(childOf(path, "properties"), "metadata");
  const { type: _type, properties, description: _description, ...rest } = metadata;
  const fields = isRecord(properties) ? properties : {};
  const strange = Object.keys(fields).some((field) => field !== "name" && field !== "generateName");
  const defaults = Object.entries(fields).filter(([, field]) => isRecord(field) && field["default"] !== undefined);
  const detail = "must not specify anything other than name and generateName, but metadata is implicitly specified";
  return [
    ...(strange || Object.keys(rest).length > 0 ? [forbiddenValue(place, detail)] : []),
    ...defaults.map(([field]) =>
      forbiddenValue(
        childOf(elementOf(childOf(place, "properties"), field), "default"),
        "must not be set in top-level metadata",
      ),
    ),
  ];
}

function validateChildren(schema: Raw, path: string, level: Level): FieldError[] {
  const { items, properties, additionalProperties } = schema;
  const errors: FieldError[] = [];
  if (schema["type"] === "array" && !isRecord(items)) {
    errors.push(requiredValue(childOf(path, "items"), "must be specified"));
  }
  if (isRecord(items)) {
    errors.push(...validateNode(items, childOf(path, "items"), "items"));
  }
  if (isRecord(additionalProperties) || additionalProperties === true) {
    const place = childOf(path, "additionalProperties");
    if (level === "root") {
      errors.push(forbiddenValue(place, "must not be used at the root"));
    }
    if (isRecord(additionalProperties)) {
      errors.push(...validateNode(additionalProperties, place, "field"));
    }
  }
  for (const [field, property] of Object.entries(isRecord(properties) ? properties : {})) {
    const place = elementOf(childOf(path, "properties"), field);
    errors.push(...(isRecord(property) ? validateNode(property, place, "field") : []));
  }
  return errors;
}
