// The helm deployer as a process. usage: helm-deployer [--config FILE] [--kubeconfig FILE] [--landscaper-kubeconfig FILE]
// [--metrics-port N] [--lease-namespace NAMESPACE] [--lease-duration D] [-v LEVEL]; NATS_URL names where CloudEvents go.
import {
  helmDeployerConfigurationSchema,
  helmDeployerRights,
  parseDuration,
  productVersion,
  type HelmDeployerConfiguration,
} from "@landscaper/api";
import { runMain } from "@landscaper/controller-runtime";
import { runDeployerService } from "@landscaper/deployer";
import { createHelmDeployer } from "@landscaper/helm-deployer-lib";

await runMain((signal) =>
  runDeployerService(
    {
      configuration: helmDeployerConfigurationSchema,
      createDeployer: (configuration: HelmDeployerConfiguration, { egress }) => {
        const { oci, registry, rendering, remoteSchemas, egress: settings, abandonedAfter } = configuration;
        const abandonedAfterMs = parseDuration(abandonedAfter);
        return createHelmDeployer({
          version: `v${productVersion}`,
          oci,
          rendering,
          schemaHosts: remoteSchemas?.hosts,
          localRoot: registry?.local?.rootPath,
          egress,
          tokenRealms: settings.tokenRealms,
          abandonedAfterMs,
        });
      },
      rights: helmDeployerRights,
      program: { name: "helm-deployer", version: productVersion },
      argv: process.argv.slice(2),
      env: process.env,
    },
    signal,
  ),
);
