// A thread of ChartRenderer: `lookup` is answered by the main thread, which has the cluster.
import { serveTasks } from "@landscaper/threads";
import { ChartTasks, type ChartWork } from "./chart-tasks.ts";

const tasks = new ChartTasks();
serveTasks(
  async (given, { ask, signal }) => {
    // The pool of ChartRenderer gives no others.
    const { task, memoryBytes } = given as ChartWork;
    return await tasks.perform(task, { fetch: async (query) => ask(query), memoryBytes, signal });
  },
);
