import {
  deployerApiVersion,
  parseContainerProviderStatus,
  toTimestamp,
  type ContainerPodStatus,
  type ContainerProviderStatus,
  type LandscaperError,
  type Pod,
} from "@landscaper/api";
import type { ProviderStatus } from "@landscaper/deployer";
import type { ContainerMessages } from "./container-messages.ts";
import type { FailingStart, RunRecord } from "./decide-run.ts";
import { containerStatus } from "./describe-run.ts";
import type { WantedRun } from "./run-identity.ts";

/** The provider status of an item, as this deployer or the original has written it. Throws LandscaperError for another one. */
export function readStatus(status: ProviderStatus | undefined): ContainerProviderStatus {
  return status === undefined ? {} : parseContainerProviderStatus(status, "status.providerStatus");
}

/** The last run; undefined where there was none. */
export function recordOf({ lastOperation, podStatus }: ContainerProviderStatus): RunRecord | undefined {
  if (podStatus === undefined) return undefined;
  const { runID = "", attempt = 0, podUID, result, error, givenUp } = podStatus;
  return {
    runID,
    operation: lastOperation === "DELETE" ? "DELETE" : "RECONCILE",
    attempt: Math.max(0, attempt),
    podUID,
    result: result === "Succeeded" || result === "Failed" ? result : undefined,
    error,
    givenUp,
  };
}

export interface RunProgress {
  readonly wanted: WantedRun;
  readonly attempt: number;
  readonly podName: string;
  /** Undefined: the Pod is not recorded yet, or no more. */
  readonly pod?: Pod | undefined;
  readonly podUID?: string | undefined;
  readonly messages?: ContainerMessages | undefined;
  /** Undefined if all containers start, or if the program has started. */
  readonly failing?: FailingStart | undefined;
  readonly givenUp?: ContainerPodStatus["givenUp"];
  readonly result?: { readonly jobID: string } | { readonly error: LandscaperError } | undefined;
  readonly now: Date;
}

/** The status with what is known of a run. Of earlier runs stays which job has succeeded last. */
export function writeStatus(before: ContainerProviderStatus, progress: RunProgress): ProviderStatus {
  const { wanted, attempt, podName, pod, podUID, messages = {}, failing, givenUp, result, now } = progress;
  const { podStatus } = before;
  const isSame = podStatus?.runID === wanted.runID && before.lastOperation === wanted.operation;
  const lastRun = isSame && podStatus.podName === podName ? podStatus.lastRun : undefined;
  const main = pod && containerStatus(pod, "main", messages);
  const init = pod && containerStatus(pod, "init", messages);
  const wait = pod && containerStatus(pod, "wait", messages);
  const succeeded = result !== undefined && "jobID" in result ? result.jobID : podStatus?.lastSuccessfulJobID;
  const status: ContainerProviderStatus = {
    apiVersion: deployerApiVersion("container"),
    kind: "ProviderStatus",
    lastOperation: wanted.operation,
    ...main,
    podStatus: {
      podName,
      ...(podUID === undefined ? {} : { podUID }),
      runID: wanted.runID,
      attempt,
      ...(failing === undefined ? {} : { failing: failingFields(failing) }),
      ...(givenUp === undefined ? {} : { givenUp }),
      ...resultFields(result),
      lastRun: lastRun ?? toTimestamp(now),
      ...(succeeded === undefined ? {} : { lastSuccessfulJobID: succeeded }),
      ...(main === undefined ? {} : { containerStatus: main }),
      ...(init === undefined ? {} : { initContainerStatus: init }),
      ...(wait === undefined ? {} : { waitContainerStatus: wait }),
    },
  };
  return status;
}

function failingFields({ trouble, failingMs }: FailingStart): NonNullable<ContainerPodStatus["failing"]> {
  return { container: trouble.container, seconds: Math.floor(failingMs / 1000) };
}

function resultFields(
  result: RunProgress["result"],
): Pick<NonNullable<ContainerProviderStatus["podStatus"]>, "result" | "error"> {
  if (result === undefined) return {};
  if ("jobID" in result) return { result: "Succeeded" };
  const { reason, message } = result.error;
  return { result: "Failed", error: { reason, message } };
}
