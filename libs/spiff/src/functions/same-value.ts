import { isEqual } from "../evaluate/operators/compare.ts";
import { EvaluationFailure } from "../evaluate/failure.ts";
import type { Value } from "../value/value.ts";

/** The language's equality; what it cannot compare differs. */
export function isSameValue(left: Value, right: Value): boolean {
  try {
    return isEqual(left, right);
  } catch (error) {
    if (error instanceof EvaluationFailure) return false;
    throw error;
  }
}
