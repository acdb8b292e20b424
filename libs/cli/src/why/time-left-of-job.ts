import {
  conditionTypes,
  executionPhases,
  installationPhases,
  isJobAtWork,
  isJobOpen,
  type Execution,
  type Installation,
} from "@landscaper/api";
import type { ExplainContext } from "./explain-context.ts";
import { timeLeft } from "./explain-deploy-item.ts";

/**
 * Returns the milliseconds after which the open job of an Installation has ended at the latest. Undefined unless all that the job still waits for are
 * deploy items with a deadline ahead: the end of other work is unknown.
 */
export function timeLeftOfJob(installation: Installation, context: ExplainContext): number | undefined {
  const { phase, jobID } = installation.status ?? {};
  if (phase !== installationPhases.progressing) return undefined;
  const { index } = context;
  return longest([
    ...unfinished(index.executionsOf(installation), jobID).map((execution) => timeLeftOfExecution(execution, context)),
    ...unfinished(index.subinstallationsOf(installation), jobID).map((below) => timeLeftOfJob(below, context)),
  ]);
}

function timeLeftOfExecution(execution: Execution, { index, now }: ExplainContext): number | undefined {
  const { phase, jobID } = execution.status ?? {};
  if (phase !== executionPhases.progressing) return undefined;
  return longest(
    unfinished(index.deployItemsOf(execution), jobID).map((item) => {
      const { status = {} } = item;
      // The deployers of a silent Environment do not end jobs at their deadline.
      const isSilent = status.conditions?.some(
        ({ type, status: value }) => type === conditionTypes.environmentReachable && value === "False",
      );
      const isAtWork = status.jobID === jobID && isJobOpen(status) && isJobAtWork(status.phase) && isSilent !== true;
      const leftMs = isAtWork ? timeLeft(item, now) : undefined;
      return leftMs === undefined || leftMs < 0 ? undefined : leftMs;
    }),
  );
}

function unfinished<T extends { readonly status?: { readonly jobIDFinished?: string } }>(
  objects: readonly T[],
  jobID: string | undefined,
): readonly T[] {
  return objects.filter(({ status }) => status?.jobIDFinished !== jobID);
}

/** Undefined if a time is unknown, or if there is none. */
function longest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 || known.length < times.length ? undefined : Math.max(...known);
}
