import { kubeResources, resources } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { waitFor } from "@landscaper/testkit";

const name = "descriptors.conformance.test";
const probe = "descriptor-probe";
const inline = "object.spec.componentDescriptor.inline";
const component = `${inline}.component`;

/** As CEL, with the messages of refusals. The fields are those that the original's schema of descriptors requires. */
const validations = [
  {
    expression: `has(object.spec.componentDescriptor) && has(${inline})`,
    message: "spec.componentDescriptor.inline: expected a component descriptor, found none",
  },
  {
    expression: `${inline}.meta.schemaVersion == 'v2'`,
    message: "spec.componentDescriptor.inline.meta.schemaVersion: expected v2",
  },
  {
    expression: ["name", "version", "provider"].map((field) => `${component}.${field} != ''`).join(" && "),
    message: "spec.componentDescriptor.inline.component: expected name, version and provider",
  },
  {
    expression: `size(${component}.repositoryContexts) > 0`,
    message: "spec.componentDescriptor.inline.component.repositoryContexts: expected at least one",
  },
  {
    expression: ["sources", "componentReferences", "resources"].map((list) => `has(${component}.${list})`).join(" && "),
    message: "spec.componentDescriptor.inline.component: expected the lists sources, componentReferences and resources",
  },
];

/** A real API server needs a moment until a policy counts: waits until it refuses an Installation without a descriptor. */
async function waitUntilEnforced(client: Client): Promise<void> {
  const installation = {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "Installation",
    metadata: { name: probe, namespace: "default" },
    spec: { blueprint: { inline: { filesystem: {} } } },
  };
  await waitFor(
    async () =>
      client.create(resources.installation, installation, { dryRun: true }).then(
        () => false,
        () => true,
      ),
    { intervalMs: 100 },
  );
}

/**
 * Lets the API server refuse Installations without a whole inline component descriptor in namespaces of the conformance suite, as the webhooks of
 * the original do. Returns what takes the policy away.
 */
export async function requireDescriptors(client: Client): Promise<() => Promise<void>> {
  await client.create(kubeResources.validatingAdmissionPolicy, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: {
      failurePolicy: "Fail",
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ["landscaper.gardener.cloud"],
            apiVersions: ["v1alpha1"],
            operations: ["CREATE", "UPDATE"],
            resources: ["installations"],
          },
        ],
      },
      matchConditions: [
        // Others may use the cluster at the same time.
        {
          name: "conformance",
          expression: `object.metadata.namespace.startsWith('conformance-') || object.metadata.name == '${probe}'`,
        },
      ],
      validations,
    },
  });
  await client.create(kubeResources.validatingAdmissionPolicyBinding, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName: name, validationActions: ["Deny"] },
  });
  await waitUntilEnforced(client);
  return async () => {
    await client.delete(kubeResources.validatingAdmissionPolicyBinding, { name });
    await client.delete(kubeResources.validatingAdmissionPolicy, { name });
  };
}
