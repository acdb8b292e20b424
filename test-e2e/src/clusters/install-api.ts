import type { BoundSettings, KubeObject, ResourceType } from "@landscaper/api";
import { generateHubPolicies, generateEnvironmentPolicies, kubeResources } from "@landscaper/api";
import { type Client, isNotFound } from "@landscaper/controller-runtime";
import { createOrReplace, installCrds, waitFor } from "@landscaper/testkit";

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
  await waitFor(async () => {
    try {
      await client.create(type, probe, { dryRun: true });
      return false;
    } catch (error) {
      return !isNotFound(error);
    }
  });
}

/** The clusters of the tests have many namespaces of deployer management. */
export const testBoundSettings: BoundSettings = {
  management: undefined,
  core: "landscaper-system",
  hubEnvironments: ["hub-of-tests"],
};

/** Puts CRDs and admission policies in place and waits until the API server serves and enforces them. */
export async function installApi(client: Client): Promise<void> {
  await installCrds(client);
  for (const policy of [...generateHubPolicies(), ...generateEnvironmentPolicies(testBoundSettings)]) {
    const type = policy.kind.endsWith("Binding")
      ? kubeResources.validatingAdmissionPolicyBinding
      : kubeResources.validatingAdmissionPolicy;
    await createOrReplace<KubeObject>(client, type, policy);
  }
  await waitForPolicies(client);
}
