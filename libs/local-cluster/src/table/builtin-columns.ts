import type { UnstructuredObject } from "@landscaper/api";
import { fieldAt, listAt, numberAt, recordAt, stringAt } from "../objects/json.ts";
import { ageColumn, nameColumn } from "./make-table.ts";
import type { PrinterColumn } from "./printer-column.ts";
import { podColumns } from "./pod-columns.ts";
import { formatSelector, serviceColumns } from "./service-columns.ts";

/** A column; `type` is integer for counts. */
export function column(
  name: string,
  cell: PrinterColumn["cell"],
  type: "string" | "integer" = "string",
): PrinterColumn {
  return { name, type, format: "", description: "", priority: 0, cell };
}

/** A column that only `-o wide` shows. */
export function wideColumn(name: string, cell: PrinterColumn["cell"]): PrinterColumn {
  return { ...column(name, cell), priority: 1 };
}

const count =
  (...path: readonly string[]): PrinterColumn["cell"] =>
  (object) =>
    numberAt(object, ...path) ?? 0;
const text =
  (...path: readonly string[]): PrinterColumn["cell"] =>
  (object) =>
    stringAt(object, ...path);
const sizeOf =
  (field: string): PrinterColumn["cell"] =>
  (object) =>
    Object.keys(recordAt(object, field)).length;
const templateColumns = [
  wideColumn("Containers", (object) => containerFields(object, "name")),
  wideColumn("Images", (object) => containerFields(object, "image")),
  wideColumn("Selector", (object) => formatSelector(fieldAt(object, "spec", "selector"))),
];

function containerFields(object: UnstructuredObject, field: string): string {
  return listAt(object, "spec", "template", "spec", "containers")
    .map((container) => stringAt(container, field))
    .join(",");
}

const eventColumns: readonly PrinterColumn[] = [
  column("Last Seen", (event, now) => lastSeen(event, now)),
  column("Type", text("type")),
  column("Reason", text("reason")),
  column("Object", (event) => {
    const regarding = event["involvedObject"] ?? event["regarding"];
    return `${stringAt(regarding, "kind").toLowerCase()}/${stringAt(regarding, "name")}`;
  }),
  column("Message", (event) => (stringAt(event, "message") || stringAt(event, "note")).trim()),
];

function lastSeen(event: UnstructuredObject, now: number): unknown {
  const times = [
    stringAt(event, "lastTimestamp"),
    stringAt(event, "deprecatedLastTimestamp"),
    stringAt(event, "series", "lastObservedTime"),
    stringAt(event, "eventTime"),
    event.metadata.creationTimestamp ?? "",
  ];
  const at = times.find((time) => time !== "") ?? "";
  return ageColumn.cell({ ...event, metadata: { creationTimestamp: at } }, now);
}

/** Columns of the kinds that people list, by storage; name and age are added, except where a list starts otherwise. */
const columns: Readonly<Record<string, readonly PrinterColumn[]>> = {
  namespaces: [column("Status", text("status", "phase"))],
  configmaps: [column("Data", (object) => dataCount(object))],
  secrets: [column("Type", text("type")), column("Data", sizeOf("data"))],
  serviceaccounts: [column("Secrets", (object) => listAt(object, "secrets").length)],
  pods: podColumns,
  services: serviceColumns,
  nodes: [column("Status", (node) => nodeStatus(node))],
  "deployments.apps": [
    column("Ready", (d) => `${numberAt(d, "status", "readyReplicas") ?? 0}/${numberAt(d, "spec", "replicas") ?? 0}`),
    column("Up-to-date", count("status", "updatedReplicas")),
    column("Available", count("status", "availableReplicas")),
  ],
  "replicasets.apps": [
    column("Desired", count("spec", "replicas"), "integer"),
    column("Current", count("status", "replicas"), "integer"),
    column("Ready", count("status", "readyReplicas"), "integer"),
  ],
  "statefulsets.apps": [
    column("Ready", (s) => `${numberAt(s, "status", "readyReplicas") ?? 0}/${numberAt(s, "spec", "replicas") ?? 0}`),
  ],
  "daemonsets.apps": [
    column("Desired", count("status", "desiredNumberScheduled"), "integer"),
    column("Current", count("status", "currentNumberScheduled"), "integer"),
    column("Ready", count("status", "numberReady"), "integer"),
    column("Up-to-date", count("status", "updatedNumberScheduled"), "integer"),
    column("Available", count("status", "numberAvailable"), "integer"),
  ],
  "jobs.batch": [
    column("Status", (job) => jobStatus(job)),
    column(
      "Completions",
      (job) => `${numberAt(job, "status", "succeeded") ?? 0}/${numberAt(job, "spec", "completions") ?? 1}`,
    ),
  ],
  "leases.coordination.k8s.io": [column("Holder", text("spec", "holderIdentity"))],
  "rolebindings.rbac.authorization.k8s.io": [column("Role", (binding) => roleOf(binding))],
  "clusterrolebindings.rbac.authorization.k8s.io": [column("Role", (binding) => roleOf(binding))],
  "validatingadmissionpolicies.admissionregistration.k8s.io": [
    column("Validations", (policy) => listAt(policy, "spec", "validations").length, "integer"),
    column("ParamKind", (policy) => stringAt(policy, "spec", "paramKind", "kind") || "<unset>"),
  ],
  "validatingadmissionpolicybindings.admissionregistration.k8s.io": [
    column("PolicyName", text("spec", "policyName")),
    column("ParamRef", (binding) => stringAt(binding, "spec", "paramRef", "name") || "<unset>"),
  ],
};

const withTemplate: ReadonlySet<string> = new Set([
  "deployments.apps",
  "replicasets.apps",
  "daemonsets.apps",
  "statefulsets.apps",
]);
/** Kinds whose real columns are the default ones: name and creation time. */
const createdAt: ReadonlySet<string> = new Set([
  "clusterroles.rbac.authorization.k8s.io",
  "roles.rbac.authorization.k8s.io",
  "customresourcedefinitions.apiextensions.k8s.io",
  "limitranges",
]);

/** The columns of a built-in resource; none for those that the real server shows with name and creation time only. */
export function builtinColumns(storage: string): readonly PrinterColumn[] {
  if (storage === "events") return eventColumns;
  if (createdAt.has(storage)) return [];
  const own = columns[storage] ?? [];
  const wide = withTemplate.has(storage) ? templateColumns : own.filter(({ priority }) => priority > 0);
  return [nameColumn, ...own.filter(({ priority }) => priority === 0), ageColumn, ...wide];
}

function dataCount(configMap: UnstructuredObject): number {
  return Object.keys(recordAt(configMap, "data")).length + Object.keys(recordAt(configMap, "binaryData")).length;
}

function nodeStatus(node: UnstructuredObject): string {
  const ready = listAt(node, "status", "conditions").find((condition) => stringAt(condition, "type") === "Ready");
  return ready === undefined ? "Unknown" : stringAt(ready, "status") === "True" ? "Ready" : "NotReady";
}

function jobStatus(job: UnstructuredObject): string {
  const isTrue = (type: string): boolean =>
    listAt(job, "status", "conditions").some(
      (condition) => stringAt(condition, "type") === type && stringAt(condition, "status") === "True",
    );
  if (isTrue("Complete")) return "Complete";
  if (isTrue("Failed")) return "Failed";
  return isTrue("Suspended") ? "Suspended" : "Running";
}

function roleOf(binding: UnstructuredObject): string {
  return `${stringAt(binding, "roleRef", "kind")}/${stringAt(binding, "roleRef", "name")}`;
}
