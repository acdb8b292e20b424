import { formatKey, keyOf, type DeployItem } from "@landscaper/api";
import type { EventRecorder } from "@landscaper/controller-runtime";

/** Where CloudEvents go; the publisher of libs/events is one. */
export interface TransitionPublisher {
  publish(event: { readonly type: string; readonly subject: string; readonly data: Record<string, unknown> }): void;
}

/** Tells the world about a job. Never throws, never blocks. */
export interface JobNotifier {
  started(item: DeployItem): void;
  /** A failure that is new; the job goes on. */
  failing(item: DeployItem): void;
  finished(item: DeployItem): void;
  /** The deployer holds the item no longer. */
  deleted(item: DeployItem): void;
}

/** Types of the CloudEvents that a deployer sends; the subject is "namespace/name" of the DeployItem. */
export const deployItemEventTypes = {
  started: "landscaper.deployitem.started",
  failing: "landscaper.deployitem.failing",
  finished: "landscaper.deployitem.finished",
  deleted: "landscaper.deployitem.deleted",
} as const;

export interface JobNotifierOptions {
  /** Kubernetes events: the end of a job and every new error (design.md §3.10). */
  readonly recorder: EventRecorder;
  /** Every transition. */
  readonly publisher: TransitionPublisher;
}

export function createJobNotifier({ recorder, publisher }: JobNotifierOptions): JobNotifier {
  const publish = (type: string, item: DeployItem): void => {
    publisher.publish({ type, subject: formatKey(keyOf(item)), data: describe(item) });
  };
  return {
    started: (item) => publish(deployItemEventTypes.started, item),
    failing: (item) => {
      publish(deployItemEventTypes.failing, item);
      warn(recorder, item);
    },
    finished: (item) => {
      publish(deployItemEventTypes.finished, item);
      if (item.status?.lastError !== undefined) warn(recorder, item);
      else
        recorder.event(item, { type: "Normal", reason: "Succeeded", message: `job ${item.status?.jobID} succeeded` });
    },
    deleted: (item) => publish(deployItemEventTypes.deleted, item),
  };
}

function warn(recorder: EventRecorder, item: DeployItem): void {
  const error = item.status?.lastError;
  if (error !== undefined) recorder.event(item, { type: "Warning", reason: error.reason, message: error.message });
}

function describe({ metadata, spec, status }: DeployItem): Record<string, unknown> {
  const { phase, jobID, lastError, deployer } = status ?? {};
  return {
    uid: metadata.uid,
    type: spec.type,
    phase,
    jobID,
    ...(deployer === undefined ? {} : { deployer: deployer.identity }),
    ...(lastError === undefined ? {} : { lastError }),
  };
}
