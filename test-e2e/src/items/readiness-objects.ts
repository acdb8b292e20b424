// Objects whose readiness suites wait for, and what makes them ready.
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "@jest/globals";
import { type ResourceType, type UnstructuredObject, kubeResources } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import type { ItemScope } from "./item-scope.ts";
import type { ItemSuite } from "./item-suite.ts";
import { runningStatus } from "./play-kubelet.ts";

export const podSpec = { containers: [{ name: "main", image: "registry.example.test/main:1" }] };
export const time = "2026-01-01T00:00:00Z";

export const condition = (type: string, status: string, reason: string) => ({
  type,
  status,
  reason,
  message: "",
  lastTransitionTime: time,
});

export const replicationControllers: ResourceType<UnstructuredObject> = {
  group: "",
  version: "v1",
  kind: "ReplicationController",
  plural: "replicationcontrollers",
  namespaced: true,
};
export const services: ResourceType<UnstructuredObject> = {
  ...replicationControllers,
  kind: "Service",
  plural: "services",
};

const workloads = {
  Deployment: kubeResources.deployment,
  StatefulSet: kubeResources.statefulSet,
  ReplicaSet: kubeResources.replicaSet,
  ReplicationController: replicationControllers,
};
export const workloadKinds = ["Deployment", "StatefulSet", "ReplicaSet", "ReplicationController"] as const;

export function workload({ place: namespace }: ItemScope, kind: keyof typeof workloads, spec: object = {}) {
  const labels = { app: "web" };
  const isCore = kind === "ReplicationController";
  return {
    apiVersion: isCore ? "v1" : "apps/v1",
    kind,
    metadata: { name: "web", namespace },
    spec: {
      replicas: 2,
      selector: isCore ? labels : { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec },
      ...(kind === "StatefulSet" ? { serviceName: "web" } : {}),
      ...spec,
    },
  };
}

export const podType: ResourceType<UnstructuredObject> = { ...services, kind: "Pod", plural: "pods" };

export function job({ place: namespace }: ItemScope): UnstructuredObject {
  const template = { spec: { restartPolicy: "Never", ...podSpec } };
  return { apiVersion: "batch/v1", kind: "Job", metadata: { name: "task", namespace }, spec: { template } };
}

export function loadBalancer({ place: namespace }: ItemScope): UnstructuredObject {
  const spec = { type: "LoadBalancer", selector: { app: "web" }, ports: [{ port: 80 }] };
  return { apiVersion: "v1", kind: "Service", metadata: { name: "web", namespace }, spec };
}

export function customKind(
  { place: namespace }: ItemScope,
  names: { readonly group?: string; readonly kind?: string } = {},
) {
  const { group = `${namespace}.example.org`, kind = "Thing" } = names;
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  const type = { group, version: "v1", kind, plural, namespaced: true };
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural, singular, listKind: `${kind}List` },
      versions: [{ name: "v1", served: true, storage: true, subresources: { status: {} }, schema }],
    },
  };
  return { crd, type, object: { apiVersion: `${group}/v1`, kind, metadata: { name: "thing", namespace } } };
}

/** Where controllers make pods, the test is the kubelet; else it is the controller. */
export async function runWorkload(suite: ItemSuite, scope: ItemScope, kind: keyof typeof workloads): Promise<void> {
  const { target, targetClient } = suite.environment;
  const namespace = scope.place;
  const isControlled = kind === "Deployment" || kind === "ReplicaSet";
  if (target.runsWorkloadControllers && isControlled) {
    await waitFor(
      async () => {
        const { items } = await targetClient.list(kubeResources.pod, { namespace });
        for (const { metadata, status } of items) {
          if (status?.phase !== "Running") await scope.setStatus(podType, metadata.name ?? "", runningStatus());
        }
        const { jobID, jobIDFinished } = (await scope.get("item")).status ?? {};
        return jobID === jobIDFinished;
      },
      { intervalMs: 100 },
    );
    return;
  }
  const isUpdated = kind === "Deployment" || kind === "StatefulSet";
  const counts = { replicas: 2, readyReplicas: 2, availableReplicas: 2, ...(isUpdated ? { updatedReplicas: 2 } : {}) };
  const whole = { observedGeneration: 1, ...counts };
  // None of these is enough.
  const partial = [
    { ...whole, observedGeneration: 0 },
    { ...whole, readyReplicas: 1, availableReplicas: 1 },
    ...(isUpdated ? [{ ...whole, updatedReplicas: 1 }] : []),
  ];
  for (const status of partial) {
    await scope.setStatus(workloads[kind], "web", status);
    await sleep(700);
    expect({ status, phase: (await scope.get("item")).status?.phase }).toEqual({ status, phase: "Progressing" });
  }
  await scope.setStatus(workloads[kind], "web", whole);
}
