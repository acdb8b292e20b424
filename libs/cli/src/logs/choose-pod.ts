import type { DeployItem, Pod } from "@landscaper/api";
import { UsageError } from "../usage-error.ts";

export interface PodChoice {
  readonly item: DeployItem;
  /** All Pods of the item. */
  readonly pods: readonly Pod[];
  /** The Pod before the last one. */
  readonly isPrevious: boolean;
}

const ageOf = ({ metadata }: Pod): number => Date.parse(metadata.creationTimestamp ?? "");

/** The Pod whose log is meant. Pure. Throws UsageError that says why there is none. */
export function choosePod({ item, pods, isPrevious }: PodChoice): Pod {
  const [last, previous] = pods.toSorted((one, other) => ageOf(other) - ageOf(one));
  const chosen = isPrevious ? previous : last;
  if (chosen !== undefined) return chosen;
  const name = item.metadata.name ?? "";
  if (isPrevious && last !== undefined) {
    throw new UsageError(
      `deploy item ${name} has one Pod, ${last.metadata.name}, and none before it: the deployer keeps Pods that have ended only with debug.keepPod`,
    );
  }
  throw new UsageError(
    `deploy item ${name} has no Pod: it is removed when the program has ended, unless the deployer keeps it (debug.keepPod, debug.keepFailedPod); landscaper why di/${name} says how its last job went`,
  );
}
