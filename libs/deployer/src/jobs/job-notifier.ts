import { conditionTypes, type DeployItem } from "@landscaper/api";
import type { EventRecorder } from "@landscaper/controller-runtime";
import type { EventPublisher } from "@landscaper/events";

/** Tells the world about a job. Never throws, never blocks. */
export interface JobNotifier {
  started(item: DeployItem): void;
  /** A failure that is new; the job goes on. */
  failing(item: DeployItem): void;
  finished(item: DeployItem): void;
  /** A request for a plan was answered; no phase has changed. */
  planned(item: DeployItem): void;
  /** The deployer holds the item no longer. */
  deleted(item: DeployItem): void;
}

export interface JobNotifierOptions {
  /** Kubernetes events: the end of a job and every new error (design.md §3.10). */
  readonly recorder: EventRecorder;
  /** CloudEvents: every transition. */
  readonly publisher: Pick<EventPublisher, "publish">;
}

/** In CloudEvents, of an item that its deployer has released. */
const deletedPhase = "Deleted";

export function createJobNotifier({ recorder, publisher }: JobNotifierOptions): JobNotifier {
  return {
    started: (item) => publish(publisher, item, item.status?.phase),
    failing: (item) => {
      publish(publisher, item, item.status?.phase);
      warn(recorder, item);
    },
    finished: (item) => {
      publish(publisher, item, item.status?.phase);
      if (item.status?.lastError !== undefined) warn(recorder, item);
      else recorder.event(item, { type: "Normal", reason: "Succeeded", message: "the deploy item is deployed" });
    },
    planned: (item) => {
      const answer = item.status?.conditions?.find(({ type }) => type === conditionTypes.planned);
      if (answer === undefined) return;
      const { status, reason, message } = answer;
      recorder.event(item, { type: status === "True" ? "Normal" : "Warning", reason, message });
    },
    deleted: (item) => publish(publisher, item, deletedPhase),
  };
}

function warn(recorder: EventRecorder, item: DeployItem): void {
  const error = item.status?.lastError;
  if (error !== undefined) recorder.event(item, { type: "Warning", reason: error.reason, message: error.message });
}

function publish(publisher: Pick<EventPublisher, "publish">, item: DeployItem, phase = ""): void {
  const { namespace, name = "", uid = "" } = item.metadata;
  const { jobID, lastError } = item.status ?? {};
  const error = lastError === undefined ? undefined : { reason: lastError.reason, message: lastError.message };
  publisher.publish({ data: { kind: item.kind, namespace, name, uid, phase, jobID, error } });
}
