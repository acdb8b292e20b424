import { claimStrategy } from "../strategies/claim.ts";
import { configMapStrategy } from "../strategies/config-map.ts";
import { eventStrategy } from "../strategies/event.ts";
import { namespaceStrategy } from "../strategies/namespace.ts";
import { nodeStrategy } from "../strategies/node.ts";
import { podStrategy } from "../strategies/pod.ts";
import { withFinalizer } from "../strategies/protection.ts";
import { secretStrategy } from "../strategies/secret.ts";
import { serviceStrategy } from "../strategies/service.ts";
import { podTemplateStrategy, replicationControllerStrategy } from "../strategies/workloads.ts";
import { defineResource } from "./define-resource.ts";
import type { ResourceDefinition } from "./resource-definition.ts";
import { eventFields, fieldsByPath, podFields } from "./selectable-fields.ts";

const core = { group: "", version: "v1" } as const;
const inNamespace = { ...core, namespaced: true } as const;
const clusterScoped = { ...core, namespaced: false } as const;
const scale = { name: "scale", kind: "Scale", group: "autoscaling", version: "v1" } as const;

/** The core group. */
export const coreResources: readonly ResourceDefinition[] = [
  defineResource({
    ...clusterScoped,
    kind: "Namespace",
    plural: "namespaces",
    shortNames: ["ns"],
    status: true,
    returnsDeleted: true,
    verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
    subresources: [{ name: "finalize", kind: "Namespace", verbs: ["update"] }],
    selectableFields: fieldsByPath("status.phase"),
    strategy: namespaceStrategy,
  }),
  defineResource({
    ...inNamespace,
    kind: "Pod",
    plural: "pods",
    shortNames: ["po"],
    categories: ["all"],
    status: true,
    generation: "spec",
    returnsDeleted: true,
    selectableFields: podFields,
    strategy: podStrategy,
  }),
  defineResource({
    ...inNamespace,
    kind: "ConfigMap",
    plural: "configmaps",
    shortNames: ["cm"],
    strategy: configMapStrategy,
  }),
  defineResource({
    ...inNamespace,
    kind: "Secret",
    plural: "secrets",
    selectableFields: fieldsByPath("type"),
    strategy: secretStrategy,
  }),
  defineResource({
    ...inNamespace,
    kind: "Service",
    plural: "services",
    createOnUpdate: true,
    shortNames: ["svc"],
    categories: ["all"],
    status: true,
    returnsDeleted: true,
    selectableFields: fieldsByPath("spec.clusterIP", "spec.type"),
    strategy: serviceStrategy,
  }),
  defineResource({
    ...inNamespace,
    kind: "ServiceAccount",
    plural: "serviceaccounts",
    shortNames: ["sa"],
    returnsDeleted: true,
    subresources: [
      {
        name: "token",
        kind: "TokenRequest",
        group: "authentication.k8s.io",
        version: "v1",
        verbs: ["create"],
      },
    ],
  }),
  defineResource({
    ...inNamespace,
    kind: "Event",
    plural: "events",
    shortNames: ["ev"],
    createOnUpdate: true,
    selectableFields: eventFields,
    strategy: eventStrategy,
  }),
  defineResource({
    ...clusterScoped,
    kind: "Node",
    plural: "nodes",
    shortNames: ["no"],
    status: true,
    createsStatus: true,
    strategy: nodeStrategy,
  }),
  defineResource({
    ...clusterScoped,
    kind: "PersistentVolume",
    plural: "persistentvolumes",
    shortNames: ["pv"],
    status: true,
    returnsDeleted: true,
    strategy: { prepareForCreate: withFinalizer("kubernetes.io/pv-protection") },
  }),
  defineResource({
    ...inNamespace,
    kind: "PersistentVolumeClaim",
    plural: "persistentvolumeclaims",
    shortNames: ["pvc"],
    status: true,
    returnsDeleted: true,
    strategy: claimStrategy,
  }),
  defineResource({
    ...inNamespace,
    kind: "ResourceQuota",
    plural: "resourcequotas",
    shortNames: ["quota"],
    status: true,
    returnsDeleted: true,
  }),
  defineResource({
    ...inNamespace,
    kind: "LimitRange",
    plural: "limitranges",
    shortNames: ["limits"],
    createOnUpdate: true,
  }),
  defineResource({
    ...inNamespace,
    kind: "Endpoints",
    plural: "endpoints",
    singular: "endpoints",
    listKind: "EndpointsList",
    shortNames: ["ep"],
    deprecation: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
    createOnUpdate: true,
  }),
  defineResource({
    ...inNamespace,
    kind: "PodTemplate",
    plural: "podtemplates",
    generation: "all-but-status",
    strategy: podTemplateStrategy,
  }),
  defineResource({
    ...inNamespace,
    kind: "ReplicationController",
    plural: "replicationcontrollers",
    shortNames: ["rc"],
    categories: ["all"],
    status: true,
    generation: "spec",
    subresources: [{ ...scale, verbs: ["get", "patch", "update"] }],
    selectableFields: fieldsByPath("status.replicas"),
    strategy: replicationControllerStrategy,
  }),
];
