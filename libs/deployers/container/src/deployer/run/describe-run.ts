import {
  conditionTypes,
  LandscaperError,
  type ConditionUpdate,
  type ContainerPodStatus,
  type ContainerRunStatus,
  type Pod,
} from "@landscaper/api";
import { containerNames, type ContainerName } from "../../contract/environment.ts";
import { messageOf, type ContainerMessages } from "./container-messages.ts";
import { observePod, stateOf, statusOf } from "../pod/pod-state.ts";
import { endOf, finalStateOf, isUnknown, isUnstarted } from "../pod/program-end.ts";
import { findStartTrouble } from "../pod/start-trouble.ts";
import type { FailingStart } from "./decide-run.ts";

/** In the order in which their failures decide: main explains why wait has failed. */
const byWeight: readonly ContainerName[] = [containerNames.init, containerNames.main, containerNames.wait];
/** Longest message of a condition; that of the program is in the status in full. */
export const maxConditionLength = 500;

/** A container as the provider status has it; undefined before the kubelet has said anything. */
export function containerStatus(
  pod: Pod,
  container: ContainerName,
  messages: ContainerMessages,
): ContainerRunStatus | undefined {
  const status = statusOf(pod, container);
  if (status === undefined) return undefined;
  const { waiting, running, terminated } = finalStateOf(pod, container);
  const reason = terminated?.reason ?? waiting?.reason ?? (running === undefined ? undefined : "Running");
  const message = messages[container];
  // The words of the kubelet and of the program are masked in `message`.
  const { message: _w, ...waits } = waiting ?? {};
  const { message: _t, ...ended } = terminated ?? {};
  const state = {
    ...(waiting === undefined ? {} : { waiting: waits }),
    ...(running === undefined ? {} : { running }),
    ...(terminated === undefined ? {} : { terminated: ended }),
  };
  return {
    ...(message === undefined ? {} : { message }),
    ...(reason === undefined ? {} : { reason }),
    state,
    ...(status.image === undefined ? {} : { image: status.image }),
    ...(status.imageID === undefined || status.imageID === "" ? {} : { imageID: status.imageID }),
    ...(terminated === undefined ? {} : { exitCode: terminated.exitCode }),
  };
}

/** Describes the state of the Pod as the end of a sentence: "waiting for ...". `givenUp`: why the Pod is given up before its program has started. */
export function describeWait(pod: Pod, messages: ContainerMessages, givenUp?: string): string {
  const name = `Pod ${pod.metadata.name}`;
  if (pod.metadata.deletionTimestamp !== undefined) {
    return [`the deletion of ${name}`, givenUp].filter(Boolean).join(", which does not start: ");
  }
  const trouble = findStartTrouble(pod);
  if (trouble !== undefined) {
    const { container, image, reason } = trouble;
    return `container ${container} of ${name} to start (image ${image}): ${[reason, messageOf(messages, container)].filter(Boolean).join(": ")}`;
  }
  if (stateOf(pod, "main").terminated !== undefined) return `what the program in ${name} has left to be saved`;
  if (stateOf(pod, "main").running !== undefined) return `the program in ${name} to end`;
  if (stateOf(pod, "init").running !== undefined) return `what the program in ${name} needs to be fetched`;
  const scheduled = pod.status?.conditions?.find(({ type }) => type === "PodScheduled");
  if (scheduled?.status === "True" || pod.spec?.["nodeName"] !== undefined) return `${name} to start`;
  const why = scheduled?.reason === "Unschedulable" ? scheduled.message : undefined;
  return [`${name} to get a node`, why].filter(Boolean).join(": ");
}

/** The conditions of an item whose program runs, or has ended. */
export function runConditions(pod: Pod, messages: ContainerMessages): readonly ConditionUpdate[] {
  return [
    helperCondition(conditionTypes.initContainer, { pod, container: containerNames.init, messages }),
    helperCondition(conditionTypes.waitContainer, { pod, container: containerNames.wait, messages }),
    programCondition(pod, messages),
  ];
}

interface Described {
  readonly pod: Pod;
  readonly container: ContainerName;
  readonly messages: ContainerMessages;
}

function helperCondition(type: string, { pod, container, messages }: Described): ConditionUpdate {
  const { waiting, running, terminated } = finalStateOf(pod, container);
  const said = messages[container]?.slice(0, maxConditionLength);
  if (terminated === undefined) {
    const reason = waiting?.reason ?? (running === undefined ? "PodPending" : "Running");
    return {
      type,
      status: "Progressing",
      reason,
      message: said ?? `container ${container} of Pod ${pod.metadata.name}`,
    };
  }
  if (terminated.exitCode === 0) {
    return { type, status: "True", reason: "ContainerSucceeded", message: `container ${container} has done its work` };
  }
  const message = said ?? `exit code ${terminated.exitCode}`;
  return { type, status: "False", reason: terminated.reason ?? "Error", message };
}

function programCondition(pod: Pod, messages: ContainerMessages): ConditionUpdate {
  const type = conditionTypes.programRun;
  const { name } = pod.metadata;
  const end = endOf(observePod(pod));
  const { running, terminated } = stateOf(pod, containerNames.main);
  if (end.type === "open") {
    const reason = terminated !== undefined ? "Saving" : running !== undefined ? "Running" : "Starting";
    return { type, status: "Progressing", reason, message: `waiting for ${describeWait(pod, messages)}` };
  }
  if (end.type === "saved" && end.exitCode === 0) {
    return { type, status: "True", reason: "Succeeded", message: `Pod ${name} has succeeded` };
  }
  const code = terminated === undefined ? "" : `; exit code of the program: ${terminated.exitCode}`;
  const message =
    terminated?.exitCode === 0
      ? `what the program in Pod ${name} has left is not saved`
      : `Pod ${name} has failed${code}`;
  return { type, status: "False", reason: "Failed", message };
}

