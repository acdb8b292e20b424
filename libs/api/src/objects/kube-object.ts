/** Kubernetes object metadata, the fields that we read or write. Unknown fields are kept by all our code. */
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  managedFields?: unknown[];
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** Any Kubernetes object. Kinds extend it with their own fields. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/** An object of a kind that we have no type for. */
export interface UnstructuredObject extends KubeObject {
  [field: string]: unknown;
}

/** Where a kind lives in the Kubernetes API; `T` ties it to its TypeScript type. */
export interface ResourceType<T extends KubeObject = KubeObject> {
  /** API group, "" for core. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Lower-case plural, the path segment. */
  readonly plural: string;
  readonly namespaced: boolean;
  /** Never present at run time: carries `T` for inference. */
  readonly objectType?: T;
}

/** Name of an object; `namespace` is absent for cluster-scoped kinds. */
export interface ObjectKey {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** "group/version" or "version" for the core group. */
export function apiVersionOf(type: Pick<ResourceType, "group" | "version">): string {
  return type.group === "" ? type.version : `${type.group}/${type.version}`;
}

/** The key of an object that the API server has returned. */
export function keyOf(object: KubeObject): ObjectKey {
  return { namespace: object.metadata.namespace, name: object.metadata.name ?? "" };
}

/** "namespace/name", or "name" for cluster-scoped objects: the form of queue keys and log lines. */
export function formatKey(key: ObjectKey): string {
  return key.namespace === undefined ? key.name : `${key.namespace}/${key.name}`;
}
