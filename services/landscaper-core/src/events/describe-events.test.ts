import { describe, expect, it } from "@jest/globals";
import { describeEvents } from "./describe-events.ts";

const stats = { published: 1, refused: 0, gaps: 0, waiting: 0, lagSeconds: 0, isStarted: true, problem: undefined };

describe("the line of events in /readyz?verbose", () => {
  it.each<readonly [string, Parameters<typeof describeEvents>[0], string | undefined]>([
    ["is absent while events are published", stats, undefined],
    ["is absent while events are on their way", { ...stats, waiting: 7, lagSeconds: 2 }, undefined],
    [
      "says how far behind the publisher is",
      { ...stats, waiting: 7, lagSeconds: 42.4 },
      "events are behind: 7 events wait, the oldest for 42 s",
    ],
    [
      "names the problem of NATS",
      { ...stats, waiting: 1, lagSeconds: 3, problem: "NATS cannot be reached" },
      "events are not published (1 event waits, the oldest for 3 s): NATS cannot be reached",
    ],
    [
      "names the problem when nothing waits",
      { ...stats, problem: "NATS cannot be reached" },
      "events are not published (no event waits): NATS cannot be reached",
    ],
  ])("%s", (...[, given, want]) => {
    expect(describeEvents(given)).toBe(want);
  });
});
