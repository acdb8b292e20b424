import { agentAccountPrefix, agentNames, allEnvironments, deployerAccountPrefix } from "../../objects/agent-names.ts";
import { annotations } from "../../objects/annotations.ts";

const name = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const deployerAccount = `${deployerAccountPrefix.replace(".", "[.]")}${name}[.]${name}`;

/**
 * Pattern of the user names of Environment accounts (docs/reference/deployer-management.md#accounts). Without a namespace, accounts of these names in every
 * namespace match.
 */
export function accountPattern(managementNamespace: string | undefined): string {
  return `^system:serviceaccount:${managementNamespace ?? "[^:]+"}:(${deployerAccount}|${agentAccountPrefix}${name})$`;
}

/** CEL variables about the account that makes the request. */
export const accountVariables = [
  { name: "account", expression: "request.userInfo.username.split(':')[3]" },
  { name: "isAgent", expression: `variables.account.startsWith('${agentAccountPrefix}')` },
  {
    name: "environment",
    expression: `variables.isAgent ? variables.account.replace('${agentAccountPrefix}', '', 1) : variables.account.split('.')[1]`,
  },
  {
    // Part of `status.deployer.identity` and of a Lease's holder before "/".
    name: "identity",
    expression: `variables.isAgent ? '${agentNames("").identity}' + variables.environment : variables.account.split('.')[2] + '-' + variables.environment`,
  },
] as const;

export const isUpdate = "request.operation == 'UPDATE'";

/** CEL: the annotation with the Environments of an object; "" without it. */
export function markOf(object: string): string {
  return `${mapOf(object, "annotations")}[?'${annotations.environments}'].orValue('')`;
}

/** CEL: the annotation names the account's Environment. */
export function isMarked(object: string): string {
  const mark = markOf(object);
  return `(${mark} == '${allEnvironments}' || variables.environment in ${mark}.split(','))`;
}

/** CEL: labels or annotations of an object; an empty map without them. */
export function mapOf(object: string, field: "labels" | "annotations"): string {
  return `${object}.metadata.?${field}.orValue({})`;
}

/** CEL: a list of the metadata; an empty list without it. */
export function listOf(object: string, field: "finalizers" | "ownerReferences"): string {
  return `${object}.metadata.?${field}.orValue([])`;
}

/** CEL: the map has no other keys. */
export function onlyKeys(map: string, keys: readonly string[]): string {
  return `${map}.all(k, k in [${keys.map((key) => `'${key}'`).join(", ")}])`;
}
