import { formatKey } from "@landscaper/api";
import type { KubeObject } from "@landscaper/api";
import type { Random } from "../backoff.ts";
import type { Client } from "../client/client-interface.ts";
import type { Clock, ControllerOptions, InformerOptions, Logger } from "../controller-interface.ts";
import { controllerOwnerKey, enqueueOnEvents, ownKey } from "./event-sources.ts";
import type { Enqueue } from "./event-sources.ts";
import { FairShares } from "./fair-shares.ts";
import type { ShareLimits } from "./fair-shares.ts";
import type { InformerRegistry } from "../informer/informer-registry.ts";
import type { RuntimeMetrics } from "../observability/metrics-interface.ts";
import { runController } from "./run-controller.ts";
import type { StopSignals } from "./run-controller.ts";
import { createWorkQueue } from "./work-queue.ts";

export interface ControllerEnvironment {
  readonly registry: InformerRegistry;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: RuntimeMetrics;
  readonly log: Logger;
  readonly gracefulStopMs: number;
  /** The plain client: for leases, and to know the own server. */
  readonly client: Client;
}

const defaultWorkers = 4;

/** Ties a controller to its events, which from now on fill its queue; the result works that queue. */
export function prepareController(
  environment: ControllerEnvironment,
  options: ControllerOptions<KubeObject>,
): (stop: StopSignals) => Promise<void> {
  const { registry, clock, random, metrics, log, gracefulStopMs } = environment;
  const { server } = environment.client;
  const { name, reconcile } = options;
  const queue = createWorkQueue({ name, clock, random, metrics });
  const enqueue: Enqueue = (key, priority) => queue.add(formatKey(key), priority);
  enqueueOnEvents(registry.get(options.for, selectionOf(options)), { map: ownKey(options.predicate) }, enqueue);
  for (const type of options.owns ?? []) {
    for (const source of registry.sourcesOf(type, { metadataSuffices: true })) {
      enqueueOnEvents(source, { map: controllerOwnerKey(options.for) }, enqueue);
    }
  }
  for (const { type, map, updatePredicate, metadataSuffices = false } of options.watches ?? []) {
    const sources = registry.sourcesOf(type, { metadataSuffices });
    for (const source of sources) enqueueOnEvents(source, { map, updatePredicate }, enqueue);
  }
  options.onPrepared?.((key) => enqueue(key, "normal"));
  const workers = options.workers ?? defaultWorkers;
  const shares = new FairShares({
    limits: limitsOf(options.shares, workers),
    onGranted: (key) => queue.add(key),
    onWaiting: (limit) => metrics.observeShareWait(name, limit),
  });
  metrics.addWorkers(name, workers);
  metrics.addShares({ name, running: () => shares.running, waiting: () => shares.waiting });
  return (stop) =>
    runController({ name, queue, reconcile, shares, clock, log, metrics, workers, server, gracefulStopMs }, stop);
}

/** Returns the options of the informer for the controller's own kind. */
export function selectionOf<T extends KubeObject>({
  metadataOnly,
  labelSelector,
}: ControllerOptions<T>): Pick<InformerOptions<T>, "labelSelector" | "metadataOnly"> {
  return { metadataOnly, labelSelector };
}

function limitsOf(configured: Partial<ShareLimits> | undefined, workers: number): ShareLimits {
  return {
    perNamespace: configured?.perNamespace ?? workers,
    perServer: configured?.perServer ?? 2 * workers,
    total: configured?.total ?? 3 * workers,
  };
}
