import { isRecord, listAt, recordAt, stringAt } from "../objects/json.ts";
import type { Store } from "../storage/store.ts";
import type { AccessRequest, Authorizer, PolicyRule } from "./authorizer.ts";
import { ruleAllows } from "./authorizer.ts";
import type { User } from "./user.ts";

const suffix = "rbac.authorization.k8s.io";

/** Roles, ClusterRoles and their bindings, as the store has them at a request. */
export class RbacAuthorizer implements Authorizer {
  readonly #store: Store;
  readonly #parsed = new WeakMap<object, readonly PolicyRule[]>();
  readonly #subjects = new WeakMap<object, readonly string[]>();
  readonly #bindings = new Map<
    string,
    { readonly changes: number; readonly bySubject: ReadonlyMap<string, object[]> }
  >();

  constructor(store: Store) {
    this.#store = store;
  }

  isAllowed(user: User, access: AccessRequest): boolean {
    if (user.groups.includes("system:masters")) return true;
    const namespace = access.type === "resource" ? access.namespace : "";
    return this.rulesFor(user, namespace).some((rule) => ruleAllows(rule, access));
  }

  rulesFor(user: User, namespace: string): readonly PolicyRule[] {
    const places = namespace === "" ? [""] : ["", namespace];
    return places.flatMap((place) => {
      const bindings = this.#bindingsIn(place);
      const own = subjectsOf(user).flatMap((subject) => bindings.get(subject) ?? []);
      return [...new Set(own)].flatMap((binding) => this.#roleRules(recordAt(binding, "roleRef"), place));
    });
  }

  /** The bindings of a namespace, or of the cluster (""), by subject; made anew when one of them has changed. */
  #bindingsIn(namespace: string): ReadonlyMap<string, readonly object[]> {
    const collection = this.#store.collection(`${namespace === "" ? "cluster" : ""}rolebindings.${suffix}`);
    const changes = collection.changesOf(namespace);
    const known = this.#bindings.get(namespace);
    if (known?.changes === changes) return known.bySubject;
    const bySubject = new Map<string, object[]>();
    for (const { object } of collection.list(namespace)) {
      for (const subject of this.#subjectsIn(object, namespace)) {
        const bindings = bySubject.get(subject);
        if (bindings === undefined) bySubject.set(subject, [object]);
        else bindings.push(object);
      }
    }
    if (changes === 0) this.#bindings.delete(namespace);
    else this.#bindings.set(namespace, { changes, bySubject });
    return bySubject;
  }

  #subjectsIn(binding: object, namespace: string): readonly string[] {
    const known =
      this.#subjects.get(binding) ??
      listAt(binding, "subjects").flatMap((subject) => boundSubject(subject, namespace) ?? []);
    this.#subjects.set(binding, known);
    return known;
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

function subjectsOf({ name, groups }: User): string[] {
  return [`User ${name}`, ...groups.map((group) => `Group ${group}`)];
}

/** Whom a subject of a binding means; undefined for a kind that does not exist. */
function boundSubject(subject: unknown, namespace: string): string | undefined {
  const name = stringAt(subject, "name");
  const kind = stringAt(subject, "kind");
  if (kind === "User" || kind === "Group") return `${kind} ${name}`;
  if (kind !== "ServiceAccount") return undefined;
  return `User system:serviceaccount:${stringAt(subject, "namespace") || namespace}:${name}`;
}
