import type { RE2JS } from "re2js";

/** One `x-kubernetes-validations` rule as it stands in the CRD. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** A schema of a CRD, read once. Absent keywords are undefined, empty lists are empty. */
export interface SchemaNode {
  /** `["integer", "string"]` for x-kubernetes-int-or-string; empty when the schema does not say. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  /** "" when there is none, or when it is one that the API server does not check. */
  readonly format: string;
  /** `undefined`: no default. */
  readonly defaultValue: unknown;
  readonly enumeration: readonly unknown[];
  readonly pattern: { readonly source: string; readonly regex: RE2JS } | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly minimum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly maximum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly multipleOf: number | undefined;
  readonly items: SchemaNode | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly uniqueItems: boolean;
  readonly properties: ReadonlyMap<string, SchemaNode>;
  /** Whether the schema has `properties`, even without any inside. */
  readonly hasProperties: boolean;
  /** Schema of further fields; `"any"` for `additionalProperties: true`, undefined when the keyword is absent or false. */
  readonly additionalProperties: SchemaNode | "any" | undefined;
  readonly required: readonly string[];
  readonly minProperties: number | undefined;
  readonly maxProperties: number | undefined;
  readonly allOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  readonly not: SchemaNode | undefined;
  readonly preservesUnknownFields: boolean;
  readonly isEmbeddedResource: boolean;
  readonly isIntOrString: boolean;
  /** "atomic", "set" or "map"; "" when the schema does not say. */
  readonly listType: string;
  readonly listMapKeys: readonly string[];
  readonly rules: readonly ValidationRule[];
}

/** The schema of a field of an object; undefined when the object's schema says nothing about it. */
export function fieldSchemaOf(node: SchemaNode, field: string): SchemaNode | undefined {
  const { additionalProperties } = node;
  return node.properties.get(field) ?? (additionalProperties === "any" ? undefined : additionalProperties);
}
