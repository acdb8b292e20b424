import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { createSystemClock } from "./system-clock.ts";

const dayMs = 24 * 60 * 60 * 1000;

describe("the system clock", () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it.each([1, 50, 30 * dayMs, 100 * dayMs])("calls after %i ms, not before", (ms) => {
    let calls = 0;
    createSystemClock().schedule(ms, () => calls++);
    jest.advanceTimersByTime(ms - 1);
    expect(calls).toBe(0);
    jest.advanceTimersByTime(1);
    expect(calls).toBe(1);
    jest.advanceTimersByTime(200 * dayMs);
    expect(calls).toBe(1);
  });

  it("forgets what is cancelled, also in the middle of a long wait", () => {
    let calls = 0;
    const cancel = createSystemClock().schedule(60 * dayMs, () => calls++);
    jest.advanceTimersByTime(40 * dayMs);
    cancel();
    jest.advanceTimersByTime(40 * dayMs);
    expect(calls).toBe(0);
  });
});
