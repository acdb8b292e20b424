import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { createLeapingClock } from "./leaping-clock.ts";

describe("createLeapingClock", () => {
  beforeEach(() => void jest.useFakeTimers({ now: 1_000 }));
  afterEach(() => void jest.useRealTimers());

  it("runs with the system's clock, before a leap and after it", () => {
    const clock = createLeapingClock();
    const began = clock.elapsed();
    jest.advanceTimersByTime(500);
    expect([clock.now(), clock.elapsed() - began]).toEqual([1_500, 500]);
    clock.leap(60_000);
    jest.advanceTimersByTime(500);
    expect([clock.now(), clock.elapsed() - began]).toEqual([62_000, 61_000]);
  });

  it("fires the timers that a leap makes due, in order, and each of them once", () => {
    const clock = createLeapingClock();
    const fired: string[] = [];
    clock.schedule(20_000, () => fired.push("b"));
    clock.schedule(10_000, () => fired.push("a"));
    clock.leap(20_000);
    expect(fired).toEqual(["a", "b"]);
    jest.advanceTimersByTime(60_000);
    expect(fired).toEqual(["a", "b"]);
  });

  it("fires later timers earlier by the leap", () => {
    const clock = createLeapingClock();
    const fired: number[] = [];
    clock.schedule(30_000, () => fired.push(clock.now()));
    clock.leap(20_000);
    jest.advanceTimersByTime(9_999);
    expect(fired).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(fired).toEqual([31_000]);
  });

  it("does not fire what was cancelled: before a leap, after it, or by a timer of the same leap", () => {
    const clock = createLeapingClock();
    const fired: string[] = [];
    clock.schedule(10_000, () => fired.push("cancelled before"))();
    const cancelLater = clock.schedule(30_000, () => fired.push("cancelled after"));
    clock.schedule(11_000, () => cancelNext());
    const cancelNext = clock.schedule(12_000, () => fired.push("cancelled meanwhile"));
    clock.leap(20_000);
    cancelLater();
    jest.advanceTimersByTime(60_000);
    expect([fired, jest.getTimerCount()]).toEqual([[], 0]);
  });

  it("sets the time of day alone", () => {
    const clock = createLeapingClock();
    const began = clock.elapsed();
    const fired: number[] = [];
    clock.schedule(10_000, () => fired.push(clock.elapsed() - began));
    clock.setTimeOfDay(1_800_000);
    expect([clock.now(), clock.elapsed() - began, fired]).toEqual([1_801_000, 0, []]);
    jest.advanceTimersByTime(10_000);
    expect(fired).toEqual([10_000]);
  });

  it("ends sleeps", async () => {
    const clock = createLeapingClock();
    const slept = clock.sleep(10_000);
    clock.leap(10_000);
    await expect(slept).resolves.toBeUndefined();
  });
});
