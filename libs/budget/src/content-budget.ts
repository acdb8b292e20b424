import { BudgetError } from "./budget-error.ts";
import type { MemoryMeter } from "./memory-meter.ts";

export interface ContentLimits {
  /** Default 10,000 ms. */
  readonly timeMs?: number | undefined;
  /**
   * Default 256 MiB: bytes of all results and what is made on the way to them, also when they have been dropped since; with `memory`, what is in
   * use beyond what was when the work began.
   */
  readonly memoryBytes?: number | undefined;
  /** The memory that the work really takes. */
  readonly memory?: MemoryMeter | undefined;
  /** Steady clock in ms. Without one only announced time counts. */
  readonly clock?: (() => number) | undefined;
}

const mebibyte = 1024 * 1024;

/** What an entry of a list or map takes in memory, beside its text. */
export const entryBytes = 100;

/** Steps between two looks at the clock: a step takes about a microsecond, and a look less than a tenth of one. */
const stepsPerLook = 256;

/** Looks at the clock between two looks at the memory, which takes some microseconds. */
const looksPerMemoryLook = 64;

/** New bytes between two looks at the memory: what is counted as a byte may take several. */
const bytesPerMemoryLook = 4 * mebibyte;

/**
 * Time and memory that work on the content of users may take: templates, schemas, paths, and documents that one job works on share a
 * budget. All methods throw BudgetError, which ends the job: `place` says in which function or part of the content.
 */
export class ContentBudget {
  readonly timeMs: number;
  readonly memoryBytes: number;
  readonly #clock: (() => number) | undefined;
  readonly #memory: MemoryMeter | undefined;
  readonly #bytesBefore: number;
  /** Counts only without a clock. */
  #announcedMs = 0;
  /** Time of the calls of `measure` that have ended. */
  #measuredMs = 0;
  #measuringSince: number | undefined;
  #bytes = 0;
  #steps = 0;
  #looks = 0;

  constructor({ timeMs = 10_000, memoryBytes = 256 * mebibyte, clock, memory }: ContentLimits = {}) {
    this.timeMs = timeMs;
    this.memoryBytes = memoryBytes;
    this.#clock = clock;
    this.#memory = memory;
    this.#bytesBefore = memory?.inUse() ?? 0;
  }

  get isTimed(): boolean {
    return this.#clock !== undefined;
  }

  /** Only time inside of `run` counts: a job also waits for answers. Calls within calls count once. */
  measure<T>(run: () => T): T {
    if (this.#clock === undefined || this.#measuringSince !== undefined) return run();
    this.#measuringSince = this.#clock();
    try {
      return run();
    } finally {
      this.#measuredMs += this.#clock() - this.#measuringSince;
      this.#measuringSince = undefined;
    }
  }

  /** Counts cheap steps; looks at the clock now and then. */
  step(place = "", count = 1): void {
    this.#steps += count;
    if (this.#steps < stepsPerLook) return;
    this.#steps = 0;
    this.look(place);
  }

  look(place = ""): void {
    if (this.#usedMs() > this.timeMs) this.#failTime(place);
    if (this.#memory === undefined || ++this.#looks < looksPerMemoryLook) return;
    this.#looks = 0;
    this.#lookAtMemory(this.#memory, place);
  }

  /** Announces work that nothing can interrupt, such as finding a key, and refuses what would take too long. */
  announce(place: string, milliseconds: number): void {
    if (this.#usedMs() + milliseconds > this.timeMs) this.#failTime(place);
    this.#announcedMs += milliseconds;
  }

  /** Counts memory before it is taken. */
  take(place: string, bytes: number): void {
    this.#bytes += bytes;
    if (this.#memory === undefined || bytes > this.memoryBytes) {
      if (this.#bytes <= this.memoryBytes) return;
      throw new BudgetError(`more than ${this.memoryBytes} bytes of results`, place);
    }
    if (this.#bytes < bytesPerMemoryLook) return;
    this.#bytes = 0;
    this.#lookAtMemory(this.#memory, place);
  }

  /** Garbage is no use of memory: it is freed before the work ends because of it. */
  #lookAtMemory(memory: MemoryMeter, place: string): void {
    if (memory.inUse() - this.#bytesBefore <= this.memoryBytes) return;
    memory.collect();
    const used = memory.inUse() - this.#bytesBefore;
    if (used <= this.memoryBytes) return;
    throw new BudgetError(`${formatMiB(used)} of memory in use, the limit is ${formatMiB(this.memoryBytes)}`, place);
  }

  /** Counts new entries of lists and maps before they are made. */
  takeEntries(place: string, count: number): void {
    this.take(place, count * entryBytes);
  }

  #usedMs(): number {
    if (this.#clock === undefined) return this.#announcedMs;
    return this.#measuredMs + (this.#measuringSince === undefined ? 0 : this.#clock() - this.#measuringSince);
  }

  #failTime(place: string): never {
    throw new BudgetError(`more than ${this.timeMs} ms`, place);
  }
}

/** A number of bytes for people: "12.3 MiB". */
export function formatMiB(bytes: number): string {
  return `${Math.round((bytes / mebibyte) * 10) / 10} MiB`;
}

/** Processor time of the thread in ms: unlike the time of day it does not depend on what else the machine does. */
export function processorClock(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
