import {
  annotations,
  brieflyRetriedReasons,
  conditionTypes,
  finalizer,
  namespaceNotServed,
  isFailedPhase,
  isJobAtWork,
  isJobOpen,
  labels,
  parseDuration,
  resources,
  type DeployItem,
  type Execution,
  type Installation,
} from "@landscaper/api";
import { formatAge } from "../tree/format-tree.ts";
import {
  explainOwnFailure,
  explainRetry,
  explanationOf,
  failedIn,
  forHowLong,
  howLongAgo,
  isDeleting,
  listNames,
  titleOf,
  type ExplainContext,
} from "./explain-context.ts";
import type { Explanation } from "./explanation.ts";

export function explainDeployItem(item: DeployItem, context: ExplainContext): Explanation {
  const { status } = item;
  if (isJobOpen(status)) {
    return withSilence(item, isJobAtWork(status?.phase) ? explainWork(item, context) : explainPickup(item, context));
  }
  const execution = executionOf(item, context);
  const isBehind = isJobOpen(execution?.status) && execution?.status?.jobID !== status?.jobID;
  if (execution !== undefined && isBehind) return explainTurn(item, execution, context);
  if (isDeleting(item) && status?.phase !== "DeleteFailed") return explainRequestedDeletion(item, context);
  if ((status?.jobIDFinished ?? "") === "") {
    return explanationOf(item, { state: "waits-for-job", message: "no job has been handed to it yet" });
  }
  if (isFailedPhase(status?.phase)) return explainOwnFailure(item);
  return explanationOf(item, {
    state: "succeeded",
    message: `succeeded${howLongAgo(status?.transitionTimes?.finishedTime, context.now)}`,
  });
}

/** The Environment whose deployers the job waits for is silent, or does not serve the namespace: nothing else matters until that changes. */
function withSilence({ status }: DeployItem, explanation: Explanation): Explanation {
  const silence = status?.conditions?.find(({ type }) => type === conditionTypes.environmentReachable);
  if (silence?.status !== "False") return explanation;
  const hint =
    silence.reason === namespaceNotServed
      ? "add the namespace to spec.namespaces of the Environment, or use a Target of another Environment"
      : "look at the agent and at its connection to the landscaper cluster; the job goes on when it is back";
  return { ...explanation, message: `${explanation.message}. ${silence.message}`, hints: [hint] };
}

function executionOf({ metadata }: DeployItem, { executions }: ExplainContext): Execution | undefined {
  const owner = metadata.ownerReferences?.find(({ kind }) => kind === resources.execution.kind);
  return executions.find((execution) => execution.metadata.uid === owner?.uid);
}

/** No job is open that could delete the item. */
function explainRequestedDeletion(item: DeployItem, context: ExplainContext): Explanation {
  const { deletionTimestamp, finalizers = [], name, namespace } = item.metadata;
  const say = (waitsFor: string, ...hints: string[]): Explanation => {
    const message = `its deletion was requested${howLongAgo(deletionTimestamp, context.now)}, and waits for ${waitsFor}`;
    return explanationOf(item, { state: "waits-for-job", message, hints });
  };
  if (finalizers.length > 0 && !finalizers.includes(finalizer)) {
    return say(`others to remove the finalizers ${listNames(finalizers)}`);
  }
  const execution = executionOf(item, context);
  if (execution === undefined) {
    return say(
      "a job, but its Execution does not exist",
      `to remove the item and leave its objects on the target: kubectl annotate deployitem ${name} -n ${namespace} ${annotations.deleteWithoutUninstall}=true`,
    );
  }
  const root = rootOf(execution, context);
  if (root === undefined || isDeleting(execution) || isDeleting(root)) {
    return say(`the deletion of ${titleOf(root ?? execution)}`);
  }
  return say(
    `the next job of ${titleOf(root)}`,
    `trigger it: landscaper reconcile installation/${root.metadata.name} -n ${namespace}. The job uninstalls the item. It deploys the item again if the blueprint still has it`,
  );
}

/** Returns the root Installation above an Execution, or the highest one that exists. Undefined: the Execution has no Installation. */
function rootOf(execution: Execution, { installations }: ExplainContext): Installation | undefined {
  const ownerOf = ({ metadata }: Execution | Installation): Installation | undefined => {
    const uid = metadata.ownerReferences?.find(({ kind }) => kind === resources.installation.kind)?.uid;
    return installations.find((each) => each.metadata.uid === uid);
  };
  const seen = new Set<Installation>();
  let root = ownerOf(execution);
  for (let next = root; next !== undefined && !seen.has(next); next = ownerOf(next)) {
    seen.add(next);
    root = next;
  }
  return root;
}

