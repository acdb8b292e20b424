import type { UnstructuredObject } from "@landscaper/api";
import { fieldAt, listAt, numberAt, recordAt, stringAt } from "../objects/json.ts";
import { column, count, ratio, text, wideColumn } from "./column.ts";
import { formatAge, formatHumanDuration } from "./format-age.ts";
import { ageColumn, nameColumn } from "./make-table.ts";
import type { PrinterColumn } from "./printer-column.ts";
import { formatSelector } from "./service-columns.ts";

const selector = wideColumn("Selector", (object) => formatSelector(fieldAt(object, "spec", "selector")));
const plainSelector = wideColumn("Selector", (object) =>
  formatSelector({ matchLabels: recordAt(object, "spec", "selector") }),
);
const desired = [
  column("Desired", count("spec", "replicas"), "integer"),
  column("Current", count("status", "replicas"), "integer"),
  column("Ready", count("status", "readyReplicas"), "integer"),
];
const ready = column("Ready", ratio(["status", "readyReplicas"], ["spec", "replicas"]));

/** Columns of apps, batch and autoscaling, by storage. */
export const workloadColumns: Readonly<Record<string, readonly PrinterColumn[]>> = {
  "deployments.apps": [
    nameColumn,
    ready,
    column("Up-to-date", count("status", "updatedReplicas")),
    column("Available", count("status", "availableReplicas")),
    ageColumn,
    ...templateColumns("spec"),
    selector,
  ],
  "replicasets.apps": [nameColumn, ...desired, ageColumn, ...templateColumns("spec"), selector],
  replicationcontrollers: [nameColumn, ...desired, ageColumn, ...templateColumns("spec"), plainSelector],
  "statefulsets.apps": [nameColumn, ready, ageColumn, ...templateColumns("spec")],
  "daemonsets.apps": [
    nameColumn,
    column("Desired", count("status", "desiredNumberScheduled"), "integer"),
    column("Current", count("status", "currentNumberScheduled"), "integer"),
    column("Ready", count("status", "numberReady"), "integer"),
    column("Up-to-date", count("status", "updatedNumberScheduled"), "integer"),
    column("Available", count("status", "numberAvailable"), "integer"),
    column("Node Selector", (set) =>
      formatSelector({ matchLabels: recordAt(set, "spec", "template", "spec", "nodeSelector") }),
    ),
    ageColumn,
    ...templateColumns("spec"),
    selector,
  ],
  "jobs.batch": [
    nameColumn,
    column("Status", jobStatus),
    column(
      "Completions",
      (job) => `${numberAt(job, "status", "succeeded") ?? 0}/${numberAt(job, "spec", "completions") ?? 1}`,
    ),
    column("Duration", jobDuration),
    ageColumn,
    ...templateColumns("spec"),
    selector,
  ],
  "cronjobs.batch": [
    nameColumn,
    column("Schedule", text("spec", "schedule")),
    column("Timezone", (job) => stringAt(job, "spec", "timeZone") || "<none>"),
    column("Suspend", (job) => fieldAt(job, "spec", "suspend") === true, "boolean"),
    column("Active", (job) => listAt(job, "status", "active").length, "integer"),
    column("Last Schedule", (job, now) => {
      const last = stringAt(job, "status", "lastScheduleTime");
      return last === "" ? "<none>" : formatAge(last, now);
    }),
    ageColumn,
    ...templateColumns("spec", "jobTemplate", "spec"),
    wideColumn("Selector", (job) => formatSelector(fieldAt(job, "spec", "jobTemplate", "spec", "selector"))),
  ],
  "horizontalpodautoscalers.autoscaling": [
    nameColumn,
    column("Reference", (scaler) => {
      const target = fieldAt(scaler, "spec", "scaleTargetRef");
      return `${stringAt(target, "kind")}/${stringAt(target, "name")}`;
    }),
    column("Targets", targets),
    column("MinPods", (scaler) => String(numberAt(scaler, "spec", "minReplicas") ?? "<unset>")),
    column("MaxPods", count("spec", "maxReplicas")),
    column("Replicas", count("status", "currentReplicas")),
    ageColumn,
  ],
};

function templateColumns(...path: readonly string[]): readonly PrinterColumn[] {
  const fields = (field: string) => (object: UnstructuredObject) =>
    listAt(object, ...path, "template", "spec", "containers")
      .map((container) => stringAt(container, field))
      .join(",");
  return [wideColumn("Containers", fields("name")), wideColumn("Images", fields("image"))];
}

function jobStatus(job: UnstructuredObject): string {
  const isTrue = (type: string): boolean =>
    listAt(job, "status", "conditions").some(
      (condition) => stringAt(condition, "type") === type && stringAt(condition, "status") === "True",
    );
  if (isTrue("Complete")) return "Complete";
  if (isTrue("Failed")) return "Failed";
  if (job.metadata.deletionTimestamp !== undefined) return "Terminating";
  return isTrue("Suspended") ? "Suspended" : "Running";
}

function jobDuration(job: UnstructuredObject, now: number): string {
  const start = stringAt(job, "status", "startTime");
  if (start === "") return "";
  const end = stringAt(job, "status", "completionTime");
  return formatHumanDuration((end === "" ? now : Date.parse(end)) - Date.parse(start));
}

/** Nothing measures here, so that current values are unknown unless somebody writes them. */
function targets(scaler: UnstructuredObject): string {
  const texts = listAt(scaler, "spec", "metrics").map((metric) => {
    const wanted = numberAt(metric, "resource", "target", "averageUtilization");
    const name = stringAt(metric, "resource", "name");
    return wanted === undefined ? "<unknown>" : `${name}: <unknown>/${wanted}%`;
  });
  return texts.join(", ") || "<none>";
}
