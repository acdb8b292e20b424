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
  /** One of `fieldValidations`: what becomes of fields that nobody knows. Ours, not the original's. */
  fieldValidation: `${groupName}/field-validation`,
  /** "true": a job may leave nothing where there was something. Ours, not the original's. */
  allowEmpty: `${groupName}/allow-empty`,
  /** "true": a job may remove Namespaces, PersistentVolumeClaims, and CRDs with instances. Ours, not the original's. */
  allowPrune: `${groupName}/allow-prune`,
  /** Toggled ("true" or absent) to raise a watch event. */
  touch: `${groupName}/touch`,
  /** RFC 3339, set on a DeployItem at each create or update. */
  reconcileTime: `${groupName}/reconcile-time`,
  rotateToken: `${groupName}/rotate-token`,
  deployerType: `${groupName}/deployer-type`,
  /** On the Installation of a deployer: hash of the installationTemplate that it was made from. Ours, not the original's. */
  deployerTemplate: `deployers.${groupName}/template-hash`,
  /**
   * DeployItem: Environments whose accounts may write it, comma-joined, or `allEnvironments`; written by the core. Secret of a DeployItem: the same.
   * Namespace: Environments whose accounts may ask for tokens of its ServiceAccounts. Ours, not the original's.
   */
  environments: `deployers.${groupName}/environments`,
  /** Admission policy of Environment accounts, and its binding: `boundsRevision`. Ours, not the original's. */
  policyRevision: `${groupName}/policy-revision`,
  /** Environment: its own name. Its deletion does not wait for the DeployItems that only this Environment serves. Ours, not the original's. */
  abandonItems: `deployers.${groupName}/abandon-items`,
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
  /** Object of a target: the DeployItem that manages it, as `NAMESPACE/NAME/UID`. Beside the owner label, which has the name alone. Ours, not the original's. */
  ownedBy: `${groupName}/owned-by`,
  /** Beside `ownedBy`: id of the landscaper cluster of the DeployItem. Ours, not the original's. */
  ownedByHub: `${groupName}/owned-by-hub`,
  /** Beside `ownedBy`, for messages: INSTALLATION/ITEM. Ours, not the original's. */
  ownedByItem: `${groupName}/owned-by-item`,
  /** Object of a target that one item took over from another: the former owner, by its label or as NAMESPACE/NAME. Ours, not the original's. */
  adoptedFrom: `${groupName}/adopted-from`,
  /** Execution: which job rendered its spec, and from what. A job that has written it does not render again. Ours, not the original's. */
  renderedBy: `${groupName}/rendered-by`,
  /** DeployItem: id of its landscaper cluster, written by the core. Ours, not the original's. */
  hubId: `${groupName}/hub-id`,
  /** Installation or DeployItem: former owners whose objects may be taken over, comma-joined: `HUB-ID`, `HUB-ID/NAMESPACE` or `NAMESPACE/NAME`. Ours, not the original's. */
  takeOverFrom: `${groupName}/take-over-from`,
  containerForceCleanup: `container.deployer.${groupName}/force-cleanup`,
  /** DeployItem: ID of the job whose changes somebody has approved, where its configuration wants that. Ours, not the original's. */
  approvedJob: `${groupName}/approved-job`,
  /** DataObject, "true": its data is masked like that of a Secret. Ours, not the original's. */
  sensitive: `${groupName}/sensitive`,
  /** Beside `sensitive`: JSON list of the JSON Pointers into `data` that it holds for. Written by the core. */
  sensitivePaths: `${groupName}/sensitive-paths`,
  /**
   * DeployItem: JSON list of the JSON Pointers into `spec.config` whose values derive from secrets; without it all values count as
   * secret. Execution: a map of such lists by item name. Ours, not the original's.
   */
  sensitiveConfig: `${groupName}/sensitive-config`,
  /** DeployItem: the paths of `sensitiveConfig` of earlier specifications: what is on a target may still be of these. */
  formerSensitiveConfig: `${groupName}/former-sensitive-config`,
  /**
   * Digests of the components that a job was rendered with, on subinstallations, Executions and DeployItems (docs/reference/components.md#pins). Ours, not the
   * original's.
   */
  componentPins: `${groupName}/component-pins`,
  /** Export Secret of a DeployItem: JSON list of the JSON Pointers into the exports that are secret; without it all are. */
  sensitiveExports: `${groupName}/sensitive-exports`,
  /** "false" mutes continuousReconcile of one DeployItem (deployers.md §1.1). */
  continuousReconcileActive: `continuousreconcile.extensions.${groupName}/active`,
} as const;

/** Of an Installation, they hold for everything below: its subinstallations, Executions and DeployItems get them, and lose them with it. */
export const inheritedAnnotations = [
  annotations.cacheHelmCharts,
  annotations.fieldValidation,
  annotations.allowEmpty,
  annotations.allowPrune,
  annotations.takeOverFrom,
] as const;
