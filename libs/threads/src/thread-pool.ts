import { availableParallelism } from "node:os";
import { FairQueue } from "./fair-queue.ts";
import { pack } from "./messages.ts";
import { TaskThread, type Task } from "./task-thread.ts";
import { TenantBackoff } from "./tenant-backoff.ts";
import { TenantUsage } from "./tenant-usage.ts";
import { ThreadLimitError } from "./thread-limit-error.ts";
import { WorkBudget } from "./work-budget.ts";

export interface ThreadPoolOptions {
  /** The module that calls `serveTasks`. */
  readonly entry: URL;
  /** Of the threads, for lists of processes. */
  readonly name: string;
  /** Maximum number of threads that work at a time. Threads start on demand. Default: one fewer than the processors, at least one. */
  readonly threads?: number | undefined;
  /**
   * Maximum number of paused threads. Each keeps the memory of its task. If more would be paused, tenants wait for each other. 0: a task is never paused. Default: 4.
   */
  readonly maxPaused?: number | undefined;
  /** Processor time of a job, and of a task without a budget. */
  readonly timeoutMs: number;
  /** Heap of a thread: what a task may need, with what the thread keeps from one to the next. */
  readonly memoryMiB: number;
  /** Serialized. Default 16 MiB. */
  readonly maxResultBytes?: number | undefined;
  /** A thread ends when it has had no task for so long. Default 60,000. */
  readonly idleMs?: number | undefined;
  /**
   * One thread more than may work is kept while the pool is in use: several tenants that come at a time, some of them with long tasks, do not wait for the
   * start of threads. Default: false.
   */
  readonly keepsSpare?: boolean | undefined;
  /** Pauses of tenants that exceed limits again and again. Default: one second, doubled up to five minutes. */
  readonly backoff?: { readonly baseMs: number; readonly maxMs: number } | undefined;
}

export interface RunOptions {
  /** Tenants take turns; usually the namespace of the object that the task is for. */
  readonly tenant?: string | undefined;
  /** Of the job that the task belongs to. Default: one for this task alone. */
  readonly budget?: WorkBudget | undefined;
  /** Answers what the task asks. */
  readonly answer?: ((question: unknown) => Promise<unknown>) | undefined;
  /** The run rejects with its reason at once, and the thread is told to stop. */
  readonly signal?: AbortSignal | undefined;
}

const defaults = {
  maxResultBytes: 16 * 1024 * 1024,
  idleMs: 60_000,
  maxPaused: 4,
  backoff: { baseMs: 1_000, maxMs: 300_000 },
};

/** Work without a pause (ms) before another tenant can have the processor: most tasks are over by then. */
const sliceMs = 25;
/** One that has used so many ranks more (200 ms) has had its slices. */
const farAhead = 4;
/** Processor time (ms) of a task after which its thread is held for long: a spare one is started for the next tenant. */
const heldMs = 200;
/** Time (ms) between looks whether a spare thread is to be started: when one is held, or while nothing is to be done. */
const lookMs = 200;
const usage = { halfLifeMs: 10_000, quantumMs: 50 };

