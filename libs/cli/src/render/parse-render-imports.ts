import type { Target } from "@landscaper/api";
import { apiVersion } from "@landscaper/api";
import type { ImportedValues, ParameterValue } from "@landscaper/blueprint";
import { UsageError } from "../usage-error.ts";

/** What a run gives to the blueprint in place of an Installation and its cluster. */
export interface RenderImports {
  readonly given: ImportedValues;
  /** spec.importDataMappings */
  readonly mappings: Readonly<Record<string, unknown>>;
}

type JsonMap = Readonly<Record<string, unknown>>;

export function isMap(value: unknown): value is JsonMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The map in a field; an absent one is empty. Throws UsageError. */
export function mapAt(value: JsonMap, field: string): JsonMap {
  const found = value[field];
  if (found === undefined || found === null) return {};
  if (!isMap(found)) throw new UsageError(`${field}: expected a map by import name`);
  return found;
}

/** A Target from its type and config. Throws UsageError. */
export function parseTarget(value: unknown, where: string): Target {
  if (!isMap(value) || typeof value["type"] !== "string") {
    throw new UsageError(`${where}: expected a target with a type`);
  }
  const metadata = { name: where.replaceAll(/[^a-z0-9.-]/g, "-"), namespace: "default" };
  return { apiVersion, kind: "Target", metadata, spec: { type: value["type"], config: value["config"] } };
}

/** One target, a list of targets, or a map of them: told apart by their shape. */
function parseTargetImport(name: string, value: unknown): ParameterValue {
  if (Array.isArray(value)) {
    return { type: "targetList", targets: value.map((item, at) => parseTarget(item, `targets.${name}[${at}]`)) };
  }
  if (isMap(value) && typeof value["type"] === "string") {
    return { type: "target", target: parseTarget(value, `targets.${name}`) };
  }
  if (!isMap(value)) throw new UsageError(`targets.${name}: expected a target, a list or a map of targets`);
  const entries = Object.entries(value).map(([key, item]) => [key, parseTarget(item, `targets.${name}.${key}`)]);
  return { type: "targetMap", targets: Object.fromEntries(entries) as Readonly<Record<string, Target>> }; // as built above
}

/** Reads `{ data: {NAME: VALUE}, targets: {NAME: {type, config}}, mappings: {NAME: TEMPLATE} }`. */
export function parseRenderImports(value: unknown): RenderImports {
  const input = value ?? {};
  if (!isMap(input)) throw new UsageError("expected a map with data, targets and mappings");
  const unknown = Object.keys(input).find((key) => !["data", "targets", "mappings"].includes(key));
  if (unknown !== undefined) throw new UsageError(`${unknown}: expected data, targets or mappings`);
  const data = Object.entries(mapAt(input, "data")).map(([name, value]) => [name, { type: "data", value }] as const);
  const targets = Object.entries(mapAt(input, "targets")).map(
    ([name, value]) => [name, parseTargetImport(name, value)] as const,
  );
  return { given: Object.fromEntries([...data, ...targets]), mappings: mapAt(input, "mappings") };
}
