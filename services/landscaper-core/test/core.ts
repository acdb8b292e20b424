// The core's controllers in this process, for controller tests.
import {
  createEventRecorder,
  createManager,
  createSystemClock,
  type Client,
  type Clock,
} from "@landscaper/controller-runtime";
import { createTestLogger, type TestLogger } from "@landscaper/testkit";
import { Renderer, type RenderingLimits } from "../src/rendering/renderer.ts";
import { addCoreControllers, type CoreOptions } from "../src/add-core-controllers.ts";

export interface TestCore {
  readonly log: TestLogger;
  stop(): Promise<void>;
  /** Ends it without letting it write what is left: for a core that is cut off. */
  kill(): Promise<void>;
}

export interface TestCoreOptions extends Partial<
  Pick<
    CoreOptions,
    | "timeouts"
    | "defaultContext"
    | "parts"
    | "workers"
    | "foreignServers"
    | "emptyProtection"
    | "deletionProtection"
    | "components"
    | "signaturePolicy"
    | "signatureSecretNamespaces"
    | "metrics"
    | "deployerManagement"
    | "natsServers"
  >
> {
  readonly clock?: Clock;
  readonly rendering?: RenderingLimits;
  /** One that several cores share, which spares the start of its threads; whoever has made it closes it. */
  readonly renderer?: Renderer;
  /** How long its reconciles may go on when it is stopped or killed. Default: that of the manager. */
  readonly gracefulStopMs?: number;
}

/** Of all cores of this process that have no limits of their own: threads take longer to start than most tests. They end with the process. */
let sharedRenderer: Renderer | undefined;

export const defaultTimeouts = { pickupMs: 300_000, progressingMs: 600_000, graceMs: 60_000 };

export function startTestCore(client: Client, options: TestCoreOptions = {}): TestCore {
  const abort = new AbortController();
  const log = createTestLogger();
  const clock = options.clock ?? createSystemClock();
  const recorder = createEventRecorder({ client, component: "landscaper-core", clock, log });
  const manager = createManager({ name: "core", client, log, clock, gracefulStopMs: options.gracefulStopMs });
  const ownRenderer = options.rendering === undefined ? undefined : new Renderer(options.rendering);
  const renderer = options.renderer ?? ownRenderer ?? (sharedRenderer ??= new Renderer());
  addCoreControllers(manager, {
    recorder,
    renderer,
    natsServers: options.natsServers,
    timeouts: options.timeouts ?? defaultTimeouts,
    emptyProtection: options.emptyProtection,
    deletionProtection: options.deletionProtection,
    components: options.components,
    metrics: options.metrics,
    deployerManagement: options.deployerManagement,
    signaturePolicy: options.signaturePolicy,
    signatureSecretNamespaces: options.signatureSecretNamespaces,
    defaultContext: options.defaultContext ?? { isEnabled: true, excludedNamespaces: [] },
    workers: options.workers ?? { installations: 30, executions: 30, deployItems: 30, contexts: 10 },
    ...(options.parts === undefined ? {} : { parts: options.parts }),
    ...(options.foreignServers === undefined ? {} : { foreignServers: options.foreignServers }),
  });
  const running = manager.start(abort.signal);
  const end = async (timeoutMs?: number): Promise<void> => {
    abort.abort(new Error("stop"));
    await Promise.all([running, recorder.stop(timeoutMs)]);
    await ownRenderer?.close();
  };
  return { log, stop: () => end(), kill: () => end(0) };
}
