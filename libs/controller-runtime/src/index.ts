export type * from "./client-interface.ts";
export type * from "./controller-interface.ts";
export {
  ApiError,
  ConnectionError,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isGone,
  isInvalid,
  isNotFound,
  isDoubtful,
  isTooLarge,
} from "./api-error.ts";
export { backoffDelayMs } from "./backoff.ts";
export { loadConfigFile } from "./config-file.ts";
export { connectionFromKubeconfig } from "./connection-from-kubeconfig.ts";
export type { KubeconfigOptions } from "./connection-from-kubeconfig.ts";
export type { Connection } from "./connection.ts";
export { createClient } from "./create-client.ts";
export type { ClientOptions } from "./create-client.ts";
export { createInformer } from "./create-informer.ts";
export type { CreateInformerOptions } from "./create-informer.ts";
export { createLogger } from "./create-logger.ts";
export type { LoggerOptions, LogLevel } from "./create-logger.ts";
export { createManager } from "./create-manager.ts";
export type { ManagerOptions } from "./create-manager.ts";
export { createMetrics } from "./create-metrics.ts";
export type { Metrics } from "./create-metrics.ts";
export { describeError } from "./describe-error.ts";
export { createEventRecorder } from "./event-recorder.ts";
export type { EventRecorderOptions, StoppableEventRecorder } from "./event-recorder.ts";
export { acquireLeadership } from "./leader-election.ts";
export type { LeaseContext, LeaseOptions } from "./leader-election.ts";
export { observeLease } from "./lease-decision.ts";
export type { ObservedLease } from "./lease-decision.ts";
export { matchesLabels, parseLabelSelector } from "./label-selector.ts";
export type { LabelRequirement } from "./label-selector.ts";
export { LeadershipLostError } from "./lease-renewal.ts";
export type { Leadership } from "./lease-renewal.ts";
export { loadConnection } from "./load-connection.ts";
export type { LoadConnectionOptions } from "./load-connection.ts";
export type { RuntimeMetrics } from "./metrics-interface.ts";
export { reflect } from "./reflect.ts";
export type { ReflectOptions } from "./reflect.ts";
export { runMain } from "./run-main.ts";
export type { MainProcess } from "./run-main.ts";
export { createSystemClock } from "./system-clock.ts";
export { createWorkQueue } from "./work-queue.ts";
export type { Priority, WorkQueue, WorkQueueOptions } from "./work-queue.ts";
export { parseServiceFlags, serviceUsage } from "./service-flags.ts";
export type { ServiceFlagOptions, ServiceFlags } from "./service-flags.ts";
