import { compilePattern } from "@landscaper/cel";
import { isNumeric, isRecord } from "../objects/json.ts";
import type { SchemaNode, ValidationRule } from "./schema-node.ts";
import { isCheckedFormat } from "./values/string-formats.ts";

type Raw = Readonly<Record<string, unknown>>;

/**
 * Reads an openAPIV3Schema of a CRD. Keywords of a wrong type count as absent: the API server refuses them when it decodes the CRD.
 * An absent schema allows everything and keeps nothing.
 */
export function parseSchema(value: unknown): SchemaNode {
  const raw = isRecord(value) ? value : {};
  const isIntOrString = raw["x-kubernetes-int-or-string"] === true;
  const type = stringOf(raw, "type");
  return {
    types: isIntOrString ? ["integer", "string"] : type === "" ? [] : [type],
    isIntOrString,
    nullable: raw["nullable"] === true,
    format: isCheckedFormat(stringOf(raw, "format")) ? stringOf(raw, "format") : "",
    defaultValue: raw["default"] === null ? undefined : raw["default"],
    enumeration: listOf(raw, "enum"),
    preservesUnknownFields: raw["x-kubernetes-preserve-unknown-fields"] === true,
    isEmbeddedResource: raw["x-kubernetes-embedded-resource"] === true,
    listType: stringOf(raw, "x-kubernetes-list-type"),
    listMapKeys: stringsOf(raw, "x-kubernetes-list-map-keys"),
    rules: listOf(raw, "x-kubernetes-validations").filter(isRecord).map(parseRule),
    ...parseStringKeywords(raw),
    ...parseNumberKeywords(raw),
    ...parseListKeywords(raw),
    ...parseObjectKeywords(raw),
    ...parseCombinations(raw),
  };
}

function parseStringKeywords(raw: Raw): Pick<SchemaNode, "pattern" | "minLength" | "maxLength"> {
  return {
    pattern: parsePattern(stringOf(raw, "pattern")),
    minLength: numberOf(raw, "minLength"),
    maxLength: numberOf(raw, "maxLength"),
  };
}

function parsePattern(source: string): SchemaNode["pattern"] {
  const regex = source === "" ? "" : compilePattern(source);
  return typeof regex === "string" ? undefined : { source, regex };
}

type NumberKeywords = Pick<SchemaNode, "minimum" | "exclusiveMinimum" | "maximum" | "exclusiveMaximum" | "multipleOf">;

function parseNumberKeywords(raw: Raw): NumberKeywords {
  return {
    minimum: numberOf(raw, "minimum"),
    exclusiveMinimum: raw["exclusiveMinimum"] === true,
    maximum: numberOf(raw, "maximum"),
    exclusiveMaximum: raw["exclusiveMaximum"] === true,
    multipleOf: numberOf(raw, "multipleOf"),
  };
}

function parseListKeywords(raw: Raw): Pick<SchemaNode, "items" | "minItems" | "maxItems" | "uniqueItems"> {
  return {
    items: optionalSchema(raw["items"]),
    minItems: numberOf(raw, "minItems"),
    maxItems: numberOf(raw, "maxItems"),
    uniqueItems: raw["uniqueItems"] === true,
  };
}

type ObjectKeywords = Pick<
  SchemaNode,
  "properties" | "hasProperties" | "additionalProperties" | "required" | "minProperties" | "maxProperties"
>;

function parseObjectKeywords(raw: Raw): ObjectKeywords {
  const properties = raw["properties"];
  const additional = raw["additionalProperties"];
  return {
    properties: new Map(
      isRecord(properties) ? Object.entries(properties).map(([name, schema]) => [name, parseSchema(schema)]) : [],
    ),
    hasProperties: isRecord(properties),
    additionalProperties: additional === true ? "any" : optionalSchema(additional),
    required: stringsOf(raw, "required"),
    minProperties: numberOf(raw, "minProperties"),
    maxProperties: numberOf(raw, "maxProperties"),
  };
}

function parseCombinations(raw: Raw): Pick<SchemaNode, "allOf" | "anyOf" | "oneOf" | "not"> {
  return {
    allOf: listOf(raw, "allOf").map(parseSchema),
    anyOf: listOf(raw, "anyOf").map(parseSchema),
    oneOf: listOf(raw, "oneOf").map(parseSchema),
    not: optionalSchema(raw["not"]),
  };
}

function parseRule(raw: Raw): ValidationRule {
  const message = stringOf(raw, "message");
  const messageExpression = stringOf(raw, "messageExpression");
  const reason = stringOf(raw, "reason");
  const fieldPath = stringOf(raw, "fieldPath");
  return {
    rule: stringOf(raw, "rule"),
    ...(message === "" ? {} : { message }),
    ...(messageExpression === "" ? {} : { messageExpression }),
    ...(reason === "" ? {} : { reason }),
    ...(fieldPath === "" ? {} : { fieldPath }),
    ...(raw["optionalOldSelf"] === true ? { optionalOldSelf: true } : {}),
  };
}

function optionalSchema(value: unknown): SchemaNode | undefined {
  return isRecord(value) ? parseSchema(value) : undefined;
}

function stringOf(raw: Raw, key: string): string {
  const value = raw[key];
  return typeof value === "string" ? value : "";
}

function numberOf(raw: Raw, key: string): number | undefined {
  const value = raw[key];
  return isNumeric(value) ? Number(value) : undefined; // the real server reads bounds as float64
}

function listOf(raw: Raw, key: string): readonly unknown[] {
  const value = raw[key];
  return Array.isArray(value) ? value : [];
}

function stringsOf(raw: Raw, key: string): readonly string[] {
  return listOf(raw, key).filter((item) => typeof item === "string");
}
