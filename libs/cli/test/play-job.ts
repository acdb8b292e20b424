// The core's part in a job of an Installation, for tests of commands.
import { annotations, resources } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import type { TestCluster } from "./cluster.ts";

/** Waits for the request of a job, and begins one: the phase is Progressing then, and the request gone. */
export async function beginJob(cluster: TestCluster, name: string, jobID: string): Promise<void> {
  const { client, namespace } = cluster;
  const key = { namespace, name };
  const operation = annotations.operation;
  await waitFor(async () => {
    const found = await client.find(resources.installation, key);
    return found?.metadata.annotations?.[operation] === "reconcile";
  });
  await cluster.setStatus(resources.installation, name, { observedGeneration: 0, jobID, phase: "Progressing" });
  const body = { metadata: { annotations: { [operation]: null } } };
  await client.patch(resources.installation, key, { type: "merge", body });
}
