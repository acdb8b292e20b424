import { isDeepEqual } from "@landscaper/patch";
import { correlateItems } from "../rules/correlate.ts";
import { invalidValue, tooMany } from "../schema-errors.ts";
import type { SchemaNode } from "../schema-node.ts";
import type { Subject, Validate } from "./subject.ts";
import { problemAt, ValidationResult } from "./validation-result.ts";

/** Items and size of a list. */
export function validateList(
  subject: Subject<readonly unknown[]>,
  schema: SchemaNode,
  validate: Validate,
): ValidationResult {
  const { path, value: items } = subject;
  const { minItems, maxItems } = schema;
  const result = new ValidationResult();
  if (schema.items !== undefined) {
    const counterparts = correlateItems(schema, items, subject.old?.value);
    for (const [index, value] of items.entries()) {
      result.merge(validate({ value, path: `${path}[${index}]`, old: counterparts[index] }, schema.items));
    }
  }
  if (minItems !== undefined && items.length < minItems) {
    const detail = `${path} in body should have at least ${minItems} items`;
    result.add(problemAt(path, detail, (field) => invalidValue(field, items.length, detail)));
  }
  if (maxItems !== undefined && items.length > maxItems) {
    const text = `${path} in body should have at most ${maxItems} items`;
    result.add(problemAt(path, text, (field) => tooMany(field, items.length, maxItems)));
  }
  if (schema.uniqueItems && hasDuplicates(items)) {
    const detail = `${path} in body shouldn't contain duplicates`;
    result.add(problemAt(path, detail, (field) => invalidValue(field, "", detail)));
  }
  result.matches += 1;
  return result;
}

function hasDuplicates(items: readonly unknown[]): boolean {
  return items.some((item, index) => items.slice(0, index).some((other) => isDeepEqual(item, other)));
}
