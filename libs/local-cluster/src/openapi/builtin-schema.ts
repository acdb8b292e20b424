import type { GoStruct, GoType } from "../builtin-types/parse-builtin-types.ts";

type Schema = Readonly<Record<string, unknown>>;

/** OpenAPI schemas of Go structs, each under its name, added as they are met. */
export class SchemaCollection {
  readonly schemas: Record<string, Schema> = {};

  /** A reference to the schema of `struct`. */
  refer(struct: GoStruct): Schema {
    const name = `v1.${struct.name}`;
    if (this.schemas[name] === undefined) {
      this.schemas[name] = {};
      this.schemas[name] = this.describe(struct);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  describe(struct: GoStruct): Schema {
    const properties = [...struct.byName.values()].map((field) => [field.json, this.#schemaOf(field.type)] as const);
    return { type: "object", properties: Object.fromEntries(properties) };
  }

  #schemaOf(type: GoType): Schema {
    switch (type.kind) {
      case "struct":
        return this.refer(type.struct);
      case "list":
        return { type: "array", items: this.#schemaOf(type.item) };
      case "map":
        return { type: "object", additionalProperties: this.#schemaOf(type.value) };
      case "scalar":
        return scalarSchema(type.scalar);
    }
  }
}

function scalarSchema(scalar: (GoType & { kind: "scalar" })["scalar"]): Schema {
  switch (scalar) {
    case "string":
    case "duration":
    case "quantity":
      return { type: "string" };
    case "bool":
      return { type: "boolean" };
    case "int32":
    case "int64":
      return { type: "integer", format: scalar };
    case "float64":
      return { type: "number", format: "double" };
    case "bytes":
      return { type: "string", format: "byte" };
    case "time":
    case "microtime":
      return { type: "string", format: "date-time" };
    case "intOrString":
      return { type: "string", format: "int-or-string" };
    case "any":
    case "raw":
      return { type: "object" };
  }
}
