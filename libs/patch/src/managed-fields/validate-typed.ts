import { describeValue, typeName } from "../describe-value.ts";
import { isJsonObject } from "../json-object.ts";
import type { FieldSchema, ListSchema, MapSchema, ScalarSchema } from "./field-schema.ts";
import { fieldSchemaOf, itemElement } from "./field-schema.ts";
import { formatElement } from "./field-set.ts";

/** What keeps `value` from being of the type of `schema`, as the API server says it: "<path>: <problem>". */
export function typeProblems(schema: FieldSchema, value: unknown, path = ""): readonly string[] {
  if (value === null || value === undefined) return [];
  switch (schema.kind) {
    case "scalar":
      return scalarProblem(schema, value).map((problem) => `${path}: ${problem}`);
    case "map":
      if (!isJsonObject(value)) return [`${path}: expected map, got &{${describeValue(value)}}`];
      return mapProblems(schema, value, path);
    case "list":
      if (!Array.isArray(value)) return [`${path}: expected list, got &{${describeValue(value)}}`];
      return listProblems(schema, value, path);
    case "any":
      return [];
  }
}

/** One text of all problems. */
export function formatTypeProblems(problems: readonly string[]): string {
  if (problems.length === 1) return problems[0] ?? "";
  return ["errors:", ...problems.map((problem) => `  ${problem}`)].join("\n");
}

function mapProblems(schema: MapSchema, value: Readonly<Record<string, unknown>>, path: string): readonly string[] {
  return Object.entries(value).flatMap(([key, content]) => {
    const fieldSchema = fieldSchemaOf(schema, key);
    if (fieldSchema !== undefined) return typeProblems(fieldSchema, content, `${path}.${key}`);
    return content === undefined ? [] : [`${path}.${key}: field not declared in schema`];
  });
}

function listProblems(schema: ListSchema, items: readonly unknown[], path: string): readonly string[] {
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    if (schema.relation === "atomic") return typeProblems(schema.item, item, `${path}[${index}]`);
    if (schema.relation === "map" && !isJsonObject(item)) {
      return [`${path}: element ${index}: associative list with keys may not have non-map elements`];
    }
    const element = itemElement(schema, item);
    if (seen.has(element)) return [`${path}: duplicate entries for key ${formatElement(element)}`];
    seen.add(element);
    return typeProblems(schema.item, item, `${path}${formatElement(element)}`);
  });
}

function scalarProblem({ type }: ScalarSchema, value: unknown): readonly string[] {
  switch (type) {
    case "string":
      return typeof value === "string"
        ? []
        : [`expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`];
    case "number":
      return typeof value === "number" || typeof value === "bigint"
        ? []
        : [`expected numeric (int or float), got ${typeName(value)}`];
    case "boolean":
      return typeof value === "boolean" ? [] : [`expected boolean, got &{${describeValue(value)}}`];
    case "untyped":
      return typeof value === "object" ? [`expected any scalar, got &{${describeValue(value)}}`] : [];
  }
}

/** A value as Go's `%#v` prints it. */
function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return "interface {}(nil)";
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${goSyntax(value[key])}`);
  return `map[string]interface {}{${entries.join(", ")}}`;
}
