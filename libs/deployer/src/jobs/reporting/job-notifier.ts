import { conditionTypes, type DeployItem, type Warning } from "@landscaper/api";
import type { EventRecorder } from "@landscaper/controller-runtime";
import { deletedPhase, type EventPublisher } from "@landscaper/events";
import type { JobObserver } from "./job-metrics.ts";

/** Tells the world about a job. Never throws, never blocks. */
export interface JobNotifier {
  started(item: DeployItem): void;
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
  /** CloudEvents: every transition, also over phases that are not stored. */
  readonly publisher: Pick<EventPublisher, "publish">;
  /** Counts jobs. Default: nobody does. */
  readonly onEnd?: JobObserver | undefined;
}

export function createJobNotifier({ recorder, publisher, onEnd = () => {} }: JobNotifierOptions): JobNotifier {
  return {
    started: (item) => publishPhases(publisher, item, [...listFirstPhases(item)]),
    refused: (item) => {
      onEnd(item);
      publishPhases(publisher, item, [listFirstPhases(item)[0], item.status?.phase]);
      warn(recorder, item);
    },
    acknowledged: (item) => {
      onEnd(item);
      publishPhases(publisher, item, [...listFirstPhases(item), item.status?.phase]);
    },
    warned: (item, warning) => recorder.event(item, { type: "Warning", ...warning }),
    noted: (item, event) => recorder.event(item, { type: "Normal", ...event }),
    failing: (item) => {
      publish(publisher, item, item.status?.phase);
      warn(recorder, item);
    },
    finished: (item) => {
      onEnd(item);
      publish(publisher, item, item.status?.phase);
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
    deleted: (item) => {
      onEnd(item);
      publish(publisher, item, deletedPhase);
    },
  };
}

/** Those of the pickup. */
function listFirstPhases({ status }: DeployItem): readonly [string, string] {
  const isDeleting = status?.phase === "Deleting" || status?.phase === "DeleteFailed";
  return isDeleting ? ["InitDelete", "Deleting"] : ["Init", "Progressing"];
}

function publishPhases(
  publisher: Pick<EventPublisher, "publish">,
  item: DeployItem,
  phases: readonly (string | undefined)[],
): void {
  for (const phase of phases) publish(publisher, item, phase);
}

function warn(recorder: EventRecorder, item: DeployItem): void {
  const error = item.status?.lastError;
  if (error !== undefined) recorder.event(item, { type: "Warning", reason: error.reason, message: error.message });
}

function publish(publisher: Pick<EventPublisher, "publish">, item: DeployItem, phase = ""): void {
  const { namespace, name = "", uid = "" } = item.metadata;
  const { jobID, lastError } = item.status ?? {};
  // Of a job that was refused, the phases before its end knew of nothing.
  const isEarlier = phase !== item.status?.phase && phase !== deletedPhase;
  const error =
    lastError === undefined || isEarlier ? undefined : { reason: lastError.reason, message: lastError.message };
  publisher.publish({ data: { kind: item.kind, namespace, name, uid, phase, jobID, error } });
}
