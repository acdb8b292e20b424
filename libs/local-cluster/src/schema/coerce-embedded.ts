import { GoDecodeError, decodeJson } from "../builtin-types/decode-json.ts";
import { jsonTypeName } from "../builtin-types/go-scalars.ts";
import { findStruct } from "../builtin-types/parse-builtin-types.ts";
import { isRecord } from "../objects/json.ts";
import { childOf, elementOf } from "./field-path.ts";
import type { SchemaNode } from "./schema-node.ts";

export interface Coerced {
  readonly value: unknown;
  /** Paths of metadata fields that ObjectMeta lacks, e.g. `spec.template.metadata.x`. */
  readonly unknownFields: readonly string[];
}

const objectMeta = findStruct("ObjectMeta");

/**
 * Reads the metadata of embedded resources (x-kubernetes-embedded-resource) as ObjectMeta and returns the value with its canonical form.
 * Returns undefined if the schema has no embedded resource. The returned function throws GoDecodeError.
 */
export function compileEmbedded(schema: SchemaNode): ((value: unknown) => Coerced) | undefined {
  const withEmbedded = new Set<SchemaNode>();
  if (!collect(schema, withEmbedded)) return undefined;
  return (value) => {
    const unknownFields: string[] = [];
    return { value: coerce(value, schema, { path: "", withEmbedded, unknownFields }), unknownFields };
  };
}

/** Collects the nodes that are or contain an embedded resource; returns whether `node` does. */
function collect(node: SchemaNode, found: Set<SchemaNode>): boolean {
  const inner = [...node.properties.values(), node.items, additionalOf(node)].filter((child) => child !== undefined);
  const contains = inner.map((child) => collect(child, found)).includes(true);
  if (contains || node.isEmbeddedResource) found.add(node);
  return contains || node.isEmbeddedResource;
}

function additionalOf({ additionalProperties }: SchemaNode): SchemaNode | undefined {
  return additionalProperties === "any" ? undefined : additionalProperties;
}

interface Place {
  readonly path: string;
  readonly withEmbedded: ReadonlySet<SchemaNode>;
  readonly unknownFields: string[];
}

function coerce(value: unknown, schema: SchemaNode | undefined, place: Place): unknown {
  if (schema === undefined || !place.withEmbedded.has(schema)) return value;
  if (Array.isArray(value)) {
    return value.map((item, i) => coerce(item, schema.items, { ...place, path: elementOf(place.path, i) }));
  }
  if (!isRecord(value)) return value;
  const resource = schema.isEmbeddedResource ? coerceResource(value, place) : value;
  const entries = Object.entries(resource).map(([field, content]) => {
    const property = schema.properties.get(field);
    const path = property === undefined ? elementOf(place.path, field) : childOf(place.path, field);
    return [field, coerce(content, property ?? additionalOf(schema), { ...place, path })];
  });
  return Object.fromEntries(entries) as unknown;
}

function coerceResource(
  resource: Readonly<Record<string, unknown>>,
  { path, unknownFields }: Place,
): Record<string, unknown> {
  for (const field of ["apiVersion", "kind"]) {
    const given = resource[field];
    if (given !== undefined && typeof given !== "string") {
      throw invalid(childOf(path, field), given, "must be a string");
    }
  }
  if (!("metadata" in resource)) return resource;
  const at = childOf(path, "metadata");
  const metadata = resource["metadata"] ?? {};
  if (!isRecord(metadata)) {
    throw invalid(at, metadata, `json: cannot unmarshal ${jsonTypeName(metadata)} into Go value of type v1.ObjectMeta`);
  }
  const decoded = readMetadata(metadata, at);
  unknownFields.push(...decoded.unknownFields.map((text) => `${at}.${text.slice('unknown field "'.length, -1)}`));
  return { ...resource, metadata: decoded.value };
}

function readMetadata(metadata: Readonly<Record<string, unknown>>, at: string): ReturnType<typeof decodeJson> {
  try {
    return decodeJson(objectMeta, metadata);
  } catch (error) {
    if (!(error instanceof GoDecodeError)) throw error;
    throw invalid(at, metadata, error.message);
  }
}

function invalid(field: string, value: unknown, detail: string): GoDecodeError {
  return new GoDecodeError(`${field}: Invalid value: ${JSON.stringify(value)}: ${detail}`);
}
