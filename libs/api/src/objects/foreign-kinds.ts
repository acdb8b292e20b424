import type { KubeObject, ResourceType } from "./kube-object.ts";

/** Structural types of the Kubernetes kinds that several packages read or write; only the fields that we use. */
export interface Secret extends KubeObject {
  type?: string;
  /** Base64. */
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  immutable?: boolean;
}

export interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
  /** Base64. */
  binaryData?: Record<string, string>;
  immutable?: boolean;
}

export interface Namespace extends KubeObject {
  spec?: { finalizers?: string[] };
  status?: { phase?: string };
}

export interface ServiceAccount extends KubeObject {
  secrets?: { name?: string }[];
  imagePullSecrets?: { name?: string }[];
  automountServiceAccountToken?: boolean;
}

export interface WorkloadCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}

interface TerminatedState {
  exitCode: number;
  signal?: number;
  reason?: string;
  message?: string;
  startedAt?: string;
  finishedAt?: string;
}

export interface ContainerState {
  waiting?: { reason?: string; message?: string };
  running?: { startedAt?: string };
  terminated?: TerminatedState;
}

export interface ContainerStatus {
  name: string;
  ready?: boolean;
  restartCount?: number;
  image?: string;
  imageID?: string;
  state?: ContainerState;
  /** State before the kubelet restarted the container. */
  lastState?: ContainerState;
}

export interface Pod extends KubeObject {
  spec?: Record<string, unknown>;
  status?: {
    phase?: string;
    reason?: string;
    message?: string;
    conditions?: WorkloadCondition[];
    containerStatuses?: ContainerStatus[];
    initContainerStatuses?: ContainerStatus[];
  };
}

interface ReplicaStatus {
  observedGeneration?: number;
  replicas?: number;
  readyReplicas?: number;
  updatedReplicas?: number;
  availableReplicas?: number;
  conditions?: WorkloadCondition[];
}

export interface Deployment extends KubeObject {
  spec?: { replicas?: number; paused?: boolean; [field: string]: unknown };
  status?: ReplicaStatus & { unavailableReplicas?: number };
}

export interface StatefulSet extends KubeObject {
  spec?: {
    replicas?: number;
    updateStrategy?: { type?: string; rollingUpdate?: { partition?: number } };
    [field: string]: unknown;
  };
  status?: ReplicaStatus & { currentReplicas?: number; currentRevision?: string; updateRevision?: string };
}

export interface ReplicaSet extends KubeObject {
  spec?: { replicas?: number; [field: string]: unknown };
  status?: ReplicaStatus;
}

export interface DaemonSet extends KubeObject {
  spec?: { updateStrategy?: { type?: string }; [field: string]: unknown };
  status?: {
    observedGeneration?: number;
    currentNumberScheduled?: number;
    desiredNumberScheduled?: number;
    numberReady?: number;
    numberAvailable?: number;
    updatedNumberScheduled?: number;
    conditions?: WorkloadCondition[];
  };
}

export interface Job extends KubeObject {
  spec?: { completions?: number; parallelism?: number; suspend?: boolean; [field: string]: unknown };
  status?: { active?: number; succeeded?: number; failed?: number; conditions?: WorkloadCondition[] };
}

/** coordination.k8s.io/v1 */
export interface Lease extends KubeObject {
  spec?: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    /** RFC 3339 with microseconds. */
    acquireTime?: string;
    renewTime?: string;
    leaseTransitions?: number;
  };
}

/** events.k8s.io/v1 */
export interface KubeEvent extends KubeObject {
  /** RFC 3339 with microseconds. */
  eventTime?: string;
  reportingController?: string;
  reportingInstance?: string;
  action?: string;
  reason?: string;
  note?: string;
  type?: string;
  regarding?: ObjectReference;
  related?: ObjectReference;
  series?: { count: number; lastObservedTime: string };
}

export interface ObjectReference {
  apiVersion?: string;
  kind?: string;
  name?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  fieldPath?: string;
}

/** One rule of rbac.authorization.k8s.io/v1. */
export interface PolicyRule {
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  verbs: string[];
}

export interface Role extends KubeObject {
  rules?: PolicyRule[];
}

export interface ClusterRole extends KubeObject {
  rules?: PolicyRule[];
}

export interface RbacSubject {
  kind: string;
  apiGroup?: string;
  name: string;
  namespace?: string;
}

/** ClusterRoleBinding and RoleBinding alike. */
export interface RoleBinding extends KubeObject {
  roleRef: { apiGroup: string; kind: string; name: string };
  subjects?: RbacSubject[];
}

/** Schema of one version of a CRD: the part of OpenAPI v3 that Kubernetes calls structural. */
export interface StructuralSchema {
  type?: string;
  format?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  nullable?: boolean;
  properties?: Record<string, StructuralSchema>;
  additionalProperties?: StructuralSchema | boolean;
  items?: StructuralSchema;
  required?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  pattern?: string;
  anyOf?: StructuralSchema[];
  "x-kubernetes-preserve-unknown-fields"?: boolean;
  "x-kubernetes-embedded-resource"?: boolean;
  "x-kubernetes-int-or-string"?: boolean;
  "x-kubernetes-list-type"?: string;
  "x-kubernetes-list-map-keys"?: string[];
  "x-kubernetes-map-type"?: string;
  "x-kubernetes-validations"?: ValidationRule[];
}

