import type { UnstructuredObject } from "@landscaper/api";
import { equalJson, fieldAt, listAt, recordAt, stringAt } from "../objects/json.ts";
import { pathSegmentProblems } from "../objects/validate-names.ts";
import type { Strategy } from "../resources/resource-definition.ts";
import type { FieldError } from "../status/field-error.ts";
import { invalidField, requiredField, unsupportedField } from "../status/field-error.ts";

/** Roles and ClusterRoles. */
export const roleStrategy: Strategy = {
  validateName: pathSegmentProblems,
  validate: (role) =>
    listAt(role, "rules").flatMap((rule, i) => [
      ...validateRule(rule, `rules[${i}]`),
      ...(role.kind === "Role" ? validateNamespaced(rule, `rules[${i}]`) : []),
    ]),
};

function validateNamespaced(rule: unknown, at: string): FieldError[] {
  const urls = listAt(rule, "nonResourceURLs");
  if (urls.length === 0) return [];
  return [invalidField(`${at}.nonResourceURLs`, urls, "namespaced rules cannot apply to non-resource URLs")];
}

/** Bindings never change their role. */
export const bindingStrategy: Strategy = {
  validateName: pathSegmentProblems,
  validate: (binding, old) => [...validateReferences(binding), ...validateRoleRef(binding, old)],
};

/** A cluster-wide binding names the namespaces of its accounts; only roles are bound. */
function validateReferences(binding: UnstructuredObject): FieldError[] {
  const kind = stringAt(binding, "roleRef", "kind");
  const kinds = binding.kind === "RoleBinding" ? ["Role", "ClusterRole"] : ["ClusterRole"];
  const errors = kinds.includes(kind) ? [] : [unsupportedField("roleRef.kind", kind, kinds)];
  if (binding.kind === "RoleBinding") return errors;
  const nowhere = listAt(binding, "subjects").flatMap((subject, i) => {
    const isAccount = stringAt(subject, "kind") === "ServiceAccount";
    return isAccount && stringAt(subject, "namespace") === "" ? [requiredField(`subjects[${i}].namespace`)] : [];
  });
  return [...errors, ...nowhere];
}

function validateRoleRef(binding: UnstructuredObject, old: UnstructuredObject | undefined): FieldError[] {
  if (old === undefined || equalJson(binding["roleRef"], old["roleRef"])) return [];
  return [invalidField("roleRef", internalRoleRef(binding), "cannot change roleRef")];
}

function validateRule(rule: unknown, at: string): FieldError[] {
  const isEmpty = (field: string): boolean => listAt(rule, field).length === 0;
  const errors = isEmpty("verbs") ? [requiredField(`${at}.verbs`, "verbs must contain at least one value")] : [];
  if (!isEmpty("nonResourceURLs")) {
    const isMixed = ["apiGroups", "resources", "resourceNames"].some((field) => !isEmpty(field));
    const text = "rules cannot apply to both regular resources and non-resource URLs";
    return isMixed ? [...errors, invalidField(`${at}.nonResourceURLs`, listAt(rule, "nonResourceURLs"), text)] : errors;
  }
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
