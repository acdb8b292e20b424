import type { ContainerPodStatus } from "@landscaper/api";
import type { StartTrouble } from "../pod/start-trouble.ts";

/** Since when a container fails to start, as a process has seen it. */
export interface FailingSince {
  /** Of the Pod. */
  readonly uid: string;
  readonly container: StartTrouble["container"];
  /** Of a clock that nobody sets. */
  readonly sinceMs: number;
}

export interface FailingOptions {
  readonly uid: string;
  readonly trouble: StartTrouble;
  /** What the process knows. */
  readonly known: FailingSince | undefined;
  /** What the status of the item says: of a process before this one. */
  readonly recorded: ContainerPodStatus | undefined;
  readonly elapsedMs: number;
}

/** Time that passes while no process runs does not count. Pure. */
export function failingSince({ uid, trouble, known, recorded, elapsedMs }: FailingOptions): FailingSince {
  const { container } = trouble;
  if (known?.uid === uid && known.container === container) return known;
  const isRecorded = recorded?.podUID === uid && recorded.failing?.container === container;
  const beforeMs = isRecorded ? (recorded.failing?.seconds ?? 0) * 1000 : 0;
  return { uid, container, sinceMs: elapsedMs - beforeMs };
}
