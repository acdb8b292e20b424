import { randomBytes } from "node:crypto";
import { kubeResources } from "@landscaper/api";
import { ApiError, isAlreadyExists } from "../client/api-error.ts";
import type { Client } from "../client/client-interface.ts";
import type { Clock, EventRecorder, Logger } from "../controller-interface.ts";
import { describeError } from "../describe-error.ts";
import { createEventAggregator } from "./event-aggregation.ts";
import type { AggregatedEvent } from "./event-aggregation.ts";
import { eventName, toEventObject, toSeriesPatch } from "./event-object.ts";
import { createFifo } from "../controller/fifo.ts";

export interface EventRecorderOptions {
  readonly client: Client;
  /** Reporting controller, e.g. "landscaper-core". */
  readonly component: string;
  /** Reporting instance, e.g. the pod's name. Default: the component. */
  readonly instance?: string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  /** Hex digits that make event names unique; for tests. */
  readonly randomHex?: (() => string) | undefined;
}

export interface StoppableEventRecorder extends EventRecorder {
  /** Writes what waits, for at most `timeoutMs` (default 3 s); takes no more. Never rejects. */
  stop(timeoutMs?: number): Promise<void>;
  /** Events not written because there were too many or the API server refused them. */
  readonly dropped: number;
}

const maxWaiting = 1_000;
/** Repetitions of one event are written together, at most once in this time. */
const seriesIntervalMs = 10_000;
const retryMs = 2_000;

interface Task {
  readonly entry: AggregatedEvent;
  readonly type: "create" | "series";
}

/** Writes events one after the other in the background. When the server is slower than the callers, the oldest are dropped. */
export function createEventRecorder(options: EventRecorderOptions): StoppableEventRecorder {
  const { clock, log } = options;
  const aggregator = createEventAggregator();
  const waiting = createFifo<Task>();
  const scheduled = new Map<AggregatedEvent, () => void>();
  const stopped = new AbortController();
  let writing: Promise<void> | undefined;
  let isOpen = true;
  let dropped = 0;

  const drain = async (): Promise<void> => {
    for (let task = waiting.shift(); task !== undefined && !stopped.signal.aborted; task = waiting.shift()) {
      if (!(await writeEvent(options, task, stopped.signal))) dropped++;
    }
    writing = undefined;
  };
  const push = (task: Task): void => {
    waiting.push(task);
    if (waiting.size > maxWaiting) {
      waiting.shift();
      dropped++;
    }
    writing ??= drain();
  };
  const flushSeries = (entry: AggregatedEvent): void => {
    scheduled.get(entry)?.();
    scheduled.delete(entry);
    push({ entry, type: "series" });
  };
  return {
    event: (about, event) => {
      if (!isOpen) return;
      const result = aggregator.take(about, event, clock);
      if (result.type === "dropped") dropped++;
      else if (result.type === "new") push({ entry: result.entry, type: "create" });
      else if (!scheduled.has(result.entry)) {
        const { entry } = result;
        scheduled.set(
          entry,
          clock.schedule(seriesIntervalMs, () => flushSeries(entry)),
        );
      }
    },
    stop: async (timeoutMs = 3_000) => {
      if (isOpen) for (const entry of scheduled.keys()) flushSeries(entry);
      isOpen = false;
      const cancel = clock.schedule(timeoutMs, () => stopped.abort(new Error("the time to write events is over")));
      await writing;
      cancel();
      if (dropped > 0) log.info({ dropped }, "events were dropped");
    },
    get dropped() {
      return dropped + (stopped.signal.aborted ? waiting.size : 0);
    },
  };
}

/** Whether the event is written; never rejects. One retry, for a server that was away for a moment. */
async function writeEvent(options: EventRecorderOptions, task: Task, signal: AbortSignal): Promise<boolean> {
  const { clock, log, client, component, instance = component } = options;
  const { entry } = task;
  const { namespace = "default", name = "object" } = entry.about.metadata;
  const newName = options.randomHex ?? (() => randomBytes(8).toString("hex"));
  entry.name ??= eventName(name, newName());
  const key = { namespace, name: entry.name };
  const write = async (): Promise<void> => {
    if (task.type === "create") {
      await client.create(kubeResources.event, toEventObject(entry, key.name, { component, instance }), { signal });
    } else {
      await client.patch(kubeResources.event, key, { type: "merge", body: toSeriesPatch(entry), signal });
    }
  };
  try {
    await write().catch(async (error: unknown) => {
      if (error instanceof ApiError && error.status < 500) throw error;
      await clock.sleep(retryMs, signal);
      await write();
    });
    return true;
  } catch (error) {
    // The first try had reached the server.
    if (isAlreadyExists(error)) return true;
    log.debug({ object: name, error: describeError(error) }, "an event was not written");
    return false;
  }
}
