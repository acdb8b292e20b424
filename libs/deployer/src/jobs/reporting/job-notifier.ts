import { conditionTypes, type DeployItem, type Warning } from "@landscaper/api";
import type { EventRecorder } from "@landscaper/controller-runtime";
import type { JobObserver } from "./job-metrics.ts";

/** Tells the world about a job. Never throws, never blocks. */
export interface JobNotifier {
  /** Ended before anything was done. */
  refused(item: DeployItem): void;
  /** Succeeded without work: nothing has changed since the last job. */
  acknowledged(item: DeployItem): void;
  /** What the job accepts although it may not be meant so, and did not before. */
  warned(item: DeployItem, warning: Warning): void;
  /** An action of the deployer that users should know. */
  noted(item: DeployItem, event: { readonly reason: string; readonly message: string }): void;
  /** A failure that is new; the job goes on. */
  failing(item: DeployItem): void;
  /** After its work. */
  finished(item: DeployItem): void;
  /** Besides, a job that changed something has succeeded. */
  succeeded(item: DeployItem): void;
  /** A request for a plan was answered; no phase has changed. */
  planned(item: DeployItem): void;
  /** The deployer holds the item no longer. */
  deleted(item: DeployItem): void;
}

export interface JobNotifierOptions {
  /** Kubernetes events: the end of a job that changed something, and every new error (ADR 8). */
  readonly recorder: EventRecorder;
  /** Counts jobs. Default: nobody does. */
  readonly onEnd?: JobObserver | undefined;
}

export function createJobNotifier({ recorder, onEnd = () => {} }: JobNotifierOptions): JobNotifier {
  return {
    refused: (item) => {
      onEnd(item);
      warn(recorder, item);
    },
    acknowledged: (item) => onEnd(item),
    warned: (item, warning) => recorder.event(item, { type: "Warning", ...warning }),
    noted: (item, event) => recorder.event(item, { type: "Normal", ...event }),
    failing: (item) => warn(recorder, item),
    finished: (item) => {
      onEnd(item);
      warn(recorder, item);
    },
    succeeded: (item) =>
      recorder.event(item, { type: "Normal", reason: "Succeeded", message: "the deploy item is deployed" }),
    planned: (item) => {
      const answer = item.status?.conditions?.find(({ type }) => type === conditionTypes.planned);
      if (answer === undefined) return;
      const { status, reason, message } = answer;
      recorder.event(item, { type: status === "True" ? "Normal" : "Warning", reason, message });
    },
    deleted: (item) => onEnd(item),
  };
}

function warn(recorder: EventRecorder, item: DeployItem): void {
  const error = item.status?.lastError;
  if (error !== undefined) recorder.event(item, { type: "Warning", reason: error.reason, message: error.message });
}
