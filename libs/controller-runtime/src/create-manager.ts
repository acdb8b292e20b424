import type { KubeObject, ResourceType } from "@landscaper/api";
import type { Random } from "./backoff.ts";
import type { Client } from "./client/client-interface.ts";
import type { Clock, ControllerOptions, Informer, InformerOptions, Logger, Manager } from "./controller-interface.ts";
import type { Metrics } from "./observability/create-metrics.ts";
import { startHttpServer } from "./observability/http-server.ts";
import type { HttpServer, HttpServerOptions } from "./observability/http-server.ts";
import { selectionOf } from "./controller/prepare-controller.ts";
import { createInformerRegistry } from "./informer/informer-registry.ts";
import type { InformerRegistry } from "./informer/informer-registry.ts";
import type { LeaseOptions } from "./leadership/leader-election.ts";
import { noMetrics } from "./observability/metrics-interface.ts";
import { createObservingClient } from "./client/observing-client.ts";
import type { Runnable } from "./leadership/run-group.ts";
import { createProblemBoard } from "./preparation/problem-board.ts";
import { runPreparations, type Preparation, type PreparationContext } from "./preparation/run-preparations.ts";
import { runManager } from "./run-manager.ts";
import { createSystemClock } from "./system-clock.ts";
import { createLeadershipGate } from "./leadership/write-gate.ts";

export interface ManagerOptions {
  /** Of the process, for messages. */
  readonly name: string;
  readonly client: Client;
  readonly log: Logger;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly metrics?: Metrics | undefined;
  /** Informers that name no namespace watch these in place of all. Default: all. */
  readonly namespaces?: readonly string[] | undefined;
  /** Absent: the controllers start at once. */
  readonly leaderElection?: LeaseOptions | undefined;
  /** Absent: no health server. Port 0 takes a free one (see Manager.httpUrl). */
  readonly http?: { readonly port: number; readonly host?: string | undefined } | undefined;
  /** How long running reconciles may go on after the stop. Default 20 s. */
  readonly gracefulStopMs?: number | undefined;
}

/** A manager that owns nothing yet: declare informers and controllers, then start it. It does not close the client. */
export function createManager(options: ManagerOptions): Manager {
  const environment = {
    client: options.client,
    clock: options.clock ?? createSystemClock(),
    random: options.random ?? Math.random,
    metrics: options.metrics ?? noMetrics,
    log: options.log,
  };
  let { leaderElection } = options;
  const gate = createLeadershipGate();
  const late = createLateStart();
  const registry = createInformerRegistry({ ...environment, namespaces: options.namespaces }, (informer) =>
    late.add(informer),
  );
  const controllers: ControllerOptions<KubeObject>[] = [];
  const runnables: Runnable[] = [];
  const preparations: Preparation[] = [];
  const problems = createProblemBoard(options.log);
  let server: HttpServer | undefined;
  let isStarted = false;
  const demandNotStarted = (what: string): void => {
    if (isStarted) throw new Error(`${what}: the manager ${options.name} runs already`);
  };
  return {
    client: createObservingClient(options.client, registry, gate),
    clock: environment.clock,
    log: options.log,
    guard: (client) => createObservingClient(client, noObserver, gate),
    get httpUrl() {
      return server?.url;
    },
    informer: <T extends KubeObject>(type: ResourceType<T>, informerOptions?: InformerOptions<T>): Informer<T> =>
      registry.get(type, informerOptions ?? {}),
    addController: <T extends KubeObject>(controller: ControllerOptions<T>): void => {
      demandNotStarted(`controller ${controller.name}`);
      controllers.push(controller as unknown as ControllerOptions<KubeObject>); // `for` and predicate agree on T.
      registry.get(controller.for, selectionOf(controller));
    },
    addPreparation: (name, run) => {
      demandNotStarted(`preparation ${name}`);
      preparations.push({ name, run });
    },
    reportProblem: (name, problem) => problems.set(name, problem),
    reportNote: (name, note) => problems.setNote(name, note),
    addRunnable: (name, run, { needsLeader = true, group } = {}) => {
      demandNotStarted(`runnable ${name}`);
      runnables.push({ name, run, needsLeader, group });
    },
    holdLease: (lease) => {
      demandNotStarted(`Lease ${lease.leaseName}`);
      if (leaderElection !== undefined) throw new Error(`the manager ${options.name} holds a Lease already`);
      leaderElection = lease;
    },
    start: async (signal) => {
      demandNotStarted("start");
      isStarted = true;
      let isPrepared = false;
      const notReady = (): string | undefined => {
        if (signal.aborted) return "stopping";
        return problems.read() ?? (isPrepared ? describeInformers(registry) : "the preparations are not done");
      };
      server = await startServer(options, { notReady, notes: () => problems.readNotes() });
      const { gracefulStopMs = defaultGracefulStopMs } = options;
      try {
        if (!(await prepare(preparations, { ...environment, problems }, signal))) return;
        isPrepared = true;
        const parts = {
          ...environment,
          registry,
          controllers,
          runnables,
          leaderElection,
          gate,
          gracefulStopMs,
          problems,
        };
        const work = runManager(parts, signal);
        late.start();
        await work;
      } finally {
        await late.stop();
        await server?.close();
      }
    },
  };
}

const defaultGracefulStopMs = 20_000;

/** Of clusters that have no informers here. */
const noObserver = { observe: () => {}, knownUid: () => undefined, observeDeletion: () => {} };

interface LateStart {
  add(informer: { run(signal: AbortSignal): Promise<void> }): void;
  start(): void;
  stop(): Promise<unknown>;
}

/** Informers that are asked for while the manager runs start at once. */
function createLateStart(): LateStart {
  const stopped = new AbortController();
  const running: Promise<void>[] = [];
  let isStarted = false;
  return {
    add: (informer) => {
      if (isStarted) running.push(informer.run(stopped.signal));
    },
    start: () => {
      isStarted = true;
    },
    stop: () => {
      stopped.abort(new Error("the manager stops"));
      return Promise.all(running);
    },
  };
}

/** False when the signal was aborted meanwhile. */
async function prepare(
  preparations: readonly Preparation[],
  context: PreparationContext,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await runPreparations(preparations, context, signal);
    return true;
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
    return false;
  }
}

function describeInformers({ all }: InformerRegistry): string | undefined {
  const waiting = all.filter(({ hasSynced }) => !hasSynced).length;
  return waiting === 0 ? undefined : `${waiting} of ${all.length} informers are not in sync`;
}

async function startServer(
  { http, metrics }: ManagerOptions,
  readiness: Pick<HttpServerOptions, "notReady" | "notes">,
): Promise<HttpServer | undefined> {
  return http === undefined ? undefined : startHttpServer({ ...http, ...readiness, metrics });
}
