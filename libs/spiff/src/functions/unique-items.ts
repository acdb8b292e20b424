import { parseBool } from "../evaluate/operators/compare.ts";
import type { Environment } from "../evaluate/environment.ts";
import type { Cell } from "../value/cell.ts";
import type { Value } from "../value/value.ts";
import { chargeComparisons } from "./charge.ts";
import { isSameValue } from "./same-value.ts";

/**
 * The first of all entries that are the same in the language. Texts that are neither a number nor a truth, and ints
 * among themselves, are only the same as themselves: these are looked up, all others are compared one by one.
 */
export function uniqueItems(items: readonly Cell[], environment: Environment): Cell[] {
  environment.document.budget.chargeEntries(items.length);
  const seen = new Set<Value>();
  const ints: bigint[] = [];
  const odd: Value[] = [];
  return items.filter(({ value }) => {
    if (seen.has(value)) return false;
    const others = isPlain(value) ? [] : typeof value === "bigint" ? [odd] : [ints, odd];
    const count = others.reduce((sum, list) => sum + list.length, 0);
    chargeComparisons(value, 1 + count, environment);
    if (others.some((list) => list.some((other) => isSameValue(value, other)))) return false;
    if (typeof value === "bigint") ints.push(value);
    else if (!isPlain(value) && typeof value !== "number") odd.push(value);
    // A float is not even the same as itself.
    if (typeof value !== "number") seen.add(value);
    return true;
  });
}

function isPlain(value: Value): boolean {
  if (value === null) return true;
  return typeof value === "string" && !/^[+-]?[0-9]+$/.test(value) && parseBool(value) === undefined;
}
