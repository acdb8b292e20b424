/** How strategic merge patch treats one field. A list without `merge` is replaced, an object without `replace` is merged. */
export interface FieldStrategy {
  readonly list?: "merge";
  readonly object?: "replace";
  /** Patches name all fields that the object (or the item) may keep, because it is of one kind at a time. */
  readonly retainsKeys?: true;
  /** Field that identifies the items of a merged list of objects; absent for lists of scalars. */
  readonly mergeKey?: string;
  /** Strategies below: of the object, or of the items of a merged list. */
  readonly fields?: StrategicFields;
}

/** Only fields that differ from the default, or that lead to such fields. */
export interface StrategicFields {
  readonly [field: string]: FieldStrategy;
}

// The tables below are the patchStrategy and patchMergeKey tags of the Go types of Kubernetes 1.34 (also published in its OpenAPI document).

function mergeBy(mergeKey: string, fields: StrategicFields = {}): FieldStrategy {
  return { list: "merge", mergeKey, fields };
}

function inside(fields: StrategicFields): FieldStrategy {
  return { fields };
}

const mergedScalars: FieldStrategy = { list: "merge" };
const conditions: FieldStrategy = inside({ conditions: mergeBy("type") });

const metadata: FieldStrategy = inside({ finalizers: mergedScalars, ownerReferences: mergeBy("uid") });

const container: StrategicFields = {
  env: mergeBy("name"),
  ports: mergeBy("containerPort"),
  volumeDevices: mergeBy("devicePath"),
  volumeMounts: mergeBy("mountPath"),
};

const podSpec: FieldStrategy = inside({
  containers: mergeBy("name", container),
  ephemeralContainers: mergeBy("name", container),
  hostAliases: mergeBy("ip"),
  imagePullSecrets: mergeBy("name"),
  initContainers: mergeBy("name", container),
  resourceClaims: mergeBy("name"),
  schedulingGates: mergeBy("name"),
  topologySpreadConstraints: mergeBy("topologyKey"),
  volumes: { ...mergeBy("name"), retainsKeys: true },
});

const podStatus: FieldStrategy = inside({
  conditions: mergeBy("type"),
  hostIPs: mergeBy("ip"),
  podIPs: mergeBy("ip"),
  resourceClaimStatuses: mergeBy("name"),
});

const podTemplate: FieldStrategy = inside({ metadata, spec: podSpec });
const templateSpec: FieldStrategy = inside({ template: podTemplate });
const deployment: FieldStrategy = { fields: { template: podTemplate, strategy: { retainsKeys: true } } };
const workload: StrategicFields = { spec: templateSpec, status: conditions };
const statusOnly: StrategicFields = { status: conditions };
const webhooks: StrategicFields = { webhooks: mergeBy("name", { matchConditions: mergeBy("name") }) };

const core = {
  ComponentStatus: { conditions: mergeBy("type") },
  Namespace: statusOnly,
  Node: {
    spec: inside({ podCIDRs: mergedScalars }),
    status: inside({ addresses: mergeBy("type"), conditions: mergeBy("type") }),
  },
  PersistentVolumeClaim: statusOnly,
  Pod: { spec: podSpec, status: podStatus },
  PodTemplate: { template: podTemplate },
  ReplicationController: workload,
  Service: { spec: inside({ ports: mergeBy("port") }), status: conditions },
  ServiceAccount: { secrets: mergeBy("name") },
};

/** Kinds of the built-in groups with strategies beyond those of `metadata`. */
const kindsByGroup: Readonly<Record<string, Readonly<Record<string, StrategicFields>>>> = {
  "": core,
  "admissionregistration.k8s.io": {
    MutatingWebhookConfiguration: webhooks,
    ValidatingAdmissionPolicy: { spec: inside({ matchConditions: mergeBy("name"), variables: mergeBy("name") }) },
    ValidatingWebhookConfiguration: webhooks,
  },
  "apiextensions.k8s.io": {},
  "apiregistration.k8s.io": { APIService: statusOnly },
  apps: {
    DaemonSet: workload,
    Deployment: { spec: deployment, status: conditions },
    ReplicaSet: workload,
    StatefulSet: workload,
  },
  "authentication.k8s.io": {},
  "authorization.k8s.io": {},
  autoscaling: { HorizontalPodAutoscaler: statusOnly },
  batch: {
    CronJob: { spec: inside({ jobTemplate: inside({ metadata, spec: templateSpec }) }) },
    Job: workload,
  },
  "certificates.k8s.io": {},
  "coordination.k8s.io": {},
  "discovery.k8s.io": {},
  "events.k8s.io": {},
  "flowcontrol.apiserver.k8s.io": { FlowSchema: statusOnly, PriorityLevelConfiguration: statusOnly },
  "networking.k8s.io": { ServiceCIDR: statusOnly },
  "node.k8s.io": {},
  policy: { PodDisruptionBudget: { spec: inside({ selector: { object: "replace" } }), status: conditions } },
  "rbac.authorization.k8s.io": {},
  "resource.k8s.io": { ResourceClaim: { status: inside({ reservedFor: mergeBy("uid") }) } },
  "scheduling.k8s.io": {},
  "storage.k8s.io": { CSINode: { spec: inside({ drivers: mergeBy("name") }) } },
};

/** Whether the API server accepts strategic merge patches for this kind: built-in groups only, custom resources answer 415. */
export function hasStrategicSchema(apiVersion: string, _kind: string): boolean {
  return Object.hasOwn(kindsByGroup, groupOf(apiVersion));
}

/** The strategies of a kind, or `undefined` when its group is not built in. */
export function strategicFieldsOf(apiVersion: string, kind: string): StrategicFields | undefined {
  const group = groupOf(apiVersion);
  const kinds = Object.hasOwn(kindsByGroup, group) ? kindsByGroup[group] : undefined;
  if (kinds === undefined) {
    return undefined;
  }
  return Object.hasOwn(kinds, kind) ? { metadata, ...kinds[kind] } : { metadata };
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}
