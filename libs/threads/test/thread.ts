// The thread of thread-pool.test.ts.
import { LandscaperError } from "@landscaper/api";
import { generateKeyPairSync } from "node:crypto";
import { serveTasks } from "../src/serve-tasks.ts";

export type TestTask =
  | { readonly do: "echo"; readonly value: unknown }
  | { readonly do: "thread"; readonly ms?: number }
  | { readonly do: "fail"; readonly reason?: string }
  | { readonly do: "exit" }
  | { readonly do: "function" }
  | { readonly do: "spin"; readonly ms: number; readonly step?: string }
  | { readonly do: "eat"; readonly mebibytes: number }
  | { readonly do: "keep"; readonly mebibytes: number }
  | { readonly do: "allocate"; readonly what: keyof typeof allocations }
  | { readonly do: "generate key" | "nothing" | "recurse" }
  | { readonly do: "nest"; readonly depth: number }
  | { readonly do: "write"; readonly mebibytes: number }
  | { readonly do: "ask"; readonly questions: readonly unknown[] }
  | { readonly do: "until-cancelled" };

const kept: unknown[] = [];

/** Words of eight bytes. */
function memory(mebibytes: number): unknown[] {
  const lists: unknown[] = [];
  for (let i = 0; i < mebibytes; i++) lists.push(Array.from({ length: 131_072 }, (_, at) => i + at));
  return lists;
}

/** Each in a single step that takes far more than a small thread has. */
const allocations = {
  array: () => Array.from<number>({ length: 2 ** 26 }).fill(1).length,
  map: () => {
    const map = new Map<number, number>();
    for (;;) map.set(map.size, 1);
  },
  text: () => Buffer.from("a".repeat(2 ** 28)).length,
  buffers: () => Array.from({ length: 40 }, () => Buffer.alloc(2 ** 26, 1)).map(({ length }) => length),
};

function recurse(): number {
  return recurse() + 1;
}

function nest(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = { value };
  return value;
}

/** Processor time, so that a machine with other work does not matter. */
function spin(ms: number): void {
  const start = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(start);
    if (user + system >= ms * 1000) return;
  }
}

serveTasks(async (content, { ask, note, signal }) => {
  const task = content as TestTask;
  switch (task.do) {
    case "echo":
      return task.value;
    case "thread":
      spin(task.ms ?? 0);
      return process.pid;
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
      if (task.step !== undefined) note(task.step);
      spin(task.ms);
      return "done";
    case "eat":
      return memory(task.mebibytes).length;
    case "keep":
      kept.push(memory(task.mebibytes));
      return kept.length;
    case "allocate":
      return allocations[task.what]();
    case "generate key":
      return generateKeyPairSync("rsa", { modulusLength: 16_384 }).privateKey.type;
    case "nothing":
      return await new Promise(() => undefined);
    case "recurse":
      return recurse();
    case "nest":
      return nest(task.depth);
    case "write":
      return "x".repeat(task.mebibytes * 1024 * 1024);
    case "ask":
      return await Promise.all(task.questions.map(async (question) => ask(question)));
    case "until-cancelled":
      await ask("cancel me");
      return signal.aborted;
  }
});
