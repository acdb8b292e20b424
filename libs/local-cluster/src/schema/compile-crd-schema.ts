import type { UnstructuredObject } from "@landscaper/api";
import { isRecord } from "../objects/json.ts";
import type { FieldError } from "../status/field-error.ts";
import { applyDefaults, applyDefaultsToNulls } from "./apply-defaults.ts";
import { compileEmbedded } from "./coerce-embedded.ts";
import { compileRules } from "./rules/compile-rules.ts";
import type { Counterpart } from "./rules/correlate.ts";
import { parseSchema } from "./parse-schema.ts";
import { prune } from "./prune.ts";
import { invalidValue } from "./schema-errors.ts";
import type { SchemaNode } from "./schema-node.ts";
import { validateEmbeddedResources } from "./values/validate-embedded.ts";
import { validateListTypes } from "./values/validate-list-types.ts";
import { validateValue } from "./values/validate-value.ts";

/** The schema of one version of a CRD. All functions leave their arguments alone; results may share structure with them. */
export interface CrdSchema {
  /** Drops unknown fields; `strictErrors` name them: `unknown field "spec.x"`. Throws GoDecodeError for metadata of embedded resources. */
  decode(object: UnstructuredObject): { readonly object: UnstructuredObject; readonly strictErrors: readonly string[] };
  /** Drops nulls that may not be, unless an apply has made them, and fills in defaults. */
  applyDefaults(object: UnstructuredObject, keepsNulls?: boolean): UnstructuredObject;
  /** Everything but `metadata`, with the API server's words; on updates unchanged parts are forgiven and transition rules run. */
  validate(object: UnstructuredObject, old?: UnstructuredObject): readonly FieldError[];
  /** For updates of the status subresource. */
  validateStatus(object: UnstructuredObject, old: UnstructuredObject): readonly FieldError[];
}

/** Compiles `spec.versions[].schema.openAPIV3Schema` of a CRD. Rules that do not compile become errors of every validation. */
export function compileCrdSchema(openApiSchema: unknown): CrdSchema {
  const schema = parseSchema(openApiSchema);
  const checkRules = compileRules(schema);
  const coerceEmbedded = compileEmbedded(schema);
  const checkWithRules = (errors: readonly FieldError[], object: UnstructuredObject, old?: UnstructuredObject) => {
    if (checkRules === undefined) {
      return errors;
    }
    const counterpart = old === undefined ? undefined : { value: old };
    return [
      ...errors,
      ...(errors.some(blocksRules) ? [notChecked] : checkRules({ value: object, path: "", old: counterpart })),
    ];
  };
  return {
    decode: (object) => {
      const coerced = coerceEmbedded?.(object) ?? { value: object, unknownFields: [] };
      const { value, unknownFields } = prune(coerced.value, schema);
      const strictErrors = [...coerced.unknownFields, ...unknownFields].map((field) => `unknown field "${field}"`);
      return { object: asResource(value, object), strictErrors };
    },
    applyDefaults: (object, keepsNulls = false) =>
      asResource(keepsNulls ? applyDefaultsToNulls(object, schema) : applyDefaults(object, schema), object),
    validate: (object, old) => {
      const counterpart = old === undefined ? undefined : { value: old };
      const errors = [
        ...validateAgainst(schema, { value: object, prefix: "", old: counterpart }),
        ...validateEmbeddedResources(object, schema),
        ...validateListsAgain(schema, object, old),
      ];
      return checkWithRules(errors, object, old);
    },
    validateStatus: (object, old) => {
      const errors = [...validateStatusAlone(schema, object, old), ...validateListsAgain(schema, object, old)];
      return checkWithRules(errors, object, old);
    },
  };
}

function validateAgainst(
  schema: SchemaNode,
  subject: { readonly value: unknown; readonly prefix: string; readonly old: Counterpart | undefined },
): FieldError[] {
  const { value, prefix, old } = subject;
  const { problems } = validateValue({ value, path: "", old }, schema);
  return problems.map((problem) => problem.toFieldError(prefix));
}

/** The API server validates a status by itself, so that paths inside of the texts begin below it. */
function validateStatusAlone(schema: SchemaNode, object: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  const statusSchema = schema.properties.get("status");
  const value = object["status"];
  if (statusSchema === undefined || value === undefined) {
    return [];
  }
  const before = old["status"];
  return validateAgainst(statusSchema, {
    value,
    prefix: "status",
    old: before === undefined ? undefined : { value: before },
  });
}

/** Duplicates that were there before are forgiven. */
function validateListsAgain(
  schema: SchemaNode,
  object: UnstructuredObject,
  old: UnstructuredObject | undefined,
): FieldError[] {
  const wasWrong = old !== undefined && validateListTypes(old, schema).length > 0;
  return wasWrong ? [] : validateListTypes(object, schema);
}

const blockingReasons: ReadonlySet<string> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

function blocksRules({ reason }: FieldError): boolean {
  return blockingReasons.has(reason);
}

const notChecked = invalidValue(
  "<nil>",
  null,
  "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
);

/** Type meta and metadata are never pruned or defaulted. */
function asResource(value: unknown, { apiVersion, kind, metadata }: UnstructuredObject): UnstructuredObject {
  return { ...(isRecord(value) ? value : {}), apiVersion, kind, metadata };
}
