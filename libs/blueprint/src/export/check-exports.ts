import type { ExportDefinition } from "@landscaper/api";
import { foldKeys } from "@landscaper/goyaml";
import { blueprintError } from "../blueprint-error.ts";
import { describeType, isRecord } from "../parameter/describe-value.ts";
import { parameterType, qualifyTargetType } from "../parameter/parameter-type.ts";
import type { RenderContext } from "../render-context.ts";
import { componentSchemas } from "../schema/component-schemas.ts";
import { createSchemaChecker } from "../schema/schema-checker.ts";

/** A Target to create for a target export (seed-000 "Export Values"). */
export interface ExportedTarget {
  readonly type: string;
  readonly config?: unknown;
  readonly secretRef?: { readonly name: string; readonly key?: string };
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface CheckedExports {
  /** Values of all declared exports as the executions give them. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly data: Readonly<Record<string, unknown>>;
  readonly targets: Readonly<Record<string, ExportedTarget>>;
}

/**
 * The values of declared exports, checked: data by schema, targets by type (core.md §4.45). Values of exports that the
 * blueprint does not declare are dropped, declared ones without a value are absent. Throws LandscaperError.
 */
export function checkExports(values: Readonly<Record<string, unknown>>, context: RenderContext): CheckedExports {
  const { source, caches, onStep } = context;
  const schemas = createSchemaChecker({
    source,
    caches,
    onStep,
    readComponentSchema: componentSchemas(context),
    isSkipped: context.isShadow,
    budget: context.budget?.content,
  });
  const data: Record<string, unknown> = {};
  const targets: Record<string, ExportedTarget> = {};
  const found: Record<string, unknown> = {};
  for (const definition of source.definition.exports ?? []) {
    const { name } = definition;
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) continue;
    found[name] = value;
    const where = `exports.${name}`;
    if (parameterType(definition, where) === "data") {
      if (definition.schema !== undefined) schemas.check(definition.schema, value, where);
      data[name] = value;
    } else targets[name] = parseTarget(definition, value, where);
  }
  return { values: found, data, targets };
}

function parseTarget(definition: ExportDefinition, value: unknown, where: string): ExportedTarget {
  const keys = ["type", "config", "configuration", "secretRef", "labels", "annotations"];
  const target = foldKeys(value, keys);
  if (!isRecord(target)) throw unexpected(where, "a target: a map with type and config or secretRef", value);
  const { type, secretRef } = target;
  const config = target["config"] ?? target["configuration"];
  if (typeof type !== "string" || type === "") throw unexpected(`${where}.type`, "text that is not empty", type);
  const expected = qualifyTargetType(definition.targetType ?? "");
  if (qualifyTargetType(type) !== expected) {
    throw blueprintError(
      "ConstructExports",
      `${where}: expected a target of type ${expected}, found one of type ${type}`,
    );
  }
  if (config !== undefined && config !== null && secretRef !== undefined && secretRef !== null) {
    throw blueprintError("ConstructExports", `${where}: expected config or secretRef, found both`);
  }
  const labels = parseTextMap(target["labels"], `${where}.labels`);
  const annotations = parseTextMap(target["annotations"], `${where}.annotations`);
  return {
    type: qualifyTargetType(type),
    ...(config === undefined || config === null ? {} : { config }),
    ...(secretRef === undefined || secretRef === null ? {} : { secretRef: parseSecretRef(secretRef, where) }),
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

function parseSecretRef(value: unknown, where: string): { name: string; key?: string } {
  const at = `${where}.secretRef`;
  const ref = foldKeys(value, ["name", "key"]);
  if (!isRecord(ref)) throw unexpected(at, "a map with name and key", value);
  const { name, key } = ref;
  if (typeof name !== "string" || name === "") throw unexpected(`${at}.name`, "text that is not empty", name);
  if (key === undefined || key === null) return { name };
  if (typeof key !== "string") throw unexpected(`${at}.key`, "text", key);
  return { name, key };
}

function parseTextMap(value: unknown, where: string): Record<string, string> | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value)) throw unexpected(where, "a map", value);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (typeof item !== "string") throw unexpected(`${where}.${key}`, "text", item);
      return [key, item];
    }),
  );
}

function unexpected(where: string, expected: string, found: unknown): Error {
  return blueprintError("ConstructExports", `${where}: expected ${expected}, found ${describeType(found)}`);
}
