import { describe, expect, it } from "@jest/globals";
import { createKillableClock } from "./killable-clock.ts";

describe("a clock of a program that can be killed", () => {
  it("ends what waits, and what is scheduled after that", async () => {
    const killed = new AbortController();
    const clock = createKillableClock(killed.signal);
    const calls: string[] = [];
    const sleeping = clock.sleep(3_600_000);
    clock.schedule(3_600_000, () => calls.push("before"));
    const cancel = clock.schedule(3_600_000, () => calls.push("cancelled"));
    cancel();
    expect(calls).toEqual([]);
    killed.abort();
    await sleeping;
    expect(calls).toEqual(["before"]);
    await clock.sleep(3_600_000);
  });

  it("calls once, in its time", async () => {
    const killed = new AbortController();
    const clock = createKillableClock(killed.signal);
    let calls = 0;
    clock.schedule(1, () => (calls += 1));
    await clock.sleep(20);
    killed.abort();
    expect(calls).toBe(1);
  });
});
