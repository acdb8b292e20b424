import type { TSchema } from "typebox";
import { toEditorSchema } from "../../libs/api/src/schema/editor-schema.ts";
import { withoutEffectKeyword } from "../../libs/api/src/schema/ignored-fields.ts";
import { fieldsOf, isSchema, type ValueFields, type ValueSchema } from "./value-schema.ts";

/** What the charts write themselves: header of the file. */
const headerFields = ["apiVersion", "kind"];

/**
 * The fields of a service's configuration file as values of its chart. Left out are fields without effect, those that the chart sets itself
 * (`ownFields`, dotted paths), and the header.
 */
export function configurationFields(schema: TSchema, ownFields: readonly string[]): ValueFields {
  const own = new Set([...headerFields, ...ownFields]);
  return fieldsOf(restrict(toEditorSchema(removeFields({ ...schema }, own)))) ?? {};
}

/** Without the fields that have no effect, or whose path is in `own`, and without objects that have no field then. */
function removeFields(schema: ValueSchema, own: ReadonlySet<string>, path = ""): ValueSchema {
  const fields = fieldsOf(schema);
  if (fields === undefined) return schema;
  const kept: Record<string, ValueSchema> = {};
  for (const [name, field] of Object.entries(fields)) {
    const at = path === "" ? name : `${path}.${name}`;
    if (own.has(at) || withoutEffectKeyword in field) continue;
    const rest = removeFields(field, own, at);
    const left = fieldsOf(rest);
    if (left === undefined || Object.keys(left).length > 0) kept[name] = rest;
  }
  const { required } = schema;
  const stillRequired = Array.isArray(required) ? { required: required.filter((name) => String(name) in kept) } : {};
  return { ...schema, properties: kept, ...stillRequired };
}

/** Documents of the original write one entry in place of a list; values are lists. */
function listForm({ anyOf }: ValueSchema): ValueSchema | undefined {
  if (!Array.isArray(anyOf)) return undefined;
  const forms = anyOf.filter(isSchema);
  return forms.length > 1 ? forms.find(({ type }) => type === "array") : undefined;
}

/** Objects take no other fields than those that they name; the service fills defaults in, so those of objects say nothing. */
function restrict(schema: ValueSchema): ValueSchema {
  const list = listForm(schema);
  if (list !== undefined) return restrict(list);
  const { properties, items, anyOf, $schema: _, default: fallback, ...rest } = schema;
  const fields = fieldsOf(schema);
  return {
    ...rest,
    ...(fallback === undefined || properties !== undefined ? {} : { default: fallback }),
    ...(fields === undefined
      ? {}
      : {
          properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, restrict(field)])),
          additionalProperties: false,
        }),
    ...(isSchema(items) ? { items: restrict(items) } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map((form: unknown) => (isSchema(form) ? restrict(form) : form)) } : {}),
  };
}
