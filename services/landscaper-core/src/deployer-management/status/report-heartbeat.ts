import {
  agentLeaseAnnotations,
  conditionTypes,
  toTimestamp,
  type ConditionUpdate,
  type EnvironmentStatus,
} from "@landscaper/api";
import { validityMs, type ObservedLease } from "@landscaper/controller-runtime";
import { annotationOf } from "../../object-reading.ts";

/** What the Lease of an agent says of its Environment. */
export interface HeartbeatReport {
  readonly fields: Pick<EnvironmentStatus, "lastHeartbeatTime" | "agentVersion" | "clusterVersion">;
  /** Undefined for an Environment that never had an agent. */
  readonly condition: ConditionUpdate | undefined;
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
  observed: ObservedLease | undefined,
  elapsedMs: number,
): HeartbeatReport {
  const { lastHeartbeatTime: last, agentVersion, clusterVersion } = status ?? {};
  const known = {
    ...(last === undefined ? {} : { lastHeartbeatTime: last }),
    ...(agentVersion === undefined ? {} : { agentVersion }),
    ...(clusterVersion === undefined ? {} : { clusterVersion }),
  };
  if (observed === undefined) {
    return { fields: known, condition: last === undefined ? undefined : silentSince(last), expiresInMs: undefined };
  }
  const { holderIdentity: holder = "", renewTime } = observed.lease.spec ?? {};
  const isGivenUp = holder === "";
  const lifeMs = Math.max(validityMs(observed.lease), isGivenUp ? handOverMs : 0);
  const leftMs = observed.observedMs + lifeMs - elapsedMs;
  const fields = { ...known, ...(isGivenUp ? {} : fieldsOf(observed, renewTime)) };
  const current = status?.conditions?.find(({ type }) => type === conditionTypes.reachable);
  if (leftMs <= 0) {
    const silent = silentSince(fields.lastHeartbeatTime ?? "its start");
    return { fields, condition: silent, expiresInMs: undefined };
  }
  const isOldNews = isGivenUp || fields.lastHeartbeatTime === last;
  const kept = isOldNews && current?.status === "False" ? condition(false, current.reason, current.message) : undefined;
  return {
    fields,
    condition: kept ?? condition(true, "AgentAlive", "the agent renews its Lease"),
    expiresInMs: leftMs,
  };
}

function fieldsOf({ lease }: ObservedLease, renewTime: string | undefined): HeartbeatReport["fields"] {
  const agentVersion = annotationOf(lease, agentLeaseAnnotations.agentVersion);
  const clusterVersion = annotationOf(lease, agentLeaseAnnotations.clusterVersion);
  const time = renewTime === undefined ? Number.NaN : Date.parse(renewTime);
  return {
    ...(Number.isNaN(time) ? {} : { lastHeartbeatTime: toTimestamp(new Date(time)) }),
    ...(agentVersion === undefined ? {} : { agentVersion }),
    ...(clusterVersion === undefined ? {} : { clusterVersion }),
  };
}
