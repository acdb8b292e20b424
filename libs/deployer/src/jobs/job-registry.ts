import {
  isJobOpen,
  keyOf,
  type DeployItem,
  type DeployItemStatus,
  type ObjectKey,
  type Warning,
} from "@landscaper/api";
import type { DeployerWork, WaitTrouble } from "../deployer-interface.ts";
import type { News } from "../watches/kind-watches.ts";
import type { TargetWatches } from "../watches/target-watches.ts";
import { WakeUps } from "../watches/wake-ups.ts";

/** Why the work on a job is cancelled. */
export class JobEndedError extends Error {
  override readonly name = "JobEndedError";

  constructor() {
    super("the job was interrupted or ended by somebody else");
  }
}

/** What this process knows of a job beyond the status. Everything in it may be lost. Times are of its `elapsed`, in ms. */
export interface JobMemory {
  readonly jobID: string;
  /** The pickup; for that of another process see `pickedUpBefore`. */
  pickedUpAt: number | undefined;
  /** Whether the status says that this process is at work between jobs. */
  isClaimed: boolean;
  /** What the deployer has been called for; undefined before the first call. */
  work: DeployerWork | undefined;
  /** The status before the pickup, when that was this process's. */
  statusBefore: DeployItemStatus | undefined;
  /** Whether the job is known to have changed something. */
  hasChanged: boolean;
  /** Failed passes in a row. */
  failures: number;
  /** Passes in a row that ended with a refusal of one kind, and when the first of them did. */
  refusals: Refusals | undefined;
  /** Whether the deployer may have done something: a pass has ended otherwise than for want of the Target's Secret, or had access to the target before. */
  isTouched: boolean;
  /** Waiting passes in a row. */
  waits: number;
  /** What the last pass waited for. */
  waitingFor: string | undefined;
  /** Work of the running pass that may take long (`DeployContext.noteWork`). */
  workInProgress: string | undefined;
  /** What was wrong with it. */
  trouble: WaitTrouble | undefined;
  /** What the status says that it waits for. */
  toldReason: string | undefined;
  /** When the status last said so. */
  progressWrittenAt: number | undefined;
  /** No pass before `until`, unless item or target change: our own status writes raise events, too. */
  pause: Pause | undefined;
  /** What the job has come upon that may not be meant so, and what API servers have said of its writes: by message. Secrets of the connection are masked in them, no others. */
  readonly warnings: Map<string, Warning>;
  /** What watches have told since the last pass began. */
  news: News | undefined;
  /** When a pass has to look at changes since the last pass began that may wait. */
  newsDueAt: number | undefined;
  readonly wakeUps: WakeUps;
  /** Made and read by the deployer alone. */
  state: { readonly value: unknown } | undefined;
  /** Aborted with JobEndedError when the job ends from outside. */
  readonly interrupted: AbortSignal;
}

export interface Refusals {
  readonly count: number;
  readonly sinceMs: number;
  /** Whether the Secret of the Target is missing, and not the API server refuses an object. */
  readonly isOfSecret: boolean;
}

export interface Pause {
  readonly since: number;
  readonly until: number;
  readonly cause: string;
  /** After a failure only a watch that stands again ends it: changes may go on while the failure does. */
  readonly isAfterFailure: boolean;
}

export interface ToldNews {
  readonly news: News;
  /** How long the pass may wait that looks, in ms. */
  readonly afterMs: number;
}

/** Where jobs hear of what they wait for. */
export interface JobNews {
  readonly watches: Pick<TargetWatches, "subscribe" | "keyOf">;
  readonly onNews: (item: ObjectKey, memory: JobMemory, told: ToldNews) => void;
}

/** Jobs that this process works on, by the UID of their item. */
export interface JobRegistry {
  /** The memory of the item's present job; made new where the job is another one than before. */
  enter(item: DeployItem, jobID: string): JobMemory;
  find(item: DeployItem): JobMemory | undefined;
  /** The job has ended by this process. */
  leave(item: DeployItem): void;
  /** A pass has found that the job is somebody else's, or has been ended. */
  lose(item: DeployItem): void;
  /** The memory of a job that was ended from outside after the deployer was called for it: given out once, until the next job. */
  takeEnded(item: DeployItem): JobMemory | undefined;
  /** Tells of what the watch has brought: a job that is over is cancelled and forgotten. */
  observe(item: DeployItem): void;
  /** The item is gone. */
  forget(item: DeployItem): void;
}

const noNews: JobNews = {
  watches: { subscribe: () => ({ isStanding: false, end: () => {} }), keyOf: () => "" },
  onNews: () => {},
};

/** `isRunning`: whether the item, as the watch brings it, still has the job. Default: it is open. */
export function createJobRegistry(
  isRunning: (item: DeployItem) => boolean = ({ status }): boolean => isJobOpen(status),
  { watches, onNews }: JobNews = noNews,
): JobRegistry {
  const jobs = new Map<string, { readonly memory: JobMemory; readonly controller: AbortController }>();
  const ended = new Map<string, JobMemory>();
  const uidOf = (item: DeployItem): string => item.metadata.uid ?? "";
  const end = (uid: string): void => {
    const job = jobs.get(uid);
    jobs.delete(uid);
    ended.delete(uid);
    job?.controller.abort(new JobEndedError());
    job?.memory.wakeUps.end();
  };
  const lose = (uid: string): void => {
    const job = jobs.get(uid);
    if (job === undefined) return;
    end(uid);
    if (job.memory.work !== undefined) ended.set(uid, job.memory);
  };
  return {
    enter(item, jobID) {
      const known = jobs.get(uidOf(item));
      if (known !== undefined && known.memory.jobID === jobID) return known.memory;
      end(uidOf(item));
      const controller = new AbortController();
      const key = keyOf(item);
      const wake = (news: News, afterMs: number): void => onNews(key, memory, { news, afterMs });
      const memory: JobMemory = {
        jobID,
        pickedUpAt: undefined,
        isClaimed: false,
        work: undefined,
        statusBefore: undefined,
        hasChanged: false,
        failures: 0,
        refusals: undefined,
        isTouched: false,
        waits: 0,
        waitingFor: undefined,
        workInProgress: undefined,
        trouble: undefined,
        toldReason: undefined,
        warnings: new Map(),
        progressWrittenAt: undefined,
        pause: undefined,
        news: undefined,
        newsDueAt: undefined,
        wakeUps: new WakeUps({ watches, wake, signal: controller.signal }),
        state: undefined,
        interrupted: controller.signal,
      };
      jobs.set(uidOf(item), { memory, controller });
      return memory;
    },
    find(item) {
      const memory = jobs.get(uidOf(item))?.memory;
      return memory?.jobID === (item.status?.jobID ?? "") ? memory : undefined;
    },
    forget(item) {
      end(uidOf(item));
    },
    leave(item) {
      jobs.get(uidOf(item))?.memory.wakeUps.end();
      jobs.delete(uidOf(item));
      // The watch may have brought our own end before its answer came.
      ended.delete(uidOf(item));
    },
    lose(item) {
      lose(uidOf(item));
    },
    takeEnded(item) {
      const memory = ended.get(uidOf(item));
      ended.delete(uidOf(item));
      return memory;
    },
    observe(item) {
      const job = jobs.get(uidOf(item));
      if (job === undefined) return;
      const isSame = (item.status?.jobID ?? "") === job.memory.jobID && isRunning(item);
      if (!isSame) lose(uidOf(item));
    },
  };
}
