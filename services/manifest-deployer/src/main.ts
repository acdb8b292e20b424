// The manifest deployer as a process. usage: manifest-deployer [--config FILE] [--kubeconfig FILE] [--landscaper-kubeconfig FILE]
// [--metrics-port N] [--lease-namespace NAMESPACE] [--lease-duration D] [-v LEVEL].
import {
  manifestDeployerConfigurationSchema,
  manifestDeployerRights,
  productVersion,
  type ManifestDeployerConfiguration,
} from "@landscaper/api";
import { runMain } from "@landscaper/controller-runtime";
import { runDeployerService } from "@landscaper/deployer";
import { createManifestDeployer } from "@landscaper/manifest-deployer-lib";

await runMain((signal) =>
  runDeployerService(
    {
      configuration: manifestDeployerConfigurationSchema,
      createDeployer: ({ ignoreFields, healthRules, allowSecretNames }: ManifestDeployerConfiguration) =>
        createManifestDeployer(`v${productVersion}`, { ignoreFields, healthRules, allowSecretNames }),
      rights: manifestDeployerRights,
      program: { name: "manifest-deployer", version: productVersion },
      argv: process.argv.slice(2),
      env: process.env,
    },
    signal,
  ),
);
