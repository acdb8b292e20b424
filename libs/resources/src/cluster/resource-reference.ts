import type { KubeObject, ObjectKey } from "@landscaper/api";

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

/** Identity of an object within a cluster, independent of its version: group, kind, namespace and name. */
export function resourceId(reference: ResourceReference): string {
  return [groupOf(reference.apiVersion), reference.kind, reference.namespace ?? "", reference.name].join("/");
}

/** "ConfigMap default/foo" or "Namespace foo": how messages name an object. */
export function formatResource(reference: ResourceReference): string {
  const { kind, namespace, name } = reference;
  return namespace === undefined || namespace === "" ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/** Key of the object for the client; `namespaced` comes from discovery and wins over what the reference says. */
export function keyOfReference(reference: ResourceReference, namespaced: boolean): ObjectKey {
  return namespaced ? { namespace: reference.namespace, name: reference.name } : { name: reference.name };
}
