import { firstFree, isIn, type NumberRange } from "./number-range.ts";

interface NodePortAllocatorOptions {
  readonly range: NumberRange;
  /** Numbers of the stored Services. */
  readonly inUse: ReadonlySet<number>;
  /** Numbers that the request asks for; they are not assigned automatically. */
  readonly asked: ReadonlySet<number>;
}

/** Allocates the node ports of one request. A number is free if no Service has it, and the request does not have it elsewhere. */
export class NodePortAllocator {
  readonly #options: NodePortAllocatorOptions;
  readonly #allocated = new Set<number>();

  constructor(options: NodePortAllocatorOptions) {
    this.#options = options;
  }

  /** Allocates the number and returns undefined, or returns the reason why this is impossible. */
  allocate(number: number): string | undefined {
    const { range } = this.#options;
    if (!isIn(range, number))
      return `provided port is not in the valid range. The range of valid ports is ${range.first}-${range.last}`;
    if (this.#isTaken(number)) return "provided port is already allocated";
    this.#allocated.add(number);
    return undefined;
  }

  /** Allocates a free number; returns undefined if the range is full. */
  allocateNext(): number | undefined {
    const { range, asked } = this.#options;
    const number = firstFree(range, (each) => this.#isTaken(each) || asked.has(each));
    if (number !== undefined) this.#allocated.add(number);
    return number;
  }

  #isTaken(number: number): boolean {
    return this.#options.inUse.has(number) || this.#allocated.has(number);
  }
}
