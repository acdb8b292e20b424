import { printFloat, quoteGo } from "../go-text.ts";
import { invalidType, invalidValue, tooLong } from "../schema-errors.ts";
import type { SchemaNode } from "../schema-node.ts";
import { hasFormat } from "./string-formats.ts";
import type { Subject } from "./subject.ts";
import { problemAt, ValidationResult } from "./validation-result.ts";

/** Length, pattern and format of a string. */
export function validateText({ path }: Subject, value: string, schema: SchemaNode): ValidationResult[] {
  const content = new ValidationResult();
  const problem = findTextProblem({ path, value, schema });
  if (problem !== undefined) {
    content.add(problem);
  }
  if (schema.format === "") {
    return [content];
  }
  const format = new ValidationResult();
  if (!hasFormat(value, schema.format)) {
    const detail = `${path} in body must be of type ${schema.format}: ${quoteGo(value)}`;
    format.add(problemAt(path, detail, (field) => invalidType(field, value, detail)));
  }
  return [content, format];
}

/** Only the first problem is told, as the API server does. */
function findTextProblem(text: { readonly path: string; readonly value: string; readonly schema: SchemaNode }) {
  const { path, value, schema } = text;
  const { minLength, maxLength, pattern } = schema;
  const length = countCharacters(value);
  if (maxLength !== undefined && length > maxLength) {
    const detail = `${path} in body should be at most ${maxLength} chars long`;
    return problemAt(path, detail, (field) => tooLong(field, maxLength));
  }
  const detail =
    minLength !== undefined && length < minLength
      ? `${path} in body should be at least ${minLength} chars long`
      : pattern !== undefined && !pattern.regex.matcher(value).find()
        ? `${path} in body should match '${pattern.source}'`
        : undefined;
  return detail === undefined ? undefined : problemAt(path, detail, (field) => invalidValue(field, value, detail));
}

/** Bounds and divisor of a number. */
export function validateNumber({ path }: Subject, value: number | bigint, schema: SchemaNode): ValidationResult {
  const result = new ValidationResult();
  for (const problem of findNumberProblems(value, schema)) {
    const detail = `${path} in body should be ${problem}`;
    result.add(problemAt(path, detail, (field) => invalidValue(field, value, detail)));
  }
  result.matches += 1;
  return result;
}

function findNumberProblems(value: number | bigint, schema: SchemaNode): string[] {
  const { multipleOf, exclusiveMinimum, exclusiveMaximum } = schema;
  // The API server compares integers with the integer part of a bound.
  const bound = (limit: number): number => (isWhole(value) ? Math.trunc(limit) : limit);
  const print = isWhole(value) ? String : printFloat;
  const problems: string[] = [];
  if (multipleOf !== undefined && !isMultiple(value, bound(multipleOf))) {
    problems.push(`a multiple of ${print(bound(multipleOf))}`);
  }
  const minimum = schema.minimum === undefined ? undefined : bound(schema.minimum);
  if (minimum !== undefined && (value < minimum || (exclusiveMinimum && isSame(value, minimum)))) {
    problems.push(`greater than ${exclusiveMinimum ? "" : "or equal to "}${print(minimum)}`);
  }
  const maximum = schema.maximum === undefined ? undefined : bound(schema.maximum);
  if (maximum !== undefined && (value > maximum || (exclusiveMaximum && isSame(value, maximum)))) {
    problems.push(`less than ${exclusiveMaximum ? "" : "or equal to "}${print(maximum)}`);
  }
  return problems;
}

function isWhole(value: number | bigint): boolean {
  return typeof value === "bigint" || Number.isSafeInteger(value);
}

function isSame(value: number | bigint, limit: number): boolean {
  // eslint-disable-next-line eqeqeq -- compares bigint and number by value
  return value == limit;
}

function isMultiple(value: number | bigint, factor: number): boolean {
  if (typeof value === "bigint") {
    return Number.isInteger(factor) && factor !== 0 ? value % BigInt(factor) === 0n : isMultiple(Number(value), factor);
  }
  const quotient = factor < 1 ? (1 / factor) * value : value / factor;
  return Number.isInteger(Math.round(quotient * 1e9) / 1e9);
}

/** Unicode code points, not UTF-16 units. */
function countCharacters(text: string): number {
  return Array.from(text).length;
}
