import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { checkWorkload, isWorkload } from "./workload-readiness.ts";

interface Parts {
  readonly generation?: number;
  readonly spec?: Record<string, unknown>;
  readonly status?: Record<string, unknown>;
}

function object(apiVersion: string, kind: string, { generation = 1, spec = {}, status }: Parts): UnstructuredObject {
  const metadata = { name: "a", namespace: "n", generation };
  return { apiVersion, kind, metadata, spec, ...(status === undefined ? {} : { status }) };
}

/** Undefined: ready. */
type Row = readonly [name: string, parts: Parts, message: string | undefined];

function check(apiVersion: string, kind: string, parts: Parts): string | undefined {
  const readiness = checkWorkload(object(apiVersion, kind, parts));
  return readiness.ready ? undefined : readiness.message;
}

const unobserved = "its controller has not seen the last change yet";

describe("a Pod is ready", () => {
  const rows: readonly Row[] = [
    ["not without status", {}, "has no Ready condition yet"],
    ["not without conditions", { status: { phase: "Pending" } }, "has no Ready condition yet"],
    [
      "not without the condition",
      { status: { conditions: [{ type: "PodScheduled", status: "True" }] } },
      "has no Ready condition yet",
    ],
    ["when the condition says so", { status: { conditions: [{ type: "Ready", status: "True" }] } }, undefined],
    [
      "when it has completed",
      { status: { conditions: [{ type: "Ready", status: "False", reason: "PodCompleted" }] } },
      undefined,
    ],
    [
      "not when the condition is False",
      { status: { conditions: [{ type: "Ready", status: "False", reason: "ContainersNotReady" }] } },
      "Ready is False (ContainersNotReady)",
    ],
    [
      "not when the condition is Unknown",
      { status: { conditions: [{ type: "Ready", status: "Unknown" }] } },
      "Ready is Unknown",
    ],
    ["not when the condition is broken", { status: { conditions: [{ type: "Ready" }] } }, "Ready is unknown"],
  ];
  it.each(rows)("%s", (_name, parts, message) => {
    expect(check("v1", "Pod", parts)).toBe(message);
  });
});

describe("a Deployment is ready", () => {
  const status = (replicas: number, updatedReplicas: number, availableReplicas: number) => ({
    replicas,
    updatedReplicas,
    availableReplicas,
    observedGeneration: 1,
  });
  const rows: readonly Row[] = [
    ["not without status", { spec: { replicas: 1 } }, unobserved],
    [
      "not before its controller has seen it",
      { generation: 2, spec: { replicas: 1 }, status: status(1, 1, 1) },
      unobserved,
    ],
    ["when all replicas are updated and available", { spec: { replicas: 3 }, status: status(3, 3, 3) }, undefined],
    [
      "when its controller has seen more",
      { spec: { replicas: 3 }, status: { ...status(3, 3, 3), observedGeneration: 5 } },
      undefined,
    ],
    ["not while replicas are old", { spec: { replicas: 3 }, status: status(3, 1, 3) }, "1 of 3 replicas updated"],
    [
      "not while old replicas are left",
      { spec: { replicas: 3 }, status: status(4, 3, 3) },
      "1 old replicas still there",
    ],
    [
      "not while replicas are unavailable",
      { spec: { replicas: 3 }, status: status(3, 3, 2) },
      "2 of 3 replicas available",
    ],
    ["when it is scaled to zero", { spec: { replicas: 0 }, status: { observedGeneration: 1 } }, undefined],
    ["without replicas only when it has none", { status: status(1, 1, 1) }, "1 of 0 replicas updated"],
  ];
  it.each(rows)("%s", (_name, parts, message) => {
    expect(check("apps/v1", "Deployment", parts)).toBe(message);
  });
});

describe("a StatefulSet is ready", () => {
  const rows: readonly Row[] = [
    ["not without status", {}, unobserved],
    [
      "when all replicas are updated and available",
      { spec: { replicas: 2 }, status: { observedGeneration: 1, updatedReplicas: 2, availableReplicas: 2 } },
      undefined,
    ],
    [
      "when there is more than enough",
      { spec: { replicas: 2 }, status: { observedGeneration: 1, updatedReplicas: 3, availableReplicas: 3 } },
      undefined,
    ],
    [
      "not while replicas are old",
      { spec: { replicas: 2 }, status: { observedGeneration: 1, updatedReplicas: 1, availableReplicas: 2 } },
      "1 of 2 replicas updated",
    ],
    [
      "not while replicas are unavailable",
      { spec: { replicas: 2 }, status: { observedGeneration: 1, updatedReplicas: 2 } },
      "0 of 2 replicas available",
    ],
    [
      "with one replica by default",
      { status: { observedGeneration: 1, updatedReplicas: 1, availableReplicas: 0 } },
      "0 of 1 replicas available",
    ],
    ["when it is scaled to zero", { spec: { replicas: 0 }, status: { observedGeneration: 1 } }, undefined],
  ];
  it.each(rows)("%s", (_name, parts, message) => {
    expect(check("apps/v1", "StatefulSet", parts)).toBe(message);
  });
});

