import { isJobAtWork, isJobOpen, type DeployItem } from "@landscaper/api";
import type { MetricDefinitions } from "@landscaper/controller-runtime";
import type { TransitionStats } from "@landscaper/events";
import type { CoreInformers } from "../core.ts";

/** What the core tells of the objects that it knows (docs/reference/metrics.md). */
export const coreMetricTable = {
  installations: {
    name: "landscaper_installations",
    help: 'Installations by phase; phase "New" are those that never had a job',
    labels: ["phase"],
  },
  waitingItems: {
    name: "landscaper_deploy_items_waiting",
    help: 'DeployItems whose job no deployer has picked up yet, by type; type "other" beyond the 100 most frequent ones',
    labels: ["type"],
  },
  removedSecrets: {
    name: "landscaper_foreign_secrets_removed_total",
    help: "Secrets with the name of a DeployItem's exports or plan and the mark of another Environment that the core has emptied or deleted",
    labels: [],
  },
  eventsPublished: {
    name: "landscaper_events_published_total",
    help: "CloudEvents that NATS has acknowledged",
    labels: [],
  },
  eventsRefused: {
    name: "landscaper_events_refused_total",
    help: "CloudEvents given up because NATS refused them: the account lacks a permission, or the event is too large",
    labels: [],
  },
  eventsGaps: {
    name: "landscaper_events_gaps_total",
    help: "CloudEvents with gap: versions before them may have been missed",
    labels: [],
  },
  eventsWaiting: {
    name: "landscaper_events_waiting",
    help: "CloudEvents that wait for NATS",
    labels: [],
  },
  eventsLag: {
    name: "landscaper_events_lag_seconds",
    help: "How long the oldest CloudEvent has waited for NATS",
    labels: [],
  },
  sharedNamespace: {
    name: "landscaper_core_in_deployer_namespace",
    help: "1 if the core runs in the namespace of deployer management, else 0",
    labels: [],
  },
} as const;

/** Types of items are what users write. */
const maxTypes = 100;

/** Shows the numbers of the publisher of events. */
export function addEventMetrics(define: MetricDefinitions, read: () => TransitionStats): void {
  define.total(coreMetricTable.eventsPublished, () => read().published);
  define.total(coreMetricTable.eventsRefused, () => read().refused);
  define.total(coreMetricTable.eventsGaps, () => read().gaps);
  define.gauge(coreMetricTable.eventsWaiting, () => [{ labels: {}, value: read().waiting }]);
  define.gauge(coreMetricTable.eventsLag, () => [{ labels: {}, value: read().lagSeconds }]);
}

/** Shows the objects that the informers have. */
export function addObjectGauges(
  define: MetricDefinitions,
  { installations, deployItems }: Pick<CoreInformers, "installations" | "deployItems">,
): void {
  define.gauge(coreMetricTable.installations, () =>
    toReadings(
      "phase",
      countBy(installations.lister.list(), ({ status }) => status?.phase ?? "New"),
    ),
  );
  define.gauge(coreMetricTable.waitingItems, () => {
    const waiting = deployItems.lister.list().filter(isWaiting);
    const counts = [...countBy(waiting, ({ spec }) => spec.type)].toSorted((a, b) => b[1] - a[1]);
    const others = counts.slice(maxTypes).reduce((sum, [, count]) => sum + count, 0);
    const named = new Map(counts.slice(0, maxTypes));
    return toReadings("type", others === 0 ? named : named.set("other", others));
  });
}

function isWaiting({ status }: DeployItem): boolean {
  return status !== undefined && isJobOpen(status) && !isJobAtWork(status.phase);
}

function countBy<T>(objects: readonly T[], labelOf: (object: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const object of objects) counts.set(labelOf(object), (counts.get(labelOf(object)) ?? 0) + 1);
  return counts;
}

function toReadings<L extends string>(label: L, counts: ReadonlyMap<string, number>) {
  // An object with this one key has all keys of the type.
  return [...counts].map(([text, value]) => ({ labels: { [label]: text } as Record<L, string>, value }));
}
