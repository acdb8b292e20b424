import { describe, expect, it } from "@jest/globals";
import { createGradualSteps } from "./gradual-steps.ts";
import { WaitingRoom } from "./waiting-room.ts";

function createRoom() {
  const stop = new AbortController();
  const room = new WaitingRoom<{ bytes: number }>({ count: 2, bytes: 100 }, stop.signal);
  const items: { bytes: number }[] = [];
  const taken: number[] = [];
  const stepsTo = function* (last: number): Generator<void> {
    for (let step = 1; step <= last; step++) {
      const item = { bytes: 1 };
      items.push(item);
      room.add(item);
      taken.push(step);
      yield;
    }
  };
  const empty = (): void => {
    for (const item of items.splice(0)) room.remove(item);
  };
  return { room, stop, taken, stepsTo, empty };
}

describe("createGradualSteps", () => {
  it("takes steps only while there is room, and is ready when all are taken", async () => {
    const { room, stop, taken, stepsTo, empty } = createRoom();
    const steps = createGradualSteps(room, stop.signal);
    expect(steps.ready()).toBeUndefined();
    steps.begin(stepsTo(5));
    expect(taken).toEqual([1, 2]);
    const ready = steps.ready();
    empty();
    await Promise.resolve();
    expect(taken).toEqual([1, 2, 3, 4]);
    empty();
    await ready;
    expect([taken, steps.ready()]).toEqual([[1, 2, 3, 4, 5], undefined]);
  });

  it("is ready when the publisher is stopped", async () => {
    const { room, stop, taken, stepsTo } = createRoom();
    const steps = createGradualSteps(room, stop.signal);
    steps.begin(stepsTo(5));
    const ready = steps.ready();
    stop.abort();
    await ready;
    expect(taken).toEqual([1, 2]);
  });
});