/** Its Execution has a job that it has not been given. */
function explainTurn(item: DeployItem, execution: Execution, { index }: ExplainContext): Explanation {
  const jobID = execution.status?.jobID;
  const siblings = index.deployItemsOf(execution);
  const [failed] = failedIn(siblings, jobID);
  if (failed !== undefined) {
    const message = `is not started, because deploy item ${itemName(failed)} has failed`;
    return explanationOf(item, { state: "waits-for-job", message });
  }
  const isDeletion = isDeleting(item);
  const before = isDeletion
    ? siblings.filter((other) => dependenciesOf(other).includes(itemName(item)))
    : siblings.filter(
        (other) => dependenciesOf(item).includes(itemName(other)) && other.status?.jobIDFinished !== jobID,
      );
  if (before.length === 0) {
    return explanationOf(item, { state: "waits-for-job", message: "waits for its Execution to start it" });
  }
  const names = listNames(before.map(itemName));
  return explanationOf(item, {
    state: "waits-for-deploy-item",
    message: isDeletion ? `is deleted after ${names}, which depends on it` : `waits for ${names} (dependsOn)`,
  });
}

function itemName({ metadata }: DeployItem): string {
  return metadata.labels?.[labels.managedName] ?? metadata.name ?? "";
}

function dependenciesOf({ metadata }: DeployItem): readonly string[] {
  return (metadata.annotations?.[annotations.dependsOn] ?? "").split(",");
}

function explainPickup(item: DeployItem, { targets, deployItems, now }: ExplainContext): Explanation {
  const { type, target } = item.spec;
  const waiting = `waits${forHowLong(item.status?.jobIDGenerationTime, now)} for a deployer of type ${type}`;
  if (target !== undefined && !targets.has(target.name)) {
    return explanationOf(item, {
      state: "waits-for-pickup",
      message: `${waiting}; its Target "${target.name}" does not exist`,
      hints: ["create the Target, or correct the import that the item takes it from"],
    });
  }
  const isTypeKnown = deployItems.some((other) => other.spec.type === type && other.status?.deployer !== undefined);
  return explanationOf(item, {
    state: "waits-for-pickup",
    message: isTypeKnown ? waiting : `${waiting}; none has ever taken an item of this type in the namespace`,
    hints: [
      `check that a deployer for the type runs${target === undefined ? "" : " whose target selectors accept the Target"}`,
    ],
  });
}

/** When nothing else is said (core.md §2.8). */
const defaultTimeout = "10m";

function explainWork(item: DeployItem, { now }: ExplainContext): Explanation {
  const retry = explainRetry(item);
  const deadline = describeDeadline(item, now);
  if (retry !== undefined) return { ...retry, message: `${retry.message}${describeRetries(item, now)}` };
  const { conditions, lastReconcileTime, deployer } = item.status ?? {};
  const waiting = conditions?.find(({ type }) => type === conditionTypes.reconciling)?.message ?? "";
  const since = deadline === "" ? forHowLong(lastReconcileTime, now) : deadline;
  if (waiting.startsWith("waiting for ")) {
    return explanationOf(item, { state: "waits-for-readiness", message: `${waiting}${deadline}` });
  }
  const by = deployer?.name === undefined ? "" : ` by ${deployer.name}`;
  const verb = isDeleting(item) ? "is being deleted" : "is being deployed";
  return explanationOf(item, { state: "working", message: `${verb}${by}${since}` });
}

/** The same as `describeDeadline`. Without the time left if the job may fail long before its deadline: the end of brief retries is not in the status. */
function describeRetries(item: DeployItem, now: number): string {
  const { lastError, lastReconcileTime } = item.status ?? {};
  if (!brieflyRetriedReasons.has(lastError?.reason ?? "")) return describeDeadline(item, now);
  return lastReconcileTime === undefined ? "" : ` (started${howLongAgo(lastReconcileTime, now)})`;
}

/** " (started 2m ago, 8m left)". */
function describeDeadline(item: DeployItem, now: number): string {
  const leftMs = timeLeft(item, now);
  if (leftMs === undefined) return "";
  const left = leftMs < 0 ? `the deadline passed ${formatAge(-leftMs)} ago` : `${formatAge(leftMs)} left`;
  return ` (started${howLongAgo(item.status?.lastReconcileTime, now)}, ${left})`;
}

/** Milliseconds until the deadline of an item that a deployer has picked up; undefined without a deadline. */
export function timeLeft({ spec, status }: DeployItem, now: number): number | undefined {
  const startedAt = Date.parse(status?.lastReconcileTime ?? "");
  const timeoutMs = timeoutOf(spec.timeout);
  return Number.isNaN(startedAt) || timeoutMs <= 0 ? undefined : startedAt + timeoutMs - now;
}

function timeoutOf(text = defaultTimeout): number {
  try {
    return parseDuration(text);
  } catch {
    // The deployer tells that it is wrong.
    return 0;
  }
}
