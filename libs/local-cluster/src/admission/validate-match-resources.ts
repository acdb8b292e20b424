import { listAt, stringAt } from "../objects/json.ts";
import { childOf, elementOf } from "../schema/field-path.ts";
import { invalidValue, requiredValue, unsupportedValue } from "../schema/schema-errors.ts";
import type { FieldError } from "../status/field-error.ts";

const operations = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const scopes = ["*", "Cluster", "Namespaced"];

/** The rules of matchConstraints or matchResources, with the words of the API server. */
export function validateMatchResources(match: unknown, path: string): FieldError[] {
  return ["resourceRules", "excludeResourceRules"].flatMap((field) =>
    listAt(match, field).flatMap((rule, index) => validateRule(rule, elementOf(childOf(path, field), index))),
  );
}

function validateRule(rule: unknown, path: string): FieldError[] {
  const scope = stringAt(rule, "scope");
  return [
    ...validateEntries(rule, path, { field: "apiGroups", others: "other API groups", allowsEmpty: true }),
    ...validateEntries(rule, path, { field: "apiVersions", others: "other API versions", allowsEmpty: false }),
    ...validateOperations(rule, path),
    ...validateResources(textsAt(rule, "resources"), childOf(path, "resources")),
    ...(scope === "" || scopes.includes(scope) ? [] : [unsupportedValue(childOf(path, "scope"), scope, scopes)]),
  ];
}

function textsAt(rule: unknown, field: string): string[] {
  return listAt(rule, field).filter((entry) => typeof entry === "string");
}

interface Entries {
  readonly field: string;
  /** What else may not stand beside "*". */
  readonly others: string;
  readonly allowsEmpty: boolean;
}

function validateEntries(rule: unknown, path: string, { field, others, allowsEmpty }: Entries): FieldError[] {
  const entries = textsAt(rule, field);
  const place = childOf(path, field);
  if (entries.length === 0) {
    return [requiredValue(place)];
  }
  return [
    ...(entries.includes("*") && entries.length > 1
      ? [invalidValue(place, entries, `if '*' is present, must not specify ${others}`)]
      : []),
    ...entries.flatMap((entry, index) =>
      entry === "" && !allowsEmpty ? [requiredValue(elementOf(place, index))] : [],
    ),
  ];
}

function validateOperations(rule: unknown, path: string): FieldError[] {
  const field = "operations";
  const unknown = textsAt(rule, field).flatMap((operation, index) =>
    operations.includes(operation)
      ? []
      : [unsupportedValue(elementOf(childOf(path, field), index), operation, operations)],
  );
  return [...validateEntries(rule, path, { field, others: "other operations", allowsEmpty: true }), ...unknown];
}

function validateResources(resources: readonly string[], path: string): FieldError[] {
  if (resources.length === 0) {
    return [requiredValue(path)];
  }
  const errors = resources.flatMap((resource, index) => validateResource(resource, resources, elementOf(path, index)));
  if (resources.includes("*/*") && resources.length > 1) {
    errors.push(invalidValue(path, resources, "if '*/*' is present, must not specify other resources"));
  }
  if (resources.includes("*") && resources.filter((resource) => !resource.includes("/")).length > 1) {
    const detail = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalidValue(path, resources, detail));
  }
  return errors;
}

/** `pods/*` and `*` + `/status` include more specific entries. */
function validateResource(resource: string, resources: readonly string[], path: string): FieldError[] {
  if (resource === "") {
    return [requiredValue(path)];
  }
  const [name = "", sub] = resource.split("/", 2);
  const wider = sub === undefined ? [] : [`${name}/*`, `*/${sub}`].filter((entry) => entry !== resource);
  return wider
    .filter((entry) => resources.includes(entry))
    .map((entry) => invalidValue(path, resource, `if '${entry}' is present, must not specify ${resource}`));
}
