import {
  deployItemPhases as phases,
  type DeployItem,
  type DeployItemStatus,
  type LandscaperError,
} from "@landscaper/api";
import { addTime, refreshReady, setError } from "../job-status.ts";
import { isDeleting } from "../object-reading.ts";

/**
 * Status of a DeployItem whose job the core ends instead of its deployer: interruption and timeouts (core.md §2.7, §2.8). Phase,
 * jobIDFinished and lastError go in one write.
 */
export function failDeployItem(
  deployItem: DeployItem,
  { jobID, error }: { readonly jobID: string; readonly error: LandscaperError },
  now: Date,
): DeployItemStatus {
  const phase = isDeleting(deployItem) ? phases.deleteFailed : phases.failed;
  const generation = deployItem.metadata.generation ?? 0;
  const { workedSeconds: _worked, ...status } = deployItem.status ?? {};
  const ended = { ...status, phase, jobID, jobIDFinished: jobID, observedGeneration: generation };
  return refreshReady(setError(addTime(ended, "finishedTime", now), error, now), { generation }, now);
}
