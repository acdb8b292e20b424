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
} from "./api-error.ts";
export type { Connection } from "./connection.ts";
export { createClient } from "./create-client.ts";
export type { ClientOptions } from "./create-client.ts";
export { createInformer } from "./create-informer.ts";
export type { CreateInformerOptions } from "./create-informer.ts";
export { createLogger } from "./create-logger.ts";
export type { LoggerOptions, LogLevel } from "./create-logger.ts";
export { createManager } from "./create-manager.ts";
export type { ManagerOptions } from "./create-manager.ts";
export { describeError } from "./describe-error.ts";
export type { RuntimeMetrics } from "./metrics-interface.ts";
export { createSystemClock } from "./system-clock.ts";
export { createWorkQueue } from "./work-queue.ts";
export type { Priority, WorkQueue, WorkQueueOptions } from "./work-queue.ts";
