import type { QueueGauge, ReconcileSample, RuntimeMetrics, ShareGauge } from "./metrics-interface.ts";
import { startTurnMonitor } from "./turn-monitor.ts";
import { metricTable } from "./metric-table.ts";

/** Numbers that a service adds to those of the runtime; values in the units that the names say. */
export interface MetricDefinitions {
  counter<L extends string>(definition: Definition<L>): { inc(labels: Readonly<Record<L, string>>): void };
  histogram<L extends string>(
    definition: HistogramDefinition<L>,
  ): { observe(labels: Readonly<Record<L, string>>, value: number): void };
  /** A counter that its owner keeps. `read` is called when somebody asks for the metrics. */
  total(definition: Definition<never>, read: () => number): void;
  /** `read` is called when somebody asks for the metrics. */
  gauge<L extends string>(definition: Definition<L>, read: () => readonly Reading<L>[]): void;
}

/** The numbers of one process. */
export interface Metrics extends RuntimeMetrics {
  /** For numbers of the service's own. */
  readonly define: MetricDefinitions;
  /** What /metrics answers. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** How often the lag of the event loop is looked at (ms). prom-client's own 10 is most of what an idle service has to do. */
const lagPrecisionMs = 50;

/** Collects into a registry of its own; nothing is global. Loads prom-client when called, not when imported. */
export async function createMetrics(): Promise<Metrics> {
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = await import("prom-client");
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lagPrecisionMs });
  const counter = <L extends string>({ name, help, labels }: Definition<L>): InstanceType<typeof Counter<L>> =>
    new Counter<L>({ name, help, labelNames: labels, registers: [registry] });
  const histogram = <L extends string>({ name, help, labels, buckets }: HistogramDefinition<L>) =>
    new Histogram<L>({ name, help, labelNames: labels, buckets: [...buckets], registers: [registry] });
  const queues: QueueGauge[] = [];
  const shares: ShareGauge[] = [];
  const gauge = <L extends string>({ name, help, labels }: Definition<L>, read: () => readonly Reading<L>[]): void => {
    const collected = new Gauge<L>({
      name,
      help,
      labelNames: labels,
      registers: [],
      collect() {
        // What is not there any more must not stay as it was.
        this.reset();
        for (const { labels: values, value } of read()) this.set(values, value);
      },
    });
    registry.registerMetric(collected);
  };
  const total = ({ name, help }: Definition<never>, read: () => number): void => {
    const collected = new Counter({
      name,
      help,
      registers: [],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
    registry.registerMetric(collected);
  };
  const queueGauge = (definition: Definition<"name" | "controller">, read: (queue: QueueGauge) => number): void =>
    gauge(definition, () => queues.map((queue) => ({ labels: queueLabels(queue.name), value: read(queue) })));
  const shareGauge = (definition: Definition<"controller">, read: (share: ShareGauge) => number): void =>
    gauge(definition, () => shares.map((share) => ({ labels: { controller: share.name }, value: read(share) })));
  queueGauge(metricTable.queueDepth, (queue) => queue.depth());
  queueGauge(metricTable.queueAge, (queue) => queue.oldestAgeMs() / 1000);
  queueGauge(metricTable.unfinishedWork, (queue) => queue.unfinishedMs().sum / 1000);
  queueGauge(metricTable.longestRunning, (queue) => queue.unfinishedMs().longest / 1000);
  gauge(metricTable.activeWorkers, () =>
    queues.map((queue) => ({ labels: { controller: queue.name }, value: queue.processing() })),
  );
  const workerCounts = new Map<string, number>();
  gauge(metricTable.maxReconciles, () =>
    [...workerCounts].map(([controller, value]) => ({ labels: { controller }, value })),
  );
  const leaders = new Map<string, boolean>();
  gauge(metricTable.leader, () =>
    [...leaders].map(([name, isLeader]) => ({ labels: { name }, value: isLeader ? 1 : 0 })),
  );
  const turns = startTurnMonitor();
  gauge<never>(metricTable.longestTurn, () => [{ labels: {}, value: turns.longestMs / 1000 }]);
  shareGauge(metricTable.sharesRunning, (share) => share.running());
  shareGauge(metricTable.sharesWaiting, (share) => share.waiting());
  const shareWaits = counter(metricTable.shareWaits);
  const countsOpen: (() => number)[] = [];
  gauge(metricTable.circuitsOpen, () => [
    { labels: {}, value: countsOpen.reduce((sum, countOpen) => sum + countOpen(), 0) },
  ]);
  const circuitOpenings = counter(metricTable.circuitOpenings);
  const longWaits = counter(metricTable.longWaits);
  const apiRequests = counter(metricTable.apiRequests);
  const apiDuration = histogram(metricTable.apiRequestDuration);
  const reconciles = counter(metricTable.reconciles);
  const reconcileErrors = counter(metricTable.reconcileErrors);
  const terminalErrors = counter(metricTable.terminalErrors);
  const reconcileTime = histogram(metricTable.reconcileTime);
  const queueAdds = counter(metricTable.queueAdds);
  const queueRetries = counter(metricTable.queueRetries);
  const queueDuration = histogram(metricTable.queueDuration);
  const workDuration = histogram(metricTable.workDuration);
  const informerEvents = counter(metricTable.informerEvents);
  return {
    define: { counter, histogram, total, gauge },
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    observeApiRequest: ({ verb, method, host, resource, code, durationMs }) => {
      apiRequests.inc({ verb, method, host, resource, code });
      apiDuration.observe({ verb, host }, durationMs / 1000);
    },
    observeReconcile: ({ controller, result, durationMs }) => {
      reconciles.inc({ controller, result: resultLabels[result] });
      if (resultLabels[result] === "error") reconcileErrors.inc({ controller });
      if (result === "dropped") terminalErrors.inc({ controller });
      reconcileTime.observe({ controller }, durationMs / 1000);
    },
    observeQueueWait: (queue, waitMs) => queueDuration.observe(queueLabels(queue), waitMs / 1000),
    observeWork: (queue, durationMs) => workDuration.observe(queueLabels(queue), durationMs / 1000),
    countAdd: (queue) => queueAdds.inc(queueLabels(queue)),
    countRetry: (queue) => queueRetries.inc(queueLabels(queue)),
    addWorkers: (controller, workers) => void workerCounts.set(controller, workers),
    observeLeader: (lease, isLeader) => void leaders.set(lease, isLeader),
    countLongWait: (lease) => longWaits.inc({ name: lease }),
    addQueue: (queue) => void queues.push(queue),
    observeShareWait: (controller, limit) => shareWaits.inc({ controller, limit }),
    observeCircuitOpening: () => circuitOpenings.inc(),
    addCircuits: (countOpen) => void countsOpen.push(countOpen),
    addShares: (share) => void shares.push(share),
    observeInformer: (kind, event) => informerEvents.inc({ kind, event }),
  };
}

/** controller-runtime's words. */
const resultLabels: Readonly<Record<ReconcileSample["result"], string>> = {
  success: "success",
  requeue: "requeue_after",
  conflict: "requeue",
  error: "error",
  dropped: "error",
};

/** A queue is called like its controller. */
function queueLabels(queue: string): { readonly name: string; readonly controller: string } {
  return { name: queue, controller: queue };
}

export interface Reading<L extends string> {
  readonly labels: Record<L, string>;
  readonly value: number;
}

export interface Definition<L extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly L[];
}

export interface HistogramDefinition<L extends string> extends Definition<L> {
  readonly buckets: readonly number[];
}
