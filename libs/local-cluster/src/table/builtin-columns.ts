import type { UnstructuredObject } from "@landscaper/api";
import { listAt, recordAt, stringAt } from "../objects/json.ts";
import { column, text, wideColumn } from "./column.ts";
import { eventColumns } from "./event-columns.ts";
import { infrastructureColumns } from "./infrastructure-columns.ts";
import { ageColumn, nameColumn } from "./make-table.ts";
import { podColumns } from "./pod-columns.ts";
import type { PrinterColumn } from "./printer-column.ts";
import { serviceColumns } from "./service-columns.ts";
import { workloadColumns } from "./workload-columns.ts";

const bindingColumns: readonly PrinterColumn[] = [
  nameColumn,
  column("Role", (binding) => `${stringAt(binding, "roleRef", "kind")}/${stringAt(binding, "roleRef", "name")}`),
  ageColumn,
  wideColumn("Users", subjects("User")),
  wideColumn("Groups", subjects("Group")),
  wideColumn("ServiceAccounts", subjects("ServiceAccount")),
];

/** Columns of the kinds that people list, by storage. */
const columns: Readonly<Record<string, readonly PrinterColumn[]>> = {
  ...workloadColumns,
  ...infrastructureColumns,
  events: eventColumns,
  namespaces: [nameColumn, column("Status", text("status", "phase")), ageColumn],
  configmaps: [nameColumn, column("Data", (map) => sizeOf(map, "data") + sizeOf(map, "binaryData")), ageColumn],
  secrets: [nameColumn, column("Type", text("type")), column("Data", (secret) => sizeOf(secret, "data")), ageColumn],
  serviceaccounts: [nameColumn, column("Secrets", (account) => listAt(account, "secrets").length), ageColumn],
  pods: podColumns,
  services: serviceColumns,
  nodes: [
    nameColumn,
    column("Status", nodeStatus),
    column("Roles", nodeRoles),
    ageColumn,
    column("Version", text("status", "nodeInfo", "kubeletVersion")),
  ],
  "leases.coordination.k8s.io": [nameColumn, column("Holder", text("spec", "holderIdentity")), ageColumn],
  "rolebindings.rbac.authorization.k8s.io": bindingColumns,
  "clusterrolebindings.rbac.authorization.k8s.io": bindingColumns,
  "validatingadmissionpolicies.admissionregistration.k8s.io": [
    nameColumn,
    column("Validations", (policy) => listAt(policy, "spec", "validations").length, "integer"),
    column("ParamKind", (policy) => stringAt(policy, "spec", "paramKind", "kind") || "<unset>"),
    ageColumn,
  ],
  "validatingadmissionpolicybindings.admissionregistration.k8s.io": [
    nameColumn,
    column("PolicyName", text("spec", "policyName")),
    column("ParamRef", (binding) => stringAt(binding, "spec", "paramRef", "name") || "<unset>"),
    ageColumn,
  ],
  // The default columns: name and creation time.
  "clusterroles.rbac.authorization.k8s.io": [],
  "roles.rbac.authorization.k8s.io": [],
  "customresourcedefinitions.apiextensions.k8s.io": [],
  limitranges: [],
};

/** The columns of a built-in resource; none for those that the real server shows with name and creation time only. */
export function builtinColumns(storage: string): readonly PrinterColumn[] {
  return columns[storage] ?? [nameColumn, ageColumn];
}

function sizeOf(object: UnstructuredObject, field: string): number {
  return Object.keys(recordAt(object, field)).length;
}

function nodeStatus(node: UnstructuredObject): string {
  const ready = listAt(node, "status", "conditions").find((condition) => stringAt(condition, "type") === "Ready");
  const status = ready === undefined ? "Unknown" : stringAt(ready, "status") === "True" ? "Ready" : "NotReady";
  return node["spec"] !== undefined && recordAt(node, "spec")["unschedulable"] === true
    ? `${status},SchedulingDisabled`
    : status;
}

const rolePrefix = "node-role.kubernetes.io/";

function nodeRoles({ metadata }: UnstructuredObject): string {
  const roles = Object.keys(metadata.labels ?? {})
    .filter((label) => label.startsWith(rolePrefix))
    .map((label) => label.slice(rolePrefix.length));
  return roles.join(",") || "<none>";
}

function subjects(kind: string): (binding: UnstructuredObject) => string {
  return (binding) =>
    listAt(binding, "subjects")
      .filter((subject) => stringAt(subject, "kind") === kind)
      .map((subject) => {
        const namespace = stringAt(subject, "namespace");
        return namespace === "" ? stringAt(subject, "name") : `${namespace}/${stringAt(subject, "name")}`;
      })
      .join(", ");
}
