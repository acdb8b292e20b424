import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateHubPolicies, generateCrds, generateEnvironmentPolicies } from "@landscaper/api";
import { connectionFromKubeconfig, createClient } from "@landscaper/controller-runtime";
import type { Client } from "@landscaper/controller-runtime";
import { startLocalCluster, type LocalCluster } from "@landscaper/local-cluster";
import { applyAll } from "./apply-all.ts";
import { serveArchive } from "./serve-archive.ts";
import { startRegistry } from "./start-registry.ts";
import { freePort, startProcess } from "./start-process.ts";
import type { RunningProcess } from "./start-process.ts";

/** What runs during the demo. */
export interface Landscape {
  readonly root: string;
  /** Kubeconfigs and logs; empty at the start of the demo. */
  readonly directory: string;
  readonly hub: Client;
  readonly target: Client;
  readonly targetKubeconfig: string;
  readonly natsUrl: string | undefined;
  readonly signal: AbortSignal;
  readonly processes: readonly RunningProcess[];
  /** How "landscaper install" brings the components of a transport archive to where the services find them: its words. */
  placeComponents(ctf: string): Promise<readonly string[]>;
  stop(): Promise<void>;
}

const services = ["landscaper-core", "manifest-deployer", "helm-deployer"] as const;

/** Starts hub, target, NATS and a registry when they are installed, and the services. If one does not start, all others are stopped. */
export async function startLandscape(options: {
  root: string;
  directory: string;
  signal: AbortSignal;
}): Promise<Landscape> {
  const stops: (() => Promise<unknown>)[] = [];
  const processes: RunningProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(processes.map((running) => running.stop()));
    for (const each of stops.splice(0).toReversed()) await each();
  };
  try {
    return await startParts(options, { processes, stops, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

interface StartedParts {
  readonly processes: RunningProcess[];
  /** Of what is not a process, in the order of the starts. */
  readonly stops: (() => Promise<unknown>)[];
  readonly stop: () => Promise<void>;
}

async function startParts(
  options: { root: string; directory: string; signal: AbortSignal },
  { processes, stops, stop }: StartedParts,
): Promise<Landscape> {
  const { directory, signal } = options;
  const startCluster = async (): Promise<LocalCluster> => {
    const cluster = await startLocalCluster();
    stops.push(() => cluster.stop());
    return cluster;
  };
  const [hubCluster, targetCluster] = await Promise.all([startCluster(), startCluster()]);
  const hubFile = join(directory, "hub.kubeconfig");
  await writeFile(hubFile, hubCluster.kubeconfig, { mode: 0o600 });
  await writeFile(join(directory, "target.kubeconfig"), targetCluster.kubeconfig, { mode: 0o600 });
  const hub = createClient({ connection: connectionFromKubeconfig(hubCluster.kubeconfig) });
  const target = createClient({ connection: connectionFromKubeconfig(targetCluster.kubeconfig) });
  stops.push(() => Promise.all([hub.close(), target.close()]));
  const systemNamespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "ls-system" } };
  await applyAll(hub, [systemNamespace, ...generateCrds(), ...generateHubPolicies(), ...generateEnvironmentPolicies()]);

  signal.throwIfAborted();
  const natsUrl = await startNats(directory, processes);
  for (const name of services) {
    const args = [join(options.root, "dist", `${name}.mjs`), "--kubeconfig", hubFile, "--metrics-port", "0"];
    const environment = natsUrl === undefined || name !== "landscaper-core" ? {} : { NATS_URL: natsUrl };
    processes.push(startProcess({ name, command: process.execPath, args, directory, environment }));
  }
  const registry = await startRegistry(directory, processes);
  if (registry === undefined) {
    console.log("docker-registry is not installed; the demo serves the components from their files");
  }
  return {
    ...options,
    placeComponents: async (ctf) => {
      if (registry !== undefined) return ["--push", registry.url];
      const served = await serveArchive(ctf);
      stops.push(() => served.stop());
      return ["--repository-context", served.url];
    },
    hub,
    target,
    targetKubeconfig: targetCluster.kubeconfig,
    natsUrl,
    processes,
    stop,
  };
}

async function startNats(directory: string, processes: RunningProcess[]): Promise<string | undefined> {
  const folders = [...(process.env["PATH"] ?? "").split(":"), "/usr/sbin", "/usr/local/sbin"];
  const binary = folders.map((folder) => join(folder, "nats-server")).find((file) => existsSync(file));
  if (binary === undefined) {
    console.log("nats-server is not installed; the demo runs without events on NATS");
    return undefined;
  }
  const port = await freePort();
  const args = ["-js", "-a", "127.0.0.1", "-p", String(port), "-sd", join(directory, "nats")];
  processes.push(startProcess({ name: "nats-server", command: binary, args, directory, environment: {} }));
  return `nats://127.0.0.1:${port}`;
}
