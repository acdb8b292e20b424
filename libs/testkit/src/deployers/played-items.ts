import { finalizer, isFinalPhase, resources, type DeployItem } from "@landscaper/api";
import { isConflict } from "@landscaper/controller-runtime";
import type { TestNamespace } from "../clusters/test-namespace.ts";

/** A type that no deployer serves: the test itself acts on its items. */
export const playedType = "test.landscaper.gardener.cloud/played";

type Phase = "Progressing" | "Succeeded" | "Failed" | "Deleting" | "DeleteFailed";

/** One write of a deployer by the contract: the phase, with jobIDFinished when it is a final one. */
export async function writePhase(namespace: TestNamespace, name: string, phase: Phase): Promise<DeployItem> {
  for (;;) {
    const item = await namespace.get(resources.deployItem, name);
    const jobID = item.status?.jobID ?? "";
    const now = new Date().toISOString();
    const status = {
      ...item.status,
      phase,
      observedGeneration: item.metadata.generation ?? 0,
      lastReconcileTime: now,
      ...(isFinalPhase(phase) ? { jobIDFinished: jobID } : {}),
    };
    try {
      return await namespace.client.updateStatus(resources.deployItem, { ...item, status });
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}

/** Waits until the item of this template was handed a job that it has not finished. */
export async function waitForJob(namespace: TestNamespace, name: string): Promise<DeployItem> {
  const found = await namespace.until(resources.deployItem, name, (item) => {
    return item?.status?.jobID !== undefined && item.status.jobID !== item.status.jobIDFinished;
  });
  if (found === undefined) throw new Error(`DeployItem ${name} is gone`);
  return found;
}

/** Ends an uninstallation: the item may go. */
export async function removeFinalizer(namespace: TestNamespace, name: string): Promise<void> {
  const item = await namespace.get(resources.deployItem, name);
  const finalizers = (item.metadata.finalizers ?? []).filter((each) => each !== finalizer);
  await namespace.client.patch(
    resources.deployItem,
    { namespace: namespace.name, name },
    { type: "merge", body: { metadata: { finalizers } } },
  );
}
