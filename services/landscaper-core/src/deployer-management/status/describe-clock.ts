import { conditionTypes, formatDuration, type ConditionUpdate, type EnvironmentStatus } from "@landscaper/api";
import type { Heartbeat } from "../heartbeats.ts";

/** The agent renews its Lease every minute, and the core may see a renewal late. */
const toleranceMs = 60_000;
const minuteMs = 60_000;

/**
 * Returns how far (ms) the clock of the agent is behind, negative if it is ahead; undefined until two renewals were seen. A delay is this difference plus
 * the time that a renewal takes to reach the core. The smaller delay is closer to the difference: after an interruption, the core sees one renewal late.
 */
function differenceOf([first, second]: Heartbeat["delaysMs"]): number | undefined {
  return first === undefined || second === undefined ? undefined : Math.min(first, second);
}

/**
 * Returns the condition AgentClockDiffers of an Environment if the clocks of its agent and of the core differ; undefined otherwise. It is a warning only:
 * whether the agent is reachable does not depend on clocks. Until two renewals were seen, the condition stays as it is.
 */
export function describeClock(
  status: EnvironmentStatus | undefined,
  heartbeat: Heartbeat | undefined,
): ConditionUpdate | undefined {
  const differenceMs = differenceOf(heartbeat?.delaysMs ?? []);
  if (differenceMs === undefined) {
    const current = status?.conditions?.find(({ type }) => type === conditionTypes.agentClockDiffers);
    return current?.status === "True" ? { ...current, status: "True" } : undefined;
  }
  if (Math.abs(differenceMs) <= toleranceMs) return undefined;
  const about = formatDuration(Math.round(Math.abs(differenceMs) / minuteMs) * minuteMs).replace(/0s$/, "");
  return {
    type: conditionTypes.agentClockDiffers,
    status: "True",
    reason: "ClocksDiffer",
    message: `the clock of the agent is about ${about} ${differenceMs > 0 ? "behind" : "ahead of"} the clock of the core: lastHeartbeatTime and other time stamps of the agent are wrong by this time, and the agent may renew tokens at the wrong time or refuse valid certificates. Correct the clock that is wrong.`,
  };
}
