import type { UnstructuredObject } from "@landscaper/api";
import { isDeepEqual } from "@landscaper/patch";
import { dns1035LabelProblems } from "../../objects/validate-names.ts";
import { fieldAt, isRecord, listAt, stringAt } from "../../objects/json.ts";
import type { FieldError } from "../../status/field-error.ts";
import { childOf, elementOf } from "../field-path.ts";
import { parseSchema } from "../parse-schema.ts";
import { invalidValue, requiredValue, unsupportedValue } from "../schema-errors.ts";
import { validateCrdDefaults } from "./validate-crd-defaults.ts";
import { validateCrdNames } from "./validate-crd-names.ts";
import { validateRuleExpressions, validateRuleForms } from "./validate-crd-rules.ts";
import { validateStructural } from "./validate-structural.ts";

/**
 * What the API server refuses in a CustomResourceDefinition, with its words: names, scope, versions, structural schemas, defaults, rules that
 * do not compile. Not there: the limits on the estimated cost of rules.
 */
export function validateCrd(crd: UnstructuredObject): FieldError[] {
  const versions = listAt(crd, "spec", "versions");
  return [
    ...validateCrdNames(crd),
    ...validateScope(stringAt(crd, "spec", "scope")),
    ...validateVersions(versions),
    ...(fieldAt(crd, "spec", "preserveUnknownFields") === true ? [preserveError] : []),
    ...versions.flatMap((version, index) => validateVersion(version, { index, base: basePath(versions, index) })),
  ];
}

const preserveError = invalidValue(
  "spec.preserveUnknownFields",
  true,
  "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
);

function validateScope(scope: string): FieldError[] {
  if (scope === "") {
    return [requiredValue("spec.scope")];
  }
  const scopes = ["Cluster", "Namespaced"];
  return scopes.includes(scope) ? [] : [unsupportedValue("spec.scope", scope, scopes)];
}

function validateVersions(versions: readonly unknown[]): FieldError[] {
  const names = versions.map((version) => stringAt(version, "name"));
  const stored = versions.filter((version) => fieldAt(version, "storage") === true);
  const errors: FieldError[] = [];
  if (new Set(names).size < names.length) {
    errors.push(versionsError(versions, "must contain unique version names"));
  }
  if (stored.length !== 1) {
    errors.push(versionsError(versions, "must have exactly one version marked as storage version"));
  }
  if (stored.length === 0) {
    errors.push(invalidValue("status.storedVersions", null, "must have at least one stored version"));
  }
  const [first, ...others] = stored.map((version) => stringAt(version, "name"));
  for (const other of others.filter((name) => name !== first)) {
    errors.push(invalidValue("status.storedVersions", [first], `must have the storage version ${other}`));
  }
  return errors;
}

/** The API server prints its own structure of the versions, without what they have in common. */
function versionsError(versions: readonly unknown[], detail: string): FieldError {
  const texts = versions.map((version) => {
    const flags = `"Served":${fieldAt(version, "served") === true},"Storage":${fieldAt(version, "storage") === true}`;
    const rest = `"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null`;
    return `{"Name":${JSON.stringify(stringAt(version, "name"))},${flags},${rest},"AdditionalPrinterColumns":null,"SelectableFields":null}`;
  });
  return {
    reason: "FieldValueInvalid",
    field: "spec.versions",
    message: `Invalid value: [${texts.join(",")}]: ${detail}`,
  };
}

/** Where the API server says that a schema stands: versions with the same schema share it. */
function basePath(versions: readonly unknown[], index: number): string {
  const shared = ["schema", "subresources", "additionalPrinterColumns"].every((field) =>
    versions.every((version) => isDeepEqual(fieldAt(version, field), fieldAt(versions[0], field))),
  );
  return shared ? "spec" : elementOf("spec.versions", index);
}

interface VersionPlace {
  readonly index: number;
  readonly base: string;
}

function validateVersion(version: unknown, { index, base }: VersionPlace): FieldError[] {
  const name = stringAt(version, "name");
  const path = elementOf("spec.versions", index);
  const nameErrors = dns1035LabelProblems(name).flatMap((detail) => [
    invalidValue(childOf(path, "name"), name, detail),
    ...(index === 0 && name !== "" ? [invalidValue("spec.version", name, detail)] : []),
  ]);
  if (base === "spec" && index > 0) {
    return nameErrors;
  }
  const schema = fieldAt(version, "schema", "openAPIV3Schema");
  const schemaPath = base === "spec" ? "spec.validation.openAPIV3Schema" : `${base}.schema.openAPIV3Schema`;
  return [
    ...nameErrors,
    ...(isRecord(schema) ? validateSchema(schema, schemaPath) : [requiredValue(`${path}.schema.openAPIV3Schema`)]),
    ...validateColumns(listAt(version, "additionalPrinterColumns"), childOf(base, "additionalPrinterColumns")),
    ...validateScale(fieldAt(version, "subresources", "scale"), childOf(base, "subresources.scale")),
  ];
}

/** Each check needs the ones before to have passed. */
function validateSchema(raw: unknown, path: string): FieldError[] {
  const schema = parseSchema(raw);
  const structural = [...validateStructural(raw, path), ...validateRuleForms(schema, path)];
  if (structural.length > 0) {
    return structural;
  }
  const expressions = validateRuleExpressions(schema, path);
  return expressions.length > 0 ? expressions : validateCrdDefaults(schema, path);
}

const columnTypes = ["boolean", "date", "integer", "number", "string"];

function validateColumns(columns: readonly unknown[], path: string): FieldError[] {
  return columns.flatMap((column, index) => {
    const place = elementOf(path, index);
    const type = stringAt(column, "type");
    const typeDetail = `must be one of ${columnTypes.join(",")}`;
    return [
      ...(stringAt(column, "name") === "" ? [requiredValue(childOf(place, "name"))] : []),
      ...(type === "" ? [requiredValue(childOf(place, "type"), typeDetail)] : []),
      ...(type !== "" && !columnTypes.includes(type) ? [invalidValue(childOf(place, "type"), type, typeDetail)] : []),
      ...(stringAt(column, "jsonPath") === "" ? [requiredValue(childOf(place, "JSONPath"))] : []),
    ];
  });
}

function validateScale(scale: unknown, path: string): FieldError[] {
  const paths = ["specReplicasPath", "statusReplicasPath"];
  const missing = paths.filter((field) => isRecord(scale) && stringAt(scale, field) === "");
  return missing.map((field) => requiredValue(childOf(path, field)));
}
