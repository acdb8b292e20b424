import { flushCompileCache } from "node:module";
import {
  decodeError,
  encodeError,
  pack,
  packOutcome,
  unpack,
  unpackOutcome,
  type FromThread,
  type Outcome,
  type Packed,
  type ToThread,
} from "./messages.ts";
import { Turn } from "./turn.ts";

export interface TaskContext {
  /**
   * Asks whoever has given the task; question and answer are copied. Other tasks of the thread go on meanwhile. Answers to questions that
   * are asked together come together.
   */
  readonly ask: (question: unknown) => Promise<unknown>;
  /** Says what the task is at: the error of a limit tells it. Costs some 20 microseconds. */
  readonly note: (step: string) => void;
  /** Aborted when nobody wants the result any more. */
  readonly signal: AbortSignal;
}

export interface ServeOptions {
  /** Does what the first task would pay for, in a thread that has started and for which there is none; errors do not matter. */
  readonly warmUp?: (() => Promise<void>) | undefined;
}

/** Environment variable by which the pool tells a thread how many bytes a result may have. */
export const maxResultBytesVariable = "LANDSCAPER_MAX_RESULT_BYTES";

/** Most threads have loaded everything by then, and few have ended. */
const flushAfterMs = 1_000;

/**
 * The main function of a thread of a ThreadPool: `handle` does each task. Tasks take turns at their questions, so that what the pool
 * measures between them is one task's. Throws in a process that no pool has started.
 */
export function serveTasks(
  handle: (task: unknown, context: TaskContext) => Promise<unknown>,
  { warmUp }: ServeOptions = {},
): void {
  if (process.send === undefined) throw new TypeError("tasks are done in a thread of a pool only");
  const send = (message: FromThread): void => void process.send?.(message);
  endWithPool(send);
  const tasks = new Map<number, TaskRun>();
  const turn = new Turn();
  const maxResultBytes = Number(process.env[maxResultBytesVariable] ?? Number.MAX_SAFE_INTEGER);
  const prepare = async (): Promise<void> => {
    await turn.take();
    await warmUp?.().catch(() => undefined);
    send({ type: "ready" });
    turn.give();
  };
  process.on("message", (message: ToThread) => {
    if (message.type === "warm-up") void prepare();
    else if (message.type === "task") {
      const run = new TaskRun(message.id, { turn, send, maxResultBytes });
      tasks.set(message.id, run);
      void run
        .perform(async (context) => handle(unpack(message.task), context))
        .finally(() => tasks.delete(message.id));
    } else if (message.type === "cancel") tasks.get(message.id)?.cancel();
    else tasks.get(message.id)?.answer(message.question, unpackOutcome(message.outcome));
  });
  // Threads are ended wherever they are, which keeps nothing of what they have compiled.
  setTimeout(flushCompileCache, flushAfterMs).unref();
  send({ type: "ready" });
}

/** The pool decides when a thread ends, also when a terminal sends its signals to all processes; without a pool there is nothing to do. */
function endWithPool(send: (message: FromThread) => void): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
  process.on("disconnect", () => process.exit(0));
  process.on("uncaughtException", (error) => {
    send({ type: "defect", error: encodeError(error) });
    process.disconnect();
  });
}

interface TaskRunContext {
  readonly turn: Turn;
  readonly send: (message: FromThread) => void;
  readonly maxResultBytes: number;
}

class TaskRun {
  readonly #id: number;
  readonly #context: TaskRunContext;
  readonly #aborter = new AbortController();
  readonly #open = new Map<number, (outcome: Outcome) => void>();
  #answers: (() => void)[] = [];
  #hasTurn = false;
  #lastQuestion = 0;

  constructor(id: number, context: TaskRunContext) {
    this.#id = id;
    this.#context = context;
  }

  async perform(handle: (context: TaskContext) => Promise<unknown>): Promise<void> {
    await this.#goOn();
    const { signal } = this.#aborter;
    const ask = async (question: unknown): Promise<unknown> => await this.#ask(question);
    const note = (step: string): void => this.#context.send({ type: "step", id: this.#id, step });
    this.#end(await packOutcome(handle({ ask, note, signal })));
    if (this.#hasTurn) this.#context.turn.give();
  }

  #end(outcome: Packed): void {
    const { send, maxResultBytes } = this.#context;
    const about = { id: this.#id, processorMs: processorMs() };
    if (outcome.byteLength > maxResultBytes) send({ type: "oversized", ...about, bytes: outcome.byteLength });
    else send({ type: "done", ...about, outcome });
  }

  cancel(): void {
    this.#aborter.abort();
  }

  async #goOn(): Promise<void> {
    await this.#context.turn.take();
    this.#hasTurn = true;
    this.#context.send({ type: "working", id: this.#id, processorMs: processorMs() });
  }

  async #ask(value: unknown): Promise<unknown> {
    const question = ++this.#lastQuestion;
    const { send, turn } = this.#context;
    send({ type: "question", id: this.#id, question, value: pack(value) });
    if (this.#hasTurn) {
      this.#hasTurn = false;
      send({ type: "waiting", id: this.#id, processorMs: processorMs() });
      turn.give();
    }
    return await new Promise((resolve, reject) => {
      this.#open.set(question, (outcome) => {
        if ("error" in outcome) reject(decodeError(outcome.error));
        else resolve(outcome.value);
      });
    });
  }

  answer(question: number, outcome: Outcome): void {
    const settle = this.#open.get(question);
    if (settle === undefined) return;
    this.#open.delete(question);
    this.#answers.push(() => settle(outcome));
    if (this.#open.size === 0) void this.#deliver();
  }

  async #deliver(): Promise<void> {
    const answers = this.#answers;
    this.#answers = [];
    await this.#goOn();
    for (const settle of answers) settle();
  }
}

/** Processor time of this thread so far. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
