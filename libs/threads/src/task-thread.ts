import {
  decodeError,
  packOutcome,
  unpack,
  unpackOutcome,
  type FromThread,
  type Outcome,
  type Packed,
} from "./messages.ts";
import { ThreadLimitError, type ThreadLimit } from "./thread-limit-error.ts";
import { ThreadProcess, type ProcessExit } from "./thread-process.ts";
import type { WorkBudget } from "./work-budget.ts";

/** A task that somebody waits for. */
export interface Task {
  readonly id: number;
  readonly tenant: string;
  readonly content: Packed;
  readonly budget: WorkBudget;
  readonly answer: (question: unknown) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Nobody waits for it any more. */
  readonly isAbandoned: () => boolean;
  /** Threads that have ended while it worked, for want of memory or by a crash. */
  exhausted: number;
}

/** Of a task that works. */
export interface Work {
  readonly tenant: string;
  readonly processorMs: number;
  /** Time since it began or went on. */
  readonly sliceMs: number;
}

export interface TaskThreadOptions {
  readonly entry: URL;
  readonly name: string;
  readonly memoryMiB: number;
  readonly maxResultBytes: number;
  /** It has started, may be able to take another task, or a task wants it that waited for an answer. */
  readonly onChange: (thread: TaskThread) => void;
  /** A task of the tenant has worked for so long (ms). */
  readonly onUse: (tenant: string, processorMs: number) => void;
  /** The thread has ended, and with it the work on tasks that others may do. */
  readonly onEnd: (thread: TaskThread, left: readonly Task[]) => void;
  /** The thread has ended before it could take a task. */
  readonly onFailedStart: (thread: TaskThread, error: Error) => void;
}

/** Work (ms) of one task after which its thread yields to everything else that wants a processor. */
const longWorkMs = 300;
/** See setpriority(2); 0 is what processes have. */
const lowPriority = 10;
/** How often (ms) a task that works is looked at; most are over before. */
const lookMs = 100;
/** Work (ms) that nobody waits for ends its thread. */
const abandonedMs = 1_000;
/** Where the system does not say what a process uses, or keeps it from working: so many times the time counts as too much. */
const wallFactor = 10;
/** What a process needs beside the heap that is limited. */
const processMiB = 192;
/** Tasks that wait for answers; more keep memory that others need. */
const maxWaiting = 16;

interface TaskState {
  readonly task: Task;
  openQuestions: number;
  isActive: boolean;
  /** What the task has said last that it is at. */
  step?: string;
}

interface Working {
  readonly task: Task;
  /** Pauses are added: the time since then is that of work. */
  startedMs: number;
  /** Processor time of the thread at the start. */
  readonly processorMs: number;
  readonly timer: NodeJS.Timeout;
}

/** A thread and the tasks given to it. A task that takes too much ends the thread, the others of the thread are given back. */
export class TaskThread {
  readonly #options: TaskThreadOptions;
  readonly #process: ThreadProcess;
  readonly #tasks = new Map<number, TaskState>();
  #working: Working | undefined;
  /** Tasks given so far. */
  #given = 0;
  /** Since when. */
  #pausedMs: number | undefined;
  #sliceStartMs = 0;
  /** Its priority cannot be raised again, or it may do what was given back: it ends with its task. */
  #isSpent = false;
  #hasLowPriority = false;
  #hasStarted = false;
  #isWarmingUp = false;
  #isWarm = false;

