import { createCelEnvironment } from "@landscaper/cel";
import { isDeepEqual } from "@landscaper/patch";
import type { Environment } from "@marcbachmann/cel-js";
import { isRecord } from "../../objects/json.ts";
import { SchemaTypes } from "../schema-types.ts";
import type { CelType } from "../schema-types.ts";
import type { FieldError } from "../../status/field-error.ts";
import { checkRule, compileRule } from "./compile-rule.ts";
import type { CompiledRule } from "./compile-rule.ts";
import { correlateItems } from "./correlate.ts";
import type { Counterpart } from "./correlate.ts";
import { childOf, elementOf } from "../field-path.ts";
import type { SchemaNode } from "../schema-node.ts";

/** Runs all rules of a schema on a value and what is inside. */
export type RuleCheck = (visit: Visit) => FieldError[];

/** A value on which rules are run. */
export interface Visit {
  readonly value: unknown;
  readonly path: string;
  readonly old: Counterpart | undefined;
  /** The nearest value above that has a counterpart is unchanged. */
  readonly isInUnchanged?: boolean;
}

/** A node of the schema that has rules, at itself or below. */
export interface RuleNode {
  readonly schema: SchemaNode;
  readonly type: CelType;
  readonly rules: readonly CompiledRule[];
  readonly items: RuleNode | undefined;
  readonly values: RuleNode | undefined;
  readonly properties: ReadonlyMap<string, RuleNode>;
}

interface RuleOptions {
  /** Expressions see type and name of resources. */
  readonly isResource?: boolean;
}

/** The rules of a schema, undefined when there are none. */
export function compileRules(schema: SchemaNode, options: RuleOptions = {}): RuleCheck | undefined {
  const root = compileRuleTree(schema, options);
  return root === undefined ? undefined : (visit) => checkNode(root, visit);
}

/** The nodes that have rules; rules that do not compile carry their problem. */
export function compileRuleTree(schema: SchemaNode, { isResource = true }: RuleOptions = {}): RuleNode | undefined {
  if (!hasRules(schema)) {
    return undefined;
  }
  const environment = createCelEnvironment();
  const types = new SchemaTypes(environment);
  const root = isResource ? { ...schema, isEmbeddedResource: true } : schema;
  // All types must be there before the first expression is compiled.
  declareTypes(types, root, "selfType");
  return compileNode({ environment, types }, root, "selfType");
}

function hasRules(node: SchemaNode): boolean {
  return node.rules.length > 0 || childrenOf(node).some(({ child }) => hasRules(child));
}

interface Child {
  readonly child: SchemaNode;
  /** Unique among siblings. */
  readonly name: string;
}

function childrenOf({ items, additionalProperties, properties }: SchemaNode): Child[] {
  return [
    ...(items === undefined ? [] : [{ child: items, name: "items" }]),
    ...(additionalProperties === undefined || additionalProperties === "any"
      ? []
      : [{ child: additionalProperties, name: "values" }]),
    ...[...properties.values()].map((child, index) => ({ child, name: `property${index}` })),
  ];
}

function declareTypes(types: SchemaTypes, node: SchemaNode, name: string): void {
  types.typeOf(node, name);
  for (const { child, name: childName } of childrenOf(node)) {
    declareTypes(types, child, `${name}.${childName}`);
  }
}

interface Scope {
  readonly environment: Environment;
  readonly types: SchemaTypes;
}

function compileNode(scope: Scope, schema: SchemaNode, name: string): RuleNode | undefined {
  const type = scope.types.typeOf(schema, name);
  if (type === undefined || !hasRules(schema)) {
    return undefined;
  }
  const compileChild = (child: SchemaNode | "any" | undefined): RuleNode | undefined =>
    child === undefined || child === "any" ? undefined : compileNode(scope, child, name);
  const properties = [...schema.properties].flatMap(([field, child]): [string, RuleNode][] => {
    const node = compileChild(child);
    return node === undefined ? [] : [[field, node]];
  });
  return {
    schema,
    type,
    rules: schema.rules
      .filter(({ rule }) => rule.trim() !== "")
      .map((rule) => compileRule(scope.environment, type, rule)),
    items: compileChild(schema.items),
    values: compileChild(schema.additionalProperties),
    properties: new Map(properties),
  };
}

function checkNode(node: RuleNode, visit: Visit): FieldError[] {
  const { value, old } = visit;
  if (value === null || value === undefined) {
    return [];
  }
  const isUnchanged = old === undefined ? visit.isInUnchanged === true : isDeepEqual(value, old.value);
  const errors = node.rules.length === 0 ? [] : checkRules(node, visit, isUnchanged);
  return [...errors, ...checkChildren(node, { ...visit, isInUnchanged: isUnchanged })];
}

function checkRules(
  { rules, schema, type }: RuleNode,
  { value, path, old }: Visit,
  isUnchanged: boolean,
): FieldError[] {
  const oldSelf = old === undefined ? undefined : { value: type.convert(old.value) };
  const subject = { self: type.convert(value), oldSelf, path };
  return rules.flatMap((compiled) => {
    const error = checkRule(compiled, schema, subject);
    const isForgiven = isUnchanged && !compiled.usesOldSelf;
    return error === undefined || isForgiven ? [] : [error];
  });
}

function checkChildren(node: RuleNode, { value, path, old, isInUnchanged = false }: Visit): FieldError[] {
  const { items, values, properties, schema } = node;
  if (Array.isArray(value) && items !== undefined) {
    const counterparts = correlateItems(schema, value, old?.value);
    return value.flatMap((item: unknown, index) =>
      checkNode(items, { value: item, path: elementOf(path, index), old: counterparts[index], isInUnchanged }),
    );
  }
  if (!isRecord(value)) {
    return [];
  }
  return Object.entries(value).flatMap(([field, content]) => {
    const property = properties.get(field);
    const child = property ?? (schema.properties.has(field) ? undefined : values);
    const place = property === undefined ? elementOf(path, field) : childOf(path, field);
    const counterpart = fieldCounterpart(old, field);
    return child === undefined
      ? []
      : checkNode(child, { value: content, path: place, old: counterpart, isInUnchanged });
  });
}

function fieldCounterpart(old: Counterpart | undefined, field: string): Counterpart | undefined {
  const before = old?.value;
  const value = isRecord(before) && Object.hasOwn(before, field) ? before[field] : undefined;
  return value === undefined || value === null ? undefined : { value };
}
