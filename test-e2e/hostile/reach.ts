// Writes that RBAC permits to an account, with the kinds from the discovery of the API server.
import type { ResourceType } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { readField } from "./read-field.ts";

const writeVerbs = ["create", "update", "patch", "delete", "deletecollection"] as const;
type WriteVerb = (typeof writeVerbs)[number];

/** A right to write objects of a kind. */
export interface Reach {
  readonly verb: WriteVerb;
  readonly type: ResourceType;
  /** Subresource such as "status"; empty for the object itself. */
  readonly subresource: string;
}

export interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** Groups of reviews, which every account may create and the API server does not store. */
const reviewGroups: ReadonlySet<string> = new Set(["authorization.k8s.io", "authentication.k8s.io"]);

/** Reads the rules that the authorizer applies to the account in the namespace. */
export async function readRules(as: Client, namespace: string): Promise<readonly Rule[]> {
  const answer = await as.request({
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
    body: { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectRulesReview", spec: { namespace } },
  });
  const rules = readField(answer, "status", "resourceRules");
  return Array.isArray(rules) ? (rules as readonly Rule[]) : []; // the shape of SelfSubjectRulesReview
}

/** Discovers the type of a resource in the preferred version of its group. */
async function discover(client: Client, group: string, plural: string): Promise<ResourceType | undefined> {
  const versions = group === "" ? ["v1"] : await preferredVersion(client, group);
  for (const version of versions) {
    const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    const found = readField(await client.request({ method: "GET", path }), "resources");
    if (!Array.isArray(found)) continue;
    const resource: unknown = found.find((one) => readField(one, "name") === plural);
    if (resource === undefined) continue;
    const namespaced = readField(resource, "namespaced") === true;
    return { group, version, kind: String(readField(resource, "kind")), plural, namespaced };
  }
  return undefined;
}

async function preferredVersion(client: Client, group: string): Promise<readonly string[]> {
  const version = readField(
    await client.request({ method: "GET", path: `/apis/${group}` }),
    "preferredVersion",
    "version",
  );
  return typeof version === "string" ? [version] : [];
}

/** One verb on one resource, as RBAC grants it. */
export interface GrantedRight {
  readonly verb: string;
  readonly type: ResourceType;
  /** Subresource such as "status"; empty for the object itself. */
  readonly subresource: string;
  /** Names of the permitted objects; empty if all names are permitted. */
  readonly names: readonly string[];
}

/** Lists the rights that RBAC gives the account `as` in the namespace, to kinds that the API server has. `client` needs the right to read the discovery. */
export async function listRights(as: Client, client: Client, namespace: string): Promise<readonly GrantedRight[]> {
  const rights: GrantedRight[] = [];
  // The discovery does not list the group "*".
  for (const { verbs, apiGroups = [], resources = [], resourceNames: names = [] } of await readRules(as, namespace)) {
    for (const group of apiGroups.filter((one) => one !== "*" && !reviewGroups.has(one))) {
      for (const resource of resources) {
        const [plural = "", subresource = ""] = resource.split("/");
        const type = await discover(client, group, plural);
        if (type !== undefined) rights.push(...verbs.map((verb) => ({ verb, type, subresource, names })));
      }
    }
  }
  return rights;
}

/** Lists the rights that `listRights` leaves out: with wildcards, or to kinds that the discovery does not have. */
export async function listUnknownRights(as: Client, client: Client, namespace: string): Promise<readonly string[]> {
  const unknown: string[] = [];
  for (const { verbs, apiGroups = [], resources = [] } of await readRules(as, namespace)) {
    for (const group of apiGroups.filter((one) => !reviewGroups.has(one))) {
      for (const resource of resources) {
        const isWild = [group, resource, ...verbs].includes("*");
        const isKnown = !isWild && (await discover(client, group, resource.split("/")[0] ?? "")) !== undefined;
        if (!isKnown) unknown.push(`${group}/${resource} ${verbs.join(",")}`);
      }
    }
  }
  return unknown;
}

/** Lists the writes that RBAC permits to the account `as` in the namespace. */
export async function listReach(as: Client, client: Client, namespace: string): Promise<readonly Reach[]> {
  const rights = await listRights(as, client, namespace);
  return rights.flatMap(({ verb, type, subresource }) =>
    writeVerbs.filter((one) => one === verb || verb === "*").map((one): Reach => ({ verb: one, type, subresource })),
  );
}
