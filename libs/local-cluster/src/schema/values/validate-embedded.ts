import { isRecord } from "../../objects/json.ts";
import type { FieldError } from "../../status/field-error.ts";
import { kindErrors } from "../kind-errors.ts";
import { childOf, elementOf } from "../field-path.ts";
import { invalidValue, requiredValue } from "../schema-errors.ts";
import type { SchemaNode } from "../schema-node.ts";

/** Type meta of resources embedded in a custom resource (x-kubernetes-embedded-resource). Models apiextensions schema/objectmeta. */
export function validateEmbeddedResources(value: unknown, schema: SchemaNode | undefined, path = ""): FieldError[] {
  if (schema === undefined) {
    return [];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => validateEmbeddedResources(item, schema.items, elementOf(path, index)));
  }
  if (!isRecord(value)) {
    return [];
  }
  const own = schema.isEmbeddedResource ? validateTypeMeta(value, path) : [];
  const additional = schema.additionalProperties === "any" ? undefined : schema.additionalProperties;
  const nested = Object.entries(value).flatMap(([field, content]) => {
    const property = schema.properties.get(field);
    return property === undefined
      ? validateEmbeddedResources(content, additional, elementOf(path, field))
      : validateEmbeddedResources(content, property, childOf(path, field));
  });
  return [...own, ...nested];
}

function validateTypeMeta(resource: Readonly<Record<string, unknown>>, path: string): FieldError[] {
  return ["apiVersion", "kind"].flatMap((field) => {
    const place = childOf(path, field);
    const value = resource[field];
    if (value === undefined) {
      return [requiredValue(place)];
    }
    if (typeof value !== "string") {
      return [invalidValue(place, value, "must be a string")];
    }
    if (value === "") {
      return [invalidValue(place, value, "must not be empty")];
    }
    return field === "kind" ? kindErrors(place, value) : apiVersionProblems(place, value);
  });
}

function apiVersionProblems(path: string, value: string): FieldError[] {
  const isValid = value.split("/").length <= 2;
  return isValid ? [] : [invalidValue(path, value, `unexpected GroupVersion string: ${value}`)];
}
