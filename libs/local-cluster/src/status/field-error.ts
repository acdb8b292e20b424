/** One problem of one field, in the words of the Kubernetes API: a cause of a 422 answer. */
export interface FieldError {
  readonly reason:
    | "FieldValueRequired"
    | "FieldValueInvalid"
    | "FieldValueNotSupported"
    | "FieldValueForbidden"
    | "FieldValueDuplicate"
    | "FieldValueTooLong"
    | "FieldValueTooMany"
    | "FieldValueNotFound"
    | "FieldValueTypeInvalid"
    | "InternalError";
  readonly field: string;
  /** E.g. `Invalid value: "A_b": a lowercase RFC 1123 label must ...`. */
  readonly message: string;
}

export function requiredField(field: string, detail = ""): FieldError {
  return { reason: "FieldValueRequired", field, message: withDetail("Required value", detail) };
}

export function forbiddenField(field: string, detail: string): FieldError {
  return { reason: "FieldValueForbidden", field, message: withDetail("Forbidden", detail) };
}

export function invalidField(field: string, value: unknown, detail: string): FieldError {
  return {
    reason: "FieldValueInvalid",
    field,
    message: withDetail(`Invalid value: ${JSON.stringify(value) ?? "null"}`, detail),
  };
}

export function unsupportedField(field: string, value: string, supported: readonly string[]): FieldError {
  const values = supported.map((entry) => JSON.stringify(entry)).join(", ");
  return {
    reason: "FieldValueNotSupported",
    field,
    message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${values}`,
  };
}

export function notFoundField(field: string, value: unknown): FieldError {
  return { reason: "FieldValueNotFound", field, message: `Not found: ${JSON.stringify(value)}` };
}

export function tooLongField(field: string, most: number): FieldError {
  return { reason: "FieldValueTooLong", field, message: `Too long: may not be more than ${most} bytes` };
}

export function tooManyField(field: string, count: number, most: number): FieldError {
  return { reason: "FieldValueTooMany", field, message: `Too many: ${count}: must have at most ${most} items` };
}

export function duplicateField(field: string, value: unknown): FieldError {
  return { reason: "FieldValueDuplicate", field, message: `Duplicate value: ${JSON.stringify(value)}` };
}

/** One error as it is, several in brackets, each text once, as Go's aggregate errors print. */
export function formatFieldErrors(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))];
  return texts.length === 1 ? (texts[0] ?? "") : `[${texts.join(", ")}]`;
}

function withDetail(text: string, detail: string): string {
  return detail === "" ? text : `${text}: ${detail}`;
}
