// The thread of thread-pool.test.ts.
import { LandscaperError } from "@landscaper/api";
import { threadId } from "node:worker_threads";
import { serveTasks } from "./serve-tasks.ts";

export type TestTask =
  | { readonly do: "echo"; readonly value: unknown }
  | { readonly do: "thread" }
  | { readonly do: "fail"; readonly reason?: string }
  | { readonly do: "exit" }
  | { readonly do: "function" }
  | { readonly do: "spin"; readonly ms: number }
  | { readonly do: "eat"; readonly mebibytes: number }
  | { readonly do: "keep"; readonly mebibytes: number }
  | { readonly do: "ask"; readonly questions: readonly unknown[] }
  | { readonly do: "until-cancelled" };

const kept: unknown[] = [];

/** Words of eight bytes. */
function memory(mebibytes: number): unknown[] {
  const lists: unknown[] = [];
  for (let i = 0; i < mebibytes; i++) lists.push(Array.from({ length: 131_072 }, (_, at) => i + at));
  return lists;
}

function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

serveTasks(async (content, { ask, signal }) => {
  const task = content as TestTask;
  switch (task.do) {
    case "echo":
      return task.value;
    case "thread":
      return threadId;
    case "fail":
      if (task.reason === undefined) throw new TypeError("a defect");
      throw new LandscaperError({ message: "no", reason: task.reason, codes: ["ERR_NO_RETRY"], retry: "never" });
    case "exit":
      // What a defect outside of any task does.
      setImmediate(() => {
        throw new Error("out of hand");
      });
      return await new Promise(() => undefined);
    case "function":
      return () => undefined;
    case "spin":
      spin(task.ms);
      return "done";
    case "eat":
      return memory(task.mebibytes).length;
    case "keep":
      kept.push(memory(task.mebibytes));
      return kept.length;
    case "ask":
      return await Promise.all(task.questions.map(async (question) => ask(question)));
    case "until-cancelled":
      await ask("cancel me");
      return signal.aborted;
  }
});
