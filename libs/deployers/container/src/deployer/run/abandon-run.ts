import {
  conditionTypes,
  type ConditionUpdate,
  type DeployItem,
  type DeployItemStatus,
  type Pod,
} from "@landscaper/api";
import type { AbandonContext } from "@landscaper/deployer";
import type { ContainerConfig } from "../container-config.ts";
import { endedCondition, maxConditionLength, runConditions } from "./describe-run.ts";
import type { HostPlace } from "../host/host-objects.ts";
import { hasEnded, stateOf } from "../pod/pod-state.ts";
import { listPods, removePod } from "../host/remove-pods.ts";
import { readStatus, recordOf } from "./run-status.ts";

/**
 * A job or a deletion has ended without its program: the Pod gets its grace period, in which what the program has left is saved
 * (docs/reference/container-deployer.md#one-pod-per-run).
 */
export async function abandonRun(context: AbandonContext<ContainerConfig>, place: HostPlace): Promise<void> {
  const pods = await listPods(place);
  const running = pods.filter((pod) => !hasEnded(pod));
  const { podName } = readStatus(context.providerStatus).podStatus ?? {};
  const own = pods.find(({ name }) => name === podName) ?? running[0];
  const { problem, item } = context;
  // Before the report: without it the run counts as left, so a failed removal is retried.
  await Promise.all(running.map((pod) => removePod(pod, place)));
  context.reportConditions(abandonedConditions(own?.pod, { problem, before: item.status?.conditions }));
}

/**
 * Whether a job of the item has ended without its run, and nothing has been said of that yet: its Pod may still be there. A repetition is a run of another
 * id. Pure.
 */
export function isRunLeft({ status = {} }: DeployItem): boolean {
  const isOpen = status.conditions?.some(isOpenRun) === true;
  return isOpen && recordOf(readStatus(status.providerStatus))?.runID === status.jobID;
}

const isOpenRun = ({ type, status }: { readonly type: string; readonly status: string }): boolean =>
  type === conditionTypes.programRun && status === "Progressing";

export interface AbandonedJob {
  /** Why the job has ended. */
  readonly problem: string;
  readonly before: DeployItemStatus["conditions"];
}

/** How a run ends whose job has ended without it. What the containers were still at is not known any more. Pure. */
export function abandonedConditions(
  pod: Pod | undefined,
  { problem, before = [] }: AbandonedJob,
): readonly ConditionUpdate[] {
  if (pod === undefined) {
    return before.some(isOpenRun) ? [endedCondition(`the program has no Pod; ${problem}`)] : [];
  }
  return runConditions(pod, {}).map((condition) => {
    if (condition.status !== "Progressing") return condition;
    const message = `${condition.type === conditionTypes.programRun ? describeEnd(pod) : condition.message}; ${problem}`;
    const status = condition.type === conditionTypes.programRun ? "False" : "Unknown";
    return { type: condition.type, status, reason: "JobEnded", message: message.slice(0, maxConditionLength) };
  });
}

function describeEnd(pod: Pod): string {
  const { name } = pod.metadata;
  const { running, terminated } = stateOf(pod, "main");
  if (terminated !== undefined) return `Pod ${name} is being deleted: its program has ended, and its state is saved`;
  if (running === undefined) return `Pod ${name} is being deleted: its program has not started`;
  const seconds = String(pod.spec?.["terminationGracePeriodSeconds"]);
  return `Pod ${name} is being deleted: its program has ${seconds} s to end, and its state is saved`;
}
