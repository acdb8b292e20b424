import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { createSystemClock } from "./system-clock.ts";

describe("createSystemClock", () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it("fires once after the delay", () => {
    let fired = 0;
    createSystemClock().schedule(1_000, () => fired++);
    jest.advanceTimersByTime(999);
    expect(fired).toBe(0);
    jest.advanceTimersByTime(10_000);
    expect(fired).toBe(1);
  });

  it("waits longer than the timers of the platform can", () => {
    const days = 24 * 3_600_000;
    let fired = 0;
    createSystemClock().schedule(60 * days, () => fired++);
    jest.advanceTimersByTime(59 * days);
    expect(fired).toBe(0);
    jest.advanceTimersByTime(days);
    expect(fired).toBe(1);
  });

  it("cancels a long wait in its second piece, too", () => {
    const days = 24 * 3_600_000;
    let fired = 0;
    const cancel = createSystemClock().schedule(60 * days, () => fired++);
    jest.advanceTimersByTime(30 * days);
    cancel();
    jest.advanceTimersByTime(60 * days);
    expect([fired, jest.getTimerCount()]).toEqual([0, 0]);
  });

  it("tells the time", () => {
    jest.setSystemTime(1_234);
    expect(createSystemClock().now()).toBe(1_234);
  });

  it("tells how much time has passed, whatever the time is set to", () => {
    const clock = createSystemClock();
    const before = clock.elapsed();
    jest.setSystemTime(1_234);
    jest.advanceTimersByTime(500);
    expect(clock.elapsed() - before).toBe(500);
  });
});
