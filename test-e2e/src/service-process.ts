import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stringify } from "yaml";
import type { Child } from "../cluster/child.ts";
import { startChild, tailOf } from "../cluster/child.ts";
import { findFreePorts } from "../cluster/ports.ts";

export const serviceNames = ["landscaper-core", "manifest-deployer", "mock-deployer"] as const;
export type ServiceName = (typeof serviceNames)[number];

export interface ServiceOptions {
  readonly name: ServiceName;
  /** Scratch folder for configuration and logs. */
  readonly folder: string;
  readonly kubeconfig: string;
  /** The --config file's content; the service's defaults when absent. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  readonly natsUrl?: string | undefined;
}

/** One service in its own process; it can be killed and started again under the same identity. */
export interface ServiceProcess {
  readonly name: ServiceName;
  readonly child: Child;
  readonly logFile: string;
  /** Text of /metrics. */
  metrics(): Promise<string>;
  /** Starts the process and waits until /readyz answers 200. */
  start(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const bundles = join(import.meta.dirname, "../../dist");

async function isReady(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2000) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

function writeInputs({ name, folder, kubeconfig, config }: ServiceOptions): string[] {
  const kubeconfigFile = join(folder, `${name}.kubeconfig`);
  writeFileSync(kubeconfigFile, kubeconfig, { mode: 0o600 });
  const args = ["--kubeconfig", kubeconfigFile, "-v", "debug"];
  if (config === undefined) return args;
  const configFile = join(folder, `${name}.config.yaml`);
  writeFileSync(configFile, stringify(config));
  return [...args, "--config", configFile];
}

/** Prepares a service from its bundle; `start` runs it. */
export async function createServiceProcess(options: ServiceOptions): Promise<ServiceProcess> {
  const { name, folder, natsUrl } = options;
  const bundle = join(bundles, `${name}.mjs`);
  if (!existsSync(bundle)) throw new Error(`${bundle} is not there; run: npm run build`);
  const [port = 0] = await findFreePorts(1);
  const args = ["--enable-source-maps", bundle, ...writeInputs(options), "--metrics-port", `${port}`];
  const logFile = join(folder, `${name}.log`);
  const env = {
    ...process.env,
    // Stable across restarts, as the name of a StatefulSet's pod is.
    MY_POD_NAME: `${name}-0`,
    MY_POD_NAMESPACE: "landscaper-e2e",
    NATS_URL: natsUrl,
    KUBECONFIG: undefined,
  };
  let child: Child | undefined;

  return {
    name,
    logFile,
    get child() {
      if (child === undefined) throw new Error(`${name} is not started`);
      return child;
    },
    async metrics() {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
      return answer.text();
    },
    async start() {
      child = startChild({ name, command: process.execPath, args, env, logFile });
      const deadline = Date.now() + 30_000;
      while (!(await isReady(port))) {
        if (child.ended !== undefined || Date.now() > deadline) {
          const problem = child.ended === undefined ? "is not ready after 30 s" : `ended with ${child.ended}`;
          throw new Error(`${name} ${problem}; its log ends with:\n${tailOf(logFile)}`);
        }
        await sleep(20);
      }
    },
    kill: async () => child?.kill(),
    stop: async () => child?.stop(),
  };
}
