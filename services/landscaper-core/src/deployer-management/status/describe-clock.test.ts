import { describe, expect, it } from "@jest/globals";
import type { Condition } from "@landscaper/api";
import type { Heartbeat } from "../heartbeats.ts";
import { describeClock } from "./describe-clock.ts";

const minuteMs = 60_000;
const behind = text("about 15m behind");

function text(difference: string): string {
  return `the clock of the agent is ${difference} the clock of the core: lastHeartbeatTime and other time stamps of the agent are wrong by this time, and the agent may renew tokens at the wrong time or refuse valid certificates. Correct the clock that is wrong.`;
}

function heartbeat(delaysMs: readonly number[]): Heartbeat {
  const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: {} };
  return { lease, observedMs: 0, seenMs: 0, delaysMs };
}

describe("describeClock", () => {
  it.each<[name: string, delaysMs: readonly number[], message: string | undefined]>([
    ["nothing while the clocks agree", [800, 300], undefined],
    ["nothing of a minute", [minuteMs, minuteMs], undefined],
    ["a clock that is behind", [15 * minuteMs, 15 * minuteMs + 20_000], behind],
    ["a clock that is ahead", [-3 * 60 * minuteMs, -3 * 60 * minuteMs - 900], text("about 3h0m ahead of")],
    ["nothing of one renewal that was seen late", [10 * minuteMs, 500], undefined],
    ["a clock that is ahead although one renewal was seen late", [-50_000, -90_000], text("about 2m ahead of")],
    [
      "a clock that is ahead although one renewal was seen very late",
      [10 * minuteMs, -90_000],
      text("about 2m ahead of"),
    ],
    ["a clock that was set ahead between two renewals", [-5 * minuteMs, 0], text("about 5m ahead of")],
    ["nothing of a clock that was set behind between two renewals", [5 * minuteMs, 0], undefined],
    ["nothing after one renewal", [15 * minuteMs], undefined],
  ])("reports %s", (...[, delaysMs, message]) => {
    expect(describeClock(undefined, heartbeat(delaysMs))?.message).toBe(message);
  });

  it("keeps the condition while a new leader has seen one renewal or none", () => {
    const update = describeClock(undefined, heartbeat([15 * minuteMs, 15 * minuteMs]));
    const times = { lastTransitionTime: "2026-06-01T00:00:00Z", lastUpdateTime: "2026-06-01T00:00:00Z" };
    const status = { conditions: [{ ...update, ...times } as Condition] };
    expect(describeClock(status, undefined)).toMatchObject({ type: "AgentClockDiffers", message: behind });
    expect(describeClock(status, heartbeat([100]))).toMatchObject({ type: "AgentClockDiffers", message: behind });
    expect(describeClock(status, heartbeat([100, 100]))).toBeUndefined();
  });
});
