// Since when a watch may have missed changes.
import { describe, expect, it } from "@jest/globals";
import { WatchGap } from "./watch-gap.ts";

type Step = readonly ["lose" | "open", elapsedMs: number];

interface GapCase {
  readonly title: string;
  readonly steps: readonly Step[];
  readonly at: number;
  readonly since: number | undefined;
}

describe("a watch may have missed changes", () => {
  it.each<GapCase>([
    { title: "never, if it has not failed", steps: [["open", 0]], at: 1_000, since: undefined },
    {
      title: "since it failed",
      steps: [
        ["open", 0],
        ["lose", 10_000],
      ],
      at: 60_000,
      since: 10_000,
    },
    {
      title: "since its first failure, if it failed again before it was open",
      steps: [
        ["open", 0],
        ["lose", 10_000],
        ["lose", 12_000],
      ],
      at: 60_000,
      since: 10_000,
    },
    {
      title: "since it failed, until 5 s after it is open again",
      steps: [
        ["open", 0],
        ["lose", 10_000],
        ["open", 20_000],
      ],
      at: 25_000,
      since: 10_000,
    },
    {
      title: "no more when it has been open for longer than 5 s",
      steps: [
        ["open", 0],
        ["lose", 10_000],
        ["open", 20_000],
      ],
      at: 25_001,
      since: undefined,
    },
    {
      title: "since its first failure, if it failed again before it had caught up",
      steps: [
        ["open", 0],
        ["lose", 10_000],
        ["open", 20_000],
        ["lose", 24_000],
        ["open", 30_000],
      ],
      at: 34_000,
      since: 10_000,
    },
    {
      title: "since its second failure only, if it had caught up before",
      steps: [
        ["open", 0],
        ["lose", 10_000],
        ["open", 20_000],
        ["lose", 60_000],
        ["open", 70_000],
      ],
      at: 71_000,
      since: 60_000,
    },
    {
      title: "since its second failure only, if it had caught up before and is still lost",
      steps: [
        ["open", 0],
        ["lose", 10_000],
        ["open", 20_000],
        ["lose", 60_000],
      ],
      at: 90_000,
      since: 60_000,
    },
  ])("$title", ({ steps, at, since }) => {
    const gap = new WatchGap();
    for (const [what, elapsedMs] of steps) gap[what](elapsedMs);
    expect(gap.since(at)).toBe(since);
  });
});
