export { serveTasks, type TaskContext } from "./serve-tasks.ts";
export { ThreadLimitError } from "./thread-limit-error.ts";
export { type RunOptions, ThreadPool, type ThreadPoolOptions } from "./thread-pool.ts";
