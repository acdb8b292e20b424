import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, type UnstructuredObject } from "@landscaper/api";
import { startEmbeddedCluster, type EmbeddedCluster } from "@landscaper/testkit";
import { createTargetCluster, findLive } from "../cluster/target-cluster.ts";
import { findKeptFields } from "./find-kept-fields.ts";

const autoscalerType = {
  group: "autoscaling",
  version: "v2",
  kind: "HorizontalPodAutoscaler",
  plural: "horizontalpodautoscalers",
  namespaced: true,
};
const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "a", image: "a" }] } };
const signal = new AbortController().signal;

let cluster: EmbeddedCluster;
beforeAll(async () => {
  cluster = await startEmbeddedCluster();
});
afterAll(async () => cluster.stop());
let namespaces = 0;

function deployment(namespace: string, replicas: number | null | undefined): UnstructuredObject {
  const selector = { matchLabels: { app: "a" } };
  const metadata = { name: "a", namespace };
  const spec = { selector, template, ...(replicas === undefined ? {} : { replicas }) };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata, spec };
}

interface Scaled {
  /** Replicas of the manifest. */
  readonly wanted: number | null | undefined;
  readonly scaledTo: number;
  readonly by: string;
  /** What an autoscaler targets; none: there is no autoscaler. */
  readonly target?: object;
  readonly mayList?: boolean;
  readonly replaces?: boolean;
}

/** The value that the replicas keep, and whether autoscalers were looked for. */
async function replicasKept({ wanted, scaledTo, by, target, mayList = true, replaces = true }: Scaled) {
  const namespace = `scaled-${++namespaces}`;
  await cluster.createNamespace(namespace);
  const manifest = deployment(namespace, wanted);
  const { client } = cluster;
  await client.create(kubeResources.deployment, deployment(namespace, wanted ?? undefined));
  await client.patch(
    kubeResources.deployment,
    { namespace, name: "a" },
    { type: "merge", body: { spec: { replicas: scaledTo } }, subresource: "scale", fieldManager: by },
  );
  if (target !== undefined) {
    const spec = { scaleTargetRef: target, maxReplicas: 9 };
    await client.create(autoscalerType, {
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: { name: "a", namespace },
      spec,
    } as never);
  }
  const targetCluster = createTargetCluster(cluster.connect("deployer"));
  const live = await findLive(targetCluster, { ...manifest, name: "a", namespace }, signal);
  if (live === undefined) throw new Error("the Deployment does not exist");
  let looks = 0;
  cluster.server.setFault(({ resource }) => {
    if (resource !== autoscalerType.plural) return undefined;
    looks += 1;
    return mayList ? undefined : { status: 403 };
  });
  try {
    const fields = await findKeptFields({ cluster: targetCluster, manifest, live, replaces, signal });
    return [fields.find(({ path }) => path.join(".") === "spec.replicas")?.value, looks > 0];
  } finally {
    cluster.server.setFault(undefined);
  }
}

const target = { apiVersion: "apps/v1", kind: "Deployment", name: "a" };
const controller = "kube-controller-manager";

describe("replicas on the target", () => {
  it.each<readonly [string, Scaled, number | undefined, boolean]>([
    ["that an autoscaler has set are kept", { wanted: 2, scaledTo: 5, by: controller, target }, 5, true],
    ["that an autoscaler of others has set are kept", { wanted: 2, scaledTo: 5, by: "keda", target }, 5, true],
    [
      "of an autoscaler of another object are not kept",
      { wanted: 2, scaledTo: 5, by: controller, target: { ...target, name: "b" } },
      undefined,
      true,
    ],
    [
      "of an autoscaler of another kind are not kept",
      { wanted: 2, scaledTo: 5, by: controller, target: { ...target, kind: "StatefulSet" } },
      undefined,
      true,
    ],
    ["of an autoscaler that is gone are not kept", { wanted: 2, scaledTo: 5, by: controller }, undefined, true],
    ["that a person has set are not kept", { wanted: 2, scaledTo: 5, by: "kubectl" }, undefined, true],
    ["as the manifest has them need no look", { wanted: 2, scaledTo: 2, by: controller, target }, undefined, false],
    ["are not kept if the manifest wants none", { wanted: 0, scaledTo: 5, by: controller, target }, undefined, false],
    ["are not kept if there are none", { wanted: 2, scaledTo: 0, by: controller, target }, undefined, false],
    ["that the manifest does not have are kept", { wanted: undefined, scaledTo: 5, by: controller, target }, 5, true],
    ["are kept if the manifest has null", { wanted: null, scaledTo: 5, by: controller, target }, 5, true],
    [
      "that the manifest does not have need no look if the write leaves them",
      { wanted: undefined, scaledTo: 5, by: controller, target, replaces: false },
      undefined,
      false,
    ],
    [
      "are kept if the user of the target may not list autoscalers and Kubernetes has set them",
      { wanted: 2, scaledTo: 5, by: controller, mayList: false },
      5,
      true,
    ],
    [
      "are not kept if the user of the target may not list autoscalers and a person has set them",
      { wanted: 2, scaledTo: 5, by: "kubectl", mayList: false },
      undefined,
      true,
    ],
  ])("%s", async (...[, scaled, value, isAsked]) => {
    expect(await replicasKept(scaled)).toEqual([value, isAsked]);
  });
});
