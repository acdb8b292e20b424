import { groupOf, type ResourceReference } from "../cluster/resource-reference.ts";

/**
 * The order in which objects are applied: what others need comes first (deployers.md §3.3). Namespaces are split off, and
 * ServiceAccounts too: the token controller deletes a token Secret whose account it does not find.
 */
export const manifestGroups = ["crds", "namespaces", "clusterScoped", "serviceAccounts", "namespaced"] as const;
export type ManifestGroup = (typeof manifestGroups)[number];

/** Group of an object; `namespaced` is what discovery says of its kind. */
export function groupOfManifest(reference: ResourceReference, namespaced: boolean): ManifestGroup {
  if (isCustomResourceDefinition(reference)) return "crds";
  const isCore = groupOf(reference.apiVersion) === "";
  if (isNamespace(reference)) return "namespaces";
  if (isCore && reference.kind === "ServiceAccount") return "serviceAccounts";
  return namespaced ? "namespaced" : "clusterScoped";
}

/** Kinds of Kubernetes whose objects have no namespace, by group. */
const clusterScopedKinds: Readonly<Record<string, readonly string[]>> = {
  "": ["Namespace", "Node", "PersistentVolume"],
  "admissionregistration.k8s.io": [
    "MutatingAdmissionPolicy",
    "MutatingAdmissionPolicyBinding",
    "MutatingWebhookConfiguration",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionPolicyBinding",
    "ValidatingWebhookConfiguration",
  ],
  "apiextensions.k8s.io": ["CustomResourceDefinition"],
  "apiregistration.k8s.io": ["APIService"],
  "certificates.k8s.io": ["CertificateSigningRequest", "ClusterTrustBundle"],
  "flowcontrol.apiserver.k8s.io": ["FlowSchema", "PriorityLevelConfiguration"],
  "networking.k8s.io": ["IPAddress", "IngressClass", "ServiceCIDR"],
  "node.k8s.io": ["RuntimeClass"],
  "rbac.authorization.k8s.io": ["ClusterRole", "ClusterRoleBinding"],
  "resource.k8s.io": ["DeviceClass", "ResourceSlice"],
  "scheduling.k8s.io": ["PriorityClass"],
  "storage.k8s.io": ["CSIDriver", "CSINode", "StorageClass", "VolumeAttachment", "VolumeAttributesClass"],
};

/** Returns true for a kind of Kubernetes without namespaces; of other kinds, discovery knows the scope. */
export function isClusterScopedKind({ apiVersion, kind }: Pick<ResourceReference, "apiVersion" | "kind">): boolean {
  return clusterScopedKinds[groupOf(apiVersion)]?.includes(kind) === true;
}

export function isNamespace({ apiVersion, kind }: Pick<ResourceReference, "apiVersion" | "kind">): boolean {
  return apiVersion === "v1" && kind === "Namespace";
}

export function isCustomResourceDefinition(reference: ResourceReference): boolean {
  return reference.kind === "CustomResourceDefinition" && groupOf(reference.apiVersion) === "apiextensions.k8s.io";
}
