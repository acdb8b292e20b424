import { validateBalancerStatus } from "../strategies/balancer-status.ts";
import { crdStrategy } from "../custom-resources/crd-strategy.ts";
import { apiServiceStrategy } from "../strategies/api-service.ts";
import { priorityClassStrategy } from "../strategies/priority-class.ts";
import { currentEventStrategy } from "../strategies/event.ts";
import { defineResource } from "./define-resource.ts";
import { toCoreEvent, toCurrentEvent } from "./event-conversion.ts";
import type { ResourceDefinition } from "./resource-definition.ts";
import { newEventFields } from "./selectable-fields.ts";

const networking = { group: "networking.k8s.io", version: "v1" } as const;

/** Everything else that the cluster knows from the start. */
export const infrastructureResources: readonly ResourceDefinition[] = [
  defineResource({
    group: "events.k8s.io",
    version: "v1",
    kind: "Event",
    plural: "events",
    namespaced: true,
    shortNames: ["ev"],
    storage: "events",
    createOnUpdate: true,
    selectableFields: newEventFields,
    strategy: currentEventStrategy,
    convert: { fromStorage: toCurrentEvent, toStorage: toCoreEvent },
  }),
  defineResource({
    group: "coordination.k8s.io",
    version: "v1",
    kind: "Lease",
    plural: "leases",
    namespaced: true,
    createOnUpdate: true,
    unconditionalUpdate: false,
    strategy: { allowsBareFinalizers: true },
  }),
  defineResource({
    ...networking,
    kind: "Ingress",
    plural: "ingresses",
    namespaced: true,
    shortNames: ["ing"],
    status: true,
    generation: "spec",
    strategy: { validateStatus: validateBalancerStatus },
  }),
  defineResource({
    ...networking,
    kind: "IngressClass",
    plural: "ingressclasses",
    namespaced: false,
    generation: "spec",
  }),
  defineResource({
    ...networking,
    kind: "NetworkPolicy",
    plural: "networkpolicies",
    namespaced: true,
    shortNames: ["netpol"],
    generation: "spec",
  }),
  defineResource({
    group: "scheduling.k8s.io",
    version: "v1",
    kind: "PriorityClass",
    plural: "priorityclasses",
    namespaced: false,
    shortNames: ["pc"],
    generation: "all-but-status",
    strategy: priorityClassStrategy,
  }),
  defineResource({
    group: "storage.k8s.io",
    version: "v1",
    kind: "StorageClass",
    plural: "storageclasses",
    namespaced: false,
    shortNames: ["sc"],
  }),
  defineResource({
    group: "discovery.k8s.io",
    version: "v1",
    kind: "EndpointSlice",
    plural: "endpointslices",
    namespaced: true,
  }),
  defineResource({
    group: "autoscaling",
    version: "v2",
    kind: "HorizontalPodAutoscaler",
    plural: "horizontalpodautoscalers",
    namespaced: true,
    shortNames: ["hpa"],
    categories: ["all"],
    status: true,
  }),
  defineResource({
    group: "apiregistration.k8s.io",
    version: "v1",
    kind: "APIService",
    plural: "apiservices",
    namespaced: false,
    categories: ["api-extensions"],
    status: true,
    unconditionalUpdate: false,
    strategy: apiServiceStrategy,
  }),
  defineResource({
    group: "apiextensions.k8s.io",
    version: "v1",
    kind: "CustomResourceDefinition",
    plural: "customresourcedefinitions",
    namespaced: false,
    shortNames: ["crd", "crds"],
    categories: ["api-extensions"],
    status: true,
    generation: "spec",
    strategy: crdStrategy,
  }),
];
