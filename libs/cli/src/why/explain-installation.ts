import {
  annotations,
  firstFailure,
  installationPhases as phases,
  isFailedPhase,
  isFinalPhase,
  isJobOpen,
  parentOf,
  reconcilePolicyOnChange,
  type Execution,
  type Installation,
} from "@landscaper/api";
import { isPredecessorFinished, listPredecessors, listSuccessors } from "@landscaper/blueprint";
import {
  explainFailureBelow,
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
import { explainExecution, explainFailed as explainFailedExecution } from "./explain-execution.ts";
import type { Explanation } from "./explanation.ts";
import { formatAge } from "../tree/format-tree.ts";
import { isSpecChanged, isTriggered } from "../tree/requested-job.ts";
import { timeLeftOfJob } from "./time-left-of-job.ts";

export function explainInstallation(installation: Installation, outer: ExplainContext): Explanation {
  const uid = installation.metadata.uid ?? "";
  if (outer.path.has(uid)) {
    return explanationOf(installation, {
      state: "waits-for-predecessor",
      message: "see above: they wait for each other",
    });
  }
  const context = { ...outer, path: new Set([...outer.path, uid]) };
  return isJobOpen(installation.status) ? explainOpen(installation, context) : explainResting(installation, context);
}

function explainResting(installation: Installation, context: ExplainContext): Explanation {
  const { status } = installation;
  if (isTriggered(installation)) return explainTriggered(installation);
  if (isDeleting(installation) && status?.phase !== phases.deleteFailed) return explainRequestedDeletion(installation);
  if ((status?.jobIDFinished ?? "") === "") return explainNever(installation);
  const isChanged = isSpecChanged(installation);
  if (isFailedPhase(status?.phase)) {
    const failure = explainFailed(installation, context);
    return isChanged ? { ...failure, hints: [...failure.hints, ...explainChange(installation).hints] } : failure;
  }
  if (isChanged) return explainChange(installation);
  return explanationOf(installation, {
    state: "succeeded",
    message: `succeeded${howLongAgo(status?.transitionTimes?.finishedTime, context.now)}`,
  });
}

const coreHint = "check that the core runs and serves this cluster";

function explainTriggered(installation: Installation): Explanation {
  return explanationOf(installation, {
    state: "triggered",
    message: "was triggered, and the core has not begun the job yet",
    hints: [coreHint],
  });
}

function explainRequestedDeletion(installation: Installation): Explanation {
  const message = "its deletion was requested, and no job has begun it yet";
  return explanationOf(installation, { state: "triggered", message, hints: [coreHint] });
}

function triggerHint({ metadata }: Installation): string {
  return `trigger it: landscaper reconcile installation/${metadata.name} -n ${metadata.namespace}`;
}

function explainNever(installation: Installation): Explanation {
  const parent = parentOf(installation);
  if (parent !== undefined) {
    const message = `waits for the first job of its parent, Installation ${parent.name}`;
    return explanationOf(installation, { state: "waits-for-job", message });
  }
  if (isAutomatic(installation)) return explainTriggered(installation);
  return explanationOf(installation, {
    state: "never-triggered",
    message: "was never triggered",
    hints: [triggerHint(installation)],
  });
}

function isAutomatic({ metadata }: Installation): boolean {
  return (
    metadata.annotations?.[annotations.reconcileIfChanged] === "true" ||
    metadata.annotations?.[annotations.reconcilePolicy] === reconcilePolicyOnChange
  );
}

function explainChange(installation: Installation): Explanation {
  const { status, metadata } = installation;
  const change = `its spec has changed since the last job (generation ${metadata.generation}, the job worked on ${status?.observedGeneration})`;
  const parent = parentOf(installation);
  if (parent !== undefined) {
    const hints = [`Installation ${parent.name} brings it back to its template with its next job`];
    return explanationOf(installation, { state: "changed", message: change, hints });
  }
  if (isAutomatic(installation)) {
    return explanationOf(installation, { state: "changed", message: `${change}; a job begins by itself` });
  }
  return explanationOf(installation, {
    state: "changed",
    message: `${change}, and nobody has triggered it`,
    hints: [triggerHint(installation)],
  });
}

type Child = Execution | Installation;

function childrenOf(installation: Installation, { index }: ExplainContext): readonly Child[] {
  return [...index.executionsOf(installation), ...index.subinstallationsOf(installation)];
}

function isExecution(child: Child): child is Execution {
  return child.kind === "Execution";
}

function explainChild(child: Child, context: ExplainContext): Explanation {
  return isExecution(child) ? explainExecution(child, context) : explainInstallation(child, context);
}

function explainFailed(installation: Installation, context: ExplainContext): Explanation {
  const { jobID, lastError } = installation.status ?? {};
  if (lastError?.reason === "AllPredecessorsSucceeded") {
    const failed = listPredecessors(installation, context.siblings).filter(
      ({ status }) => status?.phase !== phases.succeeded,
    );
    return explainOwnFailure(
      installation,
      failed.map((one) => explainInstallation(one, context)),
    );
  }
  const failed = failedIn(childrenOf(installation, context), jobID);
  const execution = failed.find(isExecution);
  if (execution !== undefined) {
    return explainFailureBelow(installation, explainFailedExecution(execution, context), failed.length);
  }
  const first = firstFailure(failed);
  if (first === undefined) return explainOwnFailure(installation);
  return explainFailureBelow(installation, explainChild(first, context), failed.length);
}

function explainOpen(installation: Installation, context: ExplainContext): Explanation {
  const explanation = explainJob(installation, context);
  if (!isTriggered(installation)) return explanation;
  return { ...explanation, hints: [...explanation.hints, queuedHint(installation, context)] };
}

/** An interrupt replaces the request of the queued job, so the job must be requested again. It does not end the wait for predecessors or successors. */
function queuedHint(installation: Installation, context: ExplainContext): string {
  const leftMs = timeLeftOfJob(installation, context);
  // Rounds up, where formatAge rounds down.
  const bound = leftMs === undefined ? "" : `, in at most ${formatAge(leftMs + (leftMs < 120_000 ? 999 : 59_999))}`;
  const queued = `the next job starts when this one ends${bound}`;
  const { phase } = installation.status ?? {};
  if (phase === phases.init || phase === phases.initDelete) return queued;
  const where = `installation/${installation.metadata.name} -n ${installation.metadata.namespace}`;
  return `${queued}; to end this one now: landscaper interrupt ${where} --wait, then landscaper reconcile ${where}`;
}

function explainJob(installation: Installation, context: ExplainContext): Explanation {
  const { status } = installation;
  const phase = status?.phase ?? "";
  if (phase === "" || isFinalPhase(phase)) {
    const message = "has a new job, and the core has not begun it yet";
    return explanationOf(installation, { state: "triggered", message, hints: [coreHint] });
  }
  if (phase === phases.init) return explainInit(installation, context);
  if (phase === phases.initDelete) return explainInitDelete(installation, context);
  return explainSubObjects(installation, context) ?? explainStep(installation, context);
}

/** What the phase does by itself. */
function explainStep(installation: Installation, { now }: ExplainContext): Explanation {
  const { phase, phaseTransitionTime } = installation.status ?? {};
  const retry = explainRetry(installation);
  if (retry !== undefined) return retry;
  return explanationOf(installation, {
    state: "working",
    message: `is in phase ${phase}${forHowLong(phaseTransitionTime, now)}`,
  });
}

function explainInit(installation: Installation, context: ExplainContext): Explanation {
  const waiting = listPredecessors(installation, context.siblings).filter(
    (one) => !isPredecessorFinished(one, installation),
  );
  if (waiting.length === 0) return explainStep(installation, context);
  return explanationOf(installation, {
    state: "waits-for-predecessor",
    message: `waits for ${listNames(waiting.map(describePredecessor))}, whose exports it imports`,
    because: waiting.map((one) => explainInstallation(one, context)),
  });
}

function describePredecessor(predecessor: Installation): string {
  const { phase = "", jobID = "" } = predecessor.status ?? {};
  const job = jobID === "" ? "no job yet" : `job ${jobID}`;
  return `${titleOf(predecessor)} (${phase === "" ? "not started" : phase}, ${job})`;
}

function explainInitDelete(installation: Installation, context: ExplainContext): Explanation {
  const ignored = installation.metadata.annotations?.[annotations.deleteIgnoreSuccessors] === "true";
  const successors = ignored ? [] : listSuccessors(installation, context.siblings);
  if (successors.length === 0) return explainStep(installation, context);
  const { name, namespace } = installation.metadata;
  const waits = `waits for the deletion of ${listNames(successors.map(titleOf))}, which ${successors.length === 1 ? "imports" : "import"} what it exports`;
  return explanationOf(installation, {
    state: "waits-for-successor",
    message: waits,
    hints: [
      `delete what imports from it, or: landscaper delete installation/${name} -n ${namespace} --ignore-successors`,
    ],
    because: successors.filter(isDeleting).map((one) => explainInstallation(one, context)),
  });
}

/** Undefined when all children have ended the job. */
function explainSubObjects(installation: Installation, context: ExplainContext): Explanation | undefined {
  const { phase, jobID } = installation.status ?? {};
  if (phase === phases.completing) return undefined;
  const children = childrenOf(installation, context);
  const relevant = phase === phases.cleanupOrphaned ? children.filter(isDeleting) : children;
  const unfinished = relevant.filter(({ status }) => status?.jobIDFinished !== jobID);
  if (unfinished.length === 0) return undefined;
  const failed = failedIn<Child>(relevant, jobID);
  const what = phase === phases.cleanupOrphaned ? "the deletion of what the blueprint has no more" : "its sub-objects";
  return explanationOf(installation, {
    state: "waits-for-sub-objects",
    message: `waits for ${what}${failed.length > 0 ? `; ${failed.length} failed already` : ""}`,
    because: [...failed, ...unfinished].map((child) => explainChild(child, context)),
  });
}
