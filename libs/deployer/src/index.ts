export { addDeployer } from "./add-deployer.ts";
export type { AddDeployerOptions } from "./add-deployer.ts";
export type {
  DeleteOutcome,
  DeployContext,
  Deployer,
  Outcome,
  ProviderStatus,
  Succeeded,
  TargetAccess,
  Waiting,
} from "./deployer-interface.ts";
export { deployItemEventTypes } from "./job-notifier.ts";
export type { TransitionPublisher } from "./job-notifier.ts";
