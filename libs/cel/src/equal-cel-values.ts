import { Duration } from "@marcbachmann/cel-js/evaluator";
import { isNumeric, isRecord } from "@landscaper/json";

/** Equality of values of the expression language; values of different types differ, numbers compare by value. */
export function equalCelValues(left: unknown, right: unknown): boolean {
  if (left === right) {
    return true;
  }
  if (isNumeric(left) && isNumeric(right)) {
    // eslint-disable-next-line eqeqeq -- compares int and double by value
    return left == right;
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => equalCelValues(item, right[index]));
  }
  if (left instanceof Uint8Array && right instanceof Uint8Array) {
    return Buffer.compare(left, right) === 0;
  }
  if ((left instanceof Date && right instanceof Date) || (left instanceof Duration && right instanceof Duration)) {
    return left.valueOf() === right.valueOf();
  }
  const [a, b] = [entriesOf(left), entriesOf(right)];
  return a !== undefined && b !== undefined && equalMaps(a, b);
}

function equalMaps(left: ReadonlyMap<unknown, unknown>, right: ReadonlyMap<unknown, unknown>): boolean {
  return (
    left.size === right.size &&
    [...left].every(([key, value]) => right.has(key) && equalCelValues(value, right.get(key)))
  );
}

function entriesOf(value: unknown): ReadonlyMap<unknown, unknown> | undefined {
  if (value instanceof Map) {
    return value;
  }
  const isPlain =
    isRecord(value) && !(value instanceof Date) && !(value instanceof Duration) && !(value instanceof Uint8Array);
  return isPlain ? new Map(Object.entries(value)) : undefined;
}
