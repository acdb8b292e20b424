import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { CoveredRange } from "./covered-places.ts";

const root = join(import.meta.dirname, "../..");

/** A test file, and the modules that each of its runs loads anew: those between it and the mutated files. */
export interface TestFile {
  readonly path: string;
  readonly fresh: readonly string[];
}

/** A mutated module, and the test files that run it, the fastest first. */
export interface MutantRun {
  readonly id: number;
  readonly path: string;
  readonly text: string;
  readonly tests: readonly string[];
}

export interface Baseline {
  readonly test: string;
  /** Processor time. */
  readonly ms: number;
  readonly failure?: string;
  readonly coverage: Readonly<Record<string, readonly CoveredRange[]>>;
}

/** `detail` is the failed test with its message, or how the process ended. */
export interface Outcome {
  readonly state: "killed" | "survived" | "timed out";
  readonly detail?: string;
}

type Event =
  | { readonly type: "start"; readonly id?: number; readonly test: string }
  | ({ readonly type: "baseline" } & Baseline)
  | { readonly type: "end"; readonly id: number; readonly test?: string; readonly failure?: string }
  | { readonly type: "spoilt"; readonly test: string; readonly failure: string }
  | { readonly type: "done" };

interface Job {
  readonly tests: readonly TestFile[];
  readonly [key: string]: unknown;
}

interface ProcessRun {
  /** Name of the jest project, and a test file of it: jest starts the job with this file. */
  readonly project: string;
  readonly job: Job;
  /** Processor time that a run of a test file may take. */
  readonly limitMs: (test: string) => number;
  readonly onEvent: (event: Event) => void;
}

/** How a process of tests ended: by itself, killed for an endless run of a test file, or otherwise. */
type End = "done" | "time limit" | "crash";

/** Memory of the JavaScript heap of a process of tests, in MiB. */
const heapMiB = 1_500;

/** Ends the process and the processes that its tests have started. */
function kill({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    const hasEnded = error instanceof Error && "code" in error && error.code === "ESRCH";
    if (!hasEnded) throw error;
  }
}

/** Time of the clock that a run of a test file may take beyond its processor time: it also waits, and shares the processors. */
const waitMs = 60_000;
const pollMs = 200;

/** Returns the processor time of a process; Linux counts it in ticks of 10 ms. Elsewhere 0, so that only `waitMs` ends an endless loop. */
function processorMs(pid: number | undefined): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return 0;
  const text = readFileSync(file, "utf8");
  const [user = 0, system = 0] = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return (user + system) * 10;
}

/** Calls `onLimit` when a process has used more processor time than the limit, or has run for much longer. Returns a function that ends the watch. */
function watchTime(pid: number | undefined, limitMs: number, onLimit: () => void): () => void {
  const [processor, wall] = [processorMs(pid), performance.now()];
  const timer = setInterval(() => {
    const isOver = processorMs(pid) - processor > limitMs || performance.now() - wall > limitMs + waitMs;
    if (isOver) onLimit();
  }, pollMs);
  return () => clearInterval(timer);
}

/** Runs a job in one process of jest to its end. */
async function runProcess({ project, job, limitMs, onEvent }: ProcessRun): Promise<End> {
  const folder = mkdtempSync(join(tmpdir(), "landscaper-mutants-"));
  const file = join(folder, "job.json");
  writeFileSync(file, JSON.stringify(job));
  const [first] = job.tests;
  const args = [
    `--max-old-space-size=${heapMiB}`,
    "--disable-warning=ExperimentalWarning",
    join(root, "node_modules/jest/bin/jest.js"),
    "--selectProjects",
    project,
    "--runInBand",
    "--testRunner",
    join(import.meta.dirname, "jest-runner.mjs"),
    "--runTestsByPath",
    first?.path ?? "",
  ];
  const env = { ...process.env, MUTANTS_JOB: file, TMPDIR: folder };
  // A group of its own, so that all of its processes can be ended.
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    detached: true,
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const interrupt = (): void => {
    kill(child);
    rmSync(folder, { recursive: true, force: true });
    process.exit(130);
  };
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  let end: End = "crash";
  let endWatch = (): void => undefined;
  try {
    for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
      const event = JSON.parse(line) as Event;
      endWatch();
      if (event.type === "done") end = "done";
      if (event.type === "start") {
        endWatch = watchTime(child.pid, limitMs(event.test), () => {
          end = "time limit";
          kill(child);
        });
      }
      onEvent(event);
    }
  } finally {
    endWatch();
    kill(child);
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
    rmSync(folder, { recursive: true, force: true });
  }
  return end;
}

