export * from "./contract/environment.ts";
export * from "./contract/host-names.ts";
export * from "./contract/job-file.ts";
export * from "./contract/labels.ts";
export * from "./contract/paths.ts";
export * from "./contract/program-rights.ts";
export * from "./contract/state-index.ts";
export { runInit, type InitOptions } from "./init/run-init.ts";
export { runWait, waitExitCode, type WaitOptions } from "./wait/run-wait.ts";
export {
  containerDeployerName,
  containerDeployItemType,
  createContainerDeployer,
} from "./deployer/container-deployer.ts";
export { readSettings, type ContainerSettings } from "./deployer/settings.ts";
export { parseCleanupFlags } from "./cleanup/cleanup-flags.ts";
export { runCleanupProgram } from "./cleanup/cleanup-program.ts";
