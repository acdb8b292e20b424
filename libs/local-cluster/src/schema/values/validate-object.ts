import { isRecord } from "../../objects/json.ts";
import { childOf } from "../field-path.ts";
import { invalidValue, requiredValue, tooMany } from "../schema-errors.ts";
import type { SchemaNode } from "../schema-node.ts";
import type { Subject, Validate } from "./subject.ts";
import { problemAt, ValidationResult } from "./validation-result.ts";

/** Fields and size of an object. */
export function validateObject(
  subject: Subject<Readonly<Record<string, unknown>>>,
  schema: SchemaNode,
  validate: Validate,
): ValidationResult {
  const { value: object } = subject;
  const result = validateSize(subject, Object.keys(object).length, schema);
  const { additionalProperties, properties, required } = schema;
  if (additionalProperties !== undefined && additionalProperties !== "any") {
    for (const field of Object.keys(object).filter((name) => !properties.has(name))) {
      result.merge(validate(fieldSubject(subject, object, field), additionalProperties));
    }
  }
  for (const [field, fieldSchema] of properties) {
    if (Object.hasOwn(object, field)) {
      result.merge(validate(fieldSubject(subject, object, field), fieldSchema));
    }
  }
  for (const field of required.filter((name) => !Object.hasOwn(object, name))) {
    const path = childOf(subject.path, field);
    result.add(problemAt(path, `${subject.path}.${field} in body is required`, (name) => requiredValue(name)));
  }
  return result;
}

function validateSize({ path }: Subject, size: number, schema: SchemaNode): ValidationResult {
  const { minProperties, maxProperties } = schema;
  const result = new ValidationResult();
  if (minProperties !== undefined && size < minProperties) {
    const detail = `${path} in body should have at least ${minProperties} properties`;
    result.add(problemAt(path, detail, (field) => invalidValue(field, size, detail)));
  }
  if (maxProperties !== undefined && size > maxProperties) {
    const text = `${path} in body should have at most ${maxProperties} properties`;
    result.add(problemAt(path, text, (field) => tooMany(field, size, maxProperties)));
  }
  return result;
}

function fieldSubject(subject: Subject, object: Readonly<Record<string, unknown>>, field: string): Subject {
  const { path, old } = subject;
  // A change of the type itself is never forgiven.
  const isTypeMeta = path === "" && (field === "kind" || field === "apiVersion");
  const before = old?.value;
  const counterpart =
    isRecord(before) && Object.hasOwn(before, field) && !isTypeMeta ? { value: before[field] } : undefined;
  return { value: object[field], path: childOf(path, field), old: counterpart };
}
