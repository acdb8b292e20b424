import { describe, expect, it } from "@jest/globals";
import { createRetryPause } from "./retry-pause.ts";

/** Notes the pauses, and ends each at once. */
function createPauses(endsAtOnce = true) {
  const pauses: number[] = [];
  const schedule = (ms: number, callback: () => void): (() => void) => {
    pauses.push(ms);
    if (endsAtOnce) callback();
    return () => {};
  };
  return { pauses, pause: createRetryPause({ schedule }, () => 0.999_999) };
}

describe("createRetryPause", () => {
  it("doubles the pause with each failure, up to half a minute, and starts again after a success", async () => {
    const { pauses, pause } = createPauses();
    for (let failures = 1; failures <= 9; failures++) {
      pause.fail();
      await pause.wait();
    }
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    pause.reset();
    expect(pause.streak).toBe(0);
    pause.fail();
    await pause.wait();
    expect(pauses.at(-1)).toBe(500);
  });

  it("ends the pause, and all later ones, when it is cut", async () => {
    const { pauses, pause } = createPauses(false);
    pause.fail();
    const waiting = pause.wait();
    pause.cut();
    await waiting;
    await pause.wait();
    expect(pauses).toHaveLength(1);
  });
});