  constructor(options: TaskThreadOptions) {
    this.#options = options;
    const { entry, name, memoryMiB, maxResultBytes } = options;
    this.#process = new ThreadProcess({
      entry,
      name,
      memoryMiB,
      maxResultBytes,
      onMessage: (message) => this.#receive(message),
      onExit: (exit) => this.#exit(exit),
    });
  }

  get load(): number {
    return this.#tasks.size;
  }

  /** A task has the thread, also while it is paused; others may wait for answers. */
  get isActive(): boolean {
    return [...this.#tasks.values()].some(({ isActive }) => isActive);
  }

  /** It can take another task: one that is given to it can be paused. */
  get isFree(): boolean {
    return this.isReady && this.#tasks.size < maxWaiting && !this.#isSpent && !this.isActive;
  }

  /** Its process has started, and is not about to warm up. */
  get isReady(): boolean {
    return this.#hasStarted && !this.#isWarmingUp;
  }

  /** The first task does not pay for what is done once. */
  get isWarm(): boolean {
    return this.#isWarm;
  }

  get isPaused(): boolean {
    return this.#pausedMs !== undefined;
  }

  /** The task that works, also while it is paused; undefined before it has begun. */
  get work(): Work | undefined {
    if (this.#working === undefined) return undefined;
    const { task, processorMs, startedMs } = this.#working;
    const usedMs = (this.#process.usage()?.processorMs ?? Number.NaN) - processorMs;
    const passedMs = (this.#pausedMs ?? performance.now()) - startedMs;
    return {
      tenant: task.tenant,
      processorMs: Number.isNaN(usedMs) ? passedMs : Math.max(0, usedMs),
      sliceMs: performance.now() - this.#sliceStartMs,
    };
  }

  /** Tenants whose tasks have their answers, and wait for the task that works. */
  get blocked(): readonly string[] {
    if (this.#working === undefined) return [];
    const { task: worker } = this.#working;
    return [...this.#tasks.values()].flatMap(({ isActive, task }) =>
      isActive && task !== worker ? [task.tenant] : [],
    );
  }

  /** Stops the task that works until `resume`. Resolves to the tasks that wait in this thread: they can go on in another one only. */
  pause(): readonly Task[] {
    if (this.#working === undefined || this.isPaused) return [];
    this.#pausedMs = performance.now();
    this.#process.pause();
    const { task: worker } = this.#working;
    const others = [...this.#tasks.values()].map(({ task }) => task).filter((task) => task !== worker);
    for (const { id } of others) this.#tasks.delete(id);
    if (others.length > 0) this.#isSpent = true;
    return others;
  }

  resume(): void {
    if (this.#pausedMs === undefined) return;
    if (this.#working !== undefined) this.#working.startedMs += performance.now() - this.#pausedMs;
    this.#pausedMs = undefined;
    this.#sliceStartMs = performance.now();
    this.#process.resume();
  }

  /** Does what is done once, before there is a task. */
  warmUp(): void {
    if (!this.isFree || this.#isWarm) return;
    this.#isWarmingUp = true;
    this.#process.send({ type: "warm-up" });
  }

  start(task: Task): void {
    this.#isWarm = true;
    if (this.#tasks.size === 0) this.#process.ref();
    this.#given += 1;
    this.#tasks.set(task.id, { task, openQuestions: 0, isActive: true });
    this.#process.send({ type: "task", id: task.id, task: task.content });
  }

  /** Nobody waits for the task any more. */
  cancel(id: number): void {
    if (this.#tasks.has(id)) this.#process.send({ type: "cancel", id });
  }

  async stop(error: Error): Promise<void> {
    for (const task of this.#end()) task.reject(error);
    await this.#process.end();
  }

  #receive(message: FromThread): void {
    if (message.type === "ready") {
      this.#isWarm ||= this.#isWarmingUp;
      this.#isWarmingUp = false;
      this.#hasStarted = true;
      this.#options.onChange(this);
      return;
    }
    if (message.type === "defect") {
      const error = decodeError(message.error);
      if (!this.#hasStarted) this.#failStart(error);
      else if (this.#working === undefined) this.#failAll(error);
      else this.#fail(this.#working.task, error);
      return;
    }
    const state = this.#tasks.get(message.id);
    if (state === undefined) {
      // Given back, and nobody counts its work.
      if (message.type === "working") this.#options.onEnd(this, this.#end());
      return;
    }
    // It was on its way when the thread was paused.
    if (message.type === "waiting" || message.type === "done" || message.type === "oversized") this.resume();
    switch (message.type) {
      case "working":
        this.#startWork(state, message.processorMs);
        if (this.blocked.length > 0) this.#options.onChange(this);
        break;
      case "waiting":
        this.#stopWork(message.processorMs);
        state.isActive = state.openQuestions === 0;
        if (this.isFree || this.#isSpent) this.#options.onChange(this);
        break;
      case "step":
        state.step = message.step;
        break;
      case "question":
        state.openQuestions += 1;
        void this.#answer(state, message);
        break;
      case "done":
        this.#stopWork(message.processorMs);
        this.#finish(state.task, () => unpackOutcome(message.outcome));
        break;
      case "oversized":
        this.#stopWork(message.processorMs);
        this.#finish(state.task, () => {
          const { maxResultBytes: allowed } = this.#options;
          throw new ThreadLimitError("size", allowed, { step: state.step, found: message.bytes });
        });
        break;
    }
  }

  #startWork(state: TaskState, processorMs: number): void {
    clearInterval(this.#working?.timer);
    state.isActive = true;
    const timer = setInterval(() => this.#look(), lookMs);
    this.#sliceStartMs = performance.now();
    this.#working = { task: state.task, startedMs: this.#sliceStartMs, processorMs, timer };
  }

  #stopWork(processorMs: number): void {
    if (this.#working === undefined) return;
    const { task, timer, processorMs: before } = this.#working;
    clearInterval(timer);
    this.#use(task, processorMs - before);
    this.#working = undefined;
  }

  #use(task: Task, processorMs: number): void {
    task.budget.use(processorMs);
    this.#options.onUse(task.tenant, processorMs);
  }

  #look(): void {
    if (this.#working === undefined) return;
    const { task, startedMs, processorMs } = this.#working;
    const passedMs = performance.now() - startedMs;
    if (task.isAbandoned() && passedMs > abandonedMs) {
      this.#fail(task, new Error("the task was given up"));
      return;
    }
    if (this.isPaused) return;
    const usage = this.#process.usage();
    const usedMs = usage === undefined ? passedMs / wallFactor : usage.processorMs - processorMs;
    if (Math.max(usedMs, passedMs / wallFactor) > task.budget.leftMs) {
      this.#use(task, Math.max(usedMs, task.budget.leftMs));
      this.#limit(task, "time");
    } else if (usage !== undefined && usage.residentBytes > (this.#options.memoryMiB + processMiB) * 1024 * 1024) {
      this.#exhaust(task, "memory");
    } else if (usedMs > longWorkMs && !this.#hasLowPriority) {
      this.#hasLowPriority = true;
      this.#isSpent = true;
      this.#process.lowerPriority(lowPriority);
    }
  }

  async #answer(state: TaskState, { question, value }: Extract<FromThread, { type: "question" }>): Promise<void> {
    const { task } = state;
    const outcome = await packOutcome(answerOf(task, value));
    if (this.#tasks.get(task.id) !== state) return;
    state.openQuestions -= 1;
    state.isActive ||= state.openQuestions === 0;
    this.#process.send({ type: "answer", id: task.id, question, outcome });
    if (this.#working !== undefined) this.#options.onChange(this);
  }

  #finish(task: Task, read: () => Outcome): void {
    this.#tasks.delete(task.id);
    try {
      const outcome = read();
      if ("error" in outcome) task.reject(decodeError(outcome.error));
      else task.resolve(outcome.value);
    } catch (error) {
      task.reject(error);
    }
    if (this.#isSpent && this.#tasks.size === 0) {
      this.#options.onEnd(this, this.#end());
      return;
    }
    if (this.#tasks.size === 0) this.#process.unref();
    if (this.isFree) this.#options.onChange(this);
  }

  #exit({ kind, message }: ProcessExit): void {
    const culprit = this.#working?.task;
    if (culprit !== undefined && kind !== "exit") this.#exhaust(culprit, kind);
    else if (culprit !== undefined) this.#fail(culprit, new Error(message));
    else if (this.#hasStarted) this.#failAll(new Error(message));
    else this.#failStart(new Error(message));
  }

  /** A thread may be full of what earlier tasks have left there: the task has a second try in another one. */
  #exhaust(task: Task, limit: "memory" | "crash"): void {
    task.exhausted += 1;
    if (this.#given === 1 || task.exhausted > 1) this.#limit(task, limit);
    else this.#options.onEnd(this, this.#end());
  }

  #limit(task: Task, limit: ThreadLimit): void {
    const { memoryMiB, maxResultBytes } = this.#options;
    const allowed = { time: task.budget.allowedMs, memory: memoryMiB, size: maxResultBytes, crash: 0 };
    this.#fail(task, new ThreadLimitError(limit, allowed[limit], { step: this.#tasks.get(task.id)?.step }));
  }

  #failStart(error: Error): void {
    this.#end();
    this.#options.onFailedStart(this, error);
  }

  /** No task is to blame, and none may be begun again and again. */
  #failAll(error: Error): void {
    for (const task of this.#end()) task.reject(error);
    this.#options.onEnd(this, []);
  }

  /** The task fails, the others of the thread are given back. */
  #fail(culprit: Task, error: unknown): void {
    const left = this.#end().filter((task) => task !== culprit);
    culprit.reject(error);
    this.#options.onEnd(this, left);
  }

  /** Ends the thread; returns the tasks that are not done. */
  #end(): readonly Task[] {
    clearInterval(this.#working?.timer);
    this.#working = undefined;
    const left = [...this.#tasks.values()].map(({ task }) => task);
    this.#tasks.clear();
    void this.#process.end();
    return left;
  }
}

/** A question that cannot be read is answered by that error. */
async function answerOf(task: Task, question: Packed): Promise<unknown> {
  return await task.answer(unpack(question));
}
