import { isDeepEqual } from "@landscaper/patch";
import { isNumeric, isRecord } from "../../objects/json.ts";
import { printValue } from "../go-text.ts";
import type { SchemaNode } from "../schema-node.ts";
import { invalidType, unsupportedValue } from "../schema-errors.ts";
import { validateCombinations } from "./validate-combinations.ts";
import { validateList } from "./validate-list.ts";
import { validateNumber, validateText } from "./validate-scalar.ts";
import { validateObject } from "./validate-object.ts";
import type { Subject } from "./subject.ts";
import { problemAt, ValidationResult } from "./validation-result.ts";

/**
 * Checks a value against a schema as kube-openapi does (Models pkg/validation/validate), with its texts. On updates, problems of parts that
 * did not change are forgiven (ratcheting).
 */
export function validateValue(subject: Subject, schema: SchemaNode): ValidationResult {
  const result = validateAnew(subject, schema);
  const isUnchanged = !result.isValid && subject.old !== undefined && isDeepEqual(subject.value, subject.old.value);
  if (!isUnchanged) {
    return result;
  }
  const forgiven = new ValidationResult();
  forgiven.matches = result.matches;
  return forgiven;
}

function validateAnew(subject: Subject, schema: SchemaNode): ValidationResult {
  const { value } = subject;
  const result = new ValidationResult();
  if (value === null) {
    result.merge(validateType(subject, schema));
    result.merge(validateEnumeration(subject, schema));
    return result;
  }
  const checks = [
    ...(schema.types.length > 0 || schema.format !== "" ? [validateType(subject, schema)] : []),
    validateCombinations(subject, schema, validateValue),
    ...contentChecks(subject, schema),
    validateEnumeration(subject, schema),
  ];
  for (const check of checks) {
    result.merge(check);
    result.matches += 1;
  }
  result.matches += 1;
  return result;
}

function contentChecks(subject: Subject, schema: SchemaNode): ValidationResult[] {
  const { value } = subject;
  if (typeof value === "string") {
    return validateText(subject, value, schema);
  }
  if (isNumeric(value)) {
    return [validateNumber(subject, value, schema)];
  }
  if (Array.isArray(value)) {
    return [validateList({ ...subject, value }, schema, validateValue)];
  }
  return isRecord(value) ? [validateObject({ ...subject, value }, schema, validateValue)] : [];
}

function validateType({ value, path }: Subject, schema: SchemaNode): ValidationResult {
  const result = new ValidationResult();
  const actual = typeNameOf(value);
  if (isOfType(actual, schema)) {
    result.matches = 1;
    return result;
  }
  const [expected, found] = isJudgedByFormat(value, schema)
    ? [schema.format, goFormatOf(actual)]
    : [schema.types.join(","), actual];
  const detail = `${path} in body must be of type ${expected}: "${found}"`;
  result.add(problemAt(path, detail, (field) => invalidType(field, found, detail)));
  return result;
}

function isJudgedByFormat(value: unknown, { format }: SchemaNode): boolean {
  return format !== "" && value !== null && typeof value !== "string" && !Array.isArray(value);
}

function goFormatOf(typeName: string): string {
  return typeName === "integer" ? "int64" : typeName === "number" ? "float64" : "";
}

function isOfType(actual: string, { types, nullable, format }: SchemaNode): boolean {
  if (actual === "null") {
    return types.length === 0 || nullable;
  }
  const isNumeric = types.includes("integer") || types.includes("number");
  const isLeftToFormat = format !== "" && !isNumeric && (actual === "string" || actual === "array");
  return isLeftToFormat || types.includes(actual) || (actual === "integer" && types.includes("number"));
}

function typeNameOf(value: unknown): string {
  if (value === null) {
    return "null";
  }
  if (Array.isArray(value)) {
    return "array";
  }
  if (typeof value === "number") {
    return Number.isSafeInteger(value) ? "integer" : "number";
  }
  if (typeof value === "bigint") {
    return "integer";
  }
  return typeof value;
}

function validateEnumeration({ value, path }: Subject, schema: SchemaNode): ValidationResult {
  const result = new ValidationResult();
  const { enumeration } = schema;
  const isListed = value !== null && enumeration.some((entry) => isDeepEqual(entry, value));
  if (enumeration.length > 0 && !isListed) {
    const text = `${path} in body should be one of ${enumeration.map(printValue).join(" ")}`;
    result.add(problemAt(path, text, (field) => unsupportedValue(field, value, enumeration)));
  }
  return result;
}
