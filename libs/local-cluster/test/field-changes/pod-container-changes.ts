import type { Fields } from "./combinations.ts";

const container = "spec.containers[0]";

/** Probes, hooks, restart policies and variables of containers. */
export const podContainerChanges: Readonly<Record<string, Fields>> = {
  "two probes of one handler": {
    [`${container}.livenessProbe`]: { exec: { command: ["a"] }, tcpSocket: { port: 80 } },
  },
  "a liveness probe with two successes": {
    [`${container}.livenessProbe`]: { exec: { command: ["a"] }, successThreshold: 2 },
  },
  "a readiness probe with a grace period": {
    [`${container}.readinessProbe`]: { exec: { command: ["a"] }, terminationGracePeriodSeconds: 1 },
  },
  "a hook that sleeps beyond the grace period": {
    "spec.terminationGracePeriodSeconds": 5,
    [`${container}.lifecycle`]: { preStop: { sleep: { seconds: 6 } } },
  },
  "a hook that sleeps as long as the grace period": {
    "spec.terminationGracePeriodSeconds": 5,
    [`${container}.lifecycle`]: { preStop: { sleep: { seconds: 5 } } },
  },
  "a hook that does not sleep": { [`${container}.lifecycle`]: { postStart: { sleep: { seconds: 0 } } } },
  "a stop signal without an operating system": { [`${container}.lifecycle`]: { stopSignal: "SIGTERM" } },
  "a stop signal of Linux": {
    "spec.os": { name: "linux" },
    [`${container}.lifecycle`]: { stopSignal: "SIGUSR1" },
  },
  "a stop signal of Linux on Windows": {
    "spec.os": { name: "windows" },
    [`${container}.lifecycle`]: { stopSignal: "SIGUSR1" },
  },
  "restart rules without a policy": {
    [`${container}.restartPolicyRules`]: [{ action: "Restart", exitCodes: { operator: "In", values: [1] } }],
  },
  "a container with a restart policy": { [`${container}.restartPolicy`]: "Always" },
  "an init container with another restart policy": {
    "spec.initContainers": [{ name: "init", image: "image:1", restartPolicy: "Never" }],
  },
  "an init container with a probe": {
    "spec.initContainers": [{ name: "init", image: "image:1", livenessProbe: { exec: { command: ["a"] } } }],
  },
  "a sidecar with a probe": {
    "spec.initContainers": [
      { name: "init", image: "image:1", restartPolicy: "Always", livenessProbe: { exec: { command: ["a"] } } },
    ],
  },
  "a variable of two sources": {
    [`${container}.env`]: [
      {
        name: "A",
        valueFrom: { fieldRef: { fieldPath: "metadata.name" }, configMapKeyRef: { name: "a", key: "b" } },
      },
    ],
  },
  "a variable of a label": {
    [`${container}.env`]: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.labels['a']" } } }],
  },
  "a variable of all labels": {
    [`${container}.env`]: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.labels" } } }],
  },
  "a variable of an unknown version": {
    [`${container}.env`]: [{ name: "A", valueFrom: { fieldRef: { apiVersion: "v9", fieldPath: "metadata.name" } } }],
  },
};
