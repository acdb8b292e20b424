import { LandscaperError, type KubeObject, type ObjectKey } from "@landscaper/api";
import { canBeName } from "@landscaper/controller-runtime";

/** Names an object of a target cluster; the `resource` of an inventory entry (deployers.md §2). */
export interface ResourceReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Absent (or "") for cluster-scoped objects. */
  readonly namespace?: string | undefined;
  /** Absent while the object is only planned: its creation has not been confirmed. */
  readonly uid?: string | undefined;
}

/** The group of "group/version"; "" for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}

/** The version of "group/version". */
export function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf("/") + 1);
}

/** Kinds that Kubernetes has moved out of the group `extensions`, with their group since (docs/reference/objects-on-targets.md#versions-that-are-no-longer-served). */
const movedFromExtensions: ReadonlyMap<string, string> = new Map([
  ["DaemonSet", "apps"],
  ["Deployment", "apps"],
  ["HorizontalPodAutoscaler", "autoscaling"],
  ["Ingress", "networking.k8s.io"],
  ["Job", "batch"],
  ["NetworkPolicy", "networking.k8s.io"],
  ["PodSecurityPolicy", "policy"],
  ["ReplicaSet", "apps"],
]);

/** Groups in which objects of the kind may be now: its own, and the one that Kubernetes has moved it to. */
export function groupsOfKind(apiVersion: string, kind: string): readonly string[] {
  const group = groupOf(apiVersion);
  const present = presentGroup(group, kind);
  return present === group ? [group] : [group, present];
}

function presentGroup(group: string, kind: string): string {
  return group === "extensions" ? (movedFromExtensions.get(kind) ?? group) : group;
}

/** Reference to `object`, with its uid when the API server has returned it. */
export function referenceTo(object: KubeObject): ResourceReference {
  const { name, namespace, uid } = object.metadata;
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    name: name ?? "",
    ...(namespace === undefined || namespace === "" ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
  };
}

/**
 * Identity of an object within a cluster: group, kind, namespace and name. It does not depend on the version, and the group is the
 * one that Kubernetes has moved the kind to, if it has.
 */
export function resourceId(reference: ResourceReference): string {
  return [
    presentGroup(groupOf(reference.apiVersion), reference.kind),
    reference.kind,
    reference.namespace ?? "",
    reference.name,
  ].join("/");
}

/** The `resourceId`s of objects. */
export function idsOf(objects: readonly KubeObject[]): Set<string> {
  return new Set(objects.map((object) => resourceId(referenceTo(object))));
}

/** "ConfigMap default/foo" or "Namespace foo": how messages name an object. */
export function formatResource(reference: ResourceReference): string {
  const { kind, namespace, name } = reference;
  return namespace === undefined || namespace === "" ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/** Returns true if an object can have this reference. `namespaced` comes from discovery. Manifests and inventories are data: they may have others. */
export function isAddressable({ namespace, name }: ResourceReference, namespaced: boolean): boolean {
  return canBeName(name) && (!namespaced || (namespace !== undefined && canBeName(namespace)));
}

/** Key of the object for the client; `namespaced` comes from discovery and wins over what the reference says. Throws LandscaperError without a namespace. */
export function keyOfReference(reference: ResourceReference, namespaced: boolean): ObjectKey {
  if (!namespaced) return { name: reference.name };
  if (reference.namespace === undefined || reference.namespace === "") throw missingNamespace(reference);
  return { namespace: reference.namespace, name: reference.name };
}

export function missingNamespace(reference: ResourceReference): LandscaperError {
  return new LandscaperError({
    message: `${formatResource(reference)}: metadata.namespace is missing, but kind ${reference.kind} is namespaced`,
    reason: "InvalidManifest",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: 'add a line to metadata, such as "namespace: default"',
    retry: "never",
  });
}
