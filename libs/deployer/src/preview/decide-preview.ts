import {
  annotations,
  conditionTypes,
  isJobOpen,
  operations,
  planOperations,
  type DeployItem,
  type DeployItemStatus,
} from "@landscaper/api";
import { isOfType, isSelected, type Responsibility } from "../jobs/decide-job.ts";
import type { Deployer } from "../deployer-interface.ts";
import type { ObservedTarget } from "../target/target-observer.ts";

export interface ObservedPreview {
  readonly item: DeployItem;
  readonly target: ObservedTarget;
}

export interface PreviewResponsibility extends Responsibility {
  /** Whether the deployer can say what a job would change. */
  readonly canPreview: boolean;
}

/** What operation "plan" comes to now. */
export type PreviewDecision =
  /** Nothing: nobody asks, it is not ours, or a job goes first. */
  | { readonly type: "off" }
  /** Decide again after so long (ms). */
  | { readonly type: "wait"; readonly leftMs: number }
  | { readonly type: "run" }
  /** The request was taken back while it was in work. */
  | { readonly type: "withdraw" }
  | { readonly type: "unsupported" }
  | { readonly type: "targetMissing"; readonly targetName: string };

/**
 * Operations "plan" and `planOperations`, by rows; the first that fits counts. Pure.
 *
 * | item | request | condition Planned | then |
 * |---|---|---|---|
 * | of another deployer, instance or replica | any | any | off |
 * | in work of a deployer without Lease, or answered by another instance just now | any | any | wait |
 * | a job is open, or it is being deleted | any | any | off; the request stays, and is answered after the job |
 * | between jobs, whatever became of the last one, whatever has changed since | none | Unknown | withdraw: the condition goes |
 * | | none | other | off |
 * | | plan, of a deployer that cannot answer it (`canAnswer`) | any | unsupported: False |
 * | | plan, of an item whose Target is not there | any | targetMissing: False |
 * | | plan | any | run: Unknown, then True or False, then the request goes |
 *
 * A job that comes while it runs ends it (`isPlanWanted`), and its pickup removes the condition.
 */
export function decidePreview(observed: ObservedPreview, responsibility: PreviewResponsibility): PreviewDecision {
  const { item, target } = observed;
  if (!isOfType(item, responsibility.type) || responsibility.claim.type === "theirs") return { type: "off" };
  if (!isSelected(observed, responsibility.targetSelectors)) return { type: "off" };
  if (responsibility.claim.type === "wait") return { type: "wait", leftMs: responsibility.claim.leftMs };
  if (!isPlanWanted(item)) {
    const isWithdrawn = !isPlanRequested(item) && !isBusy(item) && isPlanLeft(item.status);
    return { type: isWithdrawn ? "withdraw" : "off" };
  }
  if (!responsibility.canPreview) return { type: "unsupported" };
  if (target.state === "missing") return { type: "targetMissing", targetName: target.name };
  return { type: "run" };
}

/** Whether the item asks for a plan, and it is its turn. */
export function isPlanWanted(item: DeployItem): boolean {
  return isPlanRequested(item) && !isBusy(item);
}

export function isPlanRequested({ metadata }: DeployItem): boolean {
  const operation = metadata.annotations?.[annotations.operation];
  return operation !== undefined && planOperations.includes(operation);
}

/** Whether a deployer with these abilities can answer the operation that the item asks for. */
export function canAnswer(
  { preview, planOperations: others = [] }: Pick<Deployer, "preview" | "planOperations">,
  { metadata }: Pick<DeployItem, "metadata">,
): boolean {
  const operation = metadata.annotations?.[annotations.operation] ?? operations.plan;
  return preview !== undefined && (operation === operations.plan || others.includes(operation));
}

/** Whether the status says that a plan is in work: by this process, another replica, or one that has died. */
export function isPlanLeft(status: DeployItemStatus | undefined): boolean {
  return plannedStatus(status) === "Unknown";
}

/** Whether an item asks for a plan though it has the answer: of this request, which its deployer is about to remove, or of an earlier one. */
export function isPlanAnswered(item: DeployItem): boolean {
  const status = plannedStatus(item.status);
  return isPlanWanted(item) && (status === "True" || status === "False");
}

function plannedStatus(status: DeployItemStatus | undefined): string | undefined {
  return status?.conditions?.find(({ type }) => type === conditionTypes.planned)?.status;
}

function isBusy({ metadata, status }: DeployItem): boolean {
  return isJobOpen(status) || metadata.deletionTimestamp !== undefined;
}
