import { groupName } from "./api-group.ts";

/** Label keys of core.md §3.3. Values are at most 63 characters, which is why names are restricted (core.md §3.6). */
export const labels = {
  /** Subinstallation: name of the parent; absent on roots. */
  encompassedBy: `${groupName}/encompassed-by`,
  /** DeployItem: name of the Execution. */
  managedBy: `execution.${groupName}/managed-by`,
  /** DeployItem: name of the item in the Execution. */
  managedName: `execution.${groupName}/name`,
  /** DataObject, Target: the scope it lives in; absent in the root scope. */
  dataContext: `data.${groupName}/context`,
  dataKey: `data.${groupName}/key`,
  dataSource: `data.${groupName}/source`,
  /** "import" or "export". */
  dataSourceType: `data.${groupName}/sourceType`,
  dataIndex: `data.${groupName}/index`,
  dataTargetMapKey: `data.${groupName}/targetmapkey`,
  dataJobId: `data.${groupName}/jobid`,
  /** "ok" on what a TargetSync made. */
  targetSync: `${groupName}/targetsync`,
  /** "true" exempts an object from the validation rules of core.md §3.6. */
  skipValidation: `validation.${groupName}/skip-validation`,
  /** Pods: controller, controller-main, webhook-server. */
  component: `${groupName}/component`,
  topology: `${groupName}/topology`,
  topologyNamespace: `${groupName}/topology-ns`,
  deployerRegistration: `deployers.${groupName}/deployer-registration`,
  deployerEnvironment: `deployers.${groupName}/environment`,
  /** On a Namespace, with any value: Environment accounts write no Secrets there. Ours, not the original's. */
  noEnvironmentSecrets: `deployers.${groupName}/no-secrets`,
  /** On every object that the manifest deployer manages: name of the DeployItem (deployers.md §1.2). */
  manifestDeployItem: `manifest.deployer.${groupName}/deployitem`,
  helmDeployItem: `helm.deployer.${groupName}/deployitem`,
  /** On the Secret with the plan of a DeployItem: `planLabelValue` of its name. */
  planOf: `${groupName}/plan-of`,
  /** On what `landscaper install` writes: name of the Installation. */
  installOf: `${groupName}/install-of`,
} as const;
