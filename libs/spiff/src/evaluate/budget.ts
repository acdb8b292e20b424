import { BudgetFailure } from "./failure.ts";

/** Limits of one run. Templates are user input: without limits one of them could stop a controller. */
export interface BudgetLimits {
  /** Evaluated expressions. Default 5,000,000. */
  readonly steps?: number | undefined;
  /** Calls within calls. Default 200. */
  readonly depth?: number | undefined;
  /** Characters that expressions may create, an entry of a list or map counted as 100. Default 50,000,000. */
  readonly size?: number | undefined;
  /** Milliseconds by the given clock. Default 10,000. */
  readonly timeMs?: number | undefined;
  /** Characters of all documents of a run. Default 5,000,000. */
  readonly documentSize?: number | undefined;
}

/** About so many characters have the size of an entry in memory. */
const entrySize = 100;

/** About as many expressions are evaluated in a millisecond. */
const stepsPerMs = 2000;

export class Budget {
  depth = 0;
  readonly maxDepth: number;
  #steps = 0;
  #size = 0;
  #documentSize = 0;
  readonly #maxSteps: number;
  readonly #maxSize: number;
  readonly #maxDocumentSize: number;
  readonly #timeMs: number;
  readonly #now: (() => number) | undefined;
  readonly #start: number;

  /** `now` gives milliseconds; without it time is not limited. */
  constructor(limits: BudgetLimits, now: (() => number) | undefined) {
    this.#maxSteps = limits.steps ?? 5_000_000;
    this.maxDepth = limits.depth ?? 200;
    this.#maxSize = limits.size ?? 50_000_000;
    this.#maxDocumentSize = limits.documentSize ?? 5_000_000;
    this.#timeMs = limits.timeMs ?? 10_000;
    this.#now = now;
    this.#start = now?.() ?? 0;
  }

  step(): void {
    if (++this.#steps > this.#maxSteps) throw new BudgetFailure(`more than ${this.#maxSteps} steps`);
    if ((this.#steps & 1023) === 0 && this.#now !== undefined && this.#now() - this.#start > this.#timeMs) {
      throw new BudgetFailure(`more than ${this.#timeMs} ms`);
    }
  }

  /** Accounts for work that is slow by itself, in ms, before it begins. `what` needs no values. */
  spend(milliseconds: number, what: string): void {
    this.#steps += Math.ceil(milliseconds * stepsPerMs);
    if (this.#steps > this.#maxSteps) throw new BudgetFailure(`${what}: more than ${this.#maxSteps} steps`);
  }

  /** Accounts for text or entries before they are made. */
  charge(size: number): void {
    this.#size += size;
    if (this.#size > this.#maxSize)
      throw new BudgetFailure(`results of more than ${this.#maxSize} characters or entries`);
  }

  /** Accounts for new entries of lists and maps before they are made. */
  chargeEntries(count: number): void {
    this.charge(count * entrySize);
  }

  /** Accounts for the text of a document before it is read. */
  chargeDocument({ length }: string): void {
    this.#documentSize += length;
    if (this.#documentSize > this.#maxDocumentSize) {
      throw new BudgetFailure(`documents of more than ${this.#maxDocumentSize} characters`);
    }
  }

  /** Runs a call one level deeper. */
  descend<T>(run: () => T): T {
    if (this.depth >= this.maxDepth) throw new BudgetFailure(`more than ${this.maxDepth} calls within calls`);
    this.depth++;
    try {
      return run();
    } finally {
      this.depth--;
    }
  }
}
