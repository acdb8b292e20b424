import { conditionTypes, environmentNamespaces, type ConditionUpdate, type Environment } from "@landscaper/api";

const meaning =
  "the deployers of this Environment read the Secrets, DeployItems and Targets of all namespaces of the landscaper cluster";

/**
 * Returns the condition ReadsAllNamespaces of an Environment with all namespaces; undefined if the Environment names namespaces
 * (docs/reference/deployer-management.md#namespaces).
 */
export function describeNamespaces(environment: Environment): ConditionUpdate | undefined {
  const { spec } = environment;
  if (environmentNamespaces(spec) !== undefined) return undefined;
  const isExplicit = spec.namespaces !== undefined;
  const cause = isExplicit ? 'spec.namespaces is ["*"]' : "it has no spec.namespaces";
  return {
    type: conditionTypes.readsAllNamespaces,
    status: "True",
    reason: isExplicit ? "AllNamespacesNamed" : "NoNamespacesNamed",
    message: `${meaning}: ${cause}. Name the namespaces that they need in spec.namespaces.`,
  };
}
