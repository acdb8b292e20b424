import type { JsonPath } from "@landscaper/api";

/** Fields of an object. Servers number the items of lists in their own order: a number stands for any. */
export class FieldPlaces {
  readonly #ends = new Set<string>();
  /** What leads to them, they included. */
  readonly #starts = new Set<string>();

  constructor(paths: Iterable<JsonPath>) {
    for (const path of paths) this.add(path);
  }

  add(path: JsonPath): void {
    const starts = startsOf(stepsOfPath(path));
    this.#ends.add(starts.at(-1) ?? "");
    for (const start of starts) this.#starts.add(start);
  }

  get isEmpty(): boolean {
    return this.#ends.size === 0;
  }

  /** Whether a field is one of them, leads to one, or is below one. */
  touches(steps: readonly string[]): boolean {
    return this.leadsTo(steps) || this.covers(steps);
  }

  /** Whether one of them is at the field or below it. */
  leadsTo(steps: readonly string[]): boolean {
    return this.#starts.has(startsOf(steps).at(-1) ?? "");
  }

  /** Whether a field is one of them or below one. */
  covers(steps: readonly string[]): boolean {
    return startsOf(steps).some((start) => this.#ends.has(start));
  }
}

/** The field and all that lead to it, from the root on. */
function startsOf(steps: readonly string[]): string[] {
  let start = "";
  return [start, ...steps.map((step) => (start += JSON.stringify(/^\d+$/.test(step) ? 0 : step)))];
}

export function stepsOfPath(path: JsonPath): string[] {
  return path
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Of a field as API servers name it: `spec.containers[0].image`, `metadata.labels[app.io/name]`. */
export function stepsOfField(field: string): string[] {
  return Array.from(field.matchAll(/\[([^\]]*)\]|[^.[\]]+/g), ([step, key]) => key ?? step);
}
