import { isRecord, listAt, recordAt, stringAt } from "../objects/json.ts";
import type { Store } from "../storage/store.ts";
import type { AccessRequest, Authorizer, PolicyRule } from "./authorizer.ts";
import { ruleAllows } from "./authorizer.ts";
import type { User } from "./user.ts";

const suffix = "rbac.authorization.k8s.io";

/** Roles, ClusterRoles and their bindings, read from the store at every request. */
export class RbacAuthorizer implements Authorizer {
  readonly #store: Store;
  readonly #parsed = new WeakMap<object, readonly PolicyRule[]>();

  constructor(store: Store) {
    this.#store = store;
  }

  isAllowed(user: User, access: AccessRequest): boolean {
    if (user.groups.includes("system:masters")) return true;
    const namespace = access.type === "resource" ? access.namespace : "";
    return this.rulesFor(user, namespace).some((rule) => ruleAllows(rule, access));
  }

  rulesFor(user: User, namespace: string): readonly PolicyRule[] {
    const rules: PolicyRule[] = [];
    for (const { object } of this.#store.collection(`clusterrolebindings.${suffix}`).list()) {
      if (bindsTo(object, user, "")) rules.push(...this.#roleRules(recordAt(object, "roleRef"), ""));
    }
    if (namespace === "") return rules;
    for (const { object } of this.#store.collection(`rolebindings.${suffix}`).list(namespace)) {
      if (bindsTo(object, user, namespace)) rules.push(...this.#roleRules(recordAt(object, "roleRef"), namespace));
    }
    return rules;
  }

  #roleRules(reference: Readonly<Record<string, unknown>>, namespace: string): readonly PolicyRule[] {
    const name = stringAt(reference, "name");
    const role =
      reference["kind"] === "ClusterRole"
        ? this.#store.collection(`clusterroles.${suffix}`).get("", name)
        : this.#store.collection(`roles.${suffix}`).get(namespace, name);
    return role === undefined ? [] : this.#parseRules(role.object);
  }

  /** A write replaces the stored object, so that its rules are parsed once. */
  #parseRules(role: object): readonly PolicyRule[] {
    const known = this.#parsed.get(role) ?? listAt(role, "rules").filter(isRecord).map(parseRule);
    this.#parsed.set(role, known);
    return known;
  }
}

function parseRule(rule: Readonly<Record<string, unknown>>): PolicyRule {
  const strings = (field: string): readonly string[] =>
    listAt(rule, field).filter((value) => typeof value === "string");
  return {
    verbs: strings("verbs"),
    apiGroups: strings("apiGroups"),
    resources: strings("resources"),
    resourceNames: strings("resourceNames"),
    nonResourceURLs: strings("nonResourceURLs"),
  };
}

function bindsTo(binding: unknown, user: User, namespace: string): boolean {
  return listAt(binding, "subjects").some((subject) => {
    const name = stringAt(subject, "name");
    switch (stringAt(subject, "kind")) {
      case "User":
        return name === user.name;
      case "Group":
        return user.groups.includes(name);
      case "ServiceAccount":
        return user.name === `system:serviceaccount:${stringAt(subject, "namespace") || namespace}:${name}`;
      default:
        return false;
    }
  });
}