describe("a DaemonSet is ready", () => {
  const rolling = (maxUnavailable: unknown) => ({
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable } },
  });
  const status = (desired: number, updated: number, available: number) => ({
    observedGeneration: 1,
    desiredNumberScheduled: desired,
    currentNumberScheduled: desired,
    updatedNumberScheduled: updated,
    numberAvailable: available,
  });
  const rows: readonly Row[] = [
    ["not before its controller has seen it", { generation: 2, status: status(1, 1, 1) }, unobserved],
    ["when no node wants a pod", { status: { observedGeneration: 1 } }, undefined],
    ["when all pods are updated and available", { status: status(3, 3, 3) }, undefined],
    ["not when pods are only scheduled", { status: status(3, 3, 0) }, "0 of 3 pods available"],
    ["not while pods are old", { status: status(3, 2, 3) }, "2 of 3 pods updated"],
    ["with as many unavailable as its update may take", { spec: rolling(1), status: status(3, 3, 2) }, undefined],
    ["with a share of unavailable pods, rounded down", { spec: rolling("50%"), status: status(3, 3, 2) }, undefined],
    ["not with a larger share", { spec: rolling("50%"), status: status(3, 3, 1) }, "1 of 2 pods available"],
    ["not without any pod", { spec: rolling(1), status: status(1, 1, 0) }, "0 of 1 pods available"],
    [
      "with old pods that nobody replaces",
      { spec: { updateStrategy: { type: "OnDelete" } }, status: status(3, 0, 3) },
      undefined,
    ],
    [
      "by a tolerance that makes no sense: none",
      { spec: rolling("many"), status: status(2, 2, 1) },
      "1 of 2 pods available",
    ],
  ];
  it.each(rows)("%s", (_name, parts, message) => {
    expect(check("apps/v1", "DaemonSet", parts)).toBe(message);
  });
});

describe.each([
  ["apps/v1", "ReplicaSet"],
  ["v1", "ReplicationController"],
])("%s %s is ready", (apiVersion, kind) => {
  const failure = (status: string, reason = "FailedCreate") => [
    { type: "ReplicaFailure", status, reason, message: "quota secret" },
  ];
  const rows: readonly Row[] = [
    ["not without status", {}, unobserved],
    [
      "when all replicas are ready",
      { spec: { replicas: 2 }, status: { observedGeneration: 1, readyReplicas: 2 } },
      undefined,
    ],
    ["with one replica by default", { status: { observedGeneration: 1 } }, "0 of 1 replicas ready"],
    [
      "not while replicas fail",
      { spec: { replicas: 1 }, status: { observedGeneration: 1, readyReplicas: 1, conditions: failure("True") } },
      "replicas fail (FailedCreate)",
    ],
    [
      "when replicas failed before",
      { spec: { replicas: 1 }, status: { observedGeneration: 1, readyReplicas: 1, conditions: failure("False") } },
      undefined,
    ],
  ];
  it.each(rows)("%s", (_name, parts, message) => {
    expect(check(apiVersion, kind, parts)).toBe(message);
  });
});

describe("other kinds", () => {
  it.each([
    ["batch/v1", "Job"],
    ["v1", "Service"],
    ["v1", "PersistentVolumeClaim"],
    ["v1", "ConfigMap"],
    ["autoscaling/v2", "HorizontalPodAutoscaler"],
    ["apiextensions.k8s.io/v1", "CustomResourceDefinition"],
    ["example.org/v1", "Deployment"],
    ["example.org/v1", "Pod"],
  ])("%s %s is ready when it exists", (apiVersion, kind) => {
    expect(check(apiVersion, kind, {})).toBe(undefined);
    expect(isWorkload({ apiVersion, kind })).toBe(false);
  });

  it("all six workload kinds have a rule", () => {
    const kinds = [
      ["v1", "Pod"],
      ["v1", "ReplicationController"],
      ["apps/v1", "Deployment"],
      ["apps/v1", "StatefulSet"],
      ["apps/v1", "DaemonSet"],
      ["apps/v1", "ReplicaSet"],
    ] as const;
    expect(kinds.map(([apiVersion, kind]) => isWorkload({ apiVersion, kind }))).toEqual(kinds.map(() => true));
  });
});
