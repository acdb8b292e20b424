import { cronJobStrategy, jobStrategy } from "../strategies/jobs.ts";
import {
  controllerRevisionStrategy,
  daemonSetStrategy,
  deploymentStrategy,
  statefulSetStrategy,
} from "../strategies/workloads.ts";
import { defineResource } from "./define-resource.ts";
import type { ResourceDefinition, SubresourceDefinition } from "./resource-definition.ts";
import { fieldsByPath } from "./selectable-fields.ts";

const scale: SubresourceDefinition = {
  name: "scale",
  kind: "Scale",
  group: "autoscaling",
  version: "v1",
  verbs: ["get", "patch", "update"],
};
const apps = { group: "apps", version: "v1", namespaced: true } as const;
const batch = { group: "batch", version: "v1", namespaced: true } as const;
const workload = { categories: ["all"], status: true, generation: "spec" } as const;

/** apps and batch. Nothing runs here: tests that need running pods write their status. */
export const workloadResources: readonly ResourceDefinition[] = [
  defineResource({
    ...apps,
    ...workload,
    kind: "Deployment",
    plural: "deployments",
    shortNames: ["deploy"],
    strategy: deploymentStrategy,
    subresources: [scale],
  }),
  defineResource({
    ...apps,
    ...workload,
    kind: "DaemonSet",
    plural: "daemonsets",
    shortNames: ["ds"],
    strategy: daemonSetStrategy,
  }),
  defineResource({
    ...apps,
    ...workload,
    kind: "ReplicaSet",
    plural: "replicasets",
    shortNames: ["rs"],
    strategy: deploymentStrategy,
    subresources: [scale],
    selectableFields: fieldsByPath("status.replicas"),
  }),
  defineResource({
    ...apps,
    ...workload,
    kind: "StatefulSet",
    plural: "statefulsets",
    shortNames: ["sts"],
    strategy: statefulSetStrategy,
    subresources: [scale],
  }),
  defineResource({
    ...apps,
    kind: "ControllerRevision",
    plural: "controllerrevisions",
    strategy: controllerRevisionStrategy,
  }),
  defineResource({
    ...batch,
    ...workload,
    kind: "Job",
    plural: "jobs",
    strategy: jobStrategy,
    selectableFields: fieldsByPath("status.successful"),
  }),
  defineResource({
    ...batch,
    ...workload,
    kind: "CronJob",
    plural: "cronjobs",
    shortNames: ["cj"],
    strategy: cronJobStrategy,
  }),
];
