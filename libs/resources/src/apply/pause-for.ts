import { holdsMoreValues, type UnstructuredObject } from "@landscaper/api";
import { ownTurn } from "@landscaper/controller-runtime";

/** Of values: work on less takes less than some milliseconds. */
const largeObject = 10_000;

/**
 * Gives others a turn between the steps of the work on an object, when one of its forms is large: to parse, compare, copy, and write it takes a turn
 * each. Small objects wait for nobody.
 */
export function pauseFor(...forms: readonly (UnstructuredObject | undefined)[]): () => Promise<void> {
  return forms.some((form) => holdsMoreValues(form, largeObject)) ? ownTurn : async () => undefined;
}
