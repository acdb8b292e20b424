import { isRecord, listAt, recordAt, stringAt } from "../objects/json.ts";
import type { DefaultsTable } from "./default-function.ts";
import { fill, fillUnset } from "./default-function.ts";

/** Models pkg/apis/{apps,batch,autoscaling}/*\/defaults.go. */
export const workloadDefaults: DefaultsTable = {
  CronJobSpec: fill({
    concurrencyPolicy: "Allow",
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  }),
  DaemonSetSpec: fill({ revisionHistoryLimit: 10 }),
  DaemonSetUpdateStrategy: (strategy) => completeStrategy(strategy, { maxUnavailable: 1, maxSurge: 0 }),
  DeploymentSpec: fill({ replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 }),
  DeploymentStrategy: (strategy) => completeStrategy(strategy, { maxUnavailable: "25%", maxSurge: "25%" }),
  HorizontalPodAutoscalerSpec: (spec) => {
    fill({ minReplicas: 1 })(spec);
    if (listAt(spec, "metrics").length > 0) return;
    const target = { type: "Utilization", averageUtilization: 80 };
    spec["metrics"] = [{ type: "Resource", resource: { name: "cpu", target } }];
  },
  Job: completeJob,
  ReplicaSetSpec: fill({ replicas: 1 }),
  StatefulSetPersistentVolumeClaimRetentionPolicy: fill({ whenDeleted: "Retain", whenScaled: "Retain" }),
  StatefulSetSpec: (spec) => {
    fill({
      podManagementPolicy: "OrderedReady",
      replicas: 1,
      revisionHistoryLimit: 10,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Retain" },
    })(spec);
  },
  StatefulSetUpdateStrategy: (strategy) => completeStrategy(strategy, { partition: 0 }),
};

function completeStrategy(strategy: Record<string, unknown>, rolling: Readonly<Record<string, unknown>>): void {
  fill({ type: "RollingUpdate" })(strategy);
  if (strategy["type"] !== "RollingUpdate") return;
  strategy["rollingUpdate"] = { ...rolling, ...recordAt(strategy, "rollingUpdate") };
}

function completeJob(job: Record<string, unknown>): void {
  const spec = job["spec"];
  if (!isRecord(spec)) return;
  completeJobSpec(spec);
  const labels = recordAt(spec, "template", "metadata", "labels");
  const metadata = recordAt(job, "metadata");
  // The same object, as in the real server: what the template gets later, the job's labels get, too (see jobStrategy).
  if (metadata["labels"] === undefined && Object.keys(labels).length > 0) metadata["labels"] = labels;
}

function completeJobSpec(spec: Record<string, unknown>): void {
  if (spec["completions"] === undefined && spec["parallelism"] === undefined) spec["completions"] = 1;
  fillUnset({
    parallelism: 1,
    backoffLimit: spec["backoffLimitPerIndex"] === undefined ? 6 : 2 ** 31 - 1,
    completionMode: "NonIndexed",
    suspend: false,
    podReplacementPolicy: spec["podFailurePolicy"] === undefined ? "TerminatingOrFailed" : "Failed",
    manualSelector: false,
  })(spec);
  for (const rule of listAt(spec, "podFailurePolicy", "rules")) {
    for (const pattern of listAt(rule, "onPodConditions")) {
      if (isRecord(pattern) && stringAt(pattern, "status") === "") pattern["status"] = "True";
    }
  }
}
