import { LandscaperError, listPermissions, type Permission, type Right } from "@landscaper/api";
import { isForbidden, isNotFound } from "../client/api-error.ts";
import type { Client } from "../client/client-interface.ts";
import { describePermissions, findUncovered, type ReviewedRule } from "./missing-rights.ts";

/** Rights that a service needs in one place. */
export interface RightsDemand {
  readonly client: Pick<Client, "request">;
  /** For messages, such as "the landscaper cluster". */
  readonly cluster: string;
  /** Undefined: in all namespaces. */
  readonly namespace?: string | undefined;
  readonly rights: readonly Right[];
  /** Nothing is missing where the process has none of the rights: such a namespace may come later. */
  readonly isOptional?: boolean | undefined;
}

const authorization = "authorization.k8s.io/v1";
/** No namespace is called so: no Role of one counts for all of them. */
const noNamespace = "*";

/**
 * Throws a LandscaperError (RightsMissing) that names each verb and resource that the API servers do not let this process use, and whom
 * they take it for. Throws ApiError and ConnectionError for a server that does not say.
 */
export async function demandRights(demands: readonly RightsDemand[], signal: AbortSignal): Promise<void> {
  const missing: string[] = [];
  for (const demand of demands) {
    const permissions = await findMissing(demand, signal);
    if (permissions.length === 0) continue;
    const { namespace, cluster, client, rights, isOptional } = demand;
    if (isOptional === true && permissions.length === listPermissions(rights).length) continue;
    const where = namespace === undefined ? `on ${cluster}` : `in namespace ${namespace} of ${cluster}`;
    missing.push(`${await whoAmI(client, signal)} lacks rights ${where}: ${describePermissions(permissions)}`);
  }
  if (missing.length === 0) return;
  throw new LandscaperError({
    message: missing.join(". "),
    reason: "RightsMissing",
    hint: "docs/reference/rights.md has the rules; the service begins as soon as they are granted",
  });
}

/** One request where all rights are there; one more for each permission that the list of rules does not show. */
async function findMissing(demand: RightsDemand, signal: AbortSignal): Promise<readonly Permission[]> {
  const { rights, namespace = noNamespace, client } = demand;
  const rules = await reviewRules(client, namespace, signal);
  const uncovered = findUncovered(rights, rules);
  // Not every authorizer can list its rules.
  const answers = await Promise.all(uncovered.map(async (permission) => await isAllowed(demand, permission, signal)));
  return uncovered.filter((_, index) => answers[index] === false);
}

/** None where the server does not tell. */
async function reviewRules(
  client: RightsDemand["client"],
  namespace: string,
  signal: AbortSignal,
): Promise<readonly ReviewedRule[]> {
  try {
    const status = await review(client, { kind: "SelfSubjectRulesReview", spec: { namespace } }, signal);
    const rules: unknown = Reflect.get(status, "resourceRules");
    return Array.isArray(rules) ? rules.map(parseRule) : [];
  } catch (error) {
    if (isForbidden(error) || isNotFound(error)) return [];
    throw error;
  }
}

function parseRule(rule: unknown): ReviewedRule {
  const list = (field: string): readonly string[] => {
    const values: unknown = Reflect.get(Object(rule), field);
    return Array.isArray(values) ? values.filter((value): value is string => typeof value === "string") : [];
  };
  return {
    verbs: list("verbs"),
    apiGroups: list("apiGroups"),
    resources: list("resources"),
    resourceNames: list("resourceNames"),
  };
}

/** A server that does not let us ask counts as one that allows it: the request itself will tell. */
async function isAllowed(
  { client, namespace = "" }: RightsDemand,
  { verb, group, resource: named, name = "" }: Permission,
  signal: AbortSignal,
): Promise<boolean> {
  const [resource = "", subresource = ""] = named.split("/");
  const resourceAttributes = { verb, group, resource, subresource, namespace, name };
  try {
    const status = await review(client, { kind: "SelfSubjectAccessReview", spec: { resourceAttributes } }, signal);
    return Reflect.get(status, "allowed") === true;
  } catch (error) {
    if (isForbidden(error) || isNotFound(error)) return true;
    throw error;
  }
}

async function review(
  client: RightsDemand["client"],
  { kind, spec }: { readonly kind: string; readonly spec: object },
  signal: AbortSignal,
): Promise<object> {
  const path = `/apis/${authorization}/${kind.toLowerCase()}s`;
  const body = { apiVersion: authorization, kind, spec };
  const answer = await client.request({ method: "POST", path, body, signal });
  return Object(Reflect.get(Object(answer), "status")) as object; // Object() makes one of anything.
}

/** The name that the server has for this process. */
async function whoAmI(client: RightsDemand["client"], signal: AbortSignal): Promise<string> {
  const apiVersion = "authentication.k8s.io/v1";
  const path = `/apis/${apiVersion}/selfsubjectreviews`;
  try {
    const answer = await client.request({
      method: "POST",
      path,
      body: { apiVersion, kind: "SelfSubjectReview" },
      signal,
    });
    const { status } = Object(answer) as { readonly status?: { readonly userInfo?: { readonly username?: unknown } } };
    const name = status?.userInfo?.username;
    return typeof name === "string" ? `user ${name}` : "the service";
  } catch {
    signal.throwIfAborted();
    return "the service";
  }
}