/** Processor time that a test file may take without a mutant. */
const baselineLimitMs = 120_000;

/** Runs test files without a mutant. Throws if one fails, in its first run or in its second one in the same process. */
export async function runBaseline(
  project: string,
  tests: readonly TestFile[],
  files: readonly string[],
): Promise<readonly Baseline[]> {
  const found: Baseline[] = [];
  const onEvent = (event: Event): void => {
    if (event.type === "baseline") found.push(event);
  };
  const end = await runProcess({ project, job: { tests, files }, limitMs: () => baselineLimitMs, onEvent });
  const failed = found.find(({ failure }) => failure !== undefined);
  if (failed !== undefined) throw new Error(`${failed.test}: fails without a mutant: ${failed.failure}`);
  if (end !== "done") throw new Error(`the tests of ${project} without a mutant: expected an end, found: ${end}`);
  return found;
}

export interface MutantRuns {
  readonly project: string;
  readonly mutants: readonly MutantRun[];
  readonly tests: readonly TestFile[];
  /** Modules that a run loads anew, by the path of the mutated one. */
  readonly fresh: Readonly<Record<string, readonly string[]>>;
  /** Processor time of each test file without a mutant. */
  readonly msOf: ReadonlyMap<string, number>;
  /** No run starts after this time. */
  readonly deadlineMs: number;
  /** Called with the number of outcomes after each of them. */
  readonly onOutcome: (done: number) => void;
}

/** Runs the tests of each mutant. Returns the outcomes by id; those that did not start in time are missing. */
export async function runMutants(runs: MutantRuns): Promise<ReadonlyMap<number, Outcome>> {
  const outcomes = new Map<number, Outcome>();
  const limitMs = (test: string): number => 2_000 + 5 * (runs.msOf.get(test) ?? 0);
  const finish = (id: number, outcome: Outcome): void => {
    outcomes.set(id, outcome);
    runs.onOutcome(outcomes.size);
  };
  for (;;) {
    const waiting = runs.mutants.filter(({ id }) => !outcomes.has(id));
    if (waiting.length === 0 || Date.now() > runs.deadlineMs) return outcomes;
    let running: number | undefined;
    let spoilt: string | undefined;
    const onEvent = (event: Event): void => {
      if (event.type === "start") running = event.id;
      if (event.type === "spoilt") spoilt = `${event.test}: ${event.failure}`;
      if (event.type !== "end") return;
      const detail = event.failure === undefined ? {} : { detail: `${event.test}: ${event.failure}` };
      finish(event.id, { state: event.failure === undefined ? "survived" : "killed", ...detail });
    };
    // Jobs are short, so that the time limit of all mutants is kept.
    const mutants = waiting.slice(0, 250);
    const used = new Set(mutants.flatMap(({ tests }) => tests));
    const tests = runs.tests.filter(({ path }) => used.has(path));
    const job = { tests, mutants, fresh: runs.fresh, deadlineMs: runs.deadlineMs };
    const end = await runProcess({ project: runs.project, job, limitMs, onEvent });
    if (spoilt !== undefined) throw new Error(`a mutant has changed the process of the tests: ${spoilt}`);
    if (end === "done") continue;
    if (running === undefined) throw new Error(`the tests of ${runs.project}: the process ended: ${end}`);
    finish(running, end === "crash" ? { state: "killed", detail: "the process ended" } : { state: "timed out" });
  }
}
