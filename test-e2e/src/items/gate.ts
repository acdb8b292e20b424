// A ConfigMap of a target namespace: items whose configuration has the check work until a test makes it.
import { kubeResources } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";

const name = "gate";
const value = "now";

/** Fields of the configuration of an item of the manifest or helm deployer, which is ready when the gate is open. */
export function gateCheck(namespace: string): Readonly<Record<string, unknown>> {
  const resourceSelector = [{ apiVersion: "v1", kind: "ConfigMap", name, namespace }];
  const requirements = [{ jsonPath: ".data.open", operator: "==", values: [{ value }] }];
  return { readinessChecks: { custom: [{ name, resourceSelector, requirements }] } };
}

/** `client` is the target's. */
export async function openGate(client: Client, namespace: string): Promise<void> {
  const metadata = { name, namespace };
  await client.create(kubeResources.configMap, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata,
    data: { open: value },
  });
}
