import type { Combinations } from "./combinations.ts";
import { podContainerChanges } from "./pod-container-changes.ts";
import { podNetworkChanges } from "./pod-network-changes.ts";
import { podResourceChanges } from "./pod-resource-changes.ts";
import { podSchedulingChanges } from "./pod-scheduling-changes.ts";
import { podSecurityChanges } from "./pod-security-changes.ts";
import { podVolumeChanges } from "./pod-volume-changes.ts";

const base = "small";
const small = { containers: [{ name: "main", image: "image:1" }], automountServiceAccountToken: false };
const container = "spec.containers[0]";

/** Pods with few fields. */
export const podCombinations: Readonly<Record<string, readonly Combinations[]>> = {
  Pod: [
    {
      base,
      from: { spec: small },
      changes: {
        ...podNetworkChanges,
        ...podSecurityChanges,
        ...podContainerChanges,
        ...podResourceChanges,
        ...podSchedulingChanges,
        ...podVolumeChanges,
      },
    },
    {
      base: "scheduled",
      from: {
        spec: {
          ...small,
          nodeName: "node",
          activeDeadlineSeconds: 100,
          terminationGracePeriodSeconds: 5,
          tolerations: [{ key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 }],
        },
      },
      changes: {
        "a shorter deadline": { "spec.activeDeadlineSeconds": 99 },
        "a longer deadline": { "spec.activeDeadlineSeconds": 101 },
        "no deadline": { "spec.activeDeadlineSeconds": null },
        "another grace period": { "spec.terminationGracePeriodSeconds": 1 },
        "another image": { [`${container}.image`]: "image:2" },
        "an image with spaces": { [`${container}.image`]: " image:2" },
        "a longer toleration": { "spec.tolerations[0].tolerationSeconds": 6 },
        "another node": { "spec.nodeName": "other" },
        "another selector": { "spec.nodeSelector": { a: "b" } },
      },
    },
    {
      base: "gated",
      from: { spec: { ...small, schedulingGates: [{ name: "a" }, { name: "b" }], nodeSelector: { a: "b" } } },
      changes: {
        "one gate less": { "spec.schedulingGates": [{ name: "b" }] },
        "no gates": { "spec.schedulingGates": null },
        "another gate": { "spec.schedulingGates": [{ name: "a" }, { name: "c" }] },
        "a stricter selector": { "spec.nodeSelector": { a: "b", c: "d" } },
        "a looser selector": { "spec.nodeSelector": null },
        "a new affinity": {
          "spec.affinity": {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Exists" }] }],
              },
            },
          },
        },
        "a node": { "spec.nodeName": "a" },
      },
    },
  ],
};
