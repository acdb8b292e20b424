import { formatKey } from "@landscaper/api";
import { explainError, type Manager, type MetricDefinitions } from "@landscaper/controller-runtime";
import { createTransitionPublisher, followVersions, type TransitionStats } from "@landscaper/events";
import { hubIdKey, type HubId } from "../hub-id.ts";
import { addEventMetrics } from "../metrics/core-metrics.ts";
import { describeEvents } from "./describe-events.ts";

export interface EventPublisherSettings {
  /** NATS URLs, separated by commas. */
  readonly servers: string;
  readonly hubId: HubId;
  readonly metrics?: MetricDefinitions | undefined;
}

/** How often the line of `/readyz?verbose` is updated (ms). */
const noteMs = 5_000;
/** How long the publisher waits before it asks again for an id of the landscaper cluster (ms). */
const hubIdMs = 60_000;
const noteName = "events";

/**
 * Lets the leader publish the transitions of Installations, Executions and DeployItems (docs/adr/0058-events-from-stored-versions.md). Throws TypeError
 * if `servers` are not NATS URLs. No failure of NATS affects the controllers.
 */
export function addEventPublisher(manager: Manager, { servers, hubId, metrics }: EventPublisherSettings): void {
  const { client, clock, log } = manager;
  const publisher = createTransitionPublisher({
    servers,
    clock,
    log,
    follow: followVersions({ client, clock, log }),
    hubId: async (signal) => await waitForHubId(manager, hubId, signal),
  });
  if (metrics !== undefined) addEventMetrics(metrics, () => publisher.stats);
  const run = async (signal: AbortSignal): Promise<void> => {
    const end = new AbortController();
    const stop = AbortSignal.any([signal, end.signal]);
    const noting = keepNote(manager, () => publisher.stats, stop);
    try {
      await publisher.run(signal);
    } finally {
      end.abort(new Error("the publisher of events has ended"));
      await noting;
    }
  };
  manager.addRunnable("event-publisher", run, { group: "central" });
}

/** Returns the id of the landscaper cluster, which events have in `source`. Retries until it can be read or created. */
async function waitForHubId(manager: Manager, hubId: HubId, signal: AbortSignal): Promise<string> {
  const { clock, log } = manager;
  for (;;) {
    let problem = `cannot read or create the Secret ${formatKey(hubIdKey)}`;
    try {
      const id = await hubId(signal);
      if (id !== undefined) {
        manager.reportNote(noteName, undefined);
        return id;
      }
    } catch (error) {
      signal.throwIfAborted();
      problem = `${problem}: ${explainError(error)}`;
    }
    log.warn({ problem }, "events wait for the id of the landscaper cluster");
    manager.reportNote(noteName, `events are not published: ${problem}`);
    await clock.sleep(hubIdMs, signal);
  }
}

/** Keeps the line of `/readyz?verbose` up to date until the signal is aborted. */
async function keepNote(manager: Manager, read: () => TransitionStats, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await manager.clock.sleep(noteMs, signal).catch(() => {});
    if (signal.aborted) break;
    const stats = read();
    if (stats.isStarted) manager.reportNote(noteName, describeEvents(stats));
  }
  manager.reportNote(noteName, undefined);
}
