// The container deployer as a process. usage: container-deployer [--config FILE] [--kubeconfig FILE] [--landscaper-kubeconfig FILE]
// [--metrics-port N] [--lease-namespace NAMESPACE] [--lease-duration D] [-v LEVEL]; NATS_URL names where CloudEvents go.
import {
  containerDeployerConfigurationSchema,
  containerDeployerRights,
  containerHostRights,
  productVersion,
  type ContainerDeployerConfiguration,
} from "@landscaper/api";
import { containerDeployerName, createContainerDeployer, readSettings } from "@landscaper/container-deployer-lib";
import { runMain } from "@landscaper/controller-runtime";
import { runDeployerService } from "@landscaper/deployer";

const version = `v${productVersion}`;
const shippedImage = (program: string): string => `landscaper/container-deployer-${program}:${productVersion}`;
const images = { init: shippedImage("init"), wait: shippedImage("wait") };

await runMain((signal) =>
  runDeployerService(
    {
      configuration: containerDeployerConfigurationSchema,
      createDeployer: (configuration: ContainerDeployerConfiguration) =>
        createContainerDeployer(readSettings(configuration, { version, name: containerDeployerName, images })),
      rights: containerDeployerRights,
      host: ({ namespace }) => ({ namespace, rights: containerHostRights }),
      program: { name: "container-deployer", version: productVersion },
      argv: process.argv.slice(2),
      env: process.env,
    },
    signal,
  ),
);
