import { parseContainerProviderStatus, type ContainerPodStatus, type DeployItem, type Pod } from "@landscaper/api";
import { UsageError } from "../usage-error.ts";

export interface PodChoice {
  readonly item: DeployItem;
  /** All Pods of the item. */
  readonly pods: readonly Pod[];
  /** The Pod before the last one. */
  readonly isPrevious: boolean;
}

const ageOf = ({ metadata }: Pod): number => Date.parse(metadata.creationTimestamp ?? "");

/**
 * The Pod whose log is meant: the one that the status has recorded for the last job, or the youngest of the others. A Pod that is not recorded has not started
 * its program. Pure. Throws UsageError that says why there is none.
 */
export function choosePod({ item, pods, isPrevious }: PodChoice): Pod {
  const current = pods.find(({ metadata }) => metadata.uid !== undefined && metadata.uid === recordedUid(item));
  const [previous] = pods.filter((pod) => pod !== current).toSorted((one, other) => ageOf(other) - ageOf(one));
  const chosen = isPrevious ? previous : current;
  if (chosen !== undefined) return chosen;
  const name = item.metadata.name ?? "";
  if (isPrevious && current !== undefined) {
    throw new UsageError(
      `deploy item ${name} has one Pod, ${current.metadata.name}, and none before it: the deployer keeps Pods that have ended only with debug.keepPod`,
    );
  }
  if (!isPrevious && previous !== undefined) {
    throw new UsageError(
      `the last job of deploy item ${name} has no Pod; --previous prints the log of Pod ${previous.metadata.name}, which is of an earlier run`,
    );
  }
  throw new UsageError(
    `deploy item ${name} has no Pod: it is removed when the program has ended, unless the deployer keeps it (debug.keepPod, debug.keepFailedPod); landscaper why di/${name} says how its last job went`,
  );
}

/** Of the run of the last job, or of its repetition; undefined while that has none. */
function recordedUid({ status }: DeployItem): string | undefined {
  const podStatus = readPodStatus(status?.providerStatus);
  const isOfJob = podStatus?.runID?.split("@")[0] === status?.jobID;
  return isOfJob ? podStatus?.podUID : undefined;
}

function readPodStatus(providerStatus: unknown): ContainerPodStatus | undefined {
  return providerStatus === undefined
    ? undefined
    : parseContainerProviderStatus(providerStatus, "status.providerStatus").podStatus;
}
