import type { UnstructuredObject } from "@landscaper/api";
import { equalJson, fieldAt, listAt, recordAt } from "../objects/json.ts";
import { pathSegmentProblems } from "../objects/validate-names.ts";
import type { Strategy } from "../resources/resource-definition.ts";
import type { FieldError } from "../status/field-error.ts";
import { invalidField, requiredField } from "../status/field-error.ts";

/** Roles and ClusterRoles. */
export const roleStrategy: Strategy = {
  validateName: pathSegmentProblems,
  validate: (role) => listAt(role, "rules").flatMap((rule, i) => validateRule(rule, `rules[${i}]`)),
};

/** Bindings never change their role. */
export const bindingStrategy: Strategy = {
  validateName: pathSegmentProblems,
  validate: (binding, old) => {
    if (old === undefined || equalJson(binding["roleRef"], old["roleRef"])) return [];
    return [invalidField("roleRef", internalRoleRef(binding), "cannot change roleRef")];
  },
};

function validateRule(rule: unknown, at: string): FieldError[] {
  const isEmpty = (field: string): boolean => listAt(rule, field).length === 0;
  const errors = isEmpty("verbs") ? [requiredField(`${at}.verbs`, "verbs must contain at least one value")] : [];
  if (!isEmpty("nonResourceURLs")) return errors;
  if (isEmpty("apiGroups")) {
    errors.push(requiredField(`${at}.apiGroups`, "resource rules must supply at least one api group"));
  }
  if (isEmpty("resources")) {
    errors.push(requiredField(`${at}.resources`, "resource rules must supply at least one resource"));
  }
  return errors;
}

/** The message shows the Go struct, whose fields have no JSON names. */
function internalRoleRef(binding: UnstructuredObject): unknown {
  const { apiGroup, kind, name } = recordAt(binding, "roleRef");
  return { APIGroup: apiGroup, Kind: kind, Name: fieldAt({ name }, "name") };
}
