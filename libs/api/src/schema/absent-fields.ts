type Schema = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function acceptsNull(schema: Schema): boolean {
  const type = schema["type"];
  return (
    type === undefined && schema["const"] === undefined && schema["enum"] === undefined && schema["$ref"] === undefined
  );
}

/** Of the schema of a number: zero stands for an absent field, as for a decoder that cannot tell the two apart. */
export const zeroIsAbsentKeyword = "x-zero-is-absent";

/** Whether a field with this value counts as one that is not there. */
function isAbsent(member: unknown, schema: Schema): boolean {
  if (member === null) return !acceptsNull(schema);
  return member === 0 && schema[zeroIsAbsentKeyword] === true;
}

function schemaOfField(schema: Schema, field: string): Schema | undefined {
  const properties = schema["properties"];
  const named = isObject(properties) ? properties[field] : undefined;
  if (isObject(named)) return named;
  const patterns = schema["patternProperties"];
  const [first] = isObject(patterns) ? Object.values(patterns) : [];
  return isObject(first) ? first : undefined;
}

/** The schema behind a reference to a definition of a recursive schema. */
function resolve(schema: Schema, definitions: Schema): readonly [Schema, Schema] {
  const own = isObject(schema["$defs"]) ? schema["$defs"] : definitions;
  const name = schema["$ref"];
  const target = typeof name === "string" ? own[name] : undefined;
  return [isObject(target) ? target : schema, own];
}

/** Whether nothing is known of what is below a value: such a value is taken as it is. */
function isFree(schema: Schema): boolean {
  return !structure.some((keyword) => schema[keyword] !== undefined);
}

const structure = [
  "properties",
  "patternProperties",
  "additionalProperties",
  "items",
  "$ref",
  "allOf",
  "anyOf",
  "oneOf",
  "if",
  "default",
];
/** Keywords that copyWithoutAbsent follows; values below others are copied as a whole. */
const followed: ReadonlySet<string> = new Set(["properties", "patternProperties", "items", "$ref", "default"]);

/**
 * A copy without the fields that are null although their schema wants a value, or zero where that stands for an absent field: Go's decoder, which
 * existing files were written for, takes them as absent. What the schema says nothing about, such as whole manifests and values of charts, is not copied but shared.
 */
export function copyWithoutAbsent(value: unknown, schema: Schema, definitions: Schema = {}): unknown {
  if (typeof value !== "object" || value === null) return value;
  const [resolved, known] = resolve(schema, definitions);
  if (isFree(resolved)) return value;
  if (structure.some((keyword) => resolved[keyword] !== undefined && !followed.has(keyword))) {
    const copy: unknown = structuredClone(value);
    dropAbsentFields(copy, resolved, known);
    return copy;
  }
  if (Array.isArray(value)) {
    const items = resolved["items"];
    return isObject(items) ? value.map((item) => copyWithoutAbsent(item, items, known)) : [...value];
  }
  const copy: Record<string, unknown> = {};
  for (const [field, member] of Object.entries(value)) {
    const fieldSchema = schemaOfField(resolved, field);
    if (fieldSchema !== undefined && isAbsent(member, fieldSchema)) continue;
    const copied = fieldSchema === undefined ? member : copyWithoutAbsent(member, fieldSchema, known);
    // A field may bear the name "__proto__"; assignment would set the prototype.
    if (field === "__proto__")
      Object.defineProperty(copy, field, { value: copied, enumerable: true, configurable: true, writable: true });
    else copy[field] = copied;
  }
  return copy;
}

/** The same in place. */
function dropAbsentFields(value: unknown, schema: Schema, definitions: Schema): void {
  const [resolved, known] = resolve(schema, definitions);
  if (Array.isArray(value)) {
    const items = resolved["items"];
    if (isObject(items)) for (const item of value) dropAbsentFields(item, items, known);
    return;
  }
  if (!isObject(value)) return;
  for (const [field, member] of Object.entries(value)) {
    const fieldSchema = schemaOfField(resolved, field);
    if (fieldSchema === undefined) continue;
    if (isAbsent(member, fieldSchema)) delete value[field];
    else dropAbsentFields(member, fieldSchema, known);
  }
}
