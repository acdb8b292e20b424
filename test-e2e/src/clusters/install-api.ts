import { randomUUID } from "node:crypto";
import type { BoundSettings, KubeObject, ResourceType } from "@landscaper/api";
import { generateHubPolicies, generateEnvironmentPolicies, kubeResources } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { createOrReplace, installCrds, waitFor } from "@landscaper/testkit";

/** Several test processes may install the API in one cluster at the same time. */
const probeName = `landscaper-tests-policy-probe-${randomUUID()}`;
const target: ResourceType = {
  group: "landscaper.gardener.cloud",
  version: "v1alpha1",
  kind: "Target",
  plural: "targets",
  namespaced: true,
};

/** A policy that refuses one Target, and its binding. */
const probePolicies: readonly (KubeObject & { readonly spec: unknown })[] = [
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: probeName },
    spec: {
      failurePolicy: "Fail",
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [target.group],
            apiVersions: [target.version],
            operations: ["CREATE"],
            resources: [target.plural],
          },
        ],
      },
      validations: [{ expression: `object.metadata.name != "${probeName}"`, message: "the policies are enforced" }],
    },
  },
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: probeName },
    spec: { policyName: probeName, validationActions: ["Deny"] },
  },
];

/**
 * Waits until the API server enforces all policies and bindings that exist. It lets everything pass until it has compiled a policy, and it compiles them in the
 * order of their creation: once it enforces a new one, it enforces all others.
 */
async function waitForPolicies(client: Client): Promise<void> {
  const probe = {
    apiVersion: `${target.group}/${target.version}`,
    kind: target.kind,
    metadata: { name: probeName, namespace: "default" },
    spec: { type: "probe" },
  };
  for (const policy of probePolicies) await createOrReplace<KubeObject>(client, typeOf(policy), policy);
  await waitFor(async () => {
    try {
      await client.create(target, probe, { dryRun: true });
      return false;
    } catch (error) {
      return error instanceof Error && error.message.includes("the policies are enforced");
    }
  });
  for (const policy of probePolicies.toReversed()) await client.delete(typeOf(policy), { name: probeName });
}

function typeOf({ kind }: KubeObject): ResourceType {
  return kind.endsWith("Binding")
    ? kubeResources.validatingAdmissionPolicyBinding
    : kubeResources.validatingAdmissionPolicy;
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
    await createOrReplace<KubeObject>(client, typeOf(policy), policy);
  }
  await waitForPolicies(client);
}
