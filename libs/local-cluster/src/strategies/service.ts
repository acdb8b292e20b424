import type { UnstructuredObject } from "@landscaper/api";
import { equalJson, fieldAt, listAt, numberAt, recordAt, stringAt } from "../objects/json.ts";
import { dns1035LabelProblems } from "../objects/validate-names.ts";
import type { Strategy } from "../resources/resource-definition.ts";
import type { FieldError } from "../status/field-error.ts";
import { invalidField, requiredField } from "../status/field-error.ts";

/** Services: ports, and addresses that stay. */
export const serviceStrategy: Strategy = {
  validateName: dns1035LabelProblems,
  // A client that does not send the addresses back keeps them.
  prepareForUpdate: (service, old) => {
    const spec = recordAt(service, "spec");
    if (stringAt(spec, "type") === "ExternalName") return service;
    const before = recordAt(old, "spec");
    const kept = ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"].filter(
      (field) => spec[field] === undefined,
    );
    const addresses = Object.fromEntries(
      kept.filter((field) => before[field] !== undefined).map((field) => [field, before[field]]),
    );
    return { ...service, spec: { ...spec, ...addresses } };
  },
  validate: (service, old) => [
    ...validatePorts(service),
    ...(old === undefined ? [] : validateAddresses(service, old)),
  ],
  warnings: (service) =>
    stringAt(service, "spec", "clusterIP") === "None" && stringAt(service, "spec", "sessionAffinity") !== ""
      ? ["spec.SessionAffinity is ignored for headless services"]
      : [],
};

function validatePorts(service: UnstructuredObject): FieldError[] {
  const spec = fieldAt(service, "spec");
  const ports = listAt(spec, "ports");
  const isOptional = stringAt(spec, "clusterIP") === "None" || stringAt(spec, "type") === "ExternalName";
  if (ports.length === 0) return isOptional ? [] : [requiredField("spec.ports")];
  return ports.flatMap((port, i) => {
    const at = `spec.ports[${i}]`;
    const errors = ports.length > 1 && stringAt(port, "name") === "" ? [requiredField(`${at}.name`)] : [];
    for (const field of ["port", "targetPort"] as const) {
      const value = numberAt(port, field);
      if (value === undefined || (value >= 1 && value <= 65_535)) continue;
      errors.push(invalidField(`${at}.${field}`, value, "must be between 1 and 65535, inclusive"));
    }
    return errors;
  });
}

function validateAddresses(service: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  const hasAddress = (object: UnstructuredObject): boolean =>
    stringAt(object, "spec", "type") !== "ExternalName" && stringAt(object, "spec", "clusterIP") !== "";
  if (!hasAddress(service) || !hasAddress(old)) return [];
  const clusterIP = stringAt(service, "spec", "clusterIP");
  if (equalJson(clusterIP, stringAt(old, "spec", "clusterIP"))) return [];
  return [invalidField("spec.clusterIPs[0]", [clusterIP], "may not change once set")];
}
