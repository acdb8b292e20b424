import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { toYaml } from "@landscaper/goyaml";
import type { Child } from "../../cluster/child.ts";
import { startChild, tailOf } from "../../cluster/child.ts";
import { findFreePorts, patienceMs } from "@landscaper/testkit";
import { nodeFlagsOf } from "./image-flags.ts";

export const serviceNames = [
  "landscaper-core",
  "manifest-deployer",
  "helm-deployer",
  "mock-deployer",
  "container-deployer",
] as const;
export type ServiceName = (typeof serviceNames)[number];

/** What runs as a process of its own: the services of a landscape, and the agent of another cluster. */
export type ProgramName = ServiceName | "landscaper-agent";

export interface ServiceOptions<Name extends ProgramName = ServiceName> {
  readonly name: Name;
  /** Name of its pod and of its files. Default: that of the only pod of a StatefulSet. */
  readonly pod?: string | undefined;
  /** Namespace of its pod, and of the Leases of deployers. Default: "landscaper-e2e", that of the harness. */
  readonly podNamespace?: string | undefined;
  /** True: the process does not know the name of its pod, as one that was started by hand. */
  readonly isUnnamed?: boolean | undefined;
  /** Further flags. */
  readonly args?: readonly string[] | undefined;
  /** Scratch folder for configuration and logs. */
  readonly folder: string;
  readonly kubeconfig: string;
  /** The --config file's content; the service's defaults when absent. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  readonly natsUrl?: string | undefined;
  /** "debug" by default. */
  readonly logLevel?: string | undefined;
  /** True: a process that ends by itself is started again, as a kubelet does. */
  readonly restarts?: boolean | undefined;
  /** Folder with the bundles of the programs. Default: those of this checkout. */
  readonly bundles?: string | undefined;
  /** How far (ms) the clock of the process is ahead; a negative number: behind. Default: it is right. */
  readonly clockAheadMs?: number | undefined;
}

/** One service in its own process; it can be killed and started again under the same identity. */
export interface ServiceProcess<Name extends ProgramName = ServiceName> {
  readonly name: Name;
  readonly pod: string;
  readonly child: Child;
  readonly logFile: string;
  /** How processes of this service have ended that nobody told to. */
  readonly crashes: readonly string[];
  /** Text of /metrics. Rejects when the process does not answer within 30 s. */
  metrics(): Promise<string>;
  /** What /readyz answers, such as "200 ok" or "503 stopping"; "" when it does not answer. */
  readiness(): Promise<string>;
  /** Starts the process, and does not wait. */
  launch(): void;
  /** Starts the process and waits until /readyz answers 200: its informers have synced. */
  start(): Promise<void>;
  kill(): Promise<void>;
  /** SIGTERM, then SIGKILL when it is still there after `graceMs` (default 5 s). */
  stop(graceMs?: number): Promise<void>;
}

const readyTimeoutMs = patienceMs;
const metricsTimeoutMs = 30_000;
const ownBundles = join(import.meta.dirname, "../../../dist");
const clockShift = join(import.meta.dirname, "shift-clock.mjs");

async function readReadiness(port: number): Promise<string> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2000) });
    return `${answer.status} ${(await answer.text()).trim()}`;
  } catch {
    return "";
  }
}

function writeInputs(file: string, { kubeconfig, config, logLevel = "debug" }: ServiceOptions<ProgramName>): string[] {
  const kubeconfigFile = `${file}.kubeconfig`;
  writeFileSync(kubeconfigFile, kubeconfig, { mode: 0o600 });
  const args = ["--kubeconfig", kubeconfigFile, "-v", logLevel];
  if (config === undefined) return args;
  const configFile = `${file}.config.yaml`;
  writeFileSync(configFile, toYaml(config));
  return [...args, "--config", configFile];
}

/** Prepares a service from its bundle; `start` runs it. */
export async function createServiceProcess<Name extends ProgramName = ServiceName>(
  options: ServiceOptions<Name>,
): Promise<ServiceProcess<Name>> {
  // Stable across restarts, as the name of a StatefulSet's pod is.
  const { name, folder, natsUrl, bundles = ownBundles, pod = `${name}-0`, podNamespace = "landscaper-e2e" } = options;
  const bundle = join(bundles, `${name}.mjs`);
  if (!existsSync(bundle)) throw new Error(`${bundle} is not there; run: npm run build`);
  const [port = 0] = await findFreePorts(1);
  const file = join(folder, options.pod ?? name);
  // The harness has no ls-system; the namespace of its own objects is always there. A machine that does everything else as well is not to be
  // taken for a dead one: only suites that wait for the end of a Lease have shorter ones.
  const leases = name.endsWith("-deployer") ? ["--lease-namespace", podNamespace, "--lease-duration", "45s"] : [];
  const flags = [...writeInputs(file, options), "--metrics-port", `${port}`, ...leases, ...(options.args ?? [])];
  // Without source maps: the logger asks for its caller at once, and the maps of a whole bundle take 130 MiB.
  const { clockAheadMs = 0 } = options;
  const shift = clockAheadMs === 0 ? [] : ["--import", pathToFileURL(clockShift).href];
  const args = [...nodeFlagsOf(name), ...shift, bundle, ...flags];
  const logFile = `${file}.log`;
  const env = {
    ...process.env,
    MY_POD_NAME: options.isUnnamed === true ? undefined : pod,
    MY_POD_NAMESPACE: podNamespace,
    // Deployers warn about it.
    NATS_URL: name === "landscaper-core" ? natsUrl : undefined,
    KUBECONFIG: undefined,
    CLOCK_AHEAD_MS: `${clockAheadMs}`,
  };
  let child: Child | undefined;
  const told = new WeakSet<Child>();
  const crashes: string[] = [];

  async function superviseEnd(started: Child): Promise<void> {
    const ended = await started.whenEnded;
    if (told.has(started)) return;
    crashes.push(ended);
    // A failure to start again shows as the scenario's own timeout, with the log.
    if (options.restarts === true) await startAndWait().catch(() => undefined);
  }

  function launch(): Child {
    const started = startChild({ name, command: process.execPath, args, env, logFile });
    child = started;
    void superviseEnd(started);
    return started;
  }

  async function startAndWait(): Promise<void> {
    const started = launch();
    const deadline = Date.now() + readyTimeoutMs;
    for (let answer = ""; !answer.startsWith("200 ");) {
      answer = await readReadiness(port);
      if (started.ended !== undefined || Date.now() > deadline) {
        const state = `is not ready in time (${answer === "" ? "no answer" : answer})`;
        const problem = started.ended === undefined ? state : `ended with ${started.ended}`;
        throw new Error(`${name} ${problem}; its log ends with:\n${tailOf(logFile)}`);
      }
      if (!answer.startsWith("200 ")) await sleep(20);
    }
  }

  async function end(how: (running: Child) => Promise<void>): Promise<void> {
    if (child === undefined) return;
    told.add(child);
    await how(child);
  }

  return {
    name,
    pod,
    logFile,
    crashes,
    get child() {
      if (child === undefined) throw new Error(`${name} is not started`);
      return child;
    },
    async metrics() {
      const signal = AbortSignal.timeout(metricsTimeoutMs);
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal });
      return answer.text();
    },
    readiness: async () => await readReadiness(port),
    launch: () => void launch(),
    start: startAndWait,
    kill: async () => end(async (running) => running.kill()),
    stop: async (graceMs) => end(async (running) => running.stop(graceMs)),
  };
}
