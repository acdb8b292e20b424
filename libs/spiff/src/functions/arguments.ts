import { failLocally } from "../evaluate/failure.ts";
import type { ListValue, MapValue, Value } from "../value/value.ts";

const ordinals = ["first", "second", "third", "fourth", "fifth"];

/** The arguments of one call, with messages in the words of the original. */
export class Arguments {
  readonly values: readonly Value[];
  readonly #name: string;

  constructor(name: string, values: readonly Value[]) {
    this.#name = name;
    this.values = values;
  }

  get length(): number {
    return this.values.length;
  }

  /** Checks the number of arguments. */
  count(min: number, max = Number.POSITIVE_INFINITY): void {
    if (this.length >= min && this.length <= max) return;
    const expected = min === max ? `exactly ${min}` : `${min} to ${max === Number.POSITIVE_INFINITY ? "any" : max}`;
    failLocally(`invalid argument count for ${this.#name}(): expected ${expected}, found ${this.length}`);
  }

  at(index: number): Value {
    return this.values[index] ?? null;
  }

  text(index: number): string {
    const value = this.at(index);
    return typeof value === "string"
      ? value
      : failLocally(`${ordinals[index] ?? `${index + 1}th`} argument for ${this.#name} must be a string`);
  }

  integer(index: number): bigint {
    const value = this.at(index);
    return typeof value === "bigint"
      ? value
      : failLocally(`${ordinals[index] ?? `${index + 1}th`} argument for ${this.#name} must be an integer`);
  }

  /** An optional int. */
  optionalInteger(index: number, fallback: bigint): bigint {
    return index < this.length ? this.integer(index) : fallback;
  }

  list(index: number): ListValue {
    const value = this.at(index);
    return typeof value === "object" && value?.kind === "list"
      ? value
      : failLocally(`${ordinals[index] ?? `${index + 1}th`} argument for ${this.#name} must be a list`);
  }

  map(index: number): MapValue {
    const value = this.at(index);
    return typeof value === "object" && value?.kind === "map"
      ? value
      : failLocally(`${ordinals[index] ?? `${index + 1}th`} argument for ${this.#name} must be a map`);
  }
}
