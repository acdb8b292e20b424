import { parentPort } from "node:worker_threads";
import { decodeError, encodeError, outcomeOf, type FromThread, type Outcome, type ToThread } from "./messages.ts";
import { Turn } from "./turn.ts";

export interface TaskContext {
  /**
   * Asks whoever has given the task; question and answer are copied. Other tasks of the thread go on meanwhile. Answers to questions that
   * are asked together come together.
   */
  readonly ask: (question: unknown) => Promise<unknown>;
  /** Aborted when nobody wants the result any more. */
  readonly signal: AbortSignal;
}

/**
 * The main function of a thread of a ThreadPool: `handle` does each task. Tasks take turns at their questions, so that what the pool
 * measures between them is one task's. Throws in the main thread.
 */
export function serveTasks(handle: (task: unknown, context: TaskContext) => Promise<unknown>): void {
  const port = parentPort;
  if (port === null) throw new TypeError("tasks are done in a thread of a pool only");
  const tasks = new Map<number, TaskRun>();
  const turn = new Turn();
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const send = (message: FromThread): void => port.postMessage(message);
  port.on("message", (message: ToThread) => {
    if (message.type === "task") {
      const run = new TaskRun(message.id, { turn, send });
      tasks.set(message.id, run);
      void run.perform(async (context) => handle(message.task, context)).finally(() => tasks.delete(message.id));
    } else if (message.type === "cancel") tasks.get(message.id)?.cancel();
    else tasks.get(message.id)?.answer(message.question, message.outcome);
  });
}

interface TaskRunContext {
  readonly turn: Turn;
  readonly send: (message: FromThread) => void;
}

class TaskRun {
  readonly #id: number;
  readonly #turn: Turn;
  readonly #send: (message: FromThread) => void;
  readonly #aborter = new AbortController();
  readonly #open = new Map<number, (outcome: Outcome) => void>();
  #answers: (() => void)[] = [];
  #hasTurn = false;
  #lastQuestion = 0;

  constructor(id: number, { turn, send }: TaskRunContext) {
    this.#id = id;
    this.#turn = turn;
    this.#send = send;
  }

  async perform(handle: (context: TaskContext) => Promise<unknown>): Promise<void> {
    await this.#goOn();
    const { signal } = this.#aborter;
    const outcome = await outcomeOf(handle({ ask: async (question) => this.#ask(question), signal }));
    this.#end(outcome);
    if (this.#hasTurn) this.#turn.give();
  }

  #end(outcome: Outcome): void {
    try {
      this.#send({ type: "done", id: this.#id, outcome });
    } catch (error) {
      // What cannot be copied.
      this.#send({ type: "done", id: this.#id, outcome: { error: encodeError(error) } });
    }
  }

  cancel(): void {
    this.#aborter.abort();
  }

  async #goOn(): Promise<void> {
    await this.#turn.take();
    this.#hasTurn = true;
    this.#send({ type: "working", id: this.#id });
  }

  async #ask(value: unknown): Promise<unknown> {
    const question = ++this.#lastQuestion;
    this.#send({ type: "question", id: this.#id, question, value });
    if (this.#hasTurn) {
      this.#hasTurn = false;
      this.#send({ type: "waiting", id: this.#id });
      this.#turn.give();
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
