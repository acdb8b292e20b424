import type { DeployItem } from "@landscaper/api";
import { resources } from "@landscaper/api";
import { isConflict } from "@landscaper/controller-runtime";
import type { TestNamespace } from "./test-namespace.ts";

/** A type that no deployer serves: the test itself acts on its items. */
export const playedType = "test.landscaper.gardener.cloud/played";

const finalizer = "finalizer.landscaper.gardener.cloud";

type Phase = "Progressing" | "Succeeded" | "Failed" | "Deleting" | "DeleteFailed";
const finalPhases = new Set<Phase>(["Succeeded", "Failed", "DeleteFailed"]);

/** One write of a deployer by the contract: the phase, with jobIDFinished when it is a final one. */
export async function writePhase(scope: TestNamespace, name: string, phase: Phase): Promise<DeployItem> {
  for (;;) {
    const item = await scope.get(resources.deployItem, name);
    const jobID = item.status?.jobID ?? "";
    const now = new Date().toISOString();
    const status = {
      ...item.status,
      phase,
      observedGeneration: item.metadata.generation ?? 0,
      lastReconcileTime: now,
      ...(finalPhases.has(phase) ? { jobIDFinished: jobID } : {}),
    };
    try {
      return await scope.environment.client.updateStatus(resources.deployItem, { ...item, status });
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}

/** Waits until the item of this template was handed a job that it has not finished. */
export async function waitForJob(scope: TestNamespace, name: string): Promise<DeployItem> {
  const found = await scope.waitFor(resources.deployItem, name, (item) => {
    return item?.status?.jobID !== undefined && item.status.jobID !== item.status.jobIDFinished;
  });
  if (found === undefined) throw new Error(`DeployItem ${name} is gone`);
  return found;
}

/** Ends an uninstallation: the item may go. */
export async function removeFinalizer(scope: TestNamespace, name: string): Promise<void> {
  const { client } = scope.environment;
  const key = { namespace: scope.name, name };
  const item = await client.get(resources.deployItem, key);
  const finalizers = (item.metadata.finalizers ?? []).filter((each) => each !== finalizer);
  await client.patch(resources.deployItem, key, { type: "merge", body: { metadata: { finalizers } } });
}
