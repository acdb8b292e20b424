import { Worker } from "node:worker_threads";
import { decodeError, outcomeOf, type FromThread, type ToThread } from "./messages.ts";
import { ThreadLimitError } from "./thread-limit-error.ts";

/** A task that somebody waits for. */
export interface Task {
  readonly id: number;
  readonly content: unknown;
  readonly answer: (question: unknown) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Nobody waits for it any more. */
  readonly isAbandoned: () => boolean;
  /** Work so far, in ms. */
  workedMs: number;
  /** Threads that ran out of memory while it worked. */
  exhausted: number;
}

export interface TaskThreadOptions {
  readonly entry: URL;
  readonly name: string;
  readonly timeoutMs: number;
  readonly memoryMiB: number;
  /** When the thread has no task left. */
  readonly onIdle: (thread: TaskThread) => void;
  /** The thread has ended, and with it the work on tasks that others may do. */
  readonly onEnd: (thread: TaskThread, left: readonly Task[]) => void;
}

/** Young objects, beside what `memoryMiB` limits; more would only keep more garbage. */
const youngMiB = 16;

interface Working {
  readonly task: Task;
  readonly since: number;
  readonly timer: NodeJS.Timeout;
}

/** A thread and the tasks given to it. A task that takes too long ends the thread, the others of the thread are given back. */
export class TaskThread {
  readonly #options: TaskThreadOptions;
  readonly #worker: Worker;
  readonly #tasks = new Map<number, Task>();
  #working: Working | undefined;
  #isEnded = false;

  constructor(options: TaskThreadOptions) {
    this.#options = options;
    this.#worker = new Worker(options.entry, {
      name: options.name,
      // Nothing of the environment is needed, and some of it may be secret.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: options.memoryMiB, maxYoungGenerationSizeMb: youngMiB },
    });
    this.#worker.on("message", (message: FromThread) => this.#receive(message));
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", (code) => this.#fail(new Error(`a thread has ended with exit code ${code}`)));
    this.#worker.unref();
  }

  get load(): number {
    return this.#tasks.size;
  }

  start(task: Task): void {
    // First: what cannot be copied is thrown here.
    this.#send({ type: "task", id: task.id, task: task.content });
    if (this.#tasks.size === 0) this.#worker.ref();
    this.#tasks.set(task.id, task);
  }

  /** Nobody waits for the task any more. */
  cancel(id: number): void {
    if (!this.#tasks.has(id)) return;
    this.#send({ type: "cancel", id });
  }

  async stop(error: Error): Promise<void> {
    for (const task of this.#end()) task.reject(error);
    await this.#worker.terminate();
  }

  #send(message: ToThread): void {
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(message);
  }

  #receive(message: FromThread): void {
    const task = this.#tasks.get(message.id);
    if (task === undefined) return;
    if (message.type === "working") this.#startWork(task);
    else if (message.type === "waiting") this.#stopWork();
    else if (message.type === "question") void this.#answer(task, message);
    else this.#finish(task, message);
  }

  #startWork(task: Task): void {
    this.#stopWork();
    const { timeoutMs } = this.#options;
    const timer = setTimeout(() => this.#expire(task), Math.max(0, timeoutMs - task.workedMs));
    this.#working = { task, since: performance.now(), timer };
  }

  #stopWork(): void {
    if (this.#working === undefined) return;
    const { task, since, timer } = this.#working;
    clearTimeout(timer);
    task.workedMs += performance.now() - since;
    this.#working = undefined;
  }

  async #answer(task: Task, { question, value }: Extract<FromThread, { type: "question" }>): Promise<void> {
    const outcome = await outcomeOf(task.answer(value));
    if (this.#tasks.has(task.id)) this.#send({ type: "answer", id: task.id, question, outcome });
  }

  #finish(task: Task, { outcome }: Extract<FromThread, { type: "done" }>): void {
    this.#stopWork();
    this.#tasks.delete(task.id);
    if ("error" in outcome) task.reject(decodeError(outcome.error));
    else task.resolve(outcome.value);
    if (this.#tasks.size > 0) return;
    this.#worker.unref();
    this.#options.onIdle(this);
  }

  #expire(task: Task): void {
    const left = this.#end().filter((other) => other !== task);
    void this.#worker.terminate();
    task.reject(new ThreadLimitError("time", this.#options.timeoutMs));
    this.#options.onEnd(this, left);
  }

  /** The one that was working has done it; out of memory a thread may be for what others have left there, so that it gets a second one. */
  #fail(error: unknown): void {
    if (this.#isEnded) return;
    const culprit = this.#working?.task;
    const left = this.#end().filter((task) => task !== culprit);
    if (culprit === undefined) {
      for (const task of left) task.reject(error);
      this.#options.onEnd(this, []);
      return;
    }
    const isMemory = codeOf(error) === "ERR_WORKER_OUT_OF_MEMORY";
    if (isMemory) culprit.exhausted++;
    const isAgain = isMemory && culprit.exhausted < 2;
    if (!isAgain) culprit.reject(isMemory ? new ThreadLimitError("memory", this.#options.memoryMiB) : error);
    this.#options.onEnd(this, isAgain ? [culprit, ...left] : left);
  }

  /** Returns the tasks that are not done. */
  #end(): Task[] {
    this.#isEnded = true;
    this.#stopWork();
    const left = [...this.#tasks.values()];
    this.#tasks.clear();
    return left;
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined;
}
