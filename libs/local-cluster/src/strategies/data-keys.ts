import type { FieldError } from "../status/field-error.ts";
import { invalidField } from "../status/field-error.ts";

const pattern = /^[-._a-zA-Z0-9]+$/;

/** Problems of one key of a ConfigMap or Secret. Models apimachinery/pkg/util/validation IsConfigMapKey. */
export function keyErrors(field: string, key: string): FieldError[] {
  const problems: string[] = [];
  if (key.length > 253) problems.push("must be no more than 253 characters");
  if (!pattern.test(key)) {
    problems.push(
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or " +
        "'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    );
  }
  if (key === ".") problems.push("must not be '.'");
  else if (key === "..") problems.push("must not be '..'");
  else if (key.startsWith("..")) problems.push("must not start with '..'");
  return problems.map((problem) => invalidField(`${field}[${key}]`, key, problem));
}
