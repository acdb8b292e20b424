export { JobTimes, type JobPart } from "./job-times.ts";
export { serveTasks, type TaskContext } from "./serve-tasks.ts";
export { ThreadLimitError, type ThreadLimit } from "./thread-limit-error.ts";
export { type RunOptions, ThreadPool, type ThreadPoolOptions } from "./thread-pool.ts";
export { WorkBudget } from "./work-budget.ts";
export { decodeError, encodeError, pack, unpack, type ErrorData, type Packed } from "./messages.ts";
