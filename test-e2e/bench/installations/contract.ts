// The smallest list of requests that the contract allows for one measured Installation: one DataObject import, one Target import, one manifest item
// with a ConfigMap, one export. "Core" and "deployer" are any implementation of the contract (docs/deployer-authors.md, docs/compatibility.md).
//
// Not on the lists:
// - Events: the contract does not promise them.
// - Reads of kinds that the rights of core and deployer include a watch of (Installation, Execution, DeployItem, Target, DataObject, Context).
// - Deletions of copies and exports: the garbage collector deletes them after their owner.
import type { ContractList } from "../replay/plan-replay.ts";

export const phaseNames = ["create", "update", "delete"] as const;
export type PhaseName = (typeof phaseNames)[number];

interface ContractRequest {
  /** Kind of the request, in the notation of `kindOf`. */
  readonly request: string;
  readonly count: number;
  /** Why the contract requires each of them. */
  readonly reason: string;
}

const handOver = [
  {
    request: "PUT executions/status",
    count: 2,
    reason:
      "the job is handed to the Execution, so that another core can continue it; the end: phase and jobIDFinished",
  },
  {
    request: "PUT deployitems/status",
    count: 3,
    reason:
      "the job is handed to the deployer; its pickup is the claim, before any work; the end: phase and jobIDFinished",
  },
  { request: "GET secrets", count: 1, reason: "the core reads the item's exports: it has no right to watch Secrets" },
] as const;

const installationStatus: ContractRequest = {
  request: "PUT installations/status",
  count: 2,
  reason:
    "the start: jobID and phase, before any work, so that the job survives a crash; the end: phase and jobIDFinished",
};

const requests: Readonly<Record<PhaseName, readonly ContractRequest[]>> = {
  create: [
    {
      request: "POST dataobjects",
      count: 4,
      reason: "the user's value; the copy of the import in the scope; the exports of the Execution; the export",
    },
    { request: "POST installations", count: 1, reason: "the user's" },
    installationStatus,
    {
      request: "PATCH installations",
      count: 1,
      reason: "adds the finalizer and removes the operation annotation: status writes cannot change metadata",
    },
    { request: "POST targets", count: 1, reason: "the copy of the import in the scope" },
    { request: "POST executions", count: 1, reason: "the rendered items" },
    { request: "POST deployitems", count: 1, reason: "the item" },
    ...handOver,
    { request: "POST configmaps", count: 1, reason: "the object on the target" },
    { request: "POST secrets", count: 1, reason: "the exports of the item" },
  ],
  update: [
    { request: "PATCH dataobjects", count: 1, reason: "the user's new value" },
    {
      request: "PATCH installations",
      count: 2,
      reason: "the user's operation annotation; its removal: status writes cannot change metadata",
    },
    installationStatus,
    {
      request: "PUT dataobjects",
      count: 3,
      reason: "the copy of the import, the exports of the Execution and the export have another value",
    },
    { request: "PUT executions", count: 1, reason: "the rendered items have another value" },
    { request: "PUT deployitems", count: 1, reason: "the item has another value" },
    ...handOver,
    {
      request: "GET configmaps",
      count: 1,
      reason: "the deployer checks the owner mark of an object before it writes it",
    },
    { request: "PUT configmaps", count: 1, reason: "the object on the target has another value" },
    { request: "PUT secrets", count: 1, reason: "the exports of the item have another value" },
  ],
  delete: [
    { request: "DELETE installations", count: 1, reason: "the user's" },
    { request: "PUT installations/status", count: 1, reason: "the start of the deletion's job" },
    { request: "DELETE executions", count: 1, reason: "an Execution ends with its Installation" },
    { request: "PUT executions/status", count: 1, reason: "the job is handed to the Execution" },
    { request: "DELETE deployitems", count: 1, reason: "an item ends with its Execution" },
    {
      request: "PUT deployitems/status",
      count: 2,
      reason: "the job is handed to the deployer: a deletion starts with a job; the pickup is the claim",
    },
    {
      request: "GET configmaps",
      count: 1,
      reason: "the deployer checks the owner mark of an object before it deletes it",
    },
    { request: "DELETE configmaps", count: 1, reason: "the object on the target" },
    { request: "PUT deployitems", count: 1, reason: "the deployer removes the finalizer" },
    { request: "PATCH executions", count: 1, reason: "the core removes the finalizer" },
    { request: "PATCH installations", count: 1, reason: "the core removes the finalizer" },
  ],
};

export const contractLists: Readonly<Record<PhaseName, ContractList>> = {
  create: listOf("create"),
  update: listOf("update"),
  delete: listOf("delete"),
};

function listOf(phase: PhaseName): ContractList {
  return Object.fromEntries(requests[phase].map(({ request, count }) => [request, count]));
}

/** Returns the smallest number of requests of one Installation in a phase. */
export function contractCount(phase: PhaseName): number {
  return requests[phase].reduce((sum, { count }) => sum + count, 0);
}
