/** JSON schema of a value of a chart, or of a part of one. */
export type ValueSchema = Readonly<Record<string, unknown>>;

/** Values by name, in the order in which a chart documents them. */
export type ValueFields = Readonly<Record<string, ValueSchema>>;

export function text(description: string, more: ValueSchema = {}): ValueSchema {
  return { type: "string", description, ...more };
}

export function flag(description: string): ValueSchema {
  return { type: "boolean", description };
}

export function integer(description: string, minimum: number, maximum?: number): ValueSchema {
  return { type: "integer", minimum, ...(maximum === undefined ? {} : { maximum }), description };
}

export function list(description: string, items: ValueSchema): ValueSchema {
  return { type: "array", items, description };
}

/** An object with these fields only: a misspelt one is refused, and named. */
export function object(description: string, properties: ValueFields, more: ValueSchema = {}): ValueSchema {
  return { type: "object", properties, additionalProperties: false, description, ...more };
}

/** Texts by names that the user chooses. */
export function texts(description: string): ValueSchema {
  return { type: "object", additionalProperties: { type: "string" }, description };
}

/** A part of a Kubernetes object, which the API server checks. */
export function kubernetes(description: string): ValueSchema {
  return { type: "object", description };
}

export function isSchema(value: unknown): value is ValueSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of an object's schema; undefined where there are none. */
export function fieldsOf(schema: ValueSchema): ValueFields | undefined {
  const { properties } = schema;
  return isSchema(properties) ? (properties as ValueFields) : undefined;
}
