import { TaskThread, type Task } from "./task-thread.ts";

export interface ThreadPoolOptions {
  /** The module that calls `serveTasks`. */
  readonly entry: URL;
  /** Of the threads, for debuggers and traces. */
  readonly name: string;
  /** At most so many at a time; they start when they are needed. */
  readonly threads: number;
  /** Work that a task may take, without the time in which it waits for answers. */
  readonly timeoutMs: number;
  /** Heap of a thread: what a task may need, with what the thread keeps from one to the next. */
  readonly memoryMiB: number;
  /** A thread beyond the first ends when it has had no task for so long. Default 60,000. */
  readonly idleMs?: number | undefined;
}

export interface RunOptions {
  /** Answers what the task asks. */
  readonly answer?: ((question: unknown) => Promise<unknown>) | undefined;
  /** The run rejects with its reason at once, and the thread is told to stop. */
  readonly signal?: AbortSignal | undefined;
}

/** Does tasks in threads, so that the main thread keeps its time. Idle threads do not keep the process alive. */
export class ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #threads = new Set<TaskThread>();
  readonly #idle = new Map<TaskThread, NodeJS.Timeout>();
  #lastId = 0;
  #isClosed = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
  }

  /** `task` and what comes of it are copied. Rejects with what the task throws, and with ThreadLimitError. */
  async run(task: unknown, { answer = noAnswer, signal }: RunOptions = {}): Promise<unknown> {
    signal?.throwIfAborted();
    const id = ++this.#lastId;
    return await new Promise((resolve, reject) => {
      const abandon = (): void => {
        reject(signal?.reason);
        for (const thread of this.#threads) thread.cancel(id);
      };
      signal?.addEventListener("abort", abandon, { once: true });
      const settle = (): void => signal?.removeEventListener("abort", abandon);
      this.#give({
        id,
        content: task,
        answer,
        resolve: (value) => {
          settle();
          resolve(value);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
        isAbandoned: () => signal?.aborted === true,
        workedMs: 0,
        exhausted: 0,
      });
    });
  }

  /** What is not done is rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#idle.values()) clearTimeout(timer);
    this.#idle.clear();
    const threads = [...this.#threads];
    this.#threads.clear();
    await Promise.all(threads.map(async (thread) => thread.stop(new Error("the threads have been closed"))));
  }

  #give(task: Task): void {
    if (task.isAbandoned()) return;
    if (this.#isClosed) {
      task.reject(new Error("the threads have been closed"));
      return;
    }
    const thread = this.#choose();
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
    try {
      thread.start(task);
    } catch (error) {
      task.reject(error);
    }
  }

  #choose(): TaskThread {
    const [least] = [...this.#threads].toSorted((one, other) => one.load - other.load);
    if (least !== undefined && (least.load === 0 || this.#threads.size >= this.#options.threads)) return least;
    const { entry, name, timeoutMs, memoryMiB } = this.#options;
    const thread = new TaskThread({
      entry,
      name,
      timeoutMs,
      memoryMiB,
      onIdle: (idle) => this.#letIdle(idle),
      onEnd: (ended, left) => {
        this.#threads.delete(ended);
        clearTimeout(this.#idle.get(ended));
        this.#idle.delete(ended);
        for (const task of left) this.#give(task);
      },
    });
    this.#threads.add(thread);
    return thread;
  }

  #letIdle(thread: TaskThread): void {
    if (this.#threads.size === 1) return;
    const timer = setTimeout(() => {
      this.#idle.delete(thread);
      if (this.#threads.size === 1) return;
      this.#threads.delete(thread);
      void thread.stop(new Error("the thread was idle"));
    }, this.#options.idleMs ?? 60_000);
    this.#idle.set(thread, timer.unref());
  }
}

async function noAnswer(): Promise<never> {
  return await Promise.reject(new TypeError("the task asks, and nobody answers"));
}
