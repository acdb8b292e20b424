import { isRecord } from "../../objects/json.ts";
import type { FieldError } from "../../status/field-error.ts";
import { childOf, elementOf } from "../field-path.ts";
import { forbiddenValue, invalidValue, requiredValue, unsupportedValue } from "../schema-errors.ts";

type Raw = Readonly<Record<string, unknown>>;

const types = ["array", "boolean", "integer", "number", "object", "string"];

/** Keywords of one schema that contradict each other or are not supported. Models apiextensions/validation ValidateCustomResourceDefinitionOpenAPISchema. */
export function validateKeywords(schema: Raw, path: string): FieldError[] {
  return [
    ...validateTypeName(schema, path),
    ...validateAdditionalProperties(schema, path),
    ...(schema["uniqueItems"] === true ? [uniqueItemsError(path)] : []),
    ...validateMapType(schema, path),
    ...validateListType(schema, path),
    ...(schema["x-kubernetes-list-type"] === "map" ? validateMapList(schema, path) : []),
  ];
}

function validateTypeName(schema: Raw, path: string): FieldError[] {
  const { type } = schema;
  const isKnown = type === undefined || type === "" || (typeof type === "string" && types.includes(type));
  return isKnown ? [] : [unsupportedValue(childOf(path, "type"), type, types)];
}

function validateAdditionalProperties({ properties, additionalProperties }: Raw, path: string): FieldError[] {
  const hasProperties = isRecord(properties) && Object.keys(properties).length > 0;
  const contradicts = hasProperties && (additionalProperties === false || isRecord(additionalProperties));
  const place = childOf(path, "additionalProperties");
  return contradicts ? [forbiddenValue(place, "additionalProperties and properties are mutual exclusive")] : [];
}

function uniqueItemsError(path: string): FieldError {
  const detail = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
  return forbiddenValue(childOf(path, "uniqueItems"), detail);
}

/** `keyword` only makes sense beside one type. */
function validateTypeBeside(
  schema: Raw,
  path: string,
  { keyword, type }: { keyword: string; type: string },
): FieldError[] {
  const place = childOf(path, "type");
  const detail = `must be ${type} if ${keyword} is specified`;
  if (schema[keyword] === undefined || schema["type"] === type) {
    return [];
  }
  return [schema["type"] === undefined ? requiredValue(place, detail) : invalidValue(place, schema["type"], detail)];
}

function validateMapType(schema: Raw, path: string): FieldError[] {
  const keyword = "x-kubernetes-map-type";
  const value = schema[keyword];
  const isKnown = value === undefined || value === "atomic" || value === "granular";
  return [
    ...validateTypeBeside(schema, path, { keyword, type: "object" }),
    ...(isKnown ? [] : [unsupportedValue(childOf(path, keyword), value, ["atomic", "granular"])]),
  ];
}

function validateListType(schema: Raw, path: string): FieldError[] {
  const keyword = "x-kubernetes-list-type";
  const value = schema[keyword];
  const place = childOf(path, keyword);
  const errors = validateTypeBeside(schema, path, { keyword, type: "array" });
  if (value !== undefined && value !== "atomic" && value !== "set" && value !== "map") {
    errors.push(unsupportedValue(place, value, ["atomic", "set", "map"]));
  }
  if (value === "set" && errors.length === 0) {
    errors.push(...validateSetItems(schema["items"], childOf(path, "items")));
  }
  const keys = schema["x-kubernetes-list-map-keys"];
  if (Array.isArray(keys) && keys.length > 0 && value !== "map") {
    const detail = "must be map if x-kubernetes-list-map-keys is non-empty";
    errors.push(value === undefined ? requiredValue(place, detail) : invalidValue(place, value, detail));
  }
  return errors;
}

/** Items of sets are compared as a whole. */
function validateSetItems(items: unknown, path: string): FieldError[] {
  if (!isRecord(items)) {
    return [];
  }
  const detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
  const listType = items["x-kubernetes-list-type"];
  if (items["type"] === "array" && listType !== undefined && listType !== "atomic") {
    return [invalidValue(childOf(path, "x-kubernetes-list-type"), listType, detail)];
  }
  const isGranular = items["type"] === "object" && items["x-kubernetes-map-type"] !== "atomic";
  // The API server prints the list type here.
  return isGranular ? [invalidValue(childOf(path, "x-kubernetes-map-type"), listType, detail)] : [];
}

function validateMapList(schema: Raw, path: string): FieldError[] {
  const { items } = schema;
  const value = schema["x-kubernetes-list-map-keys"];
  const keys = Array.isArray(value) ? value.filter((key) => typeof key === "string") : [];
  const place = childOf(path, "x-kubernetes-list-map-keys");
  const errors: FieldError[] = [];
  if (keys.length === 0) {
    errors.push(requiredValue(place, "must not be empty if x-kubernetes-list-type is map"));
  }
  if (!isRecord(items)) {
    return [...errors, requiredValue(childOf(path, "items"), "must have a schema if x-kubernetes-list-type is map")];
  }
  if (items["type"] !== "object") {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    return [...errors, invalidValue(childOf(path, "items.type"), items["type"] ?? "", detail)];
  }
  if (new Set(keys).size < keys.length) {
    errors.push(invalidValue(place, keys, "must not contain duplicate entries"));
  }
  return [...errors, ...keys.flatMap((key) => validateKey({ items, key, keys }, path))];
}

function validateKey(
  { items, key, keys }: { readonly items: Raw; readonly key: string; readonly keys: readonly string[] },
  path: string,
): FieldError[] {
  const property = isRecord(items["properties"]) ? items["properties"][key] : undefined;
  if (!isRecord(property)) {
    const detail = "entries must all be names of item properties";
    return [invalidValue(childOf(path, "x-kubernetes-list-map-keys"), keys, detail)];
  }
  const place = elementOf(childOf(path, "items.properties"), key);
  const because = "this property is in x-kubernetes-list-map-keys, so it";
  const { required } = items;
  const isRequired = Array.isArray(required) && required.includes(key);
  const isScalar = property["type"] !== "array" && property["type"] !== "object";
  const scalarDetail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
  return [
    ...(isScalar ? [] : [invalidValue(childOf(place, "type"), items["type"], scalarDetail)]),
    ...(isRequired || property["default"] !== undefined
      ? []
      : [requiredValue(childOf(place, "default"), `${because} must have a default or be a required property`)]),
    ...(property["nullable"] === true
      ? [forbiddenValue(childOf(place, "nullable"), `${because} cannot be nullable`)]
      : []),
  ];
}
