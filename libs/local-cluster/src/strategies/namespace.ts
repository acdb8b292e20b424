import type { UnstructuredObject } from "@landscaper/api";
import { listAt, recordAt } from "../objects/json.ts";
import { dnsLabelProblems } from "../objects/validate-names.ts";
import type { Strategy } from "../resources/resource-definition.ts";

const nameLabel = "kubernetes.io/metadata.name";

/** Namespaces: their name as label, their finalizers in spec, and their phase. */
export const namespaceStrategy: Strategy = {
  validateName: dnsLabelProblems,
  prepareForCreate: (namespace) => {
    const given = listAt(namespace, "spec", "finalizers");
    const finalizers = given.includes("kubernetes") ? given : [...given, "kubernetes"];
    return { ...withNameLabel(namespace), spec: { finalizers }, status: { phase: "Active" } };
  },
  // Only the finalize subresource changes the finalizers.
  prepareForUpdate: (namespace, old) => ({ ...withNameLabel(namespace), spec: old["spec"] ?? {} }),
  isHeld: (namespace) => listAt(namespace, "spec", "finalizers").length > 0,
  prepareForDelete: (namespace) => ({
    ...namespace,
    status: { ...recordAt(namespace, "status"), phase: "Terminating" },
  }),
};

function withNameLabel(namespace: UnstructuredObject): UnstructuredObject {
  const { metadata } = namespace;
  return { ...namespace, metadata: { ...metadata, labels: { ...metadata.labels, [nameLabel]: metadata.name ?? "" } } };
}
