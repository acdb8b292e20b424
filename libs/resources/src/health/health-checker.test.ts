import { afterAll, describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { HealthChecker } from "./health-checker.ts";

const options = { tenant: "n", signal: new AbortController().signal };
const rule = { name: "widgets", groups: ["example.org"], kinds: ["Widget"] };
const checkers: HealthChecker[] = [];
afterAll(async () => void (await Promise.all(checkers.map((each) => each.close()))));

function checkerOf(current: string): HealthChecker {
  const checker = new HealthChecker([{ ...rule, current }]);
  checkers.push(checker);
  return checker;
}

const widget = (items: readonly number[]): UnstructuredObject => ({
  apiVersion: "example.org/v1",
  kind: "Widget",
  metadata: { name: "w", namespace: "n" },
  status: { items },
});
/** A thousand million steps for a thousand items. */
const expensive = "status.items.all(a, status.items.all(b, status.items.all(c, a + b + c >= 0)))";
const thousand = Array.from({ length: 1000 }, (_, index) => index);

describe("health in a thread", () => {
  it("follows the rules", async () => {
    const checker = checkerOf(expensive);
    expect(await checker.check(widget([1, 2]), options)).toEqual({ status: "current" });
    expect(await checker.check({ ...widget([]), kind: "Gadget" }, options)).toBeUndefined();
    expect(await checker.explain(widget([1]), "status.items[0] == 2", options)).toBe("cel is false");
  });

  it("ends with an error that names the object and the rule when it is too expensive, and judges the next object", async () => {
    const checker = checkerOf(expensive);
    await expect(checker.check(widget(thousand), options)).rejects.toMatchObject({
      reason: "HealthCheckTooExpensive",
      retry: "never",
      message: "Widget n/w: health rule widgets: its evaluation took more than 1 s of processor time",
    });
    expect(await checker.check(widget([1]), options)).toEqual({ status: "current" });
  });

  it("ends with an error when the object is nested too deeply to be sent", async () => {
    let status: unknown = [];
    for (let depth = 0; depth < 20_000; depth++) status = [status];
    const nested = { ...widget([]), status } as UnstructuredObject;
    await expect(checkerOf("true").check(nested, options)).rejects.toMatchObject({ reason: "HealthCheckTooExpensive" });
  });

  it("compiles the expressions of checks, and names the place of a wrong one", async () => {
    const checker = checkerOf("true");
    await checker.compile([["a.cel", "1 == 1"]], options);
    await expect(
      checker.compile(
        [
          ["a.cel", "1 == 1"],
          ["b.cel", "1 +"],
        ],
        options,
      ),
    ).rejects.toMatchObject({
      reason: "InvalidInput",
      message: expect.stringMatching(/^b\.cel: expected an expression in CEL: /),
    });
  });

  it("is refused with the field of a rule that does not compile", () => {
    expect(() => checkerOf("status.")).toThrow(
      /^healthRules\[0\]\.current \(rule widgets\): expected an expression in CEL: /,
    );
  });
});
