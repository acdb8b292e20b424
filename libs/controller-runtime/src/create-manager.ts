import type { KubeObject, ResourceType } from "@landscaper/api";
import type { Random } from "./backoff.ts";
import type { Client } from "./client-interface.ts";
import type { Clock, ControllerOptions, Informer, InformerOptions, Logger, Manager } from "./controller-interface.ts";
import { createInformerRegistry } from "./informer-registry.ts";
import { noMetrics } from "./metrics-interface.ts";
import type { RuntimeMetrics } from "./metrics-interface.ts";
import { createObservingClient } from "./observing-client.ts";
import { runManager } from "./run-manager.ts";
import type { Runnable } from "./run-manager.ts";
import { createSystemClock } from "./system-clock.ts";

export interface ManagerOptions {
  /** Of the process, in logs and metrics. */
  readonly name: string;
  readonly client: Client;
  readonly log: Logger;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly metrics?: RuntimeMetrics | undefined;
  /** How long running reconciles may go on after the stop. Default 20 s. */
  readonly gracefulStopMs?: number | undefined;
}

/** A manager that owns nothing yet: declare informers and controllers, then start it. It does not close the client. */
export function createManager(options: ManagerOptions): Manager {
  const clock = options.clock ?? createSystemClock();
  const metrics = options.metrics ?? noMetrics;
  const random = options.random ?? Math.random;
  const log = options.log;
  const lateInformers: ((signal: AbortSignal) => Promise<void>)[] = [];
  let running: AbortSignal | undefined;
  const registry = createInformerRegistry({ client: options.client, clock, log, metrics, random }, (informer) => {
    if (running === undefined) return;
    const run = informer.run(running);
    lateInformers.push(() => run);
  });
  const controllers: ControllerOptions<KubeObject>[] = [];
  const runnables: Runnable[] = [];
  const demandNotStarted = (what: string): void => {
    if (running !== undefined) throw new Error(`${what}: the manager runs already`);
  };
  return {
    client: createObservingClient(options.client, registry),
    clock,
    log,
    informer: <T extends KubeObject>(type: ResourceType<T>, informerOptions?: InformerOptions<T>): Informer<T> =>
      registry.get(type, informerOptions ?? {}),
    addController: <T extends KubeObject>(controller: ControllerOptions<T>): void => {
      demandNotStarted(`controller ${controller.name}`);
      controllers.push(controller as unknown as ControllerOptions<KubeObject>); // `for` and predicate agree on T.
      registry.get(controller.for, {});
    },
    addRunnable: (name, run) => {
      demandNotStarted(`runnable ${name}`);
      runnables.push({ name, run });
    },
    start: async (signal) => {
      demandNotStarted(options.name);
      running = signal;
      const gracefulStopMs = options.gracefulStopMs ?? 20_000;
      await runManager({ registry, controllers, runnables, clock, random, metrics, log, gracefulStopMs }, signal);
      await Promise.all(lateInformers.map((run) => run(signal)));
    },
  };
}
