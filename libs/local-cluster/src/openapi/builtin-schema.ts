import type { GoStruct, GoType } from "../builtin-types/parse-builtin-types.ts";

type Schema = Readonly<Record<string, unknown>>;

/** OpenAPI schemas of Go structs, each under its name, added as they are met. */
export class SchemaCollection {
  readonly schemas: Record<string, Schema> = {};
  readonly #names = new Map<GoStruct, string>();
  readonly #root: string;

  /** `root`: where references point, "#/components/schemas" or "#/definitions". */
  constructor(root: string) {
    this.#root = root;
  }

  /** A reference to the schema of `struct`. */
  refer(struct: GoStruct): Schema {
    const known = this.#names.get(struct);
    if (known !== undefined) return { $ref: `${this.#root}/${known}` };
    const name = this.#freeName(`v1.${struct.name}`);
    this.#names.set(struct, name);
    this.schemas[name] = {};
    this.schemas[name] = this.describe(struct);
    return { $ref: `${this.#root}/${name}` };
  }

  /** Two groups have structs of one name. */
  #freeName(name: string): string {
    let free = name;
    for (let i = 2; this.schemas[free] !== undefined; i += 1) free = `${name}${i}`;
    return free;
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
