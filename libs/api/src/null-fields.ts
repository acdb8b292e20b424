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

/**
 * Removes fields that are null although their schema wants a value: Go's decoder, which existing files were written for,
 * takes them as absent. Changes `value`.
 */
export function dropNullFields(value: unknown, schema: Schema, definitions: Schema = {}): void {
  const [resolved, known] = resolve(schema, definitions);
  if (Array.isArray(value)) {
    const items = resolved["items"];
    if (isObject(items)) for (const item of value) dropNullFields(item, items, known);
    return;
  }
  if (!isObject(value)) return;
  for (const [field, member] of Object.entries(value)) {
    const fieldSchema = schemaOfField(resolved, field);
    if (fieldSchema === undefined) continue;
    if (member === null && !acceptsNull(fieldSchema)) delete value[field];
    else dropNullFields(member, fieldSchema, known);
  }
}
