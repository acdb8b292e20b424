import { firstFailure, isFailedPhase, isJobOpen, type Execution } from "@landscaper/api";
import {
  explainFailureBelow,
  explainOwnFailure,
  explainRetry,
  explanationOf,
  failedIn,
  forHowLong,
  howLongAgo,
  type ExplainContext,
} from "./explain-context.ts";
import { explainDeployItem } from "./explain-deploy-item.ts";
import type { Explanation } from "./explanation.ts";

export function explainExecution(execution: Execution, context: ExplainContext): Explanation {
  const { status } = execution;
  if (isJobOpen(status)) return explainOpen(execution, context);
  if ((status?.jobIDFinished ?? "") === "") {
    return explanationOf(execution, {
      state: "waits-for-job",
      message: "its Installation has not handed a job to it yet",
    });
  }
  if (isFailedPhase(status?.phase)) return explainFailed(execution, context);
  return explanationOf(execution, {
    state: "succeeded",
    message: `succeeded${howLongAgo(status?.transitionTimes?.finishedTime, context.now)}`,
  });
}

export function explainFailed(execution: Execution, context: ExplainContext): Explanation {
  const failed = failedIn(context.index.deployItemsOf(execution), execution.status?.jobID);
  const first = firstFailure(failed);
  if (first === undefined) return explainOwnFailure(execution);
  return explainFailureBelow(execution, explainDeployItem(first, context), failed.length);
}

function explainOpen(execution: Execution, context: ExplainContext): Explanation {
  const { jobID } = execution.status ?? {};
  const items = context.index.deployItemsOf(execution);
  const failed = failedIn(items, jobID);
  const unfinished = items.filter(({ status }) => status?.jobIDFinished !== jobID);
  if (unfinished.length === 0) {
    return (
      explainRetry(execution) ??
      explanationOf(execution, { state: "working", message: describeStep(execution, context) })
    );
  }
  const which = `${unfinished.length} of ${items.length} deploy item${items.length === 1 ? "" : "s"}`;
  return explanationOf(execution, {
    state: "waits-for-sub-objects",
    message: `waits for ${which}${failed.length > 0 ? `; ${failed.length} failed already` : ""}`,
    because: [...failed, ...unfinished].map((item) => explainDeployItem(item, context)),
  });
}

function describeStep({ status }: Execution, { now }: ExplainContext): string {
  const phase = (status?.phase ?? "") === "" ? "beginning" : status?.phase;
  return `is in phase ${phase}${forHowLong(status?.phaseTransitionTime, now)}`;
}
