import {
  agentLeaseAnnotations,
  conditionTypes,
  toTimestamp,
  type ConditionUpdate,
  type EnvironmentStatus,
} from "@landscaper/api";
import { validityMs } from "@landscaper/controller-runtime";
import { annotationOf } from "../../object-reading.ts";
import type { Heartbeat } from "../heartbeats.ts";
import { describeClock } from "./describe-clock.ts";

/** What the Lease of an agent says of its Environment. */
export interface HeartbeatReport {
  readonly fields: Pick<
    EnvironmentStatus,
    "lastHeartbeatTime" | "lastHeartbeatSeenTime" | "agentVersion" | "clusterVersion"
  >;
  /** Condition Reachable; undefined for an Environment that never had an agent. */
  readonly condition: ConditionUpdate | undefined;
  /** Condition AgentClockDiffers; undefined if the clocks agree. */
  readonly clockCondition: ConditionUpdate | undefined;
  /** When the Lease expires, in ms from now; undefined when it has, and when there is none. */
  readonly expiresInMs: number | undefined;
}

/** Time (ms) for a replica to take over a Lease that was given up, or that another deployer has ended because it had expired. */
const handOverMs = 10_000;

function condition(isReachable: boolean, reason: string, message: string): ConditionUpdate {
  return { type: conditionTypes.reachable, status: isReachable ? "True" : "False", reason, message };
}

function silentSince(time: string): ConditionUpdate {
  return condition(false, "AgentSilent", `the agent has not renewed its Lease since ${time}`);
}

/**
 * Whether an agent lives (docs/reference/deployer-management.md#status). A Lease counts as long as its duration, from when the core has seen it change:
 * clocks of hosts may be wrong. After a restart the core has seen nothing yet: an Environment that was silent stays so until its agent renews the Lease.
 * Pure; `elapsedMs` is that of the Clock that has observed the Lease.
 */
export function reportHeartbeat(
  status: EnvironmentStatus | undefined,
  observed: Heartbeat | undefined,
  elapsedMs: number,
): HeartbeatReport {
  const {
    lastHeartbeatTime: last,
    lastHeartbeatSeenTime: lastSeen = last,
    agentVersion,
    clusterVersion,
  } = status ?? {};
  const known = {
    ...(last === undefined ? {} : { lastHeartbeatTime: last }),
    ...(lastSeen === undefined ? {} : { lastHeartbeatSeenTime: lastSeen }),
    ...(agentVersion === undefined ? {} : { agentVersion }),
    ...(clusterVersion === undefined ? {} : { clusterVersion }),
  };
  const clockCondition = describeClock(status, observed);
  if (observed === undefined) {
    const silent = lastSeen === undefined ? undefined : silentSince(lastSeen);
    return { fields: known, condition: silent, clockCondition, expiresInMs: undefined };
  }
  const { holderIdentity: holder = "", renewTime } = observed.lease.spec ?? {};
  const isGivenUp = holder === "";
  const lifeMs = Math.max(validityMs(observed.lease), isGivenUp ? handOverMs : 0);
  const leftMs = observed.observedMs + lifeMs - elapsedMs;
  const fields = { ...known, ...(isGivenUp ? {} : fieldsOf(observed, { renewTime, last })) };
  const current = status?.conditions?.find(({ type }) => type === conditionTypes.reachable);
  if (leftMs <= 0) {
    const silent = silentSince(fields.lastHeartbeatSeenTime ?? "its start");
    return { fields, condition: silent, clockCondition, expiresInMs: undefined };
  }
  const isOldNews = isGivenUp || fields.lastHeartbeatTime === last;
  const kept = isOldNews && current?.status === "False" ? condition(false, current.reason, current.message) : undefined;
  return {
    fields,
    condition: kept ?? condition(true, "AgentAlive", "the agent renews its Lease"),
    clockCondition,
    expiresInMs: leftMs,
  };
}

function fieldsOf(
  { lease, seenMs }: Heartbeat,
  { renewTime, last }: { readonly renewTime: string | undefined; readonly last: string | undefined },
): HeartbeatReport["fields"] {
  const agentVersion = annotationOf(lease, agentLeaseAnnotations.agentVersion);
  const clusterVersion = annotationOf(lease, agentLeaseAnnotations.clusterVersion);
  const time = renewTime === undefined ? Number.NaN : Date.parse(renewTime);
  const renewed = Number.isNaN(time) ? undefined : toTimestamp(new Date(time));
  return {
    ...(renewed === undefined ? {} : { lastHeartbeatTime: renewed }),
    // A new leader finds renewals that another core has seen before.
    ...(renewed === undefined || renewed === last ? {} : { lastHeartbeatSeenTime: toTimestamp(new Date(seenMs)) }),
    ...(agentVersion === undefined ? {} : { agentVersion }),
    ...(clusterVersion === undefined ? {} : { clusterVersion }),
  };
}
