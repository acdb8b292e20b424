// The helm deployer as a process. usage: helm-deployer [--config FILE] [--kubeconfig FILE] [--landscaper-kubeconfig FILE]
// [--metrics-port N] [--lease-namespace NAMESPACE] [--lease-duration D] [-v LEVEL].
import {
  helmDeployerConfigurationSchema,
  helmDeployerRights,
  productVersion,
  type HelmDeployerConfiguration,
} from "@landscaper/api";
import { runMain } from "@landscaper/controller-runtime";
import { runDeployerService } from "@landscaper/deployer";
import { createConfiguredHelmDeployer } from "@landscaper/helm-deployer-lib";

await runMain((signal) =>
  runDeployerService(
    {
      configuration: helmDeployerConfigurationSchema,
      createDeployer: (configuration: HelmDeployerConfiguration, surroundings) =>
        createConfiguredHelmDeployer(configuration, surroundings),
      rights: helmDeployerRights,
      program: { name: "helm-deployer", version: productVersion },
      argv: process.argv.slice(2),
      env: process.env,
    },
    signal,
  ),
);
