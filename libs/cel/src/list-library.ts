import type { Environment } from "@marcbachmann/cel-js";
import { EvaluationError } from "@marcbachmann/cel-js";
import { equalCelValues } from "./equal-cel-values.ts";

/** The list and set functions that Kubernetes adds to the expression language. */
export function registerListLibrary(environment: Environment): void {
  environment
    .registerFunction("list<int>.sum(): int", (list: bigint[]) => list.reduce(addIntegers, 0n))
    .registerFunction("list<double>.sum(): double", (list: number[]) => list.reduce((sum, item) => sum + item, 0))
    .registerFunction("list<A>.min(): A", (list: unknown[]) => extreme(list, "min"))
    .registerFunction("list<A>.max(): A", (list: unknown[]) => extreme(list, "max"))
    .registerFunction("list<A>.isSorted(): bool", isSorted)
    .registerFunction("list<A>.indexOf(A): int", (list: unknown[], item: unknown) =>
      BigInt(list.findIndex((candidate) => equalCelValues(candidate, item))),
    )
    .registerFunction("list<A>.lastIndexOf(A): int", (list: unknown[], item: unknown) =>
      BigInt(list.findLastIndex((candidate) => equalCelValues(candidate, item))),
    );
  registerSets(environment);
}

/** Throws where a sum leaves int64, as the operator `+` does. */
function addIntegers(left: bigint, right: bigint): bigint {
  const sum = left + right;
  if (BigInt.asIntN(64, sum) !== sum) throw new EvaluationError(`integer overflow: ${sum}`);
  return sum;
}

function compare(left: unknown, right: unknown): number {
  const [a, b] = [left, right] as [bigint, bigint]; // any two comparable values of one type
  return a < b ? -1 : a > b ? 1 : 0;
}

function extreme(list: readonly unknown[], kind: "min" | "max"): unknown {
  if (list.length === 0) {
    throw new EvaluationError(`${kind} called on empty list`);
  }
  return list.reduce((best, item) => (compare(item, best) < 0 === (kind === "min") ? item : best));
}

function isSorted(list: readonly unknown[]): boolean {
  return list.every((item, index) => index === 0 || compare(list[index - 1], item) <= 0);
}

class SetsNamespace {
  readonly name = "sets";
}

function registerSets(environment: Environment): void {
  const contains = (_sets: unknown, list: unknown[], sublist: unknown[]): boolean =>
    sublist.every((item) => list.some((candidate) => equalCelValues(candidate, item)));
  environment
    .registerType("SetsNamespace", SetsNamespace)
    .registerConstant("sets", "SetsNamespace", new SetsNamespace())
    .registerFunction("SetsNamespace.contains(list<A>, list<A>): bool", contains)
    .registerFunction(
      "SetsNamespace.equivalent(list<A>, list<A>): bool",
      (sets: unknown, left: unknown[], right: unknown[]) => contains(sets, left, right) && contains(sets, right, left),
    )
    .registerFunction(
      "SetsNamespace.intersects(list<A>, list<A>): bool",
      (_sets: unknown, left: unknown[], right: unknown[]) =>
        left.some((item) => right.some((candidate) => equalCelValues(candidate, item))),
    );
}
