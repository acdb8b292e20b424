// What accounts without a policy can do: each right of one namespace is tried in all of them.
import { kubeResources, type KubeObject, type PolicyRule, type ResourceType } from "@landscaper/api";
import { ApiError, createClient, resourcePath, type Client } from "@landscaper/controller-runtime";
import { mapBounded } from "@landscaper/resources";
import { waitFor } from "@landscaper/testkit";
import { requestToken } from "../src/clusters/service-token.ts";
import type { TestCluster } from "../src/clusters/test-cluster.ts";
import { grantRules } from "./account-grants.ts";
import { plainObject } from "./attack-variants.ts";
import { listRights, readRules, type GrantedRight, type Rule } from "./reach.ts";
import { places, type Place, type UnboundedAccount } from "./unbounded-accounts.ts";

export interface ReachRow {
  readonly account: string;
  /** Plural of the kind, followed by "/" and the subresource if there is one. "*": every kind. */
  readonly resource: string;
  readonly verb: string;
  /** "cluster": the kind has no namespaces. */
  readonly place: Place | "cluster";
  /** Whether the request names an object that the right lists. */
  readonly isNamed: boolean;
  readonly isPermitted: boolean;
}

export interface ReachPlace {
  readonly cluster: TestCluster;
  /** Of the accounts themselves. */
  readonly namespace: string;
  readonly namespaces: Readonly<Record<Place, string>>;
  /** Gets the names of the cluster-wide roles, which the deletion of the namespace does not remove. */
  readonly clusterRoles: string[];
}

/** Name of an object that no right names. */
const foreignName = "attack";
const requestsAtOnce = 8;
const neverAborted = new AbortController().signal;

const methods: Readonly<Record<string, "GET" | "POST" | "PUT" | "PATCH" | "DELETE">> = {
  create: "POST",
  update: "PUT",
  patch: "PATCH",
  delete: "DELETE",
  deletecollection: "DELETE",
};
const collectionVerbs: ReadonlySet<string> = new Set(["list", "watch", "deletecollection"]);

function queryOf(verb: string, method: string): string {
  if (method !== "GET") return "dryRun=All";
  // An invalid version ends a watch at once.
  return verb === "watch" ? "watch=true&resourceVersion=x&timeoutSeconds=1" : "limit=1";
}

/** Sends the request, a write as a dry run. Returns false if the API server answers 403. */
export async function isPermitted(
  as: Client,
  { verb, type, subresource }: GrantedRight,
  key: ObjectPlace,
): Promise<boolean> {
  const { group, version } = type;
  const isOfCollection = collectionVerbs.has(verb) || (verb === "create" && subresource === "");
  const at = { namespace: key.namespace, ...(isOfCollection ? {} : { name: key.name }) };
  const path = `${resourcePath(type, at)}${subresource === "" ? "" : `/${subresource}`}`;
  const method = methods[verb] ?? "GET";
  // An invalid version ends a watch at once.
  const query = queryOf(verb, method);
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const object: KubeObject = plainObject({ apiVersion, kind: type.kind }, key.namespace ?? "");
  const named = { ...object, metadata: { ...object.metadata, name: key.name } };
  const body =
    subresource === "token" ? { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} } : named;
  const contentType = method === "PATCH" ? { contentType: "application/merge-patch+json" } : {};
  try {
    const content = ["POST", "PUT", "PATCH"].includes(method) ? { body, ...contentType } : {};
    await as.request({ method, path: `${path}?${query}`, answer: "text", ...content });
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.status !== 403;
  }
}

interface ObjectPlace {
  readonly namespace: string | undefined;
  readonly name: string;
}

function resourceOf({ plural }: ResourceType, subresource: string): string {
  return subresource === "" ? plural : `${plural}/${subresource}`;
}

/** Verbs of RBAC that do not correspond to a request. */
const grantingVerbs: ReadonlySet<string> = new Set(["bind", "escalate", "impersonate", "use"]);