/** Does tasks in threads, so that the main thread keeps its time. Idle threads do not keep the process alive. */
export class ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #maxThreads: number;
  readonly #threads = new Set<TaskThread>();
  readonly #idle = new Map<TaskThread, NodeJS.Timeout>();
  readonly #queue = new FairQueue<Task>();
  readonly #backoff: TenantBackoff;
  readonly #usage = new TenantUsage({ ...usage, clock: () => performance.now() });
  #wake: NodeJS.Timeout | undefined;
  #lastId = 0;
  /** When a task was given last. */
  #usedMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    this.#maxThreads = options.threads ?? Math.max(1, availableParallelism() - 1);
    const { baseMs, maxMs } = options.backoff ?? defaults.backoff;
    this.#backoff = new TenantBackoff({ baseMs, maxMs, clock: () => performance.now(), random: Math.random });
  }

  /** For all tasks of one job. */
  createBudget(): WorkBudget {
    return new WorkBudget(this.#options.timeoutMs);
  }

  /** `task` and what comes of it are copied. Rejects with what the task throws, and with ThreadLimitError. */
  async run(task: unknown, options: RunOptions = {}): Promise<unknown> {
    const { tenant = "", budget = this.createBudget(), answer = noAnswer, signal } = options;
    signal?.throwIfAborted();
    if (this.#isClosed) throw closed();
    const content = pack(task);
    return await new Promise((resolve, reject) => {
      const settle = (): void => signal?.removeEventListener("abort", abandon);
      const queued: Task = {
        id: ++this.#lastId,
        tenant,
        content,
        budget,
        answer,
        resolve: (value) => {
          settle();
          this.#backoff.noteSuccess(tenant);
          resolve(value);
        },
        reject: (error) => {
          settle();
          if (error instanceof ThreadLimitError) this.#backoff.noteLimit(tenant);
          else this.#backoff.noteSuccess(tenant);
          reject(error);
        },
        isAbandoned: () => signal?.aborted === true,
        exhausted: 0,
      };
      const abandon = (): void => {
        reject(signal?.reason);
        if (this.#queue.remove(tenant, queued)) return;
        for (const thread of this.#threads) thread.cancel(queued.id);
      };
      signal?.addEventListener("abort", abandon, { once: true });
      this.#queue.push(tenant, queued);
      this.#dispatch();
    });
  }

  /** What is not done is rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#wake);
    for (const timer of this.#idle.values()) clearTimeout(timer);
    this.#idle.clear();
    for (const task of this.#queue.drain()) task.reject(closed());
    const threads = [...this.#threads];
    this.#threads.clear();
    await Promise.all(threads.map(async (thread) => thread.stop(closed())));
  }

  /** Includes the paused threads. */
  get #mostThreads(): number {
    return this.#maxThreads + (this.#options.maxPaused ?? defaults.maxPaused);
  }

  /** Lets those go on who have used least, as many as may work at a time. */
  #dispatch(): void {
    clearTimeout(this.#wake);
    for (;;) {
      const active = [...this.#threads].filter(({ isActive, isPaused }) => isActive && !isPaused);
      const hasChanged = active.length < this.#maxThreads ? this.#startNext() : this.#pauseOne(active);
      if (!hasChanged) break;
    }
    this.#startWanted();
    for (const thread of this.#threads) if (thread.load === 0) thread.warmUp();
    const spareMs = this.#prepareSpare();
    const waits = this.#queue.tenants.map((tenant) => Math.max(sliceMs, this.#backoff.waitMs(tenant)));
    if (spareMs !== undefined) waits.push(spareMs);
    const isContended = [...this.#threads].some(({ isPaused, blocked }) => isPaused || blocked.length > 0);
    if (isContended) waits.push(sliceMs);
    if (waits.length > 0) this.#wake = setTimeout(() => this.#dispatch(), Math.min(...waits));
  }

  /** Starts threads for the tasks that could have one at once. Which task gets it is decided when it has started: until then, nothing in it could be paused. */
  #startWanted(): void {
    const threads = [...this.#threads];
    const tenant = this.#findFree() === undefined ? this.#nextQueued(this.#createRanks()) : undefined;
    if (tenant === undefined) return;
    const active = threads.filter(({ isActive, isPaused }) => isActive && !isPaused);
    const places = this.#maxThreads - active.length;
    const wanted =
      places > 0 ? Math.min(places, this.#queue.size) : Number(this.#findYielding(active, [tenant]) !== undefined);
    const starting = threads.filter(({ isReady }) => !isReady).length;
    const most = this.#mostThreads - threads.length;
    for (let count = 0; count < Math.min(wanted - starting, most); count++) this.#startThread();
  }

  /** A thread starts in 0.3 s, and nobody shall wait for that because of what others do. When to look again (ms); undefined for no need. */
  #prepareSpare(): number | undefined {
    const threads = [...this.#threads];
    if (this.#isClosed || threads.length >= this.#mostThreads) return undefined;
    const isActive = threads.some((thread) => thread.isActive);
    // Several that start at a time only hinder each other.
    if (threads.some(({ isReady }) => !isReady)) return lookMs;
    const isHeld = threads.some(({ isPaused, work }) => isPaused || (work?.processorMs ?? 0) > heldMs);
    const isKept = this.#isSpareKept();
    const free = threads.filter(({ isFree }) => isFree).length;
    // Of two that come while a thread is held, the first may hold the spare one as well.
    const isMissing = isHeld ? free < (isKept ? 2 : 1) : isKept && threads.length <= this.#maxThreads;
    if (isMissing && (isHeld || !isActive)) this.#startThread();
    return isMissing || isActive ? lookMs : undefined;
  }

  /** Whether the pool is in use, with one thread more than may work. */
  #isSpareKept(): boolean {
    const { keepsSpare = false, idleMs = defaults.idleMs } = this.#options;
    return keepsSpare && performance.now() - this.#usedMs < idleMs;
  }

  /** The thread that was paused, or the task, of the tenant that has used least. False when there is none. */
  #startNext(): boolean {
    const rank = this.#createRanks();
    const paused = this.#nextPaused(rank);
    const free = this.#findFree();
    const tenant = free === undefined ? undefined : this.#nextQueued(rank);
    if (paused !== undefined && (tenant === undefined || rank(paused.tenant) <= rank(tenant))) {
      paused.thread.resume();
      return true;
    }
    const task = tenant === undefined ? undefined : this.#queue.take((each) => each === tenant);
    if (task === undefined || free === undefined) return false;
    if (task.isAbandoned()) return true;
    if (task.budget.leftMs === 0) task.reject(new ThreadLimitError("time", task.budget.allowedMs));
    else this.#start(free, task);
    return true;
  }

  /** Pauses a thread whose tenant has used more than one that waits. False when there is none. */
  #pauseOne(active: readonly TaskThread[]): boolean {
    const rank = this.#createRanks();
    const queued = this.#findFree() === undefined ? undefined : this.#nextQueued(rank);
    const waiting = [this.#nextPaused(rank)?.tenant, queued].filter((tenant) => tenant !== undefined);
    const thread = this.#findYielding(active, waiting);
    if (thread === undefined) return false;
    for (const task of thread.pause().toReversed()) this.#queue.unshift(task.tenant, task);
    return true;
  }

  /** One that has worked long enough, for a tenant that has used more than one of those who wait. */
  #findYielding(active: readonly TaskThread[], waiting: readonly string[]): TaskThread | undefined {
    const rank = this.#createRanks();
    return active.find(({ work, blocked }) => {
      const lowest = Math.min(...[...waiting, ...blocked].map(rank));
      if (work === undefined || rank(work.tenant) <= lowest) return false;
      return work.sliceMs >= sliceMs || rank(work.tenant) >= lowest + farAhead;
    });
  }

  #paused(): { readonly thread: TaskThread; readonly tenant: string }[] {
    return [...this.#threads].flatMap((thread) =>
      thread.isPaused && thread.work !== undefined ? [{ thread, tenant: thread.work.tenant }] : [],
    );
  }

  #nextPaused(rank: (tenant: string) => number): { readonly thread: TaskThread; readonly tenant: string } | undefined {
    return this.#paused().toSorted((one, other) => rank(one.tenant) - rank(other.tenant))[0];
  }

  /** The tenant whose task is next; one whose work is paused has no other begun. */
  #nextQueued(rank: (tenant: string) => number): string | undefined {
    const paused = new Set(this.#paused().map(({ tenant }) => tenant));
    return this.#queue.peek((tenant) => !paused.has(tenant) && this.#backoff.waitMs(tenant) === 0, rank);
  }

  /** Of now, with the work that is under way. */
  #createRanks(): (tenant: string) => number {
    const underWay = new Map<string, number>();
    for (const { work } of this.#threads) {
      if (work !== undefined) underWay.set(work.tenant, (underWay.get(work.tenant) ?? 0) + work.processorMs);
    }
    return (tenant) => this.#usage.rank(tenant, underWay.get(tenant));
  }

  #findFree(): TaskThread | undefined {
    const free = [...this.#threads].filter(({ isFree }) => isFree);
    const [best] = free.toSorted((one, other) => Number(other.isWarm) - Number(one.isWarm) || one.load - other.load);
    return best;
  }

  #start(thread: TaskThread, task: Task): void {
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
    this.#usedMs = performance.now();
    thread.start(task);
  }

  #startThread(): void {
    const { entry, name, memoryMiB, maxResultBytes = defaults.maxResultBytes } = this.#options;
    const thread = new TaskThread({
      entry,
      name,
      memoryMiB,
      maxResultBytes,
      onChange: (changed) => {
        if (changed.load === 0) this.#letIdle(changed);
        this.#dispatch();
      },
      onUse: (tenant, processorMs) => this.#usage.use(tenant, processorMs),
      onEnd: (ended, left) => {
        this.#forget(ended);
        // The one that was begun first is the first again.
        for (const task of left.toReversed()) this.#queue.unshift(task.tenant, task);
        this.#dispatch();
      },
      onFailedStart: (ended, error) => {
        this.#forget(ended);
        // One for each start: a thread that cannot start must not be started again and again.
        this.#queue.take()?.reject(error);
        this.#dispatch();
      },
    });
    this.#threads.add(thread);
  }

  #forget(thread: TaskThread): void {
    this.#threads.delete(thread);
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
  }

  #letIdle(thread: TaskThread): void {
    const end = (): void => {
      this.#idle.delete(thread);
      if (this.#isSpareKept() && this.#threads.size <= this.#maxThreads + 1) {
        this.#letIdle(thread);
        return;
      }
      this.#threads.delete(thread);
      void thread.stop(new Error("the thread was idle"));
    };
    clearTimeout(this.#idle.get(thread));
    this.#idle.set(thread, setTimeout(end, this.#options.idleMs ?? defaults.idleMs).unref());
  }
}

function closed(): Error {
  return new Error("the threads have been closed");
}

async function noAnswer(): Promise<never> {
  return await Promise.reject(new TypeError("the task asks, and nobody answers"));
}
