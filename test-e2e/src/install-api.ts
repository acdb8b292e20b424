import type { CustomResourceDefinition, KubeObject, ResourceType } from "@landscaper/api";
import { generateAdmissionPolicies, generateCrds, kubeResources } from "@landscaper/api";
import { type Client, isConflict, isNotFound } from "@landscaper/controller-runtime";
import { waitFor } from "@landscaper/testkit";

function isEstablished(crd: CustomResourceDefinition | undefined): boolean {
  return crd?.status?.conditions?.some(({ type, status }) => type === "Established" && status === "True") ?? false;
}

/** Creates the object, or gives the one that is there our fields. */
async function createOrReplace<T extends KubeObject>(client: Client, type: ResourceType<T>, object: T): Promise<void> {
  const { name = "" } = object.metadata;
  const live = await client.find(type, { name });
  try {
    if (live === undefined) await client.create(type, object);
    else {
      const metadata = { ...object.metadata, resourceVersion: live.metadata.resourceVersion ?? "" };
      await client.update(type, { ...object, metadata });
    }
  } catch (error) {
    // Another suite on the same cluster has written the same.
    if (!isConflict(error)) throw error;
  }
}

/** A policy that is not compiled yet lets everything pass: waits until one of ours refuses what it must. */
async function waitForPolicies(client: Client): Promise<void> {
  const probe = {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "Target",
    metadata: { name: "policy-probe", namespace: "default" },
    spec: { type: "probe", config: {}, secretRef: { name: "probe" } },
  };
  const type: ResourceType = {
    group: "landscaper.gardener.cloud",
    version: "v1alpha1",
    kind: "Target",
    plural: "targets",
    namespaced: true,
  };
  await waitFor(
    async () => {
      try {
        await client.create(type, probe, { dryRun: true });
        return false;
      } catch (error) {
        return !isNotFound(error);
      }
    },
    { timeoutMs: 30_000 },
  );
}

/** Puts CRDs and admission policies in place and waits until the API server serves and enforces them. */
export async function installApi(client: Client): Promise<void> {
  const crds = generateCrds();
  await Promise.all(crds.map(async (crd) => createOrReplace(client, kubeResources.customResourceDefinition, crd)));
  for (const policy of generateAdmissionPolicies()) {
    const type = policy.kind.endsWith("Binding")
      ? kubeResources.validatingAdmissionPolicyBinding
      : kubeResources.validatingAdmissionPolicy;
    await createOrReplace<KubeObject>(client, type, policy);
  }
  await waitFor(
    async () => {
      const { items } = await client.list(kubeResources.customResourceDefinition);
      return crds.every((crd) => isEstablished(items.find(({ metadata }) => metadata.name === crd.metadata.name)));
    },
    { timeoutMs: 60_000 },
  );
  await waitForPolicies(client);
}