/** A run that has ended with nothing to wait for, without its Pod. */
export function endedCondition(message: string): ConditionUpdate {
  return {
    type: conditionTypes.programRun,
    status: "False",
    reason: "Failed",
    message: message.slice(0, maxConditionLength),
  };
}

/** Why the Pod has failed: the first of its containers that has. `messages` are masked. */
export function podFailure(pod: Pod, messages: ContainerMessages): LandscaperError {
  const { name } = pod.metadata;
  const endedState = (container: ContainerName) => finalStateOf(pod, container).terminated;
  const failed = byWeight.find((container) => (endedState(container)?.exitCode ?? 0) !== 0);
  if (failed === undefined || pod.status?.reason === "DeadlineExceeded") {
    const isUnsaved = endedState("main")?.exitCode === 0 && endedState("wait") === undefined;
    if (isUnsaved && pod.status?.reason !== "DeadlineExceeded") {
      const message = `Pod ${name}: what the program has left is not saved: wait has not ended`;
      return finalError("ContainerWaitFailed", message);
    }
    const { reason = "Failed", message = describeForeign(pod) } = pod.status ?? {};
    return finalError("ContainerFailed", `Pod ${name} has failed: ${reason}: ${message}`);
  }
  const { exitCode, reason = "Error" } = endedState(failed) ?? {};
  const said = messages[failed];
  switch (failed) {
    case "init":
      return finalError(
        "ContainerInitFailed",
        `Pod ${name}: the program was not started: ${said ?? `init has ended with exit code ${exitCode}`}`,
      );
    case "wait":
      return finalError(
        "ContainerWaitFailed",
        `Pod ${name}: what the program has left is not saved: ${said ?? `wait has ended with exit code ${exitCode}`}`,
      );
    case "main": {
      const also = (endedState("wait")?.exitCode ?? 0) === 0 ? undefined : messages.wait;
      const unsaved = also === undefined ? "" : `; nor is saved what it has left: ${also}`;
      if (isUnstarted(pod)) {
        const words = said === undefined ? "" : `: ${said}`;
        return finalError(
          "ContainerFailed",
          `Pod ${name}: the program could not be started: exit code ${exitCode} (${reason})${words}${unsaved}; correct command and args of the item, or its image`,
        );
      }
      const remedy = reason === "OOMKilled" ? "; raise resources.limits.memory of the item" : "";
      const tail = said === undefined ? "" : `; the end of its log:\n${said}`;
      return finalError(
        "ContainerFailed",
        `Pod ${name}: the program has ended with exit code ${exitCode} (${reason})${remedy}${unsaved}${tail}`,
      );
    }
  }
}

/** `messages` are masked. */
export function startFailure({ trouble, failingMs }: FailingStart, messages: ContainerMessages): LandscaperError {
  const { container, image, reason, isFinal } = trouble;
  const said = messageOf(messages, container);
  const cause = said === undefined ? reason : `${reason}: ${said}`;
  const tried = isFinal ? "" : `; the kubelet has tried for ${Math.floor(failingMs / 1000)} s`;
  return finalError("ContainerImageFailed", `container ${container}, image ${image}: ${cause}${tried}`);
}

/** The failure of a Pod that was given up, as it was recorded. */
export function givenUpError(recorded: ContainerPodStatus["givenUp"]): LandscaperError {
  const { reason = "ContainerImageFailed", message = "the program has not started" } = recorded ?? {};
  return finalError(reason, message);
}

/** Describes a failed container that another client has added, such as one that prepares the network. */
function describeForeign({ status = {} }: Pod): string {
  const all = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  const failed = all.find(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0);
  if (failed === undefined) return "no container has failed";
  const { exitCode, reason = "Error" } = failed.state?.terminated ?? {};
  return `container ${failed.name}, which others have added to the Pod, has ended with exit code ${exitCode} (${reason})`;
}

export interface LostPod {
  /** How the Pod has ended. */
  readonly why: string;
  /** Undefined if the Pod no longer exists. */
  readonly pod: Pod | undefined;
  /** Masked. */
  readonly messages: ContainerMessages;
}

export function lossError(podName: string, { why, pod, messages }: LostPod): LandscaperError {
  const main = pod && stateOf(pod, containerNames.main).terminated;
  const text = `Pod ${podName} has ended without a result of its program: ${why}`;
  if (main === undefined || isUnknown(main)) return finalError("PodLost", text);
  const end = `; the program has ended with exit code ${main.exitCode} (${main.reason ?? "Error"})`;
  const tail = messages.main === undefined ? "" : `; the end of its log:\n${messages.main}`;
  return finalError("PodLost", `${text}${end}${tail}`);
}

/** What to do, by the reason of a failure. */
export const failureHints: Readonly<Record<string, string | undefined>> = {
  ContainerImageFailed: "correct the image, or give a pull secret for its registry, and trigger again",
  PodLost:
    "the program may have done its work in part; it is run again only by a new job, or by retryPolicy.onPodLoss of the item",
  ContainerExportsInvalid: "the program has run; correct what it exports, and trigger again",
};

/** An error that was recorded, or is about to be. */
export function finalError(
  reason: string,
  message: string,
  { hint }: { readonly hint?: string | undefined } = {},
): LandscaperError {
  return new LandscaperError({ message, reason, hint, retry: "never", isMasked: true });
}
