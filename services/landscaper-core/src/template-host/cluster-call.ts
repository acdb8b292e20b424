/** Functions of templates that a cluster has to be asked for (core.md §3.7). */
export const clusterFunctionNames = [
  "getShootAdminKubeconfig",
  "getShootAdminKubeconfigWithExpirationTimestamp",
  "getServiceAccountKubeconfig",
  "getServiceAccountKubeconfigWithExpirationTimestamp",
  "getOidcKubeconfig",
] as const;
export type ClusterFunctionName = (typeof clusterFunctionNames)[number];

/** One call of a template; its arguments have the right number and types. */
export interface ClusterCall {
  readonly name: ClusterFunctionName;
  readonly args: readonly unknown[];
}
