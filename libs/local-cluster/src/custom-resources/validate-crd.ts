import type { UnstructuredObject } from "@landscaper/api";
import { equalJson, fieldAt, isRecord, listAt, stringAt } from "../objects/json.ts";
import { dns1035LabelProblems, dnsSubdomainProblems } from "../objects/validate-names.ts";
import type { FieldError } from "../status/field-error.ts";
import { invalidField, requiredField, unsupportedField } from "../status/field-error.ts";

/** The rules of apiextensions/validation that people meet: names, scope and versions. Schemas are checked where they are compiled. */
export function validateCrd(crd: UnstructuredObject, old: UnstructuredObject | undefined): readonly FieldError[] {
  const errors = [...validateNames(crd), ...validateScope(crd), ...validateVersions(crd)];
  return old === undefined ? errors : [...errors, ...validateUnchanged(crd, old)];
}

function validateNames(crd: UnstructuredObject): FieldError[] {
  const group = stringAt(crd, "spec", "group");
  const names = fieldAt(crd, "spec", "names");
  const plural = stringAt(names, "plural");
  const errors: FieldError[] = [];
  const wanted = `${plural}.${group}`;
  if (crd.metadata.name !== wanted) {
    errors.push(invalidField("metadata.name", crd.metadata.name, `must be spec.names.plural+"."+spec.group`));
  }
  if (group === "") errors.push(requiredField("spec.group"));
  else errors.push(...dnsSubdomainProblems(group).map((problem) => invalidField("spec.group", group, problem)));
  if (group !== "" && !group.includes(".")) {
    errors.push(invalidField("spec.group", group, "should be a domain with at least one dot"));
  }
  for (const field of ["plural", "singular", "kind", "listKind"] as const) {
    const value = stringAt(names, field);
    if (value === "") errors.push(requiredField(`spec.names.${field}`));
    const problems =
      value === "" ? [] : dns1035LabelProblems(field.toLowerCase().endsWith("kind") ? value.toLowerCase() : value);
    errors.push(...problems.map((problem) => invalidField(`spec.names.${field}`, value, problem)));
  }
  if (stringAt(names, "kind") !== "" && stringAt(names, "kind") === stringAt(names, "listKind")) {
    errors.push(
      invalidField("spec.names.listKind", stringAt(names, "listKind"), "kind and listKind may not be the same"),
    );
  }
  return errors;
}

function validateScope(crd: UnstructuredObject): FieldError[] {
  const scope = stringAt(crd, "spec", "scope");
  if (scope === "") return [requiredField("spec.scope")];
  const supported = ["Cluster", "Namespaced"];
  return supported.includes(scope) ? [] : [unsupportedField("spec.scope", scope, supported)];
}

function validateVersions(crd: UnstructuredObject): FieldError[] {
  const versions = listAt(crd, "spec", "versions").filter(isRecord);
  const errors: FieldError[] = [];
  const stored = versions.filter((version) => version["storage"] === true);
  if (stored.length !== 1) {
    errors.push(
      invalidField(
        "spec.versions",
        listAt(crd, "spec", "versions"),
        "must have exactly one version marked as storage version",
      ),
    );
  }
  versions.forEach((version, i) => {
    const at = `spec.versions[${i}]`;
    const name = stringAt(version, "name");
    errors.push(...dns1035LabelProblems(name).map((problem) => invalidField(`${at}.name`, name, problem)));
    if (fieldAt(version, "schema", "openAPIV3Schema") === undefined) {
      errors.push(requiredField(`${at}.schema.openAPIV3Schema`, "schemas are required"));
    } else if (fieldAt(version, "schema", "openAPIV3Schema", "type") !== "object") {
      errors.push(requiredField(`${at}.schema.openAPIV3Schema.type`, "must not be empty at the root"));
    }
  });
  return errors;
}

function validateUnchanged(crd: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  return (["group", "scope"] as const)
    .filter((field) => !equalJson(fieldAt(crd, "spec", field), fieldAt(old, "spec", field)))
    .map((field) => invalidField(`spec.${field}`, fieldAt(crd, "spec", field), "field is immutable"));
}