/** CEL rule of a CRD. */
export interface ValidationRule {
  rule: string;
  message?: string;
  messageExpression?: string;
  reason?: string;
  fieldPath?: string;
  optionalOldSelf?: boolean;
}

export interface CustomResourceDefinitionVersion {
  name: string;
  served: boolean;
  storage: boolean;
  schema?: { openAPIV3Schema?: StructuralSchema };
  subresources?: { status?: Record<string, never>; scale?: Record<string, unknown> };
  additionalPrinterColumns?: {
    name: string;
    type: string;
    jsonPath: string;
    description?: string;
    priority?: number;
  }[];
}

export interface CustomResourceDefinition extends KubeObject {
  spec: {
    group: string;
    names: {
      kind: string;
      plural: string;
      singular?: string;
      listKind?: string;
      shortNames?: string[];
      categories?: string[];
    };
    scope: "Namespaced" | "Cluster";
    versions: CustomResourceDefinitionVersion[];
    preserveUnknownFields?: boolean;
  };
  status?: {
    conditions?: WorkloadCondition[];
    acceptedNames?: Record<string, unknown>;
    storedVersions?: string[];
  };
}

/** admissionregistration.k8s.io/v1 */
export interface ValidatingAdmissionPolicy extends KubeObject {
  spec: {
    failurePolicy?: "Fail" | "Ignore";
    matchConstraints?: {
      resourceRules?: {
        apiGroups: string[];
        apiVersions: string[];
        operations: string[];
        resources: string[];
        scope?: string;
      }[];
      matchPolicy?: string;
      namespaceSelector?: Record<string, unknown>;
      objectSelector?: Record<string, unknown>;
    };
    matchConditions?: { name: string; expression: string }[];
    variables?: { name: string; expression: string }[];
    validations?: { expression: string; message?: string; messageExpression?: string; reason?: string }[];
  };
  status?: Record<string, unknown>;
}

export interface ValidatingAdmissionPolicyBinding extends KubeObject {
  spec: { policyName: string; validationActions: string[]; matchResources?: Record<string, unknown> };
}

function type<T extends KubeObject>(group: string, version: string, names: readonly [string, string]): ResourceType<T> {
  return { group, version, kind: names[0], plural: names[1], namespaced: true };
}

function clusterType<T extends KubeObject>(group: string, names: readonly [string, string]): ResourceType<T> {
  return { ...type<T>(group, "v1", names), namespaced: false };
}

/** Where the Kubernetes kinds that we use live. */
export const kubeResources = {
  secret: type<Secret>("", "v1", ["Secret", "secrets"]),
  configMap: type<ConfigMap>("", "v1", ["ConfigMap", "configmaps"]),
  namespace: clusterType<Namespace>("", ["Namespace", "namespaces"]),
  serviceAccount: type<ServiceAccount>("", "v1", ["ServiceAccount", "serviceaccounts"]),
  pod: type<Pod>("", "v1", ["Pod", "pods"]),
  role: type<Role>("rbac.authorization.k8s.io", "v1", ["Role", "roles"]),
  roleBinding: type<RoleBinding>("rbac.authorization.k8s.io", "v1", ["RoleBinding", "rolebindings"]),
  event: type<KubeEvent>("events.k8s.io", "v1", ["Event", "events"]),
  lease: type<Lease>("coordination.k8s.io", "v1", ["Lease", "leases"]),
  deployment: type<Deployment>("apps", "v1", ["Deployment", "deployments"]),
  statefulSet: type<StatefulSet>("apps", "v1", ["StatefulSet", "statefulsets"]),
  daemonSet: type<DaemonSet>("apps", "v1", ["DaemonSet", "daemonsets"]),
  replicaSet: type<ReplicaSet>("apps", "v1", ["ReplicaSet", "replicasets"]),
  job: type<Job>("batch", "v1", ["Job", "jobs"]),
  clusterRole: clusterType<ClusterRole>("rbac.authorization.k8s.io", ["ClusterRole", "clusterroles"]),
  clusterRoleBinding: clusterType<RoleBinding>("rbac.authorization.k8s.io", [
    "ClusterRoleBinding",
    "clusterrolebindings",
  ]),
  customResourceDefinition: clusterType<CustomResourceDefinition>("apiextensions.k8s.io", [
    "CustomResourceDefinition",
    "customresourcedefinitions",
  ]),
  validatingAdmissionPolicy: clusterType<ValidatingAdmissionPolicy>("admissionregistration.k8s.io", [
    "ValidatingAdmissionPolicy",
    "validatingadmissionpolicies",
  ]),
  validatingAdmissionPolicyBinding: clusterType<ValidatingAdmissionPolicyBinding>("admissionregistration.k8s.io", [
    "ValidatingAdmissionPolicyBinding",
    "validatingadmissionpolicybindings",
  ]),
} as const;