function rightKey({ verb, type, subresource, names }: GrantedRight): string {
  return JSON.stringify([verb, type.group, type.plural, subresource, names]);
}

/** Rights for an account that may do everything: a sample of kinds, with every verb. */
const samples: readonly GrantedRight[] = [kubeResources.secret, kubeResources.clusterRoleBinding].flatMap((type) =>
  [...Object.keys(methods), "get", "list", "watch"].map((verb) => ({ verb, type, subresource: "", names: [] })),
);

async function listTriedRights(as: Client, account: UnboundedAccount, place: ReachPlace): Promise<GrantedRight[]> {
  if (account.grants.some(({ rules }) => rules.some(({ resources = [] }) => resources.includes("*"))))
    return [...samples];
  const { cluster, namespaces } = place;
  const lists = await Promise.all(places.map(async (one) => listRights(as, cluster.client, namespaces[one])));
  const rights = new Map(lists.flat().map((right) => [rightKey(right), right]));
  return [...rights.values()].filter(({ verb }) => !grantingVerbs.has(verb));
}

/** Tries all rights that the account has in one of the namespaces in all of them. */
async function tryRights(as: Client, account: UnboundedAccount, place: ReachPlace): Promise<readonly ReachRow[]> {
  const wanted = await listTriedRights(as, account, place);
  const rows = await mapBounded(wanted, { limit: requestsAtOnce, signal: neverAborted }, async (right) => {
    const { verb, type, subresource, names } = right;
    const row = { account: account.name, resource: resourceOf(type, subresource), verb };
    const found: ReachRow[] = [];
    for (const one of type.namespaced ? places : (["cluster"] as const)) {
      const namespace = one === "cluster" ? undefined : place.namespaces[one];
      for (const name of new Set([...names.slice(0, 1), foreignName])) {
        const isNamed = name !== foreignName;
        found.push({ ...row, place: one, isNamed, isPermitted: await isPermitted(as, right, { namespace, name }) });
      }
    }
    return found;
  });
  return rows.flat();
}

/** Creates the account with a ServiceAccount of this name, and tries its rights. */
export async function runReach(
  account: UnboundedAccount,
  name: string,
  place: ReachPlace,
): Promise<readonly ReachRow[]> {
  const { cluster, namespace, namespaces } = place;
  const { client } = cluster;
  const metadata = { namespace, name };
  await client.create(kubeResources.serviceAccount, { apiVersion: "v1", kind: "ServiceAccount", metadata });
  for (const [index, { place: at, rules }] of account.grants.entries()) {
    const role = `${namespace}-${name}-${index}`;
    if (at === undefined) place.clusterRoles.push(role);
    const where = at === undefined ? {} : { namespace: namespaces[at] };
    await grantRules(client, { account: metadata, role, place: where, rules });
  }
  const token = await requestToken(client, metadata);
  const as = createClient({ connection: { server: cluster.url, ca: cluster.ca, token }, userAgent: "intruder" });
  try {
    await untilGranted(as, account, place);
    return await tryRights(as, account, place);
  } finally {
    await as.close();
  }
}

/** The authorizer learns of roles and bindings by watches of its own. */
async function untilGranted(as: Client, { grants }: UnboundedAccount, { namespaces }: ReachPlace): Promise<void> {
  for (const { place = "tenant", rules } of grants) {
    await waitFor(async () => {
      const found = await readRules(as, namespaces[place]);
      return rules.every((rule) => found.some((one) => includesRule(one, rule)));
    });
  }
}

function includesRule(found: Rule, wanted: PolicyRule): boolean {
  const includes = (all: readonly string[] = [], some: readonly string[] = []): boolean =>
    some.every((one) => all.includes(one));
  const [names, wantedNames] = [found.resourceNames ?? [], wanted.resourceNames ?? []];
  return (
    includes(found.verbs, wanted.verbs) &&
    includes(found.apiGroups, wanted.apiGroups) &&
    includes(found.resources, wanted.resources) &&
    names.length === wantedNames.length &&
    includes(names, wantedNames)
  );
}
