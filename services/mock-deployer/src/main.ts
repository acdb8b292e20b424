// The mock deployer as a process. usage: mock-deployer [--config FILE] [--kubeconfig FILE] [--landscaper-kubeconfig FILE]
// [--metrics-port N] [--lease-namespace NAMESPACE] [--lease-duration D] [-v LEVEL].
import { mockDeployerConfigurationSchema, mockDeployerRights, productVersion } from "@landscaper/api";
import { runMain } from "@landscaper/controller-runtime";
import { runDeployerService } from "@landscaper/deployer";
import { createMockDeployer } from "@landscaper/mock-deployer-lib";

await runMain((signal) =>
  runDeployerService(
    {
      configuration: mockDeployerConfigurationSchema,
      createDeployer: () => createMockDeployer(`v${productVersion}`),
      rights: mockDeployerRights,
      program: { name: "mock-deployer", version: productVersion },
      argv: process.argv.slice(2),
      env: process.env,
    },
    signal,
  ),
);
