// The container deployer as a process. usage: container-deployer [--config FILE] [--kubeconfig FILE] [--landscaper-kubeconfig FILE]
// [--metrics-port N] [--lease-namespace NAMESPACE] [--lease-duration D] [-v LEVEL].
// Or: container-deployer cleanup FLAGS, which the chart runs when it is uninstalled.
import {
  containerDeployerConfigurationSchema,
  containerDeployerRights,
  containerHostRights,
  productVersion,
  type ContainerDeployerConfiguration,
} from "@landscaper/api";
import {
  containerDeployerName,
  createContainerDeployer,
  readSettings,
  runCleanupProgram,
} from "@landscaper/container-deployer-lib";
import { runMain } from "@landscaper/controller-runtime";
import { findCleanup, runDeployerService } from "@landscaper/deployer";

const version = `v${productVersion}`;
const shippedImage = (program: string): string => `landscaper/container-deployer-${program}:${productVersion}`;
const images = { init: shippedImage("init"), wait: shippedImage("wait") };

const argv = process.argv.slice(2);

async function serve(signal: AbortSignal): Promise<void> {
  await runDeployerService(
    {
      configuration: containerDeployerConfigurationSchema,
      createDeployer: (configuration: ContainerDeployerConfiguration) =>
        createContainerDeployer(
          readSettings(configuration, { version, name: containerDeployerName, images, environment: process.env }),
        ),
      rights: containerDeployerRights,
      host: ({ namespace }) => ({ namespace, rights: containerHostRights }),
      program: { name: "container-deployer", version: productVersion },
      argv,
      env: process.env,
    },
    signal,
  );
}

const cleanup = findCleanup(argv);
await (cleanup === undefined ? runMain(serve) : runCleanupProgram(cleanup));
