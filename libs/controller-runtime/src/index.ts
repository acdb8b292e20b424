export { demandKinds, listServed, type KindsDemand } from "./access/demand-kinds.ts";
export { demandRights, type RightsDemand } from "./access/demand-rights.ts";
export { addKindsCheck, addRightsCheck, createRefusals, createUnserved } from "./access/standing-checks.ts";
export type { KindsCheckOptions, RequestNotice, RightsCheckOptions } from "./access/standing-checks.ts";
export { createBreather, ownTurn } from "./breather.ts";
export type * from "./client/client-interface.ts";
export type * from "./controller-interface.ts";
export {
  ApiError,
  ConnectionError,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isQuotaExceeded,
  isGone,
  isInvalid,
  isNotFound,
  isNotServed,
  isDoubtful,
  isTooLarge,
} from "./client/api-error.ts";
export { backoffDelayMs } from "./backoff.ts";
export type { Backoff, Random } from "./backoff.ts";
export { loadConfigFile, type LoadedConfig } from "./config-file.ts";
export { withFieldValidation, type WriteValidation } from "./client/field-validation.ts";
export { retryLostRaces } from "./client/retry-lost-races.ts";
export { demandNode } from "./demand-node.ts";
export { connectionFromKubeconfig } from "./client/connection/connection-from-kubeconfig.ts";
export type { KubeconfigOptions } from "./client/connection/connection-from-kubeconfig.ts";
export { environmentProxyField } from "./client/connection/connection.ts";
export type { Connection } from "./client/connection/connection.ts";
export { createClient } from "./client/create-client.ts";
export type { ClientOptions } from "./client/create-client.ts";
export { canBeName, resourcePath } from "./client/resource-path.ts";
export { isAnswerTooLarge } from "./client/read-answer.ts";
export { createForeignServers, toForeignServerLimits } from "./foreign/foreign-servers.ts";
export type { ForeignServerLimits, ForeignServers } from "./foreign/foreign-servers.ts";
export { CircuitOpenError } from "./foreign/request-outcome.ts";
export { createInformer } from "./informer/create-informer.ts";
export type { CreateInformerOptions } from "./informer/create-informer.ts";
export { createLogger } from "./observability/create-logger.ts";
export type { LoggerOptions, LogLevel } from "./observability/create-logger.ts";
export { createManager } from "./create-manager.ts";
export type { ManagerOptions } from "./create-manager.ts";
export { tellStart } from "./observability/tell-start.ts";
export { tellWarnings } from "./observability/tell-warnings.ts";
export { createMetrics } from "./observability/create-metrics.ts";
export type { MetricDefinitions, Metrics } from "./observability/create-metrics.ts";
export type { ShareClaim, ShareLimits } from "./controller/fair-shares.ts";
export { describeError, explainError } from "./describe-error.ts";
export { createEventRecorder } from "./events/event-recorder.ts";
export type { EventRecorderOptions, StoppableEventRecorder } from "./events/event-recorder.ts";
export { acquireLeadership } from "./leadership/leader-election.ts";
export type { LeaseContext, LeaseOptions } from "./leadership/leader-election.ts";
export { expiryOf, observeLease, releaseSpec, validityMs } from "./leadership/lease-decision.ts";
export { defaultLeaseDurationMs } from "./leadership/leader-election.ts";
export type { ObservedLease } from "./leadership/lease-decision.ts";
export { matchesLabels, parseLabelSelector } from "./informer/label-selector.ts";
export type { LabelRequirement } from "./informer/label-selector.ts";
export { LeadershipLostError } from "./leadership/lease-renewal.ts";
export type { Leadership } from "./leadership/lease-renewal.ts";
export { withEnvironmentProxy } from "./client/connection/proxied-connection.ts";
export { loadConnection } from "./client/connection/load-connection.ts";
export type { LoadConnectionOptions } from "./client/connection/load-connection.ts";
export type { RuntimeMetrics } from "./observability/metrics-interface.ts";
export { reflect } from "./informer/reflect.ts";
export type { ReflectOptions } from "./informer/reflect.ts";
export { loadConnections, type ServiceConnections } from "./preparation/load-connections.ts";
export { followKubeconfigs, readTexts, type FollowKubeconfigsOptions } from "./preparation/follow-kubeconfigs.ts";
export { explainProblem } from "./preparation/run-preparations.ts";
export { waitForConnection, type WaitForConnectionOptions } from "./preparation/wait-for-connection.ts";
export { raceAbort } from "./race-abort.ts";
export { failureMessage } from "./program/failure-message.ts";
export {
  runProgram,
  terminationLogPath,
  type ProgramOptions,
  type ProgramSurroundings,
} from "./program/run-program.ts";
export { runMain } from "./run-main.ts";
export type { MainProcess } from "./run-main.ts";
export { createSystemClock, sleepWith } from "./system-clock.ts";
export { createFifo } from "./controller/fifo.ts";
export type { Fifo } from "./controller/fifo.ts";
export { createWorkQueue } from "./controller/work-queue.ts";
export type { Priority, WorkQueue, WorkQueueOptions } from "./controller/work-queue.ts";
export { answerFlags, parseServiceFlags } from "./service-flags.ts";
export type { ProgramName, ServiceFlagOptions, ServiceFlags } from "./service-flags.ts";
