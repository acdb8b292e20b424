import { afterEach, describe, expect, it } from "@jest/globals";
import { startTestPools, type TestPool } from "../test/pool.ts";
import type { TestTask } from "../test/thread.ts";
import { ThreadLimitError } from "./thread-limit-error.ts";

const { startPool, closePools } = startTestPools();

async function failureOf({ run }: TestPool, task: TestTask): Promise<unknown> {
  return await run(task).catch((error: unknown) => error);
}

describe("limits of a pool of threads", () => {
  afterEach(closePools);

  it("work has a limit of time, and only the one that takes it fails", async () => {
    const { run } = startPool({ timeoutMs: 1000 });
    const spinning = run({ do: "spin", ms: 60_000, step: "spinning" });
    const other = run({ do: "spin", ms: 10 });
    const failure = await spinning.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ThreadLimitError);
    expect(failure).toMatchObject({
      limit: "time",
      allowed: 1000,
      step: "spinning",
      message: "took more than 1 s of processor time",
    });
    expect(await other).toBe("done");
  });

  it("work has a limit of memory, and only the one that takes it fails", async () => {
    const { run } = startPool({ memoryMiB: 64 });
    const eating = run({ do: "eat", mebibytes: 400 });
    const other = run({ do: "echo", value: "fine" });
    const failure = await eating.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ThreadLimitError);
    expect(failure).toMatchObject({ limit: "memory", message: "needs more than 64 MiB of memory" });
    expect(await other).toBe("fine");
  });

  it("one that finds the thread full has another try in a new one", async () => {
    const { run } = startPool({ memoryMiB: 96 });
    expect(await run({ do: "keep", mebibytes: 60 })).toBe(1);
    expect(await run({ do: "eat", mebibytes: 60 })).toBe(60);
    expect(await run({ do: "keep", mebibytes: 1 })).toBe(1);
  });

  // V8 gives a thread inside this process a little more and then ends the whole process, so that threads are processes.
  const allocations = ["array", "map", "text", "buffers"] as const;
  it.each(allocations)("a single allocation of %s beyond the limit ends the thread alone", async (what) => {
    const pool = startPool({ memoryMiB: 64 });
    const failure = await failureOf(pool, { do: "allocate", what });
    expect(failure).toMatchObject({ name: "ThreadLimitError", limit: "memory" });
    expect(await pool.run({ do: "echo", value: 1 })).toBe(1);
  });

  it("ends work that no interrupt reaches, such as the generation of a key", async () => {
    const pool = startPool({ timeoutMs: 300 });
    expect(await failureOf(pool, { do: "generate key" })).toMatchObject({ limit: "time", allowed: 300 });
    expect(await pool.run({ do: "echo", value: 1 })).toBe(1);
  });

  it("ends work that waits for what never comes", async () => {
    const pool = startPool({ timeoutMs: 50 });
    expect(await failureOf(pool, { do: "nothing" })).toMatchObject({ limit: "time" });
    expect(await pool.run({ do: "echo", value: 1 })).toBe(1);
  });

  it("an overflow of the stack is an error of the task alone", async () => {
    const pool = startPool();
    await pool.run({ do: "echo", value: 1 });
    expect(await failureOf(pool, { do: "recurse" })).toMatchObject({ name: "RangeError" });
    expect(await pool.run({ do: "echo", value: 1 })).toBe(1);
  });

  it("a result that is nested too deep for this thread is an error of the task alone", async () => {
    const pool = startPool();
    expect(await failureOf(pool, { do: "nest", depth: 100_000 })).toMatchObject({ name: "RangeError" });
    expect(await failureOf(pool, { do: "nest", depth: 9_000 })).toMatchObject({ name: "RangeError" });
    expect(await pool.run({ do: "echo", value: 1 })).toBe(1);
  });

  it("a result has a limit of size", async () => {
    const pool = startPool({ maxResultBytes: 1024 * 1024 });
    const failure = await failureOf(pool, { do: "write", mebibytes: 2 });
    expect(failure).toBeInstanceOf(ThreadLimitError);
    expect(failure).toMatchObject({ limit: "size", message: "gives a result of 2 MiB, the limit is 1 MiB" });
    expect(await pool.run({ do: "write", mebibytes: 0.5 })).toHaveLength(512 * 1024);
  });

  it("the tasks of a job draw down one budget", async () => {
    // The pool also ends work after ten times the limit of wall time, and on a busy machine the first task takes many times its processor time.
    const { run, createBudget } = startPool({ timeoutMs: 2000 });
    const budget = createBudget();
    await run({ do: "spin", ms: 300 }, { budget });
    expect(budget.usedMs).toBeGreaterThanOrEqual(290);
    // Long enough for a pool that comes late to look at it.
    const failure = await run({ do: "spin", ms: 10_000 }, { budget }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ limit: "time", message: "took more than 2 s of processor time" });
    await expect(run({ do: "echo", value: 1 }, { budget })).rejects.toMatchObject({ limit: "time" });
    expect(await run({ do: "echo", value: 1 })).toBe(1);
  });

  it("one that exceeds limits again and again waits without a thread, and others go on", async () => {
    const { run } = startPool({ timeoutMs: 50, backoff: { baseMs: 60_000, maxMs: 60_000 } });
    const exceed = async (): Promise<unknown> =>
      await run({ do: "spin", ms: 60_000 }, { tenant: "hostile" }).catch((error: unknown) => error);
    expect(await exceed()).toBeInstanceOf(ThreadLimitError);
    expect(await exceed()).toBeInstanceOf(ThreadLimitError);
    let isOver = false;
    const aborter = new AbortController();
    const third = run({ do: "echo", value: 1 }, { tenant: "hostile", signal: aborter.signal }).finally(() => {
      isOver = true;
    });
    expect(await run({ do: "echo", value: 2 }, { tenant: "other" })).toBe(2);
    expect(isOver).toBe(false);
    aborter.abort(new Error("enough"));
    await expect(third).rejects.toThrow("enough");
  });
});
