import { boundText, toTimestamp } from "../errors/error.ts";
import { failureReason } from "./failure-reason.ts";
import { isFailedPhase, isJobOpen, type JobStatus } from "./job-protocol.ts";
import type { Condition, ErrorStatus } from "../schema/schema-fields.ts";

export type ConditionStatus = "True" | "False" | "Unknown" | "Progressing";

/** A condition without its times: `setCondition` adds them. */
export interface ConditionUpdate {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
  readonly codes?: readonly string[] | undefined;
  readonly observedGeneration?: number | undefined;
}

/** Reason of EnvironmentReachable where the Environment of the Target names other namespaces. */
export const namespaceNotServed = "NamespaceNotServed";

/** Condition types of core.md §2.9 and design.md §3.9. */
export const conditionTypes = {
  ready: "Ready",
  reconciling: "Reconciling",
  stalled: "Stalled",
  /** Of an Environment: whether its agent lives. */
  reachable: "Reachable",
  /** Of an Environment that is being deleted: DeployItems that only this Environment serves; absent otherwise. */
  itemsRemain: "ItemsRemain",
  /** Of an Environment: True while its deployers read the Secrets of all namespaces; absent otherwise. */
  readsAllNamespaces: "ReadsAllNamespaces",
  /** Of an Environment: True while a Role of an earlier release lets its agent read all Secrets of the namespace of deployer management; absent otherwise. */
  readsAllSecrets: "ReadsAllSecrets",
  /** Of an Environment: True while the clocks of its agent and of the core differ; absent otherwise. */
  agentClockDiffers: "AgentClockDiffers",
  /** Of a DeployItem: False while its job waits for deployers of an Environment whose agent is silent, or that does not serve the namespace; absent otherwise. */
  environmentReachable: "EnvironmentReachable",
  ensureSubInstallations: "EnsureSubInstallations",
  reconcileExecution: "ReconcileExecution",
  createExports: "CreateExports",
  createImports: "CreateImports",
  validateImports: "ValidateImports",
  componentReferenceOverwrite: "ComponentReferenceOverwrite",
  /** Of a DeployItem: the last run of its continuousReconcile; Unknown while one is in work. */
  continuousReconcile: "ContinuousReconcile",
  /** Of a DeployItem: False while no job has come as far as the work; absent otherwise. */
  deployed: "Deployed",
  /** Of a DeployItem: whether its objects are still as they were deployed. */
  drifted: "Drifted",
  /** Of a container item: the container that fetches what the program needs. */
  initContainer: "InitContainer",
  /** Of a container item: the container that saves what the program leaves. */
  waitContainer: "WaitContainer",
  /** Of a container item: how far the run of its program is. */
  programRun: "ProgramRun",
  /** Of a helm item: whether an annotation keeps its release at an earlier revision. */
  rolledBack: "RolledBack",
  /** What a job has accepted although it may not be meant so; absent when there is nothing of the kind. */
  warnings: "Warnings",
  /** Of a DeployItem: what became of the last request for a plan; Unknown while it is in work. */
  planned: "Planned",
} as const;

function isSame(current: Condition, update: ConditionUpdate): boolean {
  return (
    current.status === update.status &&
    current.reason === update.reason &&
    current.message === boundText(update.message) &&
    (current.codes ?? []).join() === (update.codes ?? []).join() &&
    current.observedGeneration === update.observedGeneration
  );
}

/**
 * The list with the condition in it: lastTransitionTime moves with the status, lastUpdateTime with anything.
 * Returns the list itself when nothing changes.
 */
export function setCondition(
  conditions: readonly Condition[] | undefined,
  update: ConditionUpdate,
  now: Date,
): readonly Condition[] {
  const list = conditions ?? [];
  const index = list.findIndex(({ type }) => type === update.type);
  const current = list[index];
  if (current !== undefined && isSame(current, update)) return list;
  const timestamp = toTimestamp(now);
  const condition: Condition = {
    type: update.type,
    status: update.status,
    lastTransitionTime: current?.status === update.status ? current.lastTransitionTime : timestamp,
    lastUpdateTime: timestamp,
    reason: update.reason,
    message: boundText(update.message),
    ...(update.codes === undefined || update.codes.length === 0 ? {} : { codes: [...update.codes] }),
    ...(update.observedGeneration === undefined ? {} : { observedGeneration: update.observedGeneration }),
  };
  return current === undefined ? [...list, condition] : list.with(index, condition);
}

export interface ReadyOptions {
  readonly status: JobStatus & {
    readonly observedGeneration?: number | undefined;
    readonly lastError?: ErrorStatus | undefined;
  };
  readonly generation: number;
}

type ReadyState = "Succeeded" | "Failed" | "Working" | "WaitingForTrigger";

function readyState({ status, generation }: ReadyOptions): ReadyState {
  if (isJobOpen(status)) return "Working";
  if ((status.jobIDFinished ?? "") === "" || status.observedGeneration !== generation) return "WaitingForTrigger";
  return isFailedPhase(status.phase) ? "Failed" : "Succeeded";
}

function reasonAndMessage(state: ReadyState, options: ReadyOptions): { reason: string; message: string } {
  const { status } = options;
  switch (state) {
    case "Succeeded":
      return { reason: "Succeeded", message: "the last job succeeded for the current generation" };
    case "Failed":
      return {
        reason: status.lastError === undefined ? "Failed" : failureReason(status.lastError),
        message: status.lastError?.message ?? "the last job failed",
      };
    case "Working":
      return { reason: (status.phase ?? "") === "" ? "Triggered" : (status.phase ?? ""), message: "a job is running" };
    case "WaitingForTrigger":
      return { reason: "WaitingForTrigger", message: "no job has run for the current generation" };
  }
}

/**
 * Ready, Reconciling and Stalled as `kubectl wait` and kstatus read them: Ready is True only if the last job succeeded for the
 * current generation; an object that was changed but not triggered is not Ready and not Reconciling (design.md §3.9).
 */
export function readyConditions(options: ReadyOptions): ConditionUpdate[] {
  const state = readyState(options);
  const { reason, message } = reasonAndMessage(state, options);
  const of = (type: string, isTrue: boolean): ConditionUpdate => ({
    type,
    status: isTrue ? "True" : "False",
    reason,
    message,
    observedGeneration: options.generation,
  });
  return [
    of(conditionTypes.ready, state === "Succeeded"),
    of(conditionTypes.reconciling, state === "Working"),
    of(conditionTypes.stalled, state === "Failed"),
  ];
}
