import type { GoMap, Value } from "@landscaper/golang";
import type { PlacedSchema, Resource } from "./schema-documents.ts";

/** Members that some schema has looked at: what unevaluatedProperties and unevaluatedItems leave out. */
export class Evaluated {
  // Most values are not asked for what they have.
  #members: Set<string | number> | undefined;

  add(member: string | number): void {
    (this.#members ??= new Set()).add(member);
  }

  has(member: string | number): boolean {
    return this.#members?.has(member) === true;
  }

  addAll(other: Evaluated): void {
    for (const member of other.#members ?? []) this.add(member);
  }
}

/** A value at its place, and what has been found out about it. */
export interface Instance {
  readonly value: Value;
  /** JSON pointer. */
  readonly at: string;
  readonly evaluated: Evaluated;
}

/** A schema with the resources that led to it, for dynamic references. */
export interface ScopedSchema extends PlacedSchema {
  readonly scope: readonly Resource[];
  /** References that led here without a step into the value. */
  readonly references: readonly Value[];
}

/** A schema that is no boolean. */
export interface KeywordSchema extends ScopedSchema {
  readonly schema: GoMap;
}

export function newInstance(value: Value, at: string): Instance {
  return { value, at, evaluated: new Evaluated() };
}

export function definedOnly<T>(list: readonly (T | undefined)[]): T[] {
  return list.filter((item) => item !== undefined);
}
