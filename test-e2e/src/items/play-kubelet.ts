import type { Deployment, Pod, ReplicaSet } from "@landscaper/api";
import { kubeResources } from "@landscaper/api";
import { patienceMs, waitFor } from "@landscaper/testkit";
import type { TestNamespace } from "../namespaces/test-namespace.ts";

const timeoutMs = patienceMs;

/** What a kubelet reports of a pod whose containers run and are ready. */
export function runningStatus(): NonNullable<Pod["status"]> {
  const lastTransitionTime = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  const conditions = ["Initialized", "Ready", "ContainersReady", "PodScheduled"].map((type) => ({
    type,
    status: "True",
    lastTransitionTime,
  }));
  return { phase: "Running", conditions };
}

/** Reports one pod of the target namespace as running and ready. */
export async function runPod({ environment, targetNamespace }: TestNamespace, name: string): Promise<void> {
  const body = { status: runningStatus() };
  const key = { namespace: targetNamespace, name };
  await environment.targetClient.patch(kubeResources.pod, key, { type: "merge", body, subresource: "status" });
}

function isOwnedBy(owner: string, { metadata }: ReplicaSet | Pod): boolean {
  return metadata.ownerReferences?.some(({ name }) => name === owner) ?? false;
}

/** Runs every pod that the controllers have made for the Deployment, until it reports them available. */
async function runPodsOf(scope: TestNamespace, deployment: string): Promise<void> {
  const { targetClient } = scope.environment;
  const namespace = scope.targetNamespace;
  await waitFor(
    async () => {
      const sets = (await targetClient.list(kubeResources.replicaSet, { namespace })).items;
      const pods = (await targetClient.list(kubeResources.pod, { namespace })).items;
      const owned = sets.filter((set) => isOwnedBy(deployment, set)).map(({ metadata }) => metadata.name ?? "");
      const waiting = pods.filter((pod) => owned.some((set) => isOwnedBy(set, pod)) && pod.status?.phase !== "Running");
      for (const pod of waiting) await runPod(scope, pod.metadata.name ?? "");
      const live = await targetClient.get(kubeResources.deployment, { namespace, name: deployment });
      return (live.status?.availableReplicas ?? 0) >= (live.spec?.replicas ?? 1);
    },
    { timeoutMs, intervalMs: 100 },
  );
}

/** What the Deployment's controller reports when all pods are available. */
async function reportAvailable({ environment, targetNamespace }: TestNamespace, name: string): Promise<void> {
  const key = { namespace: targetNamespace, name };
  const live: Deployment = await environment.targetClient.get(kubeResources.deployment, key);
  const replicas = live.spec?.replicas ?? 1;
  const body = {
    status: {
      observedGeneration: live.metadata.generation ?? 1,
      replicas,
      readyReplicas: replicas,
      updatedReplicas: replicas,
      availableReplicas: replicas,
    },
  };
  await environment.targetClient.patch(kubeResources.deployment, key, { type: "merge", body, subresource: "status" });
}

/**
 * Makes a Deployment of the target available. Where its controllers run, the test is the kubelet and reports the pods;
 * else it is the controllers, too.
 */
export async function runDeployment(scope: TestNamespace, name: string): Promise<void> {
  await (scope.environment.target.runsWorkloadControllers ? runPodsOf(scope, name) : reportAvailable(scope, name));
}
