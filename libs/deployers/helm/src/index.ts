export {
  createHelmDeployer,
  helmDeployItemType,
  type HelmDeployer,
  type HelmDeployerOptions,
} from "./helm-deployer.ts";
