import { invalidValue } from "../schema-errors.ts";
import type { SchemaNode } from "../schema-node.ts";
import type { Subject, Validate } from "./subject.ts";
import { problemAt, ValidationResult } from "./validation-result.ts";

/** allOf, anyOf, oneOf and not. */
export function validateCombinations(subject: Subject, schema: SchemaNode, validate: Validate): ValidationResult {
  const result = new ValidationResult();
  // Alternatives are judged as a whole: nothing inside of them is forgiven for being unchanged.
  const { value, path } = subject;
  const results = (alternatives: readonly SchemaNode[]): ValidationResult[] =>
    alternatives.map((alternative) => validate({ value, path }, alternative));
  validateAnyOf(result, path, results(schema.anyOf));
  validateOneOf(result, path, results(schema.oneOf));
  validateAllOf(result, path, results(schema.allOf));
  if (schema.not !== undefined && validate({ value, path }, schema.not).isValid) {
    addComposite(result, `"${path}" must not validate the schema (not)`);
  }
  result.matches += 1;
  return result;
}

function validateAnyOf(result: ValidationResult, path: string, alternatives: readonly ValidationResult[]): void {
  if (alternatives.length === 0) {
    return;
  }
  const success = alternatives.find(({ isValid }) => isValid);
  if (success === undefined) {
    addComposite(result, `"${path}" must validate at least one schema (anyOf)`);
  }
  const explanation = success ?? bestOf(alternatives);
  if (explanation !== undefined) {
    result.merge(explanation);
  }
}

function validateOneOf(result: ValidationResult, path: string, alternatives: readonly ValidationResult[]): void {
  if (alternatives.length === 0) {
    return;
  }
  const valid = alternatives.filter(({ isValid }) => isValid);
  if (valid.length !== 1) {
    const found = valid.length === 0 ? "Found none valid" : `Found ${valid.length} valid alternatives`;
    addComposite(result, `"${path}" must validate one and only one schema (oneOf). ${found}`);
  }
  const explanation = valid.length === 0 ? bestOf(alternatives) : valid.length === 1 ? valid[0] : undefined;
  if (explanation !== undefined) {
    result.merge(explanation);
  }
}

function validateAllOf(result: ValidationResult, path: string, parts: readonly ValidationResult[]): void {
  for (const part of parts) {
    result.merge(part);
  }
  const valid = parts.filter(({ isValid }) => isValid).length;
  if (valid !== parts.length) {
    addComposite(result, `"${path}" must validate all the schemas (allOf)${valid === 0 ? ". None validated" : ""}`);
  }
}

/** The first of those with the most matches. */
function bestOf(results: readonly ValidationResult[]): ValidationResult | undefined {
  return results.toSorted((left, right) => right.matches - left.matches)[0];
}

function addComposite(result: ValidationResult, detail: string): void {
  result.add(problemAt("", detail, (field) => invalidValue(field, "", detail)));
}
