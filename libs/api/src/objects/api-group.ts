/** Group, version and the words of Landscaper's API that are neither label nor annotation (core.md §3.3, §3.4). */
export const groupName = "landscaper.gardener.cloud";
export const versionName = "v1alpha1";
/** "group/version" of every kind of Landscaper. */
export const apiVersion = `${groupName}/${versionName}`;
/** "group/version" of Landscaper's configuration files. */
export const configApiVersion = `config.${groupName}/${versionName}`;

/** On every Installation, Execution, DeployItem and TargetSync, from the first pass on. */
export const finalizer = `finalizer.${groupName}`;
/** Deployer lifecycle management: on Environments, DeployerRegistrations and the Installations made from them. */
export const deployerManagementFinalizer = `finalizer.deployermanagement.${groupName}`;
/** On Environments; never removed by the agent. */
export const agentFinalizer = `finalizer.agent.${groupName}`;
/** On Targets, Contexts, Secrets and RoleBindings that DeployItems need for their deletion (docs/reference/protection.md). */
export const protectionFinalizer = `${groupName}/in-use`;

/** Values of `annotations.operation`. */
export const operations = {
  reconcile: "reconcile",
  interrupt: "interrupt",
  testReconcile: "test-reconcile",
  /** On a DeployItem between jobs: repeats at once what continuousReconcile repeats. Ours, not the original's. */
  refresh: "refresh",
  /** On a DeployItem: its deployer says between jobs what a job would change. Ours, not the original's. */
  plan: "plan",
  /** On a helm DeployItem: its deployer says between jobs what the other version of Helm, or the given one, renders differently. Ours, not the original's. */
  planOtherHelm: "plan-other-helm",
  planHelm3: "plan-helm-3",
  planHelm4: "plan-helm-4",
} as const;

/** Operations that a deployer answers with a plan. */
export const planOperations: readonly string[] = [
  operations.plan,
  operations.planOtherHelm,
  operations.planHelm3,
  operations.planHelm4,
];

/** Value of `annotations.reconcileReason` that marks a trigger by automaticReconcile. */
export const reconcileReasonRetry = "retry";
/** Value of `annotations.reconcilePolicy`. */
export const reconcilePolicyOnChange = "on-change";
/** Value of `annotations.deployerTargetName` on a DeployItem without target. */
export const noTargetName = ".noTargetName";
/** `spec.context` of objects that name none. */
export const defaultContextName = "default";
/** Short target and resource types get this prefix: "kubernetes-cluster" is "landscaper.gardener.cloud/kubernetes-cluster". */
export const typePrefix = `${groupName}/`;
/** Target type of Kubernetes clusters (deployers.md §2.6). */
export const kubernetesClusterTargetType = `${typePrefix}kubernetes-cluster`;

/** "x" -> "landscaper.gardener.cloud/x"; names that already have a "/" stay (core.md §1.5 D11). */
export function qualifyType(type: string): string {
  return type === "" || type.includes("/") ? type : `${typePrefix}${type}`;
}
