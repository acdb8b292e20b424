export { createConfiguredHelmDeployer, type HelmSettings } from "./configured-helm-deployer.ts";
export type { Unseal } from "./values/unseal-values.ts";
export {
  createHelmDeployer,
  helmDeployItemType,
  type HelmDeployer,
  type HelmDeployerOptions,
} from "./helm-deployer.ts";
