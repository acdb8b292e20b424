import { groupName } from "./api-group.ts";

/** Annotation keys of core.md §3.3. */
export const annotations = {
  /** One of `operations`; on a root Installation it starts a job. */
  operation: `${groupName}/operation`,
  reconcileReason: `${groupName}/reconcile-reason`,
  reconcileIfChanged: `${groupName}/reconcile-if-changed`,
  /** `reconcilePolicyOnChange` on a root Installation: a change of what it depends on starts a job. Ours, not the original's. */
  reconcilePolicy: `${groupName}/reconcile-policy`,
  deleteWithoutUninstall: `${groupName}/delete-without-uninstall`,
  deleteIgnoreSuccessors: `${groupName}/delete-ignore-successors`,
  cacheHelmCharts: `${groupName}/cache-helm-charts`,
  /** Toggled ("true" or absent) to raise a watch event. */
  touch: `${groupName}/touch`,
  /** RFC 3339, set on a DeployItem at each create or update. */
  reconcileTime: `${groupName}/reconcile-time`,
  rotateToken: `${groupName}/rotate-token`,
  deployerType: `${groupName}/deployer-type`,
  /** Target name of a DeployItem, or `noTargetName`. */
  deployerTargetName: `${groupName}/deployer-target-name`,
  /** Shoot name, for onDelete.skipUninstallIfClusterRemoved. */
  clusterName: `${groupName}/clustername`,
  /** Template name of a subinstallation. */
  subinstallationName: `${groupName}/subinstallation-name`,
  lastTargetSync: `${groupName}/lasttargetsync`,
  environment: `${groupName}/environment`,
  deployerOnly: `${groupName}/deployer-only`,
  /** DeployItem: comma-joined dependsOn, for deletion in order after the template is gone. */
  dependsOn: `execution.${groupName}/dependsOn`,
  /** `hashDataObjectValue` or `hashTarget` of the object that carries it. */
  dataHash: `data.${groupName}/hash`,
  dataType: `data.${groupName}/type`,
  /** DeployItem: revision of its Helm release that jobs go back to, in place of what its configuration says. Ours, not the original's. */
  helmRollbackTo: `helm.deployer.${groupName}/rollback-to`,
  containerForceCleanup: `container.deployer.${groupName}/force-cleanup`,
  /** DeployItem: ID of the job whose changes somebody has approved, where its configuration wants that. Ours, not the original's. */
  approvedJob: `${groupName}/approved-job`,
  /** "false" mutes continuousReconcile of one DeployItem (deployers.md §1.1). */
  continuousReconcileActive: `continuousreconcile.extensions.${groupName}/active`,
} as const;
