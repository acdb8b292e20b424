// The thread of HealthChecker.
import { serveTasks } from "@landscaper/threads";
import { performHealthTask, type HealthTask } from "./health-tasks.ts";

// HealthChecker gives no other tasks.
serveTasks(async (task) => await Promise.resolve(performHealthTask(task as HealthTask)));
