import { existsSync, readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { afterEach, describe, expect, it } from "@jest/globals";
import { describeUnless, waitFor } from "@landscaper/testkit";
import { isRunning, startTestPools, type TestPool } from "../test/pool.ts";

const noProc = existsSync("/proc/self/task") ? undefined : "there is no /proc here";
import type { TestTask } from "../test/thread.ts";
import type { RunOptions } from "./thread-pool.ts";

const { startPool, closePools } = startTestPools();

/** Runs tasks and notes in which order they end. */
function noteOrder({ run }: TestPool): {
  readonly order: readonly string[];
  readonly note: (tenant: string, task: TestTask, options?: RunOptions) => Promise<unknown>;
} {
  const order: string[] = [];
  return {
    order,
    note: async (tenant, task, options) => {
      const value = await run(task, { tenant, ...options });
      order.push(tenant);
      return value;
    },
  };
}

/** A task that asks one question, and what answers it. */
function createQuestion(): {
  asked: Promise<void>;
  answer: () => Promise<string>;
  settle: () => void;
  count: () => number;
} {
  let noteAsked = (): void => undefined;
  let settle = (): void => undefined;
  const asked = new Promise<void>((resolve) => (noteAsked = resolve));
  const answered = new Promise<string>((resolve) => (settle = () => resolve("answer")));
  let count = 0;
  const answer = async (): Promise<string> => {
    count += 1;
    noteAsked();
    return await answered;
  };
  return { asked, answer, settle, count: () => count };
}

/** Ids of the processes that this one has started. */
function listChildren(): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => {
      try {
        // After the name in parentheses: state and parent; see proc(5).
        const [, parent] = readFileSync(`/proc/${id}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
        return Number(parent) === process.pid;
      } catch {
        return false; // it has ended
      }
    })
    .map(Number);
}

describe("tenants of a pool with one thread", () => {
  afterEach(closePools);

  it("do not wait for the end of a long task of another one, which goes on afterwards", async () => {
    const { order, note } = noteOrder(startPool());
    const long = note("long", { do: "spin", ms: 1_500 });
    for (let index = 0; index < 3; index++) await note("other", { do: "echo", value: index });
    expect(await long).toBe("done");
    expect(order).toEqual(["other", "other", "other", "long"]);
  });

  it("do not wait for several long tasks either", async () => {
    const { order, note } = noteOrder(startPool());
    const long = ["a", "b", "a"].map(async (tenant) => note(tenant, { do: "spin", ms: 800 }));
    await note("other", { do: "echo", value: 1 });
    await note("other", { do: "spin", ms: 20 });
    await Promise.all(long);
    expect(order.slice(0, 2)).toEqual(["other", "other"]);
  });

  it("get a thread that has just started when they have used least, whoever it was started for", async () => {
    const pool = startPool({ idleMs: 50 });
    const { order, note } = noteOrder(pool);
    const first = await pool.run({ do: "thread", ms: 200 }, { tenant: "busy" });
    await waitFor(() => !isRunning(first));
    await Promise.all([note("busy", { do: "echo", value: 1 }), note("other", { do: "echo", value: 2 })]);
    expect(order).toEqual(["other", "busy"]);
  });

  it("get an answer although a long task has taken their thread meanwhile", async () => {
    const pool = startPool();
    const { order, note } = noteOrder(pool);
    const { asked, answer, settle, count } = createQuestion();
    const asking = note("asking", { do: "ask", questions: [1] }, { answer });
    await asked;
    const long = note("long", { do: "spin", ms: 1_500 });
    settle();
    expect(await asking).toEqual(["answer"]);
    expect(await long).toBe("done");
    expect(order).toEqual(["asking", "long"]);
    expect(count()).toBeLessThanOrEqual(2);
  });

  it("share the time: nobody is done long after another one who wants as much", async () => {
    const { order, note } = noteOrder(startPool());
    await Promise.all([
      note("first", { do: "spin", ms: 600 }),
      note("first", { do: "spin", ms: 600 }),
      note("second", { do: "spin", ms: 600 }),
    ]);
    expect(order.indexOf("second")).toBeLessThan(2);
  });

  it("get a new thread after a long task: its priority was lowered", async () => {
    const { run } = startPool();
    const before = await run({ do: "thread" });
    await run({ do: "spin", ms: 100 });
    expect(await run({ do: "thread" })).toBe(before);
    await run({ do: "spin", ms: 1_500 });
    expect(await run({ do: "thread" })).not.toBe(before);
  });

  describeUnless(noProc, describe)("as the kernel tells of their threads", () => {
    it("a long task yields with all its kernel threads", async () => {
      const { run } = startPool();
      const pid = Number(await run({ do: "thread" }));
      const aborter = new AbortController();
      const long = run({ do: "spin", ms: 60_000 }, { signal: aborter.signal });
      const priorities = (): number[] => readdirSync(`/proc/${pid}/task`).map((id) => getPriority(Number(id)));
      const normal = getPriority();
      await waitFor(() => priorities().every((priority) => priority > normal));
      expect(priorities().length).toBeGreaterThan(1);
      aborter.abort(new Error("enough"));
      await expect(long).rejects.toThrow("enough");
    });

    it("meet a thread that was started before they came, when another one is held for long", async () => {
      const { run } = startPool();
      const before = listChildren();
      const started = (): readonly number[] => listChildren().filter((id) => !before.includes(id));
      const aborter = new AbortController();
      const long = run({ do: "spin", ms: 60_000 }, { tenant: "long", signal: aborter.signal });
      await waitFor(() => started().length > 1);
      const ready = started();
      expect(ready).toContain(await run({ do: "thread" }, { tenant: "other" }));
      aborter.abort(new Error("enough"));
      await expect(long).rejects.toThrow("enough");
    });

    it("meet a spare thread after the first task, until nobody uses the pool any more", async () => {
      const before = listChildren();
      const { run } = startPool({ keepsSpare: true, idleMs: 1_000 });
      const started = (): readonly number[] => listChildren().filter((id) => !before.includes(id));
      const used = await run({ do: "thread" });
      await waitFor(() => started().length === 2);
      expect(started()).toContain(used);
      await waitFor(() => started().length === 0);
    });
  });

  it("may give up a task that is paused", async () => {
    const pool = startPool();
    const { note } = noteOrder(pool);
    const aborter = new AbortController();
    const long = note("long", { do: "spin", ms: 60_000 }, { signal: aborter.signal });
    await note("other", { do: "echo", value: 1 });
    aborter.abort(new Error("enough"));
    await expect(long).rejects.toThrow("enough");
    expect(await note("other", { do: "echo", value: 2 })).toBe(2);
  });
});
