import { LandscaperError } from "@landscaper/api";
import { afterEach, describe, expect, it } from "@jest/globals";
import { setTimeout as sleep } from "node:timers/promises";
import { waitFor } from "@landscaper/testkit";
import { isRunning, startTestPools, type TestPool } from "../test/pool.ts";

const { startPool, closePools } = startTestPools();

describe("a pool of threads", () => {
  afterEach(closePools);

  it("copies what goes in and out", async () => {
    const { run } = startPool();
    const value = { text: "é", bytes: new Uint8Array([1, 2]), map: new Map([["k", null]]), big: 2n ** 70n };
    expect(await run({ do: "echo", value })).toEqual(value);
  });

  it("does tasks in as many threads as are needed and allowed", async () => {
    const { run } = startPool({ threads: 2 });
    const together = await Promise.all(Array.from({ length: 6 }, async () => run({ do: "thread", ms: 200 })));
    expect(new Set(together).size).toBe(2);
    const before = new Set(together);
    for (let i = 0; i < 3; i++) expect(before).toContain(await run({ do: "thread" }));
  });

  it("ends all threads when they have nothing to do", async () => {
    const { run } = startPool({ threads: 2, idleMs: 50 });
    const before = await Promise.all(Array.from({ length: 4 }, async () => run({ do: "thread", ms: 200 })));
    expect(new Set(before).size).toBe(2);
    await waitFor(() => before.every((pid) => !isRunning(pid)));
    expect(before).not.toContain(await run({ do: "thread" }));
  });

  it("errors keep what says how to go on", async () => {
    const { run } = startPool();
    const failure = await run({ do: "fail", reason: "InvalidChart" }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(LandscaperError);
    expect(failure).toMatchObject({ message: "no", reason: "InvalidChart", codes: ["ERR_NO_RETRY"], retry: "never" });
    await expect(run({ do: "fail" })).rejects.toMatchObject({ name: "TypeError", message: "a defect" });
  });

  it.each([
    ["in", async ({ run }: TestPool) => run({ do: "echo", value: () => undefined })],
    ["out", async ({ run }: TestPool) => run({ do: "function" })],
  ])("what cannot be copied %s is an error of this task alone", async (_, send) => {
    const pool = startPool();
    await expect(send(pool)).rejects.toThrow("could not be cloned");
    expect(await pool.run({ do: "echo", value: 1 })).toBe(1);
  });

  it("answers questions, also errors", async () => {
    const { run } = startPool();
    const answer = async (question: unknown): Promise<unknown> => {
      await sleep(Number(question));
      if (question === 3) throw new LandscaperError({ message: "three", reason: "Three" });
      return `is ${String(question)}`;
    };
    expect(await run({ do: "ask", questions: [20, 10, 1] }, { answer })).toEqual(["is 20", "is 10", "is 1"]);
    await expect(run({ do: "ask", questions: [1, 3] }, { answer })).rejects.toMatchObject({ reason: "Three" });
    await expect(run({ do: "ask", questions: [1] })).rejects.toThrow("nobody answers");
  });

  it("a task that waits for an answer lets others work, and its time does not count", async () => {
    const { run } = startPool({ timeoutMs: 1500 });
    await run({ do: "echo", value: 1 });
    const order: string[] = [];
    let endSpin: () => void = () => undefined;
    const hasSpun = new Promise<void>((resolve) => (endSpin = resolve));
    const asking = run(
      { do: "ask", questions: ["long"] },
      {
        answer: async () => {
          // Longer than the limit, and until the other task is done.
          await Promise.all([sleep(2000), hasSpun]);
          return "late";
        },
      },
    ).then((value) => {
      order.push("asking");
      return value;
    });
    await run({ do: "spin", ms: 50 }).then(() => order.push("spinning"));
    endSpin();
    expect(await asking).toEqual(["late"]);
    expect(order).toEqual(["spinning", "asking"]);
  });

  it("a thread that ends by a defect fails its task, and the next one gets a new thread", async () => {
    const { run } = startPool();
    await expect(run({ do: "exit" })).rejects.toThrow("out of hand");
    expect(await run({ do: "echo", value: 1 })).toBe(1);
  });

  it("who gives up a task is free at once, and the task learns of it", async () => {
    const { run } = startPool();
    const aborter = new AbortController();
    const reason = new Error("enough");
    let noteAsked: () => void;
    const asked = new Promise<void>((resolve) => (noteAsked = resolve));
    const answer = async (): Promise<unknown> => {
      noteAsked();
      return await new Promise((resolve) => aborter.signal.addEventListener("abort", () => resolve(1)));
    };
    const running = run({ do: "until-cancelled" }, { answer, signal: aborter.signal });
    await asked;
    aborter.abort(reason);
    await expect(running).rejects.toBe(reason);
    await expect(run({ do: "thread" }, { signal: aborter.signal })).rejects.toBe(reason);
    expect(await run({ do: "echo", value: 1 })).toBe(1);
  });

  it("a closed pool leaves nobody waiting", async () => {
    const { run, close } = startPool();
    const running = run({ do: "spin", ms: 60_000 });
    running.catch(() => undefined);
    await close();
    await expect(running).rejects.toThrow("closed");
    await expect(run({ do: "thread" })).rejects.toThrow("closed");
  });

  it("lets tenants take turns, whoever came first", async () => {
    const { run } = startPool();
    await run({ do: "echo", value: 1 });
    const order: string[] = [];
    const note = async (name: string, tenant: string): Promise<void> => {
      await run({ do: "spin", ms: 5 }, { tenant });
      order.push(name);
    };
    await Promise.all([
      note("a1", "a"),
      note("a2", "a"),
      note("a3", "a"),
      note("b1", "b"),
      note("b2", "b"),
      note("c1", "c"),
    ]);
    expect(order).toEqual(["a1", "a2", "b1", "c1", "a3", "b2"]);
  });

  it("does not start what was given up while it waited", async () => {
    const { run } = startPool();
    const aborter = new AbortController();
    const first = run({ do: "spin", ms: 50 });
    const second = run({ do: "keep", mebibytes: 1 }, { signal: aborter.signal });
    aborter.abort(new Error("enough"));
    await expect(second).rejects.toThrow("enough");
    await first;
    expect(await run({ do: "keep", mebibytes: 1 })).toBe(1);
  });

  it("says to each task why an entry cannot be loaded", async () => {
    const { run } = startPool({ entry: new URL("./no-such-thread.ts", import.meta.url) });
    const loading = Array.from({ length: 3 }, async () => run({ do: "thread" }));
    for (const task of loading) await expect(task).rejects.toThrow(/exit code 1: [^]*no-such-thread/);
  });
});
