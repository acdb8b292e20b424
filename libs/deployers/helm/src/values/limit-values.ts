import { holdsMoreValues } from "@landscaper/api";

/** Values of a chart: ten times as many as large charts have. Everything that walks over them, and masks them, does so at once. */
export const maxValues = 30_000;
/** Characters of everything that `valuesFrom` gives. */
export const maxSourceLength = 1024 * 1024;
/** Entries of `valuesFrom`. */
export const maxSources = 100;

/** What is done with fewer values takes some milliseconds. */
const largeValues = 2000;

/** Whether work on the values needs a turn of its own. */
export function isLargeValues(values: unknown): boolean {
  return holdsMoreValues(values, largeValues);
}

/** Whether lists and maps hold more than `maxValues` values, themselves included. */
export function hasTooManyValues(values: unknown): boolean {
  return holdsMoreValues(values, maxValues);
}
