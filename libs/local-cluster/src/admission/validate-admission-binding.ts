import type { UnstructuredObject } from "@landscaper/api";
import { fieldAt, listAt, stringAt } from "../objects/json.ts";
import { dnsSubdomainProblems } from "../objects/validate-names.ts";
import { elementOf } from "../schema/field-path.ts";
import { duplicateValue, invalidValue, requiredValue, unsupportedValue } from "../schema/schema-errors.ts";
import type { FieldError } from "../status/field-error.ts";
import { validateMatchResources } from "./validate-match-resources.ts";

const actions = ["Audit", "Deny", "Warn"];

const denyAndWarn =
  "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";

/** What the API server refuses in a ValidatingAdmissionPolicyBinding. */
export function validateAdmissionBinding(binding: UnstructuredObject): FieldError[] {
  const name = stringAt(binding, "spec", "policyName");
  const nameErrors = dnsSubdomainProblems(name).map((detail) => invalidValue("spec.policyName", name, detail));
  return [
    ...(name === "" ? [requiredValue("spec.policyName")] : nameErrors),
    ...validateMatchResources(fieldAt(binding, "spec", "matchResources"), "spec.matchResources"),
    ...validateActions(listAt(binding, "spec", "validationActions"), "spec.validationActions"),
  ];
}

function validateActions(entries: readonly unknown[], path: string): FieldError[] {
  if (entries.length === 0) {
    return [requiredValue(path, "at least one validation action is required")];
  }
  const errors = entries.flatMap((entry, index) => {
    const place = elementOf(path, index);
    const isKnown = typeof entry === "string" && actions.includes(entry);
    return [
      ...(isKnown ? [] : [unsupportedValue(place, entry, actions)]),
      ...(entries.indexOf(entry) < index ? [duplicateValue(place, entry)] : []),
    ];
  });
  const isRepeated = entries.includes("Deny") && entries.includes("Warn");
  return isRepeated ? [...errors, invalidValue(path, entries, denyAndWarn)] : errors;
}
