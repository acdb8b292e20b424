import { goJsonStringify } from "@landscaper/api";
import type { FieldError } from "../../status/field-error.ts";
import type { CompiledRule } from "../rules/compile-rule.ts";
import { compileRuleTree } from "../rules/compile-rules.ts";
import type { RuleNode } from "../rules/compile-rules.ts";
import { childOf, elementOf } from "../field-path.ts";
import { parseFieldPath } from "../rules/parse-field-path.ts";
import { invalidValue, requiredValue, unsupportedValue } from "../schema-errors.ts";
import { fieldSchemaOf } from "../schema-node.ts";
import type { SchemaNode, ValidationRule } from "../schema-node.ts";

const reasons = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/** Form of the x-kubernetes-validations of a schema and of all schemas below. */
export function validateRuleForms(schema: SchemaNode, path: string): FieldError[] {
  const own = schema.rules.flatMap((rule, index) =>
    validateRuleForm(rule, schema, elementOf(childOf(path, "x-kubernetes-validations"), index)),
  );
  const below = childSchemas(schema, path).flatMap(([child, place]) => validateRuleForms(child, place));
  return [...own, ...below];
}

function validateRuleForm(rule: ValidationRule, schema: SchemaNode, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { message, messageExpression, reason, fieldPath } = rule;
  const text = message?.trim() ?? "";
  const place = childOf(path, "message");
  if (rule.rule.trim() === "") {
    errors.push(requiredValue(childOf(path, "rule"), "rule is not specified"));
  } else if (message !== undefined && text === "") {
    errors.push(invalidValue(place, message, "must be non-empty if specified"));
  } else if (text.includes("\n")) {
    errors.push(invalidValue(place, message, "must not contain line breaks"));
  } else if (rule.rule.trim().includes("\n") && text === "") {
    errors.push(requiredValue(place, "message must be specified if rule contains line breaks"));
  }
  if (messageExpression !== undefined && messageExpression.trim() === "") {
    errors.push(requiredValue(childOf(path, "messageExpression"), "messageExpression must be non-empty if specified"));
  }
  if (reason !== undefined && !reasons.includes(reason)) {
    errors.push(unsupportedValue(childOf(path, "reason"), reason, reasons));
  }
  if (fieldPath !== undefined && !isFieldOf(schema, fieldPath)) {
    errors.push(invalidValue(childOf(path, "fieldPath"), fieldPath, "must be a valid path"));
  }
  return errors;
}

function isFieldOf(schema: SchemaNode, fieldPath: string): boolean {
  let node: SchemaNode | undefined = schema;
  for (const field of parseFieldPath(fieldPath) ?? [""]) {
    node = node === undefined ? undefined : fieldSchemaOf(node, field);
  }
  return node !== undefined;
}

function childSchemas({ items, additionalProperties, properties }: SchemaNode, path: string): [SchemaNode, string][] {
  return [
    ...(items === undefined ? [] : [[items, childOf(path, "items")] as [SchemaNode, string]]),
    ...(additionalProperties === undefined || additionalProperties === "any"
      ? []
      : [[additionalProperties, childOf(path, "additionalProperties")] as [SchemaNode, string]]),
    ...[...properties].map(([field, child]): [SchemaNode, string] => [
      child,
      elementOf(childOf(path, "properties"), field),
    ]),
  ];
}

/** Expressions of x-kubernetes-validations that do not compile or cannot work. */
export function validateRuleExpressions(schema: SchemaNode, path: string): FieldError[] {
  const root = compileRuleTree(schema);
  return root === undefined ? [] : validateExpressions(root, { path, uncorrelatable: undefined });
}

interface Place {
  readonly path: string;
  /** The list around, whose items cannot be told apart. */
  readonly uncorrelatable: string | undefined;
}

function validateExpressions(node: RuleNode, { path, uncorrelatable }: Place): FieldError[] {
  const { schema, items, values, properties } = node;
  const inItems = uncorrelatable ?? (schema.listType === "map" ? undefined : path);
  const own = node.rules.flatMap((compiled, index) => {
    const rulePath = elementOf(childOf(path, "x-kubernetes-validations"), index);
    return validateCompiled(compiled, { path: rulePath, uncorrelatable });
  });
  const nested = [...properties].flatMap(([field, child]) =>
    validateExpressions(child, { path: elementOf(childOf(path, "properties"), field), uncorrelatable }),
  );
  return [
    ...own,
    ...(items === undefined
      ? []
      : validateExpressions(items, { path: childOf(path, "items"), uncorrelatable: inItems })),
    ...(values === undefined
      ? []
      : validateExpressions(values, { path: childOf(path, "additionalProperties"), uncorrelatable })),
    ...nested,
  ];
}

function validateCompiled(compiled: CompiledRule, { path, uncorrelatable }: Place): FieldError[] {
  const { rule, problem, messageProblem, usesOldSelf } = compiled;
  const errors: FieldError[] = [];
  if (problem !== undefined) {
    errors.push(invalidRule(childOf(path, "rule"), rule, problem));
  }
  if (messageProblem !== undefined) {
    errors.push(invalidRule(childOf(path, "messageExpression"), rule, messageProblem));
  }
  if (usesOldSelf && uncorrelatable !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
    errors.push(invalidValue(childOf(path, "rule"), rule.rule, detail));
  }
  if (!usesOldSelf && problem === undefined && rule.optionalOldSelf === true) {
    const detail = "may not be set if oldSelf is not used in rule";
    errors.push(invalidValue(childOf(path, "optionalOldSelf"), true, detail));
  }
  return errors;
}

/** The API server prints the rule as its own structure, in the order of its fields. */
function invalidRule(path: string, rule: ValidationRule, detail: string): FieldError {
  const fields = [
    ["Rule", rule.rule],
    ["Message", rule.message ?? ""],
    ["MessageExpression", rule.messageExpression ?? ""],
    ["Reason", rule.reason ?? null],
    ["FieldPath", rule.fieldPath ?? ""],
    ["OptionalOldSelf", rule.optionalOldSelf ?? null],
  ];
  const text = fields.map(([name, value]) => `"${name}":${goJsonStringify(value)}`).join(",");
  return { reason: "FieldValueInvalid", field: path, message: `Invalid value: {${text}}: ${detail}` };
}
