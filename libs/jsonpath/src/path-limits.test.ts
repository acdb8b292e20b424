import { BudgetError } from "@landscaper/budget";
import { describe, expect, it } from "@jest/globals";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { compileJsonPath, JsonPathError, startPathBudget } from "./index.ts";
import { allowedMs, hostilePaths, wide } from "../test/hostile-paths.ts";

describe("a path that multiplies what it selects", () => {
  it.each(hostilePaths)("ends: %s", (_, expression, value) => {
    const path = compileJsonPath(expression, { allowMissingKeys: true });
    expect(() => path.evaluateAll(value)).toThrow(new BudgetError("more than 10000000 bytes of results"));
  });

  it(`ends within ${allowedMs} ms of processor time`, async () => {
    const thread = new Worker(new URL("../test/hostile-paths.ts", import.meta.url));
    const [times] = (await once(thread, "message")) as [readonly (readonly [string, number])[]];
    await thread.terminate();
    expect(times).toHaveLength(hostilePaths.length);
    expect(times.filter(([, milliseconds]) => milliseconds > allowedMs)).toEqual([]);
  });
});

it("descends into values that are nested deeper than the stack", () => {
  let value: unknown = { x: 1 };
  for (let i = 0; i < 20_000; i++) value = [value];
  expect(compileJsonPath("..x", { allowMissingKeys: true }).evaluate(value)).toEqual([1]);
});

it("counts the items that a filter reads", () => {
  const path = compileJsonPath("[?(@.a)]", { allowMissingKeys: true });
  expect(() => path.evaluate(Array.from({ length: 100_001 }, () => 0))).toThrow(
    new BudgetError("more than 10000000 bytes of results"),
  );
});

it("counts several evaluations in one budget", () => {
  const path = compileJsonPath("*.v", { allowMissingKeys: true });
  const budget = startPathBudget();
  expect(path.evaluate(wide, budget)).toHaveLength(20_000);
  expect(() => path.evaluate(wide, budget)).toThrow(BudgetError);
  expect(path.evaluate(wide)).toHaveLength(20_000);
});

it("refuses expressions that are longer than 10,000 characters", () => {
  expect(() => compileJsonPath(".a".repeat(5001))).toThrow(
    new JsonPathError(".a.a.a.a.a.a.a.a.a.a...", "longer than 10000 characters"),
  );
});
