import type { Combinations } from "./combinations.ts";
import { podCombinations } from "./pod-combinations.ts";

const rolling = { maxSurge: 1, maxUnavailable: 1 };
const metrics = "spec.metrics";

/** Pods, and what makes them. */
export const workloadCombinations: Readonly<Record<string, readonly Combinations[]>> = {
  ...podCombinations,
  Deployment: [
    {
      base: "",
      changes: {
        "Recreate together with rollingUpdate": { "spec.strategy": { type: "Recreate", rollingUpdate: rolling } },
        Recreate: { "spec.strategy": { type: "Recreate" } },
        "RollingUpdate alone": { "spec.strategy": { type: "RollingUpdate" } },
        "neither surge nor unavailable pods": {
          "spec.strategy.rollingUpdate": { maxSurge: 0, maxUnavailable: 0 },
        },
        "no percents of either": { "spec.strategy.rollingUpdate": { maxSurge: "0%", maxUnavailable: "0%" } },
        "a deadline as short as the wait": { "spec.minReadySeconds": 60, "spec.progressDeadlineSeconds": 60 },
        "a deadline longer than the wait": { "spec.minReadySeconds": 59, "spec.progressDeadlineSeconds": 60 },
        "a wait without a deadline": { "spec.minReadySeconds": 600, "spec.progressDeadlineSeconds": null },
        "a deadline that never ends": { "spec.minReadySeconds": 60, "spec.progressDeadlineSeconds": 2 ** 31 - 1 },
        "another selector and its labels": {
          "spec.selector": { matchLabels: { app: "other" } },
          "spec.template.metadata.labels": { app: "other" },
        },
        "hostNetwork with a container port": {
          "spec.template.spec.hostNetwork": true,
          "spec.template.spec.containers[0].ports": [{ containerPort: 80 }],
        },
        "hostNetwork with a differing host port": {
          "spec.template.spec.hostNetwork": true,
          "spec.template.spec.containers[0].ports": [{ containerPort: 80, hostPort: 81 }],
        },
        "pods that restart never": { "spec.template.spec.restartPolicy": "Never" },
        "pods with dnsPolicy None": { "spec.template.spec.dnsPolicy": "None" },
        "ephemeral containers": {
          "spec.template.spec.ephemeralContainers": [{ name: "debug", image: "image:1" }],
        },
      },
    },
  ],
  DaemonSet: [
    {
      base: "",
      changes: {
        "OnDelete together with rollingUpdate": {
          "spec.updateStrategy": { type: "OnDelete", rollingUpdate: { maxUnavailable: 1 } },
        },
        OnDelete: { "spec.updateStrategy": { type: "OnDelete" } },
        "surge and unavailable pods": { "spec.updateStrategy.rollingUpdate": { maxSurge: 1, maxUnavailable: 1 } },
        "surge alone": { "spec.updateStrategy.rollingUpdate": { maxSurge: 1, maxUnavailable: 0 } },
        "pods that restart never": { "spec.template.spec.restartPolicy": "Never" },
        "pods on host ports with a surge": {
          "spec.updateStrategy.rollingUpdate": { maxSurge: 1, maxUnavailable: 0 },
          "spec.template.spec.containers[0].ports": [{ containerPort: 80, hostPort: 80 }],
        },
      },
    },
  ],
  StatefulSet: [
    {
      base: "",
      changes: {
        "OnDelete together with rollingUpdate": {
          "spec.updateStrategy": { type: "OnDelete", rollingUpdate: { partition: 1 } },
        },
        OnDelete: { "spec.updateStrategy": { type: "OnDelete" } },
        "a partition beyond the replicas": { "spec.updateStrategy.rollingUpdate.partition": 5 },
        "no unavailable pods": { "spec.updateStrategy.rollingUpdate.maxUnavailable": 0 },
        "another claim": {
          "spec.volumeClaimTemplates[0].spec.resources.requests.storage": "2Gi",
        },
        "a claim without a size": { "spec.volumeClaimTemplates[0].spec.resources": null },
        "two claims of one name": {
          "spec.volumeClaimTemplates": [1, 2].map(() => ({
            metadata: { name: "data" },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
          })),
        },
        "a volume of the claim's name": {
          "spec.template.spec.volumes": [{ name: "data", emptyDir: {} }],
        },
        "a mount of the claim": {
          "spec.template.spec.containers[0].volumeMounts": [{ name: "data", mountPath: "/data" }],
        },
        "another revision limit and policy": {
          "spec.revisionHistoryLimit": 5,
          "spec.persistentVolumeClaimRetentionPolicy": { whenDeleted: "Retain", whenScaled: "Delete" },
        },
        "another service name": { "spec.serviceName": "another" },
      },
    },
  ],
  ReplicaSet: [
    {
      base: "",
      changes: {
        "another selector and its labels": {
          "spec.selector": { matchLabels: { app: "other" } },
          "spec.template.metadata.labels": { app: "other" },
        },
        "pods that restart on failure": { "spec.template.spec.restartPolicy": "OnFailure" },
      },
    },
  ],
  ReplicationController: [
    {
      base: "",
      changes: {
        "another selector and its labels": {
          "spec.selector": { app: "other" },
          "spec.template.metadata.labels": { app: "other" },
        },
        "pods that restart never": { "spec.template.spec.restartPolicy": "Never" },
      },
    },
  ],
  Job: [
    {
      base: "NonIndexed",
      from: {
        spec: {
          completions: 2,
          suspend: true,
          template: { spec: { containers: [{ name: "main", image: "image:1" }], restartPolicy: "Never" } },
        },
      },
      changes: {
        "a limit per index": { "spec.backoffLimitPerIndex": 1 },
        "failed indexes without a limit per index": {
          "spec.completionMode": "Indexed",
          "spec.maxFailedIndexes": 1,
        },
        "Indexed without completions": {
          "spec.completionMode": "Indexed",
          "spec.completions": null,
          "spec.parallelism": 2,
        },
        "Indexed with many completions and pods": {
          "spec.completionMode": "Indexed",
          "spec.completions": 100_001,
          "spec.parallelism": 100_001,
        },
        "Indexed with many completions and a limit per index": {
          "spec.completionMode": "Indexed",
          "spec.completions": 100_001,
          "spec.parallelism": 10_001,
          "spec.backoffLimitPerIndex": 1,
        },
        "Indexed with too many failed indexes": {
          "spec.completionMode": "Indexed",
          "spec.completions": 200_000,
          "spec.parallelism": 1,
          "spec.backoffLimitPerIndex": 1,
          "spec.maxFailedIndexes": 10_001,
        },
        "other completions": { "spec.completions": 3 },
        "other completions and pods": { "spec.completions": 3, "spec.parallelism": 3 },
        "other completions and pods of an indexed Job": {
          "spec.completionMode": "Indexed",
          "spec.completions": 3,
          "spec.parallelism": 3,
        },
        "a manual selector": {
          "spec.manualSelector": true,
          "spec.selector": { matchLabels: { a: "b" } },
          "spec.template.metadata.labels": { a: "b" },
        },
        "a manual selector of other labels": {
          "spec.manualSelector": true,
          "spec.selector": { matchLabels: { a: "b" } },
        },
        "a selector alone": { "spec.selector": { matchLabels: { a: "b" } } },
        "pods that restart always": { "spec.template.spec.restartPolicy": "Always" },
        "a failure policy of pods that restart": {
          "spec.template.spec.restartPolicy": "OnFailure",
          "spec.podFailurePolicy": {
            rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: [1] } }],
          },
        },
        "FailIndex without a limit per index": {
          "spec.podFailurePolicy": {
            rules: [{ action: "FailIndex", onExitCodes: { operator: "In", values: [1] } }],
          },
        },
        "a failure policy with replacements": {
          "spec.podReplacementPolicy": "TerminatingOrFailed",
          "spec.podFailurePolicy": {
            rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: [1] } }],
          },
        },
        "21 failure rules": {
          "spec.podFailurePolicy": {
            rules: Array.from({ length: 21 }, () => ({
              action: "Count",
              onExitCodes: { operator: "In", values: [1] },
            })),
          },
        },
        "256 exit codes": {
          "spec.podFailurePolicy": {
            rules: [
              {
                action: "Count",
                onExitCodes: { operator: "In", values: Array.from({ length: 256 }, (_, i) => i + 1) },
              },
            ],
          },
        },
        "21 conditions": {
          "spec.podFailurePolicy": {
            rules: [
              {
                action: "Count",
                onPodConditions: Array.from({ length: 21 }, (_, i) => ({ type: `Condition${i}`, status: "True" })),
              },
            ],
          },
        },
        "a success policy of a Job without indexes": {
          "spec.successPolicy": { rules: [{ succeededCount: 1 }] },
        },
        "21 success rules": {
          "spec.completionMode": "Indexed",
          "spec.successPolicy": { rules: Array.from({ length: 21 }, () => ({ succeededCount: 1 })) },
        },
        "a success rule of both": {
          "spec.completionMode": "Indexed",
          "spec.successPolicy": { rules: [{ succeededCount: 3, succeededIndexes: "0-1" }] },
        },
        "another template of a suspended Job": { "spec.template.spec.nodeSelector": { a: "b" } },
        "another image of a suspended Job": { "spec.template.spec.containers[0].image": "image:2" },
        "another controller": { "spec.managedBy": "example.com/controller" },
      },
    },
    {
      base: "running",
      from: {
        spec: {
          completions: 2,
          completionMode: "Indexed",
          parallelism: 2,
          template: { spec: { containers: [{ name: "main", image: "image:1" }], restartPolicy: "Never" } },
        },
      },
      changes: {
        "other completions and pods": { "spec.completions": 3, "spec.parallelism": 3 },
        "other completions alone": { "spec.completions": 3 },
        "another node selector": { "spec.template.spec.nodeSelector": { a: "b" } },
        suspended: { "spec.suspend": true },
      },
    },
  ],
  CronJob: [
    {
      base: "",
      changes: {
        "a time zone in the schedule": { "spec.schedule": "TZ=UTC 0 0 * * *", "spec.timeZone": null },
        "two time zones": { "spec.schedule": "CRON_TZ=UTC 0 0 * * *", "spec.timeZone": "Europe/Berlin" },
        "a selector": { "spec.jobTemplate.spec.selector": { matchLabels: { a: "b" } } },
        "pods that restart always": { "spec.jobTemplate.spec.template.spec.restartPolicy": "Always" },
        "Indexed without completions": {
          "spec.jobTemplate.spec.completions": null,
          "spec.jobTemplate.spec.completionMode": "Indexed",
        },
      },
    },
  ],
  PodDisruptionBudget: [
    {
      base: "",
      changes: {
        "both limits": { "spec.maxUnavailable": 1 },
        "neither limit": { "spec.minAvailable": null },
        "the other limit": { "spec.minAvailable": null, "spec.maxUnavailable": "50%" },
        "an empty selector": { "spec.selector": {} },
      },
    },
  ],
  HorizontalPodAutoscaler: [
    {
      base: "",
      changes: {
        "more replicas at least than at most": { "spec.minReplicas": 4, "spec.maxReplicas": 3 },
        "no replicas without other metrics": { "spec.minReplicas": 0 },
        "no replicas with an external metric": {
          "spec.minReplicas": 0,
          [metrics]: [
            { type: "External", external: { metric: { name: "queue" }, target: { type: "Value", value: "1" } } },
          ],
        },
        "no metrics": { [metrics]: null },
        "a metric of another type": {
          [metrics]: [
            { type: "Pods", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 1 } } },
          ],
        },
        "a resource with a value": {
          [metrics]: [{ type: "Resource", resource: { name: "cpu", target: { type: "Value", value: "1" } } }],
        },
        "a resource with an average and a share": {
          [metrics]: [
            {
              type: "Resource",
              resource: { name: "cpu", target: { type: "Utilization", averageValue: "1", averageUtilization: 1 } },
            },
          ],
        },
        "an average of a target of another type": {
          [metrics]: [
            { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageValue: "1" } } },
          ],
        },
        "a container without a name": {
          [metrics]: [
            {
              type: "ContainerResource",
              containerResource: { name: "cpu", target: { type: "Utilization", averageUtilization: 1 } },
            },
          ],
        },
        "an object metric": {
          [metrics]: [
            {
              type: "Object",
              object: {
                describedObject: { apiVersion: "v1", kind: "Service", name: "a" },
                metric: { name: "rate" },
                target: { type: "Value", value: "1" },
              },
            },
          ],
        },
        "an object metric with both values": {
          [metrics]: [
            {
              type: "Object",
              object: {
                describedObject: { apiVersion: "v1", kind: "Service", name: "a" },
                metric: { name: "rate" },
                target: { type: "Value", value: "1", averageValue: "1" },
              },
            },
          ],
        },
        "an object metric without a value": {
          [metrics]: [
            {
              type: "Object",
              object: {
                describedObject: { apiVersion: "v1", kind: "Service", name: "a" },
                metric: { name: "rate" },
                target: { type: "Utilization", averageUtilization: 1 },
              },
            },
          ],
        },
        "an external metric with both values": {
          [metrics]: [
            {
              type: "External",
              external: { metric: { name: "queue" }, target: { type: "Value", value: "1", averageValue: "1" } },
            },
          ],
        },
        "rules without policies": { "spec.behavior": { scaleUp: { stabilizationWindowSeconds: 1 } } },
        "rules with an empty list of policies": { "spec.behavior": { scaleUp: { policies: [] } } },
        "a target without a group": { "spec.scaleTargetRef.apiVersion": null },
        "a target of the core": { "spec.scaleTargetRef.apiVersion": "v1" },
        "a target of an unreadable version": { "spec.scaleTargetRef.apiVersion": "a/b/c" },
      },
    },
  ],
};
