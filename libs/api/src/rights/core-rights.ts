import { groupName } from "../objects/api-group.ts";
import { generateHubPolicies, generateEnvironmentPolicies, type AdmissionObject } from "../objects/policies.ts";
import { kinds, resources } from "../objects/resources.ts";
import type { Right } from "./right.ts";

/** What the core does on the landscaper cluster, in all namespaces. */
export const coreRights: readonly Right[] = [
  {
    group: groupName,
    resources: ["installations", "executions", "deployitems"],
    verbs: ["get", "list", "watch", "create", "update", "patch", "delete"],
    why: "Runs the jobs of Installations and Executions: creates, updates and deletes what is below them, and adds finalizers and annotations.",
  },
  {
    group: groupName,
    resources: ["installations/status", "executions/status", "deployitems/status"],
    verbs: ["update"],
    why: "Writes phases, job IDs and errors.",
  },
  {
    group: groupName,
    resources: ["dataobjects"],
    verbs: ["get", "list", "watch", "create", "update", "delete"],
    why: "Reads imports; writes exports and copies of imports in scopes.",
  },
  {
    group: groupName,
    resources: ["targets"],
    verbs: ["get", "list", "watch", "create", "update", "patch", "delete"],
    why: "Reads imports; writes exports, copies of imports in scopes, and the Targets of TargetSyncs. Adds and removes the finalizer of Targets in use.",
  },
  {
    group: groupName,
    resources: ["contexts"],
    verbs: ["get", "list", "watch", "create", "update", "patch"],
    why: 'Finds out where components come from, and keeps a Context "default" in each namespace. Adds and removes the finalizer of Contexts in use.',
  },
  {
    group: groupName,
    resources: ["componentversionoverwrites"],
    verbs: ["get"],
    why: "Reads which component versions a Context replaces.",
  },
  {
    group: groupName,
    resources: ["targetsyncs"],
    verbs: ["list", "watch", "patch"],
    why: "Adds and removes the finalizer of TargetSyncs, and removes annotations that ask for a synchronization when it is done.",
  },
  {
    group: groupName,
    resources: ["targetsyncs/status"],
    verbs: ["patch"],
    why: "Writes what the last synchronization has led to.",
  },
  {
    group: "",
    resources: ["namespaces"],
    verbs: ["list", "watch"],
    why: "Learns of new namespaces, for their default Context.",
  },
  {
    group: "",
    resources: ["secrets"],
    verbs: ["get", "list", "watch", "create", "update", "patch", "delete"],
    why: "Reads imports, exports of deploy items, credentials of registries, and kubeconfigs; watches the metadata of Secrets for jobs on change. Writes the states of templates, and the Secrets of TargetSyncs, whose tokens it renews. Adds and removes the finalizer of Secrets in use. Creates the Secret with the id of the landscaper cluster.",
  },
  {
    group: "",
    resources: ["configmaps"],
    verbs: ["get", "list", "watch"],
    why: "Reads imports and configurations of OCM; watches the metadata of ConfigMaps for jobs on change.",
  },
  {
    group: "",
    resources: ["serviceaccounts/token"],
    verbs: ["create"],
    why: "Mints the tokens of Targets with selfConfig or oidcConfig, for template functions that ask a cluster.",
  },
  {
    group: "events.k8s.io",
    resources: ["events"],
    verbs: ["create", "patch"],
    why: "Tells users what jobs come to, and counts repetitions.",
  },
];

/** What applying the CRDs of these kinds takes: all, or those that are named. */
export function crdRights(names: readonly string[] = kinds.map(({ type }) => type.plural)): readonly Right[] {
  const shared = { group: "apiextensions.k8s.io", resources: ["customresourcedefinitions"] };
  return [
    {
      ...shared,
      verbs: ["create"],
      why: "Brings CustomResourceDefinitions that are absent. Rights to create objects cannot be restricted by name.",
    },
    {
      ...shared,
      resourceNames: names.map((name) => `${name}.${groupName}`).toSorted(),
      verbs: ["get", "watch", "update"],
      why: "Updates those of an earlier release, and waits until each is served.",
    },
  ];
}

const admission = {
  group: "admissionregistration.k8s.io",
  resources: ["validatingadmissionpolicies", "validatingadmissionpolicybindings"],
};
const namesOf = (objects: readonly AdmissionObject[]): readonly string[] =>
  [...new Set(objects.map(({ metadata }) => metadata.name ?? ""))].toSorted();

/** What applying the admission policies takes, beside `boundsRights` for those that bound the accounts of Environments. */
export const policyRights: readonly Right[] = [
  {
    ...admission,
    verbs: ["create"],
    why: "Brings admission policies that are absent. Rights to create objects cannot be restricted by name.",
  },
  {
    ...admission,
    resourceNames: namesOf(generateHubPolicies()),
    verbs: ["get"],
    why: "Compares those that check objects of users with those of this release.",
  },
  {
    ...admission,
    resourceNames: namesOf([...generateHubPolicies(), ...generateEnvironmentPolicies()]),
    verbs: ["update"],
    why: "Updates those of an earlier release.",
  },
];

/** What it takes to find out whether the accounts of Environments are bounded. */
export const boundsRights: readonly Right[] = [
  {
    ...admission,
    resourceNames: namesOf(generateEnvironmentPolicies()),
    verbs: ["get"],
    why: "Finds out whether the policies that bound the accounts of Environments are those of this release.",
  },
];

/** Kinds that tell how the Landscaper itself is; their objects are in the cluster that it runs in. */
export const hostKinds: readonly string[] = [resources.lsHealthCheck.plural, resources.criticalProblems.plural];

/** Names of the Leases by which several cores elect leaders. */
export const coreLeaseNames: readonly string[] = ["landscaper-core", "landscaper-core-main", "landscaper-core-central"];
/** Name of the one CriticalProblems object of a namespace. */
export const criticalProblemsName = "critical-problems";

/** With leader election, in the namespace of the core. */
export const electionRights: readonly Right[] = [
  {
    group: "coordination.k8s.io",
    resources: ["leases"],
    verbs: ["create"],
    why: "Elects a leader among several cores. Rights to create objects cannot be restricted by name.",
  },
  {
    group: "coordination.k8s.io",
    resources: ["leases"],
    resourceNames: coreLeaseNames,
    verbs: ["get", "watch", "update"],
    why: "Waits for the Leases of the leaders, takes and renews them.",
  },
];

/** In the namespace of the core. */
export const problemRights: readonly Right[] = [
  {
    group: groupName,
    resources: ["criticalproblems"],
    verbs: ["create"],
    why: "Notes the first fault of the core itself where operators look.",
  },
  {
    group: groupName,
    resources: ["criticalproblems"],
    resourceNames: [criticalProblemsName],
    verbs: ["get", "update"],
    why: "Notes further faults.",
  },
];

/** With `lsDeployments` in the configuration, in the namespace that it names. */
export const healthCheckRights: readonly Right[] = [
  {
    group: "apps",
    resources: ["deployments"],
    verbs: ["get"],
    why: "Looks whether the Landscaper's own Deployments are ready.",
  },
  {
    group: groupName,
    resources: ["lshealthchecks"],
    verbs: ["list", "create", "patch", "delete"],
    why: "Keeps one LsHealthCheck in the namespace, and deletes those of other names.",
  },
];
