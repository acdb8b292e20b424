import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { checkKstatus } from "./kstatus.ts";

type Parts = Readonly<Record<string, unknown>>;

function describeStatus(apiVersion: string, kind: string, parts: Parts): string {
  const metadata = { name: "a", namespace: "n", generation: 2, ...Object(parts["metadata"]) };
  const object: UnstructuredObject = { apiVersion, kind, ...parts, metadata };
  const result = checkKstatus(object);
  return result.status === "current" ? "current" : `${result.status}: ${result.message}`;
}

const condition = (type: string, status: string, reason?: string): object => ({
  type,
  status,
  ...(reason === undefined ? {} : { reason, message: "sentinel text" }),
});
const withConditions = (...conditions: readonly object[]): Parts => ({ status: { conditions } });
const unobserved = "inProgress: its controller has not seen the last change yet";
const seen = { observedGeneration: 2 };

const rows: readonly (readonly [kind: string, name: string, parts: Parts, result: string])[] = [
  ["example.org/v1 Any", "no status", {}, "current"],
  ["example.org/v1 Any", "no conditions", { status: { conditions: null } }, "current"],
  ["example.org/v1 Any", "an older generation", { status: { observedGeneration: 1 } }, unobserved],
  ["example.org/v1 Any", "the generation", { status: seen }, "current"],
  ["example.org/v1 Any", "Ready", withConditions(condition("Ready", "True")), "current"],
  [
    "example.org/v1 Any",
    "not Ready",
    withConditions(condition("Ready", "False", "Busy")),
    "inProgress: Ready is False (Busy)",
  ],
  [
    "example.org/v1 Any",
    "Ready unknown",
    withConditions(condition("Ready", "Unknown")),
    "inProgress: Ready is Unknown",
  ],
  [
    "example.org/v1 Any",
    "Reconciling",
    withConditions(condition("Ready", "True"), condition("Reconciling", "True", "Busy")),
    "inProgress: is reconciling (Busy)",
  ],
  [
    "example.org/v1 Any",
    "Stalled",
    withConditions(condition("Ready", "False"), condition("Stalled", "True", "Bad")),
    "failed: is stalled (Bad)",
  ],
  [
    "example.org/v1 Any",
    "no longer Stalled",
    withConditions(condition("Stalled", "False"), condition("Ready", "True")),
    "current",
  ],
  [
    "example.org/v1 Any",
    "Stalled in an older generation",
    { status: { observedGeneration: 1, conditions: [condition("Stalled", "True")] } },
    unobserved,
  ],
  [
    "example.org/v1 Any",
    "being deleted",
    { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } },
    "inProgress: is being deleted",
  ],

  ["apps/v1 Deployment", "no status", {}, unobserved],
  [
    "apps/v1 Deployment",
    "no progress",
    { status: { ...seen, conditions: [condition("Progressing", "False", "ProgressDeadlineExceeded")] } },
    "failed: has made no progress for too long (ProgressDeadlineExceeded)",
  ],
  ["apps/v1 Deployment", "one replica by default", { spec: {}, status: seen }, "inProgress: 0 of 1 replicas updated"],
  [
    "apps/v1 Deployment",
    "old replicas",
    { spec: { replicas: 1 }, status: { ...seen, replicas: 2, updatedReplicas: 1 } },
    "inProgress: 1 old replicas still there",
  ],
  [
    "apps/v1 Deployment",
    "unavailable",
    { spec: { replicas: 1 }, status: { ...seen, replicas: 1, updatedReplicas: 1 } },
    "inProgress: 0 of 1 replicas available",
  ],
  [
    "apps/v1 Deployment",
    "Available False",
    {
      spec: { replicas: 1 },
      status: {
        ...seen,
        replicas: 1,
        updatedReplicas: 1,
        availableReplicas: 1,
        conditions: [condition("Available", "False", "Min")],
      },
    },
    "inProgress: is not available (Min)",
  ],
  [
    "apps/v1 Deployment",
    "available",
    {
      spec: { replicas: 1 },
      status: {
        ...seen,
        replicas: 1,
        updatedReplicas: 1,
        availableReplicas: 1,
        conditions: [condition("Available", "True")],
      },
    },
    "current",
  ],
  ["apps/v1 Deployment", "none wanted", { spec: { replicas: 0 }, status: seen }, "current"],

  ["apps/v1 StatefulSet", "unseen", { spec: {} }, unobserved],
  [
    "apps/v1 StatefulSet",
    "not ready",
    { spec: { replicas: 2 }, status: { ...seen, readyReplicas: 1 } },
    "inProgress: 1 of 2 replicas ready",
  ],
  [
    "apps/v1 StatefulSet",
    "scaling down",
    { spec: { replicas: 1 }, status: { ...seen, replicas: 2, readyReplicas: 2, updatedReplicas: 2 } },
    "inProgress: 1 surplus replicas still there",
  ],
  [
    "apps/v1 StatefulSet",
    "not updated",
    { spec: { replicas: 2 }, status: { ...seen, replicas: 2, readyReplicas: 2, updatedReplicas: 1 } },
    "inProgress: 1 of 2 replicas updated",
  ],
  [
    "apps/v1 StatefulSet",
    "held by a partition",
    {
      spec: { replicas: 2, updateStrategy: { rollingUpdate: { partition: 1 } } },
      status: { ...seen, replicas: 2, readyReplicas: 2, updatedReplicas: 1 },
    },
    "current",
  ],
  [
    "apps/v1 StatefulSet",
    "updated by hand",
    { spec: { replicas: 2, updateStrategy: { type: "OnDelete" } }, status: { ...seen, replicas: 2, readyReplicas: 2 } },
    "current",
  ],

  ["apps/v1 DaemonSet", "unseen", {}, unobserved],
  [
    "apps/v1 DaemonSet",
    "without generations",
    { metadata: { generation: undefined } },
    "inProgress: its controller has not seen it yet",
  ],
  [
    "apps/v1 DaemonSet",
    "not updated",
    { status: { ...seen, desiredNumberScheduled: 2, updatedNumberScheduled: 1, numberAvailable: 2 } },
    "inProgress: 1 of 2 pods updated",
  ],
  [
    "apps/v1 DaemonSet",
    "not available",
    { status: { ...seen, desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 1 } },
    "inProgress: 1 of 2 pods available",
  ],
  ["apps/v1 DaemonSet", "no node", { status: { ...seen, desiredNumberScheduled: 0 } }, "current"],
  [
    "apps/v1 DaemonSet",
    "updated by hand",
    {
      spec: { updateStrategy: { type: "OnDelete" } },
      status: { ...seen, desiredNumberScheduled: 2, numberAvailable: 2 },
    },
    "current",
  ],

  [
    "apps/v1 ReplicaSet",
    "failing",
    { spec: { replicas: 1 }, status: { ...seen, conditions: [condition("ReplicaFailure", "True", "Quota")] } },
    "inProgress: replicas fail (Quota)",
  ],
  [
    "apps/v1 ReplicaSet",
    "not available",
    { spec: { replicas: 2 }, status: { ...seen, replicas: 2, availableReplicas: 1 } },
    "inProgress: 1 of 2 replicas available",
  ],
  [
    "apps/v1 ReplicaSet",
    "surplus",
    { spec: { replicas: 1 }, status: { ...seen, replicas: 2, availableReplicas: 1 } },
    "inProgress: 1 surplus replicas still there",
  ],
  [
    "v1 ReplicationController",
    "available",
    { spec: { replicas: 1 }, status: { ...seen, replicas: 1, availableReplicas: 1 } },
    "current",
  ],

  ["v1 Pod", "no status", {}, "inProgress: has no phase yet"],
  [
    "v1 Pod",
    "unscheduled",
    { status: { phase: "Pending", conditions: [condition("PodScheduled", "False", "Unschedulable")] } },
    "inProgress: is not scheduled (Unschedulable)",
  ],
  ["v1 Pod", "pending", { status: { phase: "Pending" } }, "inProgress: is Pending"],
  [
    "v1 Pod",
    "not Ready",
    { status: { phase: "Running", conditions: [condition("Ready", "False", "ContainersNotReady")] } },
    "inProgress: is Running (ContainersNotReady)",
  ],
  ["v1 Pod", "Ready", { status: { phase: "Running", conditions: [condition("Ready", "True")] } }, "current"],
  [
    "v1 Pod",
    "completed",
    { status: { phase: "Succeeded", conditions: [condition("Ready", "False", "PodCompleted")] } },
    "current",
  ],
  ["v1 Pod", "failed", { status: { phase: "Failed", reason: "Evicted" } }, "failed: has failed (Evicted)"],

  ["batch/v1 Job", "no status", {}, "inProgress: 0 of 1 completions"],
  [
    "batch/v1 Job",
    "running",
    { spec: { completions: 3 }, status: { active: 1, succeeded: 1 } },
    "inProgress: 1 of 3 completions",
  ],
  ["batch/v1 Job", "complete", withConditions(condition("Complete", "True")), "current"],
  [
    "batch/v1 Job",
    "failed",
    withConditions(condition("Failed", "True", "BackoffLimitExceeded")),
    "failed: has failed (BackoffLimitExceeded)",
  ],
  ["batch/v1 Job", "suspended", { spec: { suspend: true } }, "current"],

  ["v1 PersistentVolumeClaim", "pending", { status: { phase: "Pending" } }, "inProgress: is not bound"],
  ["v1 PersistentVolumeClaim", "bound", { status: { phase: "Bound" } }, "current"],
  ["v1 PersistentVolumeClaim", "lost", { status: { phase: "Lost" } }, "failed: has lost its volume"],
  ["v1 PersistentVolume", "pending", {}, "inProgress: is not available"],
  ["v1 PersistentVolume", "available", { status: { phase: "Available" } }, "current"],
  ["v1 PersistentVolume", "failed", { status: { phase: "Failed" } }, "failed: could not be reclaimed"],
  ["v1 Service", "inside the cluster", { spec: { type: "ClusterIP" } }, "current"],
  [
    "v1 Service",
    "a load balancer without address",
    { spec: { type: "LoadBalancer" }, status: { loadBalancer: {} } },
    "inProgress: its load balancer has no address",
  ],
  [
    "v1 Service",
    "a load balancer",
    { spec: { type: "LoadBalancer" }, status: { loadBalancer: { ingress: [{ ip: "198.51.100.1" }] } } },
    "current",
  ],
  ["v1 Namespace", "active", { status: { phase: "Active" } }, "current"],
  ["v1 Namespace", "terminating", { status: { phase: "Terminating" } }, "inProgress: is not active"],
  ["policy/v1 PodDisruptionBudget", "unseen", {}, "inProgress: its controller has not seen it yet"],
  [
    "policy/v1 PodDisruptionBudget",
    "not met",
    { status: { ...seen, currentHealthy: 1, desiredHealthy: 2 } },
    "inProgress: 1 of 2 pods healthy",
  ],
  ["policy/v1 PodDisruptionBudget", "met", { status: { ...seen, currentHealthy: 2, desiredHealthy: 2 } }, "current"],
  ["apiextensions.k8s.io/v1 CustomResourceDefinition", "new", {}, "inProgress: is not established"],
  [
    "apiextensions.k8s.io/v1 CustomResourceDefinition",
    "established",
    withConditions(condition("NamesAccepted", "True"), condition("Established", "True")),
    "current",
  ],
  [
    "apiextensions.k8s.io/v1 CustomResourceDefinition",
    "refused",
    withConditions(condition("NamesAccepted", "False", "ListKindConflict")),
    "failed: its names are not accepted (ListKindConflict)",
  ],
  ["apiregistration.k8s.io/v1 APIService", "of the API server itself", { spec: {} }, "current"],
  [
    "apiregistration.k8s.io/v1 APIService",
    "unavailable",
    { spec: { service: { name: "s" } }, ...withConditions(condition("Available", "False", "MissingEndpoints")) },
    "inProgress: is not available (MissingEndpoints)",
  ],
  [
    "apiregistration.k8s.io/v1 APIService",
    "available",
    { spec: { service: { name: "s" } }, ...withConditions(condition("Available", "True")) },
    "current",
  ],
];

describe("checkKstatus", () => {
  it.each(rows)("%s, %s", (...[type, , parts, result]) => {
    const [apiVersion = "", kind = ""] = type.split(" ");
    expect(describeStatus(apiVersion, kind, parts)).toBe(result);
  });
});
