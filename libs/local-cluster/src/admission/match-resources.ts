import { isRecord, listAt, recordAt, stringAt } from "../objects/json.ts";
import { matchesLabels } from "../selectors/label-selector.ts";
import type { LabelRequirement } from "../selectors/label-selector.ts";
import type { PolicyRequest } from "./policy-request.ts";

interface ResourceRule {
  readonly groups: readonly string[];
  readonly versions: readonly string[];
  /** "pods", "pods/status", "*", "pods/*", "*" + "/status", "*" + "/*". */
  readonly resources: readonly string[];
  readonly operations: readonly string[];
  readonly scope: string;
  /** Empty: all names. */
  readonly names: readonly string[];
}

/** matchConstraints of a policy or matchResources of a binding. */
export interface MatchResources {
  readonly rules: readonly ResourceRule[];
  readonly excludeRules: readonly ResourceRule[];
  readonly namespaceSelector: readonly LabelRequirement[];
  readonly objectSelector: readonly LabelRequirement[];
}

export function parseMatchResources(match: unknown): MatchResources {
  return {
    rules: listAt(match, "resourceRules").map(parseRule),
    excludeRules: listAt(match, "excludeResourceRules").map(parseRule),
    namespaceSelector: parseSelector(recordAt(match, "namespaceSelector")),
    objectSelector: parseSelector(recordAt(match, "objectSelector")),
  };
}

function parseRule(rule: unknown): ResourceRule {
  return {
    groups: strings(listAt(rule, "apiGroups")),
    versions: strings(listAt(rule, "apiVersions")),
    resources: strings(listAt(rule, "resources")),
    operations: strings(listAt(rule, "operations")),
    scope: stringAt(rule, "scope") || "*",
    names: strings(listAt(rule, "resourceNames")),
  };
}

function parseSelector(selector: unknown): LabelRequirement[] {
  const labels = Object.entries(recordAt(selector, "matchLabels")).map(([key, value]): LabelRequirement => ({
    key,
    operator: "In",
    values: strings([value]),
  }));
  const expressions = listAt(selector, "matchExpressions").flatMap((expression): LabelRequirement[] => {
    const operator = stringAt(expression, "operator");
    const isKnown = operator === "In" || operator === "NotIn" || operator === "Exists" || operator === "DoesNotExist";
    return isKnown
      ? [{ key: stringAt(expression, "key"), operator, values: strings(listAt(expression, "values")) }]
      : [];
  });
  return [...labels, ...expressions];
}

function strings(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === "string");
}

/** Whether a request is meant. Without rules, as bindings may be, all resources are. */
export function matchesResources(match: MatchResources, request: PolicyRequest): boolean {
  const { rules, excludeRules, namespaceSelector, objectSelector } = match;
  return (
    matchesNamespace(namespaceSelector, request) &&
    matchesObject(objectSelector, request) &&
    !excludeRules.some((rule) => matchesRule(rule, request)) &&
    (rules.length === 0 || rules.some((rule) => matchesRule(rule, request)))
  );
}

/** Cluster-scoped objects are never exempted, namespaces by their own labels. */
function matchesNamespace(selector: readonly LabelRequirement[], request: PolicyRequest): boolean {
  const isNamespace = request.resource === "namespaces" && request.group === "";
  if (selector.length === 0 || (request.namespace === "" && !isNamespace)) {
    return true;
  }
  const isWrite = request.operation === "CREATE" || request.operation === "UPDATE";
  const changed = isWrite && request.subresource === "" ? request.object : request.oldObject;
  const namespace = isNamespace ? changed : request.namespaceObject;
  return matchesLabels(selector, namespace?.metadata.labels);
}

function matchesObject(selector: readonly LabelRequirement[], { object, oldObject }: PolicyRequest): boolean {
  return (
    selector.length === 0 ||
    [object, oldObject].some((candidate) => isRecord(candidate) && matchesLabels(selector, candidate.metadata.labels))
  );
}

function matchesRule(rule: ResourceRule, request: PolicyRequest): boolean {
  const { names } = rule;
  return (
    matchesScope(rule.scope, request) &&
    includes(rule.operations, request.operation) &&
    includes(rule.groups, request.group) &&
    includes(rule.versions, request.version) &&
    rule.resources.some((resource) => matchesResource(resource, request)) &&
    (names.length === 0 || names.includes(request.name))
  );
}

function includes(entries: readonly string[], value: string): boolean {
  return entries.includes("*") || entries.includes(value);
}

function matchesScope(scope: string, { namespace, group, resource }: PolicyRequest): boolean {
  const isCluster = namespace === "" || (group === "" && resource === "namespaces");
  return scope === "*" || (scope === "Cluster") === isCluster;
}

function matchesResource(pattern: string, { resource, subresource }: PolicyRequest): boolean {
  const [name, sub = ""] = pattern.split("/", 2);
  return (name === "*" || name === resource) && (sub === "*" || sub === subresource);
}
