import { equalCelValues, escapeIdentifier } from "@landscaper/cel";
import type { Environment } from "@marcbachmann/cel-js";
import { Duration } from "@marcbachmann/cel-js/evaluator";
import { isRecord } from "../objects/json.ts";
import { parseGoDuration } from "./values/parse-go-duration.ts";
import { parseSchema } from "./parse-schema.ts";
import type { SchemaNode } from "./schema-node.ts";

/** How expressions see the values of a schema. */
export interface CelType {
  /** The type in cel-js. */
  readonly name: string;
  /** The value that expressions work with, for a JSON value that the schema allows. */
  convert(value: unknown): unknown;
  /** What stands for null in a variable of an object type: cel-js does not take null there. */
  readonly absent?: unknown;
}

/**
 * Declares the types of a schema in an environment, so that expressions are checked against the schema. Models
 * apiserver/pkg/cel/common/schemas.go SchemaDeclType and valuesunstructured.go.
 */
export class SchemaTypes {
  readonly #environment: Environment;
  readonly #escape: (name: string) => string | undefined;
  readonly #known = new Map<SchemaNode, CelType | undefined>();

  /** `escape` gives the name of a field in expressions; by default as in rules of CRDs. */
  constructor(environment: Environment, escape: (name: string) => string | undefined = escapeIdentifier) {
    this.#environment = environment;
    this.#escape = escape;
  }

  /** The type of a node, undefined when expressions cannot see it; `name` must be unique per node. */
  typeOf(node: SchemaNode, name: string): CelType | undefined {
    if (!this.#known.has(node)) {
      this.#known.set(node, this.#makeType(node, name));
    }
    return this.#known.get(node);
  }

  #makeType(node: SchemaNode, name: string): CelType | undefined {
    if (node.isIntOrString) {
      return { name: "dyn", convert: (value) => (typeof value === "number" ? BigInt(value) : value) };
    }
    switch (node.types[0] ?? "") {
      case "array":
        return this.#makeListType(node, name);
      case "object": {
        const isMap = node.additionalProperties !== undefined && node.additionalProperties !== "any";
        return isMap ? this.#makeMapType(node.additionalProperties, name) : this.#makeObjectType(node, name);
      }
      case "string":
        return makeStringType(node.format);
      case "boolean":
        return { name: "bool", convert: (value) => value };
      case "number":
        return { name: "double", convert: (value) => (typeof value === "bigint" ? Number(value) : value) };
      case "integer":
        return { name: "int", convert: (value) => (typeof value === "number" ? BigInt(value) : value) };
      default:
        return undefined;
    }
  }

  #makeListType({ items }: SchemaNode, name: string): CelType | undefined {
    const item = items === undefined ? undefined : this.#elementType(items, `${name}.items`);
    if (item === undefined) {
      return undefined;
    }
    return {
      name: `list<${item.name}>`,
      convert: (value) => (Array.isArray(value) ? value.map((entry) => item.convert(entry)) : []),
    };
  }

  #makeMapType(values: SchemaNode, name: string): CelType | undefined {
    const element = this.#elementType(values, `${name}.values`);
    if (element === undefined) {
      return undefined;
    }
    const convert = (value: unknown): unknown =>
      new Map(Object.entries(isRecord(value) ? value : {}).map(([key, entry]) => [key, element.convert(entry)]));
    return { name: `map<string, ${element.name}>`, convert };
  }

  /** Elements may be null where the schema allows it, which only dynamic values can. */
  #elementType(node: SchemaNode, name: string): CelType | undefined {
    const type = this.typeOf(node, name);
    if (type === undefined || !node.nullable) {
      return type;
    }
    return { name: "dyn", convert: (value) => (value === null ? null : type.convert(value)) };
  }

  #makeObjectType(node: SchemaNode, name: string): CelType {
    const fields = new Map<string, { readonly escaped: string; readonly type: CelType }>();
    const properties = node.isEmbeddedResource ? withTypeMeta(node.properties) : node.properties;
    for (const [field, schema] of properties) {
      const escaped = this.#escape(field);
      const type = escaped === undefined ? undefined : this.typeOf(schema, `${name}.${escaped}`);
      if (escaped !== undefined && type !== undefined) {
        fields.set(field, { escaped, type });
      }
    }
    const ctor = class extends Map<string, unknown> {};
    const absent = new ctor();
    const declared = Object.fromEntries([...fields.values()].map(({ escaped, type }) => [escaped, type.name]));
    this.#environment
      .registerType(name, { ctor, fields: declared })
      .registerOperator(`${name} == ${name}`, equalCelValues)
      .registerOperator(`${name} == null`, (value) => value === absent);
    return { name, absent, convert: (value) => fill(new ctor(), value, fields) };
  }
}

type Fields = ReadonlyMap<string, { readonly escaped: string; readonly type: CelType }>;

/** Key of what no expression can read but that counts for equality; no field has such a name. */
const unreadable = "\0";

/** Null counts as absent. */
function fill(target: Map<string, unknown>, value: unknown, fields: Fields): Map<string, unknown> {
  const rest: Record<string, unknown> = {};
  for (const [field, content] of Object.entries(isRecord(value) ? value : {})) {
    const known = fields.get(field);
    if (known === undefined) {
      rest[field] = content;
    } else if (content !== null && content !== undefined) {
      target.set(known.escaped, known.type.convert(content));
    }
  }
  return Object.keys(rest).length === 0 ? target : target.set(unreadable, rest);
}

function makeStringType(format: string): CelType {
  switch (format) {
    case "byte":
      return { name: "bytes", convert: (value) => Buffer.from(String(value), "base64") };
    case "date":
    case "date-time":
      return { name: "google.protobuf.Timestamp", convert: (value) => new Date(String(value)) };
    case "duration":
      return { name: "google.protobuf.Duration", convert: (value) => toDuration(parseGoDuration(String(value)) ?? 0n) };
    default:
      return { name: "string", convert: (value) => value };
  }
}

function toDuration(nanoseconds: bigint): Duration {
  return new Duration(nanoseconds / 1_000_000_000n, Number(nanoseconds % 1_000_000_000n));
}

/** Expressions on a resource always see its type and name, whatever the schema says. */
const typeMeta = parseSchema({
  properties: {
    apiVersion: { type: "string" },
    kind: { type: "string" },
    metadata: { type: "object", properties: { name: { type: "string" }, generateName: { type: "string" } } },
  },
}).properties;

function withTypeMeta(properties: ReadonlyMap<string, SchemaNode>): ReadonlyMap<string, SchemaNode> {
  return new Map([...properties, ...typeMeta]);
}
