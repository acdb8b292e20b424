import type { Environment } from "../evaluate/environment.ts";
import { toPlain } from "../output/to-plain.ts";
import { listOf } from "../value/build-value.ts";
import { expandedSize } from "../value/expanded-size.ts";
import type { ListValue, Value } from "../value/value.ts";

/** Comparisons of two values in a millisecond. */
const comparisonsPerMs = 10_000;

/** Accounts for the text that a function gives. */
export function charged(text: string, { document }: Environment): string {
  document.budget.charge(text.length);
  return text;
}

/** A list of values that are made one after the other, each accounted for. */
export function chargedList(values: Iterable<Value>, { document }: Environment): ListValue {
  const items: Value[] = [];
  for (const value of values) {
    document.budget.chargeEntries(1);
    items.push(value);
  }
  return listOf(items);
}

/** Accounts for comparing a value with so many others: lists and maps by all that they contain, up to a limit. */
export function chargeComparisons(value: Value, count: number, { document }: Environment): void {
  const cost = typeof value === "object" ? Math.min(expandedSize(value) / 8, 1_000_000) : 1;
  document.budget.spend((count * cost) / comparisonsPerMs, "comparing values");
}

/** A value as plain data that is written out as text: accounted for by its size before that is done. */
export function chargedPlain(value: Value, { document }: Environment): unknown {
  document.budget.charge(expandedSize(value));
  return toPlain(value);
}
