import type { KubeObject } from "@landscaper/api";
import { formatKey } from "@landscaper/api";
import type { Random } from "./backoff.ts";
import type { Clock, ControllerOptions, Logger } from "./controller-interface.ts";
import { describeError } from "./describe-error.ts";
import { controllerOwnerKey, enqueueOnEvents, ownKey } from "./event-sources.ts";
import type { InformerRegistry } from "./informer-registry.ts";
import type { RuntimeMetrics } from "./metrics-interface.ts";
import { runController } from "./run-controller.ts";
import type { StopSignals } from "./run-controller.ts";
import { createWorkQueue } from "./work-queue.ts";

export interface Runnable {
  readonly name: string;
  readonly run: (signal: AbortSignal) => Promise<void>;
}

export interface ManagerParts {
  readonly registry: InformerRegistry;
  readonly controllers: readonly ControllerOptions<KubeObject>[];
  readonly runnables: readonly Runnable[];
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: RuntimeMetrics;
  readonly log: Logger;
  readonly gracefulStopMs: number;
}

/** Informers first, then, when all are in sync, the work; the reverse at the end. */
export async function runManager(parts: ManagerParts, signal: AbortSignal): Promise<void> {
  const { registry, log } = parts;
  const controllers = parts.controllers.map((options) => prepareController(parts, options));
  const informers = new AbortController();
  const running = registry.all.map((informer) => informer.run(informers.signal));
  try {
    await Promise.all(registry.all.map((informer) => informer.waitForSync(signal)));
    log.info({ controllers: parts.controllers.map(({ name }) => name) }, "all informers are in sync");
    const hard = new AbortController();
    const stop: StopSignals = { graceful: signal, hard: hard.signal };
    await Promise.all([
      ...controllers.map((run) => run(stop)),
      ...parts.runnables.map((runnable) => runBeside(parts, runnable, signal)),
      untilAborted(signal),
    ]);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    informers.abort(new Error("the manager stops"));
    await Promise.all(running);
  }
}

/** Ties a controller to its events; the result runs it. */
function prepareController(
  parts: ManagerParts,
  options: ControllerOptions<KubeObject>,
): (stop: StopSignals) => Promise<void> {
  const { registry, clock, random, metrics, log, gracefulStopMs } = parts;
  const { name, reconcile } = options;
  const queue = createWorkQueue({ name, clock, random, metrics });
  const enqueue = (key: Parameters<typeof formatKey>[0], priority: "normal" | "low"): void =>
    queue.add(formatKey(key), priority);
  enqueueOnEvents(registry.get(options.for, {}), ownKey(options.predicate), enqueue);
  for (const type of options.owns ?? []) {
    for (const source of registry.sourcesOf(type, { metadataSuffices: true })) {
      enqueueOnEvents(source, controllerOwnerKey(options.for), enqueue);
    }
  }
  for (const { type, map } of options.watches ?? []) {
    for (const source of registry.sourcesOf(type, { metadataSuffices: false })) enqueueOnEvents(source, map, enqueue);
  }
  const workers = options.workers ?? 4;
  return (stop) => runController({ name, queue, reconcile, clock, log, metrics, workers, gracefulStopMs }, stop);
}

/** A runnable that fails is started again, with a pause: nothing else would. */
async function runBeside({ log, clock }: ManagerParts, { name, run }: Runnable, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await run(signal);
      return;
    } catch (error) {
      if (signal.aborted) return;
      log.error({ runnable: name, error: describeError(error) }, "a runnable failed and is started again");
      await clock.sleep(5_000, signal).catch(() => {});
    }
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
