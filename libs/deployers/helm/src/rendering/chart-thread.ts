// A thread of ChartRenderer: the main thread answers `lookup`, as it has the cluster, and fetches schemas.
import { encodeError, serveTasks } from "@landscaper/threads";
import type { RemoteSchema } from "@landscaper/helm";
import { ChartTasks, type ChartQuestion, type ChartWork } from "./chart-tasks.ts";

const tasks = new ChartTasks();
serveTasks(async (given, { ask, signal }) => {
  // The pool of ChartRenderer gives no others.
  const { task, memoryBytes } = given as ChartWork;
  const askFor = async (question: ChartQuestion): Promise<unknown> => ask(question);
  return await tasks.perform(task, {
    fetch: async (query) => askFor({ type: "lookup", query }),
    // The main thread answers with one.
    fetchSchema: async (url) => (await askFor({ type: "schema", url })) as RemoteSchema,
    noteFailure: async (error) => void (await askFor({ type: "failure", error: encodeError(error) })),
    memoryBytes,
    signal,
  });
});
