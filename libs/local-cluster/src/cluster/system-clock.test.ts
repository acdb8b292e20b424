import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { createSystemClock } from "./system-clock.ts";

const dayMs = 24 * 60 * 60 * 1000;

describe("the system clock", () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it.each([1, 50, 30 * dayMs, 100 * dayMs])("calls after %i ms, not before", (ms) => {
    const called = jest.fn();
    createSystemClock().schedule(ms, called);
    jest.advanceTimersByTime(ms - 1);
    expect(called).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(called).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(200 * dayMs);
    expect(called).toHaveBeenCalledTimes(1);
  });

  it("forgets what is cancelled, also in the middle of a long wait", () => {
    const called = jest.fn();
    const cancel = createSystemClock().schedule(60 * dayMs, called);
    jest.advanceTimersByTime(40 * dayMs);
    cancel();
    jest.advanceTimersByTime(40 * dayMs);
    expect(called).not.toHaveBeenCalled();
  });
});
