import { didYouMean, findNearestName, LandscaperError } from "@landscaper/api";
import type { ContentBudget } from "@landscaper/budget";
import { fromYaml, YamlError } from "@landscaper/goyaml";
import { blueprintError } from "../blueprint-error.ts";
import { missingFile } from "../missing-file.ts";
import type { BlueprintFiles } from "../blueprint-source.ts";
import { describeType, isRecord } from "../parameter/describe-value.ts";
import { keysOf } from "./schema-pointer.ts";

/** A JSON schema: an object, or true or false. */
export type JsonSchema = Record<string, unknown> | boolean;

/** Where references of a schema document lead. */
export interface SchemaSource {
  /** Identity of the component for cycle messages: "name:version", "" for none. */
  readonly component: string;
  readonly localTypes: Readonly<Record<string, unknown>>;
  readonly files: BlueprintFiles | undefined;
  /** The document that "#/..." refers to; undefined for the schema that is compiled, where ajv resolves it. */
  readonly document: unknown;
  readonly readComponentSchema: ((ref: string) => SchemaSource) | undefined;
}

export interface ResolveOptions {
  /** Begins messages. */
  readonly path: string;
  /** Bounds what references make of a schema: each one is replaced by a copy. */
  readonly budget: ContentBudget;
}

/** What an entry of a schema takes, in a copy and in what is made of it before it is compiled. */
const bytesPerEntry = 200;

/**
 * Replaces local://, blueprint:// and cd:// references by what they refer to, also inside the documents referred to
 * (core.md §3.8). Other references stay. A reference that comes again on its own way is an error.
 */
export function resolveSchemaRefs(
  schema: JsonSchema,
  source: SchemaSource,
  { path, budget }: ResolveOptions,
): JsonSchema {
  return asSchema(resolve(schema, { source, path, budget, ring: [] }), path);
}

interface Step extends ResolveOptions {
  readonly source: SchemaSource;
  /** References on the way here. */
  readonly ring: readonly string[];
}

function resolve(value: unknown, step: Step): unknown {
  if (Array.isArray(value)) {
    count(value.length, step);
    return value.map((item: unknown) => resolve(item, step));
  }
  if (!isRecord(value)) return value;
  const ref = value["$ref"];
  if (typeof ref === "string" && isOwnRef(ref, step.source)) return follow(ref, step);
  const entries = Object.entries(value);
  count(entries.length, step);
  return Object.fromEntries(entries.map(([key, item]) => [key, resolve(item, step)]));
}

function count(entries: number, { path, budget }: ResolveOptions): void {
  const place = schemaPlace(path);
  budget.step(place, 1 + entries);
  budget.take(place, (1 + entries) * bytesPerEntry);
}

/** How errors of the budget name a schema. */
export function schemaPlace(path: string): string {
  return `${path}: the schema with all that it refers to`;
}

function isOwnRef(ref: string, source: SchemaSource): boolean {
  return /^(local|blueprint|cd):\/\//.test(ref) || (ref.startsWith("#") && source.document !== undefined);
}

function follow(ref: string, { source, path, ring, budget }: Step): unknown {
  budget.step(schemaPlace(path), 1 + ring.length);
  const id = source.component === "" ? ref : `${source.component}::${ref}`;
  if (ring.includes(id)) {
    const loop = [...ring.slice(ring.indexOf(id)), id].join(" => ");
    throw blueprintError("InvalidInput", `${path}: the schema refers to itself: ${loop}`, {
      codes: ["ERR_CONFIGURATION_PROBLEM", "ERR_CYCLIC_DEPENDENCIES"],
    });
  }
  const [address = "", fragment = ""] = ref.split("#", 2);
  const target = address === "" ? source : open(address, source, path);
  const part = walkFragment(target.document, fragment, { ref, path });
  return resolve(part, { source: target, path, budget, ring: [...ring, id] });
}

function open(address: string, source: SchemaSource, path: string): SchemaSource {
  const [scheme, rest = ""] = address.split("://", 2);
  if (scheme === "local") {
    if (Object.hasOwn(source.localTypes, rest)) return { ...source, document: source.localTypes[rest] };
    const nearest = findNearestName(rest, Object.keys(source.localTypes));
    const meant = didYouMean(nearest === undefined ? undefined : `local://${nearest}`);
    throw blueprintError("InvalidInput", `${path}: ${address}: localTypes of the blueprint has no such type${meant}`);
  }
  if (scheme === "blueprint") return { ...source, document: readSchemaFile(rest, address, { source, path }) };
  return readComponentSchema(address, { source, path });
}

function readComponentSchema(address: string, { source, path }: Pick<Step, "source" | "path">): SchemaSource {
  if (source.readComponentSchema === undefined) {
    throw blueprintError("InvalidInput", `${path}: ${address}: there is no component to look the schema up in`);
  }
  try {
    return source.readComponentSchema(address);
  } catch (error) {
    if (!(error instanceof LandscaperError)) throw error;
    throw blueprintError("InvalidInput", `${path}: ${address}: ${error.message}`, { cause: error });
  }
}

function readSchemaFile(file: string, address: string, { source, path }: Pick<Step, "source" | "path">): unknown {
  if (source.files?.has(file) !== true) {
    throw source.files === undefined
      ? blueprintError("BlueprintFileMissing", `${path}: ${address}: there is no blueprint to read the file from`)
      : missingFile(source.files, file, { where: `${path}: ${address}` });
  }
  try {
    return fromYaml(source.files.readText(file));
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw blueprintError("InvalidInput", `${path}: ${address}: ${error.explanation}`, {
      at: [{ file, line: error.line, column: error.column }],
      cause: error,
    });
  }
}

/** Follows a fragment, with or without a leading slash. Throws LandscaperError for a place that is not there. */
function walkFragment(document: unknown, fragment: string, { ref, path }: { ref: string; path: string }): unknown {
  if (fragment === "") return document;
  let current = document;
  for (const key of keysOf(ref, path)) {
    if (!isRecord(current) || !Object.hasOwn(current, key)) {
      throw blueprintError("InvalidInput", `${path}: ${ref}: the schema has no ${fragment}`);
    }
    current = current[key];
  }
  return current;
}

function asSchema(value: unknown, path: string): JsonSchema {
  if (typeof value === "boolean" || isRecord(value)) return value;
  throw blueprintError("InvalidInput", `${path}: expected a JSON schema, found ${describeType(value)}`);
}
