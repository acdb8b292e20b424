import { OrderedEntries } from "@landscaper/goyaml";
import { type GoFunction, GoObject, type Value, isEmpty, sprintf } from "@landscaper/golang";

/** One field of a struct, with how it is called in JSON and go-yaml. */
export interface StructField {
  readonly name: string;
  readonly value: Value;
  /** Name in JSON; the field's own by default. Embedded structs have none, their fields stand in the outer one. */
  readonly json?: string;
  /** Name in YAML as go-yaml writes structs itself (toYamlPretty); the field's in lower case by default. */
  readonly yaml?: string;
  /** Whether JSON leaves it out when it is empty. */
  readonly omitsEmptyJson?: boolean;
  /** Whether go-yaml leaves it out when it is empty. */
  readonly omitsEmptyYaml?: boolean;
  readonly isEmbedded?: boolean;
}

export interface StructShape {
  /** As `%T` prints it; pointers begin with "*". */
  readonly typeName: string;
  readonly fields: readonly StructField[];
  readonly methods?: Readonly<Record<string, GoFunction>>;
  /** What an action prints, if a method of the pointer type says so. */
  readonly printed?: string;
}

/** A Go struct (or a pointer to one) that is made of data. */
export class GoStruct extends GoObject {
  readonly typeName: string;
  override readonly goKind: string;
  readonly structFields: readonly StructField[];
  readonly #methods: Readonly<Record<string, GoFunction>>;
  readonly #printed: string | undefined;

  constructor(shape: StructShape) {
    super();
    this.typeName = shape.typeName;
    this.goKind = shape.typeName.startsWith("*") ? "ptr" : "struct";
    this.structFields = shape.fields;
    this.#methods = shape.methods ?? {};
    this.#printed = shape.printed;
  }

  override field(name: string): Value {
    const own = this.structFields.find((field) => field.name === name);
    if (own !== undefined) return own.value;
    for (const { isEmbedded, value } of this.structFields) {
      const promoted = isEmbedded === true && value instanceof GoStruct ? value.field(name) : undefined;
      if (promoted !== undefined) return promoted;
    }
    return undefined;
  }

  override method(name: string): GoFunction | undefined {
    return Object.hasOwn(this.#methods, name) ? this.#methods[name] : undefined;
  }

  override fields(): readonly (readonly [string, Value])[] {
    return this.structFields.map(({ name, value }) => [name, value] as const);
  }

  override printedText(): string | undefined {
    if (this.#printed !== undefined || this.goKind !== "ptr") return this.#printed;
    // Actions print what a pointer points to.
    return sprintf("%v", [new GoStruct({ typeName: this.typeName.slice(1), fields: this.structFields })]);
  }

  override toJSON(): unknown {
    return new OrderedEntries(this.#jsonEntries());
  }

  #jsonEntries(): (readonly [string, Value])[] {
    return this.structFields.flatMap((field) => {
      if (field.isEmbedded === true && field.value instanceof GoStruct) return field.value.#jsonEntries();
      const leftOut = field.omitsEmptyJson === true && isEmpty(field.value);
      return leftOut ? [] : [[field.json ?? field.name, field.value] as const];
    });
  }
}
