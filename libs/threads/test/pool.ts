import { kill } from "node:process";
import type { TestTask } from "./thread.ts";
import { ThreadPool, type RunOptions, type ThreadPoolOptions } from "../src/thread-pool.ts";
import type { WorkBudget } from "../src/work-budget.ts";

export interface TestPool {
  readonly run: (task: TestTask, options?: RunOptions) => Promise<unknown>;
  readonly createBudget: () => WorkBudget;
  readonly close: () => Promise<void>;
}

/** Pools of testing-thread.ts. */
export function startTestPools(): {
  readonly startPool: (options?: Partial<ThreadPoolOptions>) => TestPool;
  readonly closePools: () => Promise<void>;
} {
  const pools: ThreadPool[] = [];
  return {
    startPool: (options) => {
      const entry = new URL("./thread.ts", import.meta.url);
      const pool = new ThreadPool({ entry, name: "test", threads: 1, timeoutMs: 20_000, memoryMiB: 128, ...options });
      pools.push(pool);
      return {
        run: async (task, more) => pool.run(task, more),
        createBudget: () => pool.createBudget(),
        close: async () => pool.close(),
      };
    },
    closePools: async () => {
      await Promise.all(pools.splice(0).map(async (pool) => pool.close()));
    },
  };
}

/** Of a process by its id. */
export function isRunning(pid: unknown): boolean {
  try {
    return kill(Number(pid), 0);
  } catch {
    return false;
  }
}
