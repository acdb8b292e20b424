import { failLocally } from "../evaluate/failure.ts";
import { typeName, type ListValue, type MapValue, type Value } from "../value/value.ts";

const ordinals = ["first", "second", "third", "fourth", "fifth"];

/** The arguments of one call. Messages say what is expected and never show a value. */
export class Arguments {
  readonly values: readonly Value[];
  readonly name: string;

  constructor(name: string, values: readonly Value[]) {
    this.name = name;
    this.values = values;
  }

  get length(): number {
    return this.values.length;
  }

  /** Checks the number of arguments; `usage` is said otherwise. */
  count(min: number, max: number, usage: string): void {
    if (this.length < min || this.length > max) failLocally(usage);
  }

  at(index: number): Value {
    return this.values[index] ?? null;
  }

  text(index: number, expectation?: string): string {
    const value = this.at(index);
    return typeof value === "string" ? value : this.#mistyped(index, "a string", expectation);
  }

  integer(index: number, expectation?: string): bigint {
    const value = this.at(index);
    return typeof value === "bigint" ? value : this.#mistyped(index, "an integer", expectation);
  }

  /** An optional int. */
  optionalInteger(index: number, fallback: bigint, expectation?: string): bigint {
    return index < this.length ? this.integer(index, expectation) : fallback;
  }

  list(index: number, expectation?: string): ListValue {
    const value = this.at(index);
    return typeof value === "object" && value?.kind === "list" ? value : this.#mistyped(index, "a list", expectation);
  }

  map(index: number, expectation?: string): MapValue {
    const value = this.at(index);
    return typeof value === "object" && value?.kind === "map" ? value : this.#mistyped(index, "a map", expectation);
  }

  #mistyped(index: number, type: string, expectation: string | undefined): never {
    return failLocally(
      expectation ?? `${ordinals[index] ?? `${index + 1}th`} argument for ${this.name} must be ${type}`,
    );
  }
}

/** As errors call the type of a value: `~~` counts as nil. */
export function shownType(value: Value): string {
  return typeof value === "object" && value?.kind === "undefined" ? "nil" : typeName(value);
}
