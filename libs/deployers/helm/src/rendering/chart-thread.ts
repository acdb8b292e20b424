// A thread of ChartRenderer: `lookup` is answered by the main thread, which has the cluster.
import { serveTasks } from "@landscaper/threads";
import { ChartTasks, type ChartTask } from "./chart-tasks.ts";

const tasks = new ChartTasks();
serveTasks(
  async (task, { ask, signal }) =>
    // The pool of ChartRenderer gives no others.
    await tasks.perform(task as ChartTask, { fetch: async (query) => ask(query), signal }),
);
