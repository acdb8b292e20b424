import type { FieldError } from "../status/field-error.ts";
import { printValue, quoteGo } from "./go-text.ts";

/** {@link FieldError}s in the exact words of apimachinery pkg/util/validation/field. */

export function invalidValue(field: string, value: unknown, detail: string): FieldError {
  return { reason: "FieldValueInvalid", field, message: withDetail(`Invalid value: ${printValue(value)}`, detail) };
}

export function invalidType(field: string, value: unknown, detail: string): FieldError {
  return { reason: "FieldValueTypeInvalid", field, message: withDetail(`Invalid value: ${printValue(value)}`, detail) };
}

export function requiredValue(field: string, detail = ""): FieldError {
  return { reason: "FieldValueRequired", field, message: withDetail("Required value", detail) };
}

export function forbiddenValue(field: string, detail: string): FieldError {
  return { reason: "FieldValueForbidden", field, message: withDetail("Forbidden", detail) };
}

export function duplicateValue(field: string, value: unknown): FieldError {
  return { reason: "FieldValueDuplicate", field, message: `Duplicate value: ${printValue(value)}` };
}

/** Scalars that are no strings are listed as JSON. */
export function unsupportedValue(field: string, value: unknown, supported: readonly unknown[]): FieldError {
  const values = supported.map((entry) => quoteGo(typeof entry === "string" ? entry : printValue(entry)));
  const detail = values.length === 0 ? "" : `supported values: ${values.join(", ")}`;
  return {
    reason: "FieldValueNotSupported",
    field,
    message: withDetail(`Unsupported value: ${printValue(value)}`, detail),
  };
}

export function tooLong(field: string, maxLength: number): FieldError {
  const unit = maxLength === 1 ? "byte" : "bytes";
  return { reason: "FieldValueTooLong", field, message: `Too long: may not be more than ${maxLength} ${unit}` };
}

export function tooMany(field: string, actual: number, max: number): FieldError {
  const unit = max === 1 ? "item" : "items";
  return { reason: "FieldValueTooMany", field, message: `Too many: ${actual}: must have at most ${max} ${unit}` };
}

function withDetail(text: string, detail: string): string {
  return detail === "" ? text : `${text}: ${detail}`;
}
