import { conditionTypes, type ConditionUpdate, type Environment, type PolicyRule, type Role } from "@landscaper/api";
import { nameOf, namespaceOf } from "../../object-reading.ts";

const readVerbs: readonly string[] = ["get", "list", "watch", "*"];

function contains(list: readonly string[] | undefined, ...values: readonly string[]): boolean {
  return list?.some((entry) => values.includes(entry)) === true;
}

/** Whether a rule lets its accounts read Secrets of any name. */
function readsAllSecrets({ apiGroups, resources, resourceNames = [], verbs }: PolicyRule): boolean {
  const isOfSecrets = contains(apiGroups, "", "*") && contains(resources, "secrets", "*");
  return isOfSecrets && resourceNames.length === 0 && contains(verbs, ...readVerbs);
}

/**
 * Returns the condition ReadsAllSecrets of an Environment whose agent has the rights of an earlier release; undefined for other Environments
 * (docs/reference/deployer-management.md#secrets-of-an-agent).
 */
export function describeAgentRole(environment: Environment, role: Role | undefined): ConditionUpdate | undefined {
  if (role?.rules?.some(readsAllSecrets) !== true) return undefined;
  const namespace = namespaceOf(role);
  return {
    type: conditionTypes.readsAllSecrets,
    status: "True",
    reason: "AgentRoleReadsSecrets",
    message: `the agent of this Environment reads all Secrets of namespace ${namespace}: Role ${nameOf(role)} has the rules of an earlier release. Upgrade the agent, then run landscaper agent bootstrap --environment ${nameOf(environment)} of this release with the options of the first call.`,
  };
}
