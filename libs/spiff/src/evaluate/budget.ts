import { BudgetError, ContentBudget } from "@landscaper/budget";
import { BudgetFailure } from "./failure.ts";

/** Limits of one run. Templates are user input: without limits one of them could stop a controller. */
export interface BudgetLimits {
  /** Evaluated expressions. Default 5,000,000; unlimited where time is limited. */
  readonly steps?: number | undefined;
  /** Calls within calls. Default 200. */
  readonly depth?: number | undefined;
  /** Characters that expressions may create, an entry of a list or map counted as 100. Default 50,000,000. */
  readonly size?: number | undefined;
  /** Time and memory, shared with whatever else works on the same content. Default: one of its own, without a clock. */
  readonly content?: ContentBudget | undefined;
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
  readonly content: ContentBudget;

  constructor(limits: BudgetLimits) {
    this.content = limits.content ?? new ContentBudget();
    this.#maxSteps = limits.steps ?? (this.content.isTimed ? Number.POSITIVE_INFINITY : 5_000_000);
    this.maxDepth = limits.depth ?? 200;
    this.#maxSize = limits.size ?? 50_000_000;
    this.#maxDocumentSize = limits.documentSize ?? 5_000_000;
  }

  step(): void {
    if (++this.#steps > this.#maxSteps) throw new BudgetFailure(`more than ${this.#maxSteps} steps`);
    if ((this.#steps & 1023) === 0) this.#within(() => this.content.look());
  }

  /** Accounts for work that is slow by itself, in ms, before it begins. `what` needs no values. */
  spend(milliseconds: number, what: string): void {
    this.#steps += Math.ceil(milliseconds * stepsPerMs);
    if (this.#steps > this.#maxSteps) throw new BudgetFailure(`${what}: more than ${this.#maxSteps} steps`);
    if (this.content.isTimed) this.#within(() => this.content.announce(what, milliseconds));
  }

  /** Accounts for text or entries before they are made. */
  charge(size: number): void {
    this.#size += size;
    if (this.#size > this.#maxSize)
      throw new BudgetFailure(`results of more than ${this.#maxSize} characters or entries`);
    this.#within(() => this.content.take("", size));
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

  /** Errors of the shared budget get the place of the expression. */
  #within(count: () => void): void {
    try {
      count();
    } catch (error) {
      throw error instanceof BudgetError ? new BudgetFailure(error.message) : error;
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
