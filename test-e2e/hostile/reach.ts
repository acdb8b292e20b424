// Writes that an account can send: its rights by RBAC, with the kinds by discovery.
import { type ResourceType } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";

export const writeVerbs = ["create", "update", "patch", "delete", "deletecollection"] as const;
export type WriteVerb = (typeof writeVerbs)[number];

/** A right to write objects of a kind. */
export interface Reach {
  readonly verb: WriteVerb;
  readonly type: ResourceType;
  /** Such as "status"; empty for the object itself. */
  readonly subresource: string;
  /** Names to which the right is limited; empty without a limit. */
  readonly names: readonly string[];
}

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

const read = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((found, key) => (found === undefined ? undefined : Reflect.get(Object(found), key)), value);

/** Groups whose objects are questions that every account may ask. */
const questionGroups: ReadonlySet<string> = new Set(["authorization.k8s.io", "authentication.k8s.io"]);

async function readRules(as: Client, namespace: string): Promise<readonly Rule[]> {
  const answer = await as.request({
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
    body: { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectRulesReview", spec: { namespace } },
  });
  const rules = read(answer, "status", "resourceRules");
  return Array.isArray(rules) ? (rules as readonly Rule[]) : []; // by the API
}

/** The type of a resource by discovery, in the preferred version of its group. */
async function discover(client: Client, group: string, plural: string): Promise<ResourceType | undefined> {
  const versions = group === "" ? ["v1"] : await preferredVersion(client, group);
  for (const version of versions) {
    const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    const found = read(await client.request({ method: "GET", path }), "resources");
    if (!Array.isArray(found)) continue;
    const resource: unknown = found.find((one) => read(one, "name") === plural);
    if (resource === undefined) continue;
    const namespaced = read(resource, "namespaced") === true;
    return { group, version, kind: String(read(resource, "kind")), plural, namespaced };
  }
  return undefined;
}

async function preferredVersion(client: Client, group: string): Promise<readonly string[]> {
  const version = read(await client.request({ method: "GET", path: `/apis/${group}` }), "preferredVersion", "version");
  return typeof version === "string" ? [version] : [];
}

/** Lists what the account may write in the namespace. `client` reads the discovery. */
export async function listReach(as: Client, client: Client, namespace: string): Promise<readonly Reach[]> {
  const reach: Reach[] = [];
  for (const { verbs, apiGroups = [], resources = [], resourceNames = [] } of await readRules(as, namespace)) {
    for (const group of apiGroups.filter((one) => !questionGroups.has(one))) {
      for (const resource of resources) {
        const [plural = "", subresource = ""] = resource.split("/");
        const granted = writeVerbs.filter((verb) => verbs.includes(verb) || verbs.includes("*"));
        if (granted.length === 0) continue;
        const type = await discover(client, group, plural);
        if (type === undefined) continue;
        reach.push(...granted.map((verb): Reach => ({ verb, type, subresource, names: resourceNames })));
      }
    }
  }
  return reach;
}
