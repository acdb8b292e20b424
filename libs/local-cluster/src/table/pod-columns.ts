import type { UnstructuredObject } from "@landscaper/api";
import { fieldAt, listAt, numberAt, stringAt } from "../objects/json.ts";
import { ageColumn, nameColumn } from "./make-table.ts";
import type { PrinterColumn } from "./printer-column.ts";

const base = { type: "string", format: "", description: "", priority: 0 } as const;
const wide = { ...base, priority: 1 } as const;
const orNone = (text: string): string => text || "<none>";

export const podColumns: readonly PrinterColumn[] = [
  nameColumn,
  { ...base, name: "Ready", cell: (pod) => `${readyCount(pod)}/${listAt(pod, "spec", "containers").length}` },
  { ...base, name: "Status", cell: podStatus },
  { ...base, name: "Restarts", cell: (pod) => String(restarts(pod)) },
  ageColumn,
  { ...wide, name: "IP", cell: (pod) => orNone(stringAt(pod, "status", "podIP")) },
  { ...wide, name: "Node", cell: (pod) => orNone(stringAt(pod, "spec", "nodeName")) },
  { ...wide, name: "Nominated Node", cell: (pod) => orNone(stringAt(pod, "status", "nominatedNodeName")) },
  { ...wide, name: "Readiness Gates", cell: () => "<none>" },
];

function readyCount(pod: UnstructuredObject): number {
  return listAt(pod, "status", "containerStatuses").filter((status) => fieldAt(status, "ready") === true).length;
}

function restarts(pod: UnstructuredObject): number {
  return listAt(pod, "status", "containerStatuses").reduce<number>(
    (sum, status) => sum + (numberAt(status, "restartCount") ?? 0),
    0,
  );
}

/** The phase, or what a container waits or ended for. Models pkg/printers/internalversion/printers.go printPod in short. */
function podStatus(pod: UnstructuredObject): string {
  if (pod.metadata.deletionTimestamp !== undefined) return "Terminating";
  const initializing = initStatus(pod);
  if (initializing !== undefined) return initializing;
  for (const status of listAt(pod, "status", "containerStatuses")) {
    const reason = reasonOf(status);
    if (reason !== "") return reason;
  }
  return stringAt(pod, "status", "reason") || stringAt(pod, "status", "phase");
}

function reasonOf(status: unknown): string {
  return stringAt(status, "state", "waiting", "reason") || stringAt(status, "state", "terminated", "reason");
}

/** How far the init containers are: the first one that has neither ended well nor, as a sidecar, started. */
function initStatus(pod: UnstructuredObject): string | undefined {
  const statuses = listAt(pod, "status", "initContainerStatuses");
  const index = statuses.findIndex(
    (status) => numberAt(status, "state", "terminated", "exitCode") !== 0 && fieldAt(status, "started") !== true,
  );
  if (index === -1) return undefined;
  const reason = reasonOf(statuses[index]);
  return reason === "" || reason === "PodInitializing" ? `Init:${index}/${statuses.length}` : `Init:${reason}`;
}
