import { BudgetError, ContentBudget } from "@landscaper/budget";
import { type Value, isMap, isSlice } from "@landscaper/golang";

/** Limits of one execution. Everything below a limit behaves as in Go; beyond it execution ends with an error. */
export interface Budget {
  /**
   * Nodes evaluated plus work charged by functions (about one per 64 bytes or per item). Default 5 million, about a second;
   * unlimited where `content` has a clock.
   */
  readonly maxSteps?: number;
  /** Templates within templates. Default 1000. */
  readonly maxDepth?: number;
  /**
   * Characters of the output, and of any single string on the way to it; a function that takes a multiple of their memory
   * takes fewer. Default 16 Mi.
   */
  readonly maxOutput?: number;
  /** Time and memory, shared with whatever else works on the same content. Default: one of its own, without a clock. */
  readonly content?: ContentBudget;
}

/** About so many steps are done in a millisecond. */
const stepsPerMs = 2500;

/** Work of so many steps at once is announced: it cannot be interrupted. */
const announcedSteps = stepsPerMs * 20;

/** Counts the work of one execution and of those inside it. */
export class BudgetMeter {
  readonly maxDepth: number;
  readonly maxOutput: number;
  readonly #maxSteps: number;
  readonly content: ContentBudget;
  #steps = 0;

  constructor(budget: Budget = {}) {
    this.maxDepth = budget.maxDepth ?? 1000;
    this.maxOutput = budget.maxOutput ?? 16 * 1024 * 1024;
    this.content = budget.content ?? new ContentBudget();
    this.#maxSteps = budget.maxSteps ?? (this.content.isTimed ? Number.POSITIVE_INFINITY : 5_000_000);
  }

  step(count: number): void {
    this.#steps += count;
    if (this.#steps > this.#maxSteps) throw new BudgetError(`more than ${this.#maxSteps} steps`);
    if (!this.content.isTimed) return;
    if (count < announcedSteps) this.content.step("", count);
    else this.content.announce("", count / stepsPerMs);
  }

  /** A new string or list of this many characters or items. */
  charge(units: number): void {
    this.#lookThrough(units);
    this.content.take("", units);
  }

  #lookThrough(units: number): void {
    this.checkSize(units);
    this.step(units / 64);
  }

  /** Work on all that a value contains, times `factor`. */
  chargeValue(value: Value, factor = 1): void {
    if (typeof value === "string") {
      const units = value.length * factor;
      if (units > 256) this.#lookThrough(units);
    } else if (typeof value === "object") {
      this.#lookThrough(sizeOf(value, this.maxOutput) * factor);
    }
  }

  checkSize(length: number): void {
    if (length > this.maxOutput)
      throw new BudgetError(`a value of at least ${length} characters, the limit is ${this.maxOutput}`);
  }

  checkOutput(length: number): void {
    if (length > this.maxOutput)
      throw new BudgetError(`output of at least ${length} characters, the limit is ${this.maxOutput}`);
  }
}

/** What an item of a list or map counts beside the characters in it. */
const unitsPerItem = 8;

/** Characters and items in a value; a size beyond the limit is not counted to its end. */
function sizeOf(value: Value, limit: number): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  if (value instanceof Uint8Array) return value.length;
  let size = 0;
  if (isSlice(value)) {
    for (const item of value) {
      size += unitsPerItem + sizeOf(item, limit - size);
      if (size > limit) break;
    }
  } else if (isMap(value)) {
    for (const [key, item] of value) {
      size += unitsPerItem + key.length + sizeOf(item, limit - size);
      if (size > limit) break;
    }
  }
  return size;
}
