import { inspect } from "node:util";

const mask = "***";

/** A value that never prints itself: text, JSON and inspection all give "***". `reveal` is the only way to it. */
export class Sensitive<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return mask;
  }

  toJSON(): string {
    return mask;
  }

  [inspect.custom](): string {
    return mask;
  }
}
