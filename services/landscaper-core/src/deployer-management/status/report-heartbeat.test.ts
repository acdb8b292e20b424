import { describe, expect, it } from "@jest/globals";
import { agentLeaseAnnotations, type Condition, type EnvironmentStatus, type Lease } from "@landscaper/api";
import type { Heartbeat } from "../heartbeats.ts";
import { reportHeartbeat } from "./report-heartbeat.ts";

const time = "2026-06-01T00:00:30Z";
const later = "2026-06-01T00:01:30Z";

function leaseOf(spec: NonNullable<Lease["spec"]>): Lease {
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: {
      annotations: { [agentLeaseAnnotations.agentVersion]: "v1", [agentLeaseAnnotations.clusterVersion]: "v1.34.1" },
    },
    spec,
  };
}

const held = { holderIdentity: "a/b", leaseDurationSeconds: 300, renewTime: `${time.slice(0, -1)}.123456Z` };
const seen = "2026-06-01T00:20:00Z";
const seenAt = (spec: NonNullable<Lease["spec"]>): Heartbeat => ({
  lease: leaseOf(spec),
  observedMs: 1000,
  seenMs: Date.parse(seen),
  delaysMs: [],
});
const heldAt = seenAt(held);
const givenUp = seenAt({ ...held, holderIdentity: "", leaseDurationSeconds: 1, renewTime: later });
const fields = { lastHeartbeatTime: time, lastHeartbeatSeenTime: time, agentVersion: "v1", clusterVersion: "v1.34.1" };
const alive = {
  type: "Reachable",
  status: "True",
  reason: "AgentAlive",
  message: "the agent renews its Lease",
} as const;
const silent = {
  type: "Reachable",
  status: "False",
  reason: "AgentSilent",
  message: `the agent has not renewed its Lease since ${time}`,
} as const;

const statusWith = (condition: Omit<Condition, "lastTransitionTime" | "lastUpdateTime">): EnvironmentStatus => ({
  ...fields,
  conditions: [{ ...condition, lastTransitionTime: time, lastUpdateTime: time }],
});

describe("the heartbeat of an Environment", () => {
  it.each<readonly [string, EnvironmentStatus | undefined, Heartbeat | undefined, number, object]>([
    ["none without an agent", undefined, undefined, 0, { fields: {}, condition: undefined }],
    ["none any more when the Lease is gone", statusWith(alive), undefined, 0, { fields, condition: silent }],
    [
      "alive",
      undefined,
      heldAt,
      1000,
      { fields: { ...fields, lastHeartbeatSeenTime: seen }, condition: alive, expiresInMs: 300_000 },
    ],
    ["alive until the Lease expires", statusWith(alive), heldAt, 300_999, { fields, condition: alive, expiresInMs: 1 }],
    ["silent when it has expired", statusWith(alive), heldAt, 301_000, { fields, condition: silent }],
    [
      "silent since the time at which the core saw the last renewal",
      undefined,
      heldAt,
      301_000,
      {
        fields: { ...fields, lastHeartbeatSeenTime: seen },
        condition: { ...silent, message: `the agent has not renewed its Lease since ${seen}` },
      },
    ],
    [
      "still silent after a restart of the core, which has not seen a renewal",
      statusWith(silent),
      heldAt,
      1000,
      { fields, condition: silent, expiresInMs: 300_000 },
    ],
    [
      "alive again with the first renewal",
      statusWith(silent),
      seenAt({ ...held, renewTime: later }),
      1000,
      {
        fields: { ...fields, lastHeartbeatTime: later, lastHeartbeatSeenTime: seen },
        condition: alive,
        expiresInMs: 300_000,
      },
    ],
    [
      "alive while a replica may take the Lease over",
      statusWith(alive),
      givenUp,
      10_999,
      { fields, condition: alive, expiresInMs: 1 },
    ],
    ["silent when none has", statusWith(alive), givenUp, 11_000, { fields, condition: silent }],
    [
      "still silent then after a restart of the core",
      statusWith(silent),
      givenUp,
      1000,
      { fields, condition: silent, expiresInMs: 10_000 },
    ],
    [
      "alive without the time of a Lease that does not have one",
      undefined,
      seenAt({ holderIdentity: "a/b", leaseDurationSeconds: 300, renewTime: "soon" }),
      1000,
      { fields: { agentVersion: "v1", clusterVersion: "v1.34.1" }, condition: alive, expiresInMs: 300_000 },
    ],
  ])("%s", (...[, status, observed, elapsedMs, want]) => {
    const defaults = { clockCondition: undefined, expiresInMs: undefined };
    expect(reportHeartbeat(status, observed, elapsedMs)).toEqual({ ...defaults, ...want });
  });

  it.each([
    ["alive", 1000, "True"],
    ["silent", 301_000, "False"],
  ])("warns of a clock that differs while the agent is %s", (_, elapsedMs, status) => {
    const report = reportHeartbeat(undefined, { ...heldAt, delaysMs: [900_000, 900_000] }, elapsedMs);
    expect(report).toMatchObject({ condition: { status }, clockCondition: { type: "AgentClockDiffers" } });
  });
});
