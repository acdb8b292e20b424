import type { SchemaNode } from "../schema-node.ts";
import type { ValidationResult } from "./validation-result.ts";

/** A value, its place, and the value before an update, if the two can be told to be the same thing. */
export interface Subject<T = unknown> {
  readonly value: T;
  /** E.g. `spec.list[0].name`; "" at the root. */
  readonly path: string;
  /** Absent for creates and for what the old object has no counterpart of. */
  readonly old?: { readonly value: unknown } | undefined;
}

/** `validateValue`, which checks that go below a value are given. */
export type Validate = (subject: Subject, schema: SchemaNode) => ValidationResult;
