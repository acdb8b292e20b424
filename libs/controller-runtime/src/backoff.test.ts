import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { backoffDelayMs } from "./backoff.ts";

const backoff = { baseMs: 100, maxMs: 10_000 };

describe("backoffDelayMs", () => {
  it.each([
    [1, 0, 50],
    [1, 0.999, 100],
    [2, 0.5, 150],
    [3, 0, 200],
    [7, 0, 3_200],
    [8, 0, 5_000],
    [1_000_000, 0.999, 9_995],
    [0, 0, 50],
  ])("after %i failures and with the random number %d waits %i ms", (failures, random, want) => {
    expect(backoffDelayMs(backoff, failures, () => random)).toBe(want);
  });

  it("stays between half of the full delay and the full delay", () => {
    fc.assert(
      fc.property(fc.nat({ max: 60 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (failures, random) => {
        const full = Math.min(backoff.maxMs, backoff.baseMs * 2 ** Math.max(0, failures - 1));
        const delay = backoffDelayMs(backoff, failures, () => random);
        expect(delay).toBeGreaterThanOrEqual(full / 2);
        expect(delay).toBeLessThanOrEqual(full);
      }),
    );
  });
});
