export { addDeployer } from "./add-deployer.ts";
export type { AddDeployerOptions, AddedDeployer } from "./add-deployer.ts";
export type {
  AbandonContext,
  BackgroundContext,
  DeleteOutcome,
  DeployContext,
  Deployer,
  ItemNamespace,
  Outcome,
  Preview,
  PreviewContext,
  ProviderStatus,
  Succeeded,
  TargetAccess,
  Waiting,
  WaitTrouble,
} from "./deployer-interface.ts";
export { kubeconfigText, readKubeconfigToken } from "./credentials/kubeconfig-text.ts";
export type { ClusterAddress, KubeconfigUser } from "./credentials/kubeconfig-text.ts";
export {
  createSealingKeys,
  hasSealedToken,
  isSealedFor,
  sealingKeyOf,
  sealToken,
  unsealTokens,
  type SealingKeys,
  type Unsealed,
} from "./credentials/sealed-token.ts";
export { decideToken, readTokenLife } from "./credentials/token-life.ts";
export type { TokenDecision, TokenLife } from "./credentials/token-life.ts";
export { matchesMissingTarget, matchesTargetSelectors } from "./target/match-target-selector.ts";
export { isRepetitionOpen } from "./continuous/decide-continuous.ts";
export { timeoutOf } from "./jobs/deadline.ts";
export { secretConfigPaths, secretConfigValues } from "./jobs/reporting/secret-config.ts";
export { createJobObserver, jobMetricTable, type JobObserver } from "./jobs/reporting/job-metrics.ts";
export type { SharedLease } from "./sharing/membership.ts";
export type { HostSecret } from "./target/host-secret.ts";
export { maskPreview } from "./preview/mask-preview.ts";
export {
  cleanupFlagError,
  commonCleanupUsage,
  findCleanup,
  parseCleanup,
  type CommonCleanupFlags,
} from "./cleanup/cleanup-flags.ts";
export { advanceStop, repeatCleanup, type CleanupContext, type Unfinished } from "./cleanup/repeat-cleanup.ts";
export type { DeploymentPlace } from "./cleanup/stop-deployment.ts";
export { runDeployerService } from "./run-deployer-service.ts";
export type {
  DeployerConfiguration,
  DeployerServiceOptions,
  Embedding,
  HostNeeds,
  ServicePlace,
} from "./run-deployer-service.ts";
export { createOidcGuard, warnAbout, type OidcGuard, type OidcRules } from "./target/oidc-guard.ts";
export { targetSecretMissing, type RawTarget } from "./target/target-content.ts";
export { requestToken } from "./target/token-source.ts";
export { connectToTarget } from "./target/target-connection.ts";
export type { ConnectOptions } from "./target/target-connection.ts";
