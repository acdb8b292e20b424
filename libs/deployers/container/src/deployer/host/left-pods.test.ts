// Pods that a process has left behind their gate, on embedded clusters: the test is the process that has died, and the sweep of the next one.
import { describe, expect, it } from "@jest/globals";
import {
  kubeResources,
  resources,
  toTimestamp,
  type DeployItem,
  type DeployItemStatus,
  type Pod,
} from "@landscaper/api";
import { createSystemClock } from "@landscaper/controller-runtime";
import type { BackgroundContext } from "@landscaper/deployer";
import { createTargetCluster } from "@landscaper/resources";
import { createTestLogger } from "@landscaper/testkit";
import { itemLabels, podFinalizer, recordedGate } from "../../contract/labels.ts";
import { settingsOf, specOf, useContainerBench } from "../../../test/container-bench.ts";
import { identityOf } from "../run/run-identity.ts";
import { mayStart, removeLeftPods } from "./left-pods.ts";

const bench = useContainerBench("left-pods");
const key = () => ({ namespace: bench.scope.namespace, name: "item" });

async function createPod(name: string, { item, deployerId = "tests" }: { item: DeployItem; deployerId?: string }) {
  const labels = itemLabels(identityOf(item), deployerId);
  const metadata = { namespace: bench.namespace, name, labels, finalizers: [podFinalizer] };
  const spec = { schedulingGates: [{ name: recordedGate }], containers: [{ name: "main", image: "none" }] };
  await bench.host.create<Pod>(kubeResources.pod, { apiVersion: "v1", kind: "Pod", metadata, spec });
}

const podNames = async (): Promise<readonly string[]> =>
  (await bench.pods()).map(({ metadata: { name = "" } }) => name).toSorted();

/** A sweep; `beforeConfirm` happens after the Pods are listed. */
async function sweep(known: readonly DeployItem[], beforeConfirm = async (): Promise<void> => {}) {
  const context: BackgroundContext = {
    items: { list: () => [...known], get: () => undefined },
    confirm: async (wanted) => {
      await beforeConfirm();
      return await bench.fixture.hubClient.find(resources.deployItem, wanted);
    },
    host: createTargetCluster(bench.host),
    clock: createSystemClock(),
    log: createTestLogger(),
    signal: new AbortController().signal,
  };
  return await removeLeftPods(context, settingsOf({}, bench.namespace));
}

describe("a Pod behind its gate", () => {
  it("stays while its job is open, and goes when the job has ended; those of other deployers and items stay", async () => {
    const item = await bench.scope.create({ name: "item", spec: specOf() });
    const gone = { ...item, metadata: { ...item.metadata, uid: "of-an-item-that-is-gone" } };
    await createPod("left", { item });
    await createPod("of-another-deployer", { item, deployerId: "another" });
    await createPod("of-no-item", { item: gone });
    expect(await sweep([item])).toEqual([]);
    await bench.scope.interrupt("item");
    // The watch may be late: what the API server says counts.
    expect(await sweep([item])).toEqual(["left"]);
    expect(await podNames()).toEqual(["of-another-deployer", "of-no-item"]);
  });

  it("stays, with its finalizer, when its gate was taken away meanwhile", async () => {
    const item = await bench.scope.create({ name: "item", spec: specOf() });
    await createPod("started", { item });
    await bench.scope.interrupt("item");
    const removed = await sweep([item], async () => {
      const body = { spec: { schedulingGates: null } };
      await bench.host.patch(kubeResources.pod, { ...key(), name: "started" }, { type: "merge", body });
    });
    expect(removed).toEqual([]);
    const [pod] = await bench.pods();
    expect(pod?.metadata).toMatchObject({ name: "started", finalizers: [podFinalizer] });
    expect(pod?.metadata.deletionTimestamp).toBeUndefined();
  });

  it("goes although a sweep has died between its deletion and its release", async () => {
    const item = await bench.scope.create({ name: "item", spec: specOf() });
    await createPod("left", { item });
    await bench.scope.interrupt("item");
    await bench.host.delete(kubeResources.pod, { ...key(), name: "left" });
    expect(await podNames()).toEqual(["left"]);
    expect(await sweep([item])).toEqual(["left"]);
    expect(await podNames()).toEqual([]);
  });
});

describe("whether a run of an item is still to start", () => {
  const times = { lastTransitionTime: toTimestamp(new Date(0)), lastUpdateTime: toTimestamp(new Date(0)) };
  const repeated = (status: string): Partial<DeployItemStatus> => ({
    conditions: [{ type: "ContinuousReconcile", status, reason: "Running", message: "", ...times }],
  });
  it.each<readonly [string, Partial<DeployItemStatus>, boolean]>([
    ["in an open job", { jobID: "two", jobIDFinished: "one" }, true],
    ["after its job", { jobID: "one", jobIDFinished: "one" }, false],
    ["while it is repeated", { jobID: "one", jobIDFinished: "one", ...repeated("Unknown") }, true],
    ["after it was repeated", { jobID: "one", jobIDFinished: "one", ...repeated("True") }, false],
    ["after a repetition that has failed", { jobID: "one", jobIDFinished: "one", ...repeated("False") }, false],
  ])("%s", (_title, status, expected) => {
    const item: DeployItem = {
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "DeployItem",
      metadata: { name: "item", namespace: "n" },
      spec: specOf(),
      status: { observedGeneration: 1, ...status },
    };
    expect(mayStart(item)).toBe(expected);
  });
});
