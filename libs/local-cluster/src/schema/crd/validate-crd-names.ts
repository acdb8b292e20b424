import { fieldAt, listAt, stringAt } from "../../objects/json.ts";
import { dns1035LabelProblems, dnsSubdomainProblems } from "../../objects/validate-names.ts";
import type { FieldError } from "../../status/field-error.ts";
import { kindErrors } from "../kind-errors.ts";
import { elementOf } from "../field-path.ts";
import { invalidValue, requiredValue } from "../schema-errors.ts";

/** Group, names and scope of a CRD. */
export function validateCrdNames(crd: unknown): FieldError[] {
  const group = stringAt(crd, "spec", "group");
  const plural = stringAt(crd, "spec", "names", "plural");
  const name = stringAt(crd, "metadata", "name");
  const nameDetail = 'must be spec.names.plural+"."+spec.group';
  return [
    ...(name === `${plural}.${group}` ? [] : [invalidValue("metadata.name", name, nameDetail)]),
    ...validateGroup(group),
    ...requiredLabel("spec.names.plural", plural),
    ...requiredLabel("spec.names.singular", stringAt(crd, "spec", "names", "singular"), { isOptional: true }),
    ...requiredKind("spec.names.kind", stringAt(crd, "spec", "names", "kind"), { isOptional: false }),
    ...requiredKind("spec.names.listKind", stringAt(crd, "spec", "names", "listKind"), { isOptional: true }),
    ...validateListKind(crd),
    ...labelsAt(crd, "shortNames"),
    ...labelsAt(crd, "categories"),
  ];
}

function validateGroup(group: string): FieldError[] {
  if (group === "") {
    return [requiredValue("spec.group")];
  }
  const problems = dnsSubdomainProblems(group);
  if (problems.length > 0) {
    return problems.map((detail) => invalidValue("spec.group", group, detail));
  }
  return group.includes(".") ? [] : [invalidValue("spec.group", group, "should be a domain with at least one dot")];
}

function requiredLabel(path: string, value: string, { isOptional = false } = {}): FieldError[] {
  if (value === "") {
    return isOptional ? [] : [requiredValue(path)];
  }
  return dns1035LabelProblems(value).map((detail) => invalidValue(path, value, detail));
}

function requiredKind(path: string, value: string, { isOptional }: { readonly isOptional: boolean }): FieldError[] {
  if (value === "") {
    return isOptional ? [] : [requiredValue(path)];
  }
  return kindErrors(path, value);
}

function validateListKind(crd: unknown): FieldError[] {
  const kind = stringAt(crd, "spec", "names", "kind");
  const isSame = kind !== "" && fieldAt(crd, "spec", "names", "listKind") === kind;
  return isSame ? [invalidValue("spec.names.listKind", kind, "kind and listKind may not be the same")] : [];
}

function labelsAt(crd: unknown, field: "shortNames" | "categories"): FieldError[] {
  return listAt(crd, "spec", "names", field).flatMap((value, index) => {
    const text = typeof value === "string" ? value : "";
    return dns1035LabelProblems(text).map((detail) =>
      invalidValue(elementOf(`spec.names.${field}`, index), text, detail),
    );
  });
}
