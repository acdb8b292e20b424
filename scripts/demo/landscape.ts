import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateAdmissionPolicies, generateCrds, generateEnvironmentPolicies } from "@landscaper/api";
import { connectionFromKubeconfig, createClient } from "@landscaper/controller-runtime";
import type { Client } from "@landscaper/controller-runtime";
import { startLocalCluster } from "@landscaper/local-cluster";
import { applyAll } from "./apply-all.ts";
import { serveArchive, type ServedArchive } from "./serve-archive.ts";
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

/** Starts hub, target, NATS and a registry when they are installed, and the services. */
export async function startLandscape(options: {
  root: string;
  directory: string;
  signal: AbortSignal;
}): Promise<Landscape> {
  const { directory } = options;
  const [hubCluster, targetCluster] = await Promise.all([startLocalCluster(), startLocalCluster()]);
  const hubFile = join(directory, "hub.kubeconfig");
  await writeFile(hubFile, hubCluster.kubeconfig, { mode: 0o600 });
  await writeFile(join(directory, "target.kubeconfig"), targetCluster.kubeconfig, { mode: 0o600 });
  const hub = createClient({ connection: connectionFromKubeconfig(hubCluster.kubeconfig) });
  const target = createClient({ connection: connectionFromKubeconfig(targetCluster.kubeconfig) });
  const systemNamespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "ls-system" } };
  await applyAll(hub, [
    systemNamespace,
    ...generateCrds(),
    ...generateAdmissionPolicies(),
    ...generateEnvironmentPolicies(),
  ]);

  const processes: RunningProcess[] = [];
  const natsUrl = await startNats(directory, processes);
  for (const name of services) {
    const args = [join(options.root, "dist", `${name}.mjs`), "--kubeconfig", hubFile, "--metrics-port", "0"];
    const environment = natsUrl === undefined ? {} : { NATS_URL: natsUrl };
    processes.push(startProcess({ name, command: process.execPath, args, directory, environment }));
  }
  const registry = await startRegistry(directory, processes);
  if (registry === undefined) {
    console.log("docker-registry is not installed; the demo serves the components from their files");
  }
  let served: ServedArchive | undefined;
  return {
    ...options,
    placeComponents: async (ctf) => {
      if (registry !== undefined) return ["--push", registry.url];
      served = await serveArchive(ctf);
      return ["--repository-context", served.url];
    },
    hub,
    target,
    targetKubeconfig: targetCluster.kubeconfig,
    natsUrl,
    processes,
    stop: async () => {
      await Promise.all(processes.map((running) => running.stop()));
      await served?.stop();
      await Promise.all([hub.close(), target.close()]);
      await Promise.all([hubCluster.stop(), targetCluster.stop()]);
    },
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
