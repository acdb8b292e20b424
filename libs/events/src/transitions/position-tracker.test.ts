import { expect, it } from "@jest/globals";
import { createPositionTracker } from "./position-tracker.ts";

it("stays before the oldest transition that is not acknowledged", () => {
  const tracker = createPositionTracker({ resourceVersion: "5", lists: 1 });
  tracker.advance("6");
  const first = tracker.begin();
  tracker.advance("7");
  const second = tracker.begin();
  tracker.advance("8");
  second();
  expect(tracker.position).toEqual({ resourceVersion: "6", lists: 1 });
  first();
  expect(tracker.position).toEqual({ resourceVersion: "8", lists: 1 });
});

it("stays before a list until all its transitions are acknowledged", () => {
  const tracker = createPositionTracker({ lists: 0 });
  const end = tracker.beginList();
  expect(tracker.list).toBe(1);
  const acknowledge = tracker.begin();
  end("20");
  tracker.advance("21");
  expect([tracker.list, tracker.position]).toEqual([undefined, { lists: 0 }]);
  acknowledge();
  expect(tracker.position).toEqual({ resourceVersion: "21", lists: 1 });
});

/** A bucket of a landscaper cluster whose first list was interrupted has so many claims. */
const many = 200_000;
/** The time (ms) was 6 s with arrays. */
const limitMs = 5_000;

it("does not slow down the acknowledgements of many transitions", () => {
  const tracker = createPositionTracker({ lists: 0 });
  const acknowledgements = Array.from({ length: many }, () => tracker.begin());
  const start = performance.now();
  for (const acknowledge of acknowledgements) acknowledge();
  expect(performance.now() - start).toBeLessThan(limitMs);
});
