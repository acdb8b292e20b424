import { describe, expect, it } from "@jest/globals";
import { createFakeClock } from "./fake-clock.ts";

describe("createFakeClock", () => {
  it("stands still until it is told to go on", async () => {
    const clock = createFakeClock(1_000);
    expect([clock.now(), clock.now()]).toEqual([1_000, 1_000]);
    await clock.advance(500);
    expect(clock.now()).toBe(1_500);
  });

  it("fires timers in the order of their times, each at its own time", async () => {
    const clock = createFakeClock(0);
    const fired: [string, number][] = [];
    for (const [name, ms] of [
      ["b", 20],
      ["a", 10],
      ["c", 30],
      ["a2", 10],
    ] as const) {
      clock.schedule(ms, () => fired.push([name, clock.now()]));
    }
    await clock.advance(29);
    expect(fired).toEqual([
      ["a", 10],
      ["a2", 10],
      ["b", 20],
    ]);
    expect([clock.now(), clock.pendingTimers, clock.dueTimes]).toEqual([29, 1, [30]]);
  });

  it("fires timers that others have set, when they fall into the span", async () => {
    const clock = createFakeClock(0);
    const ticks: number[] = [];
    const tick = (): void => {
      ticks.push(clock.now());
      clock.schedule(10, tick);
    };
    clock.schedule(10, tick);
    await clock.advance(35);
    expect(ticks).toEqual([10, 20, 30]);
  });

  it("lets what a timer wakes set the next one", async () => {
    const clock = createFakeClock(0);
    const steps: number[] = [];
    const run = async (): Promise<void> => {
      for (let step = 0; step < 3; step++) {
        await clock.sleep(10);
        steps.push(clock.now());
      }
    };
    const done = run();
    await clock.advance(100);
    await done;
    expect(steps).toEqual([10, 20, 30]);
  });

  it("does not fire what was cancelled", async () => {
    const clock = createFakeClock(0);
    let fired = false;
    clock.schedule(10, () => {
      fired = true;
    })();
    await clock.advance(100);
    expect([fired, clock.pendingTimers]).toEqual([false, 0]);
  });

  it("ends a sleep whose caller gives up, and leaves no timer behind", async () => {
    const clock = createFakeClock(0);
    const abort = new AbortController();
    const reason = new Error("enough");
    const slept = clock.sleep(1_000, abort.signal);
    abort.abort(reason);
    await expect(slept).rejects.toBe(reason);
    await expect(clock.sleep(1_000, abort.signal)).rejects.toBe(reason);
    expect(clock.pendingTimers).toBe(0);
  });

  it("shows another time of day when that is set, and nothing else", async () => {
    const clock = createFakeClock(3_600_000);
    const fired: number[] = [];
    clock.schedule(20, () => fired.push(clock.elapsed()));
    clock.setTimeOfDay(-3_600_000);
    expect([clock.now(), clock.elapsed(), clock.uptime()]).toEqual([0, 0, 0]);
    await clock.advance(20);
    expect([fired, clock.now(), clock.elapsed(), clock.uptime()]).toEqual([[20], 20, 20, 20]);
  });

  it("stands still for timers and spans while the machine is suspended", async () => {
    const clock = createFakeClock(0);
    const fired: number[] = [];
    clock.schedule(20, () => fired.push(clock.now()));
    clock.suspend(60_000);
    expect([fired, clock.now(), clock.elapsed(), clock.uptime()]).toEqual([[], 60_000, 0, 60_000]);
    await clock.advance(20);
    expect(fired).toEqual([60_020]);
  });

  it("moves to the next timer, fires that one, and stands without any", async () => {
    const clock = createFakeClock(0);
    const fired: string[] = [];
    clock.schedule(70, () => fired.push(`b at ${clock.now()}`));
    clock.schedule(30, () => fired.push(`a at ${clock.now()}`));
    await clock.advanceToNext();
    expect(fired).toEqual(["a at 30"]);
    await clock.advanceToNext();
    await clock.advanceToNext();
    expect([...fired, clock.now()]).toEqual(["a at 30", "b at 70", 70]);
  });
});
