import type { Registry } from "prom-client";
import type { EventStats, QueueGauge, RuntimeMetrics } from "./metrics-interface.ts";
import { metricTable } from "./metric-table.ts";

/** The numbers of one process, with the registry for metrics of its own. */
export interface Metrics extends RuntimeMetrics {
  readonly registry: Registry;
  /** Shows the numbers of an event publisher. */
  addEventStats(read: () => EventStats): void;
  /** What /metrics answers. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Collects into a registry of its own; nothing is global. Loads prom-client when called, not when imported. */
export async function createMetrics(): Promise<Metrics> {
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = await import("prom-client");
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counter = <L extends string>({ name, help, labels }: Definition<L>): InstanceType<typeof Counter<L>> =>
    new Counter<L>({ name, help, labelNames: labels, registers: [registry] });
  const histogram = <L extends string>({ name, help, labels, buckets }: HistogramDefinition<L>) =>
    new Histogram<L>({ name, help, labelNames: labels, buckets: [...buckets], registers: [registry] });
  const queues: QueueGauge[] = [];
  const queueGauge = ({ name, help, labels }: Definition<"queue">, read: (queue: QueueGauge) => number): void => {
    const gauge = new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [],
      collect() {
        for (const queue of queues) this.set({ queue: queue.name }, read(queue));
      },
    });
    registry.registerMetric(gauge);
  };
  queueGauge(metricTable.queueDepth, (queue) => queue.depth());
  queueGauge(metricTable.queueAge, (queue) => queue.oldestAgeMs() / 1000);
  queueGauge(metricTable.queueProcessing, (queue) => queue.processing());
  const apiRequests = counter(metricTable.apiRequests);
  const apiDuration = histogram(metricTable.apiRequestDuration);
  const reconciles = counter(metricTable.reconciles);
  const reconcileErrors = counter(metricTable.reconcileErrors);
  const reconcileDuration = histogram(metricTable.reconcileDuration);
  const queueWait = histogram(metricTable.queueWait);
  const informerEvents = counter(metricTable.informerEvents);
  return {
    registry,
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    observeApiRequest: ({ verb, resource, code, durationMs }) => {
      apiRequests.inc({ verb, resource, code });
      apiDuration.observe({ verb }, durationMs / 1000);
    },
    observeReconcile: ({ controller, result, durationMs }) => {
      reconciles.inc({ controller, result });
      if (result === "error" || result === "dropped") reconcileErrors.inc({ controller });
      reconcileDuration.observe({ controller }, durationMs / 1000);
    },
    addEventStats: (read) => {
      for (const [field, { name, help }] of eventMetrics) {
        const gauge = new Gauge({
          name,
          help,
          registers: [],
          collect() {
            this.set(read()[field]);
          },
        });
        registry.registerMetric(gauge);
      }
    },
    observeQueueWait: (queue, waitMs) => queueWait.observe({ queue }, waitMs / 1000),
    addQueue: (queue) => void queues.push(queue),
    observeInformer: (kind, event) => informerEvents.inc({ kind, event }),
  };
}

const eventMetrics: readonly (readonly [keyof EventStats, { readonly name: string; readonly help: string }])[] = [
  ["published", metricTable.eventsPublished],
  ["dropped", metricTable.eventsDropped],
  ["buffered", metricTable.eventsBuffered],
];

interface Definition<L extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly L[];
}

interface HistogramDefinition<L extends string> extends Definition<L> {
  readonly buckets: readonly number[];
}
