import type { Fields } from "./combinations.ts";

/** Tolerations, spread constraints, affinities, gates and priorities of pods. */
export const podSchedulingChanges: Readonly<Record<string, Fields>> = {
  "Exists with a value": { "spec.tolerations": [{ key: "a", operator: "Exists", value: "b" }] },
  "Equal without a key": { "spec.tolerations": [{ operator: "Equal", value: "b" }] },
  "a toleration of nothing": { "spec.tolerations": [{}] },
  "Exists without a key": { "spec.tolerations": [{ operator: "Exists" }] },
  "seconds without NoExecute": {
    "spec.tolerations": [{ key: "a", operator: "Exists", effect: "NoSchedule", tolerationSeconds: 5 }],
  },
  "minDomains with ScheduleAnyway": {
    "spec.topologySpreadConstraints": [
      { maxSkew: 1, minDomains: 2, topologyKey: "zone", whenUnsatisfiable: "ScheduleAnyway" },
    ],
  },
  "matchLabelKeys without a selector": {
    "spec.topologySpreadConstraints": [
      { maxSkew: 1, matchLabelKeys: ["a"], topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule" },
    ],
  },
  "matchLabelKeys of the selector": {
    "spec.topologySpreadConstraints": [
      {
        maxSkew: 1,
        matchLabelKeys: ["a"],
        labelSelector: { matchExpressions: [{ key: "a", operator: "Exists" }] },
        topologyKey: "zone",
        whenUnsatisfiable: "DoNotSchedule",
      },
    ],
  },
  "a node affinity that compares texts": {
    "spec.affinity": {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Gt", values: ["x"] }] }],
        },
      },
    },
  },
  "a node affinity that compares two numbers": {
    "spec.affinity": {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Gt", values: ["1", "2"] }] }],
        },
      },
    },
  },
  "a node affinity of two names": {
    "spec.affinity": {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: ["a", "b"] }] }],
        },
      },
    },
  },
  "a node affinity of another field": {
    "spec.affinity": {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchFields: [{ key: "metadata.uid", operator: "In", values: ["a"] }] }],
        },
      },
    },
  },
  "label keys of affinity that match and do not": {
    "spec.affinity": {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: "a", labelSelector: {}, matchLabelKeys: ["x"], mismatchLabelKeys: ["x"] },
        ],
      },
    },
  },
  "gates with a node": { "spec.schedulingGates": [{ name: "example.com/gate" }], "spec.nodeName": "a" },
  "a gate twice": { "spec.schedulingGates": [{ name: "a" }, { name: "a" }] },
  "a priority and its class": { "spec.priorityClassName": "system-node-critical", "spec.priority": 5 },
  "a class of the system": { "spec.priorityClassName": "system-cluster-critical" },
};
