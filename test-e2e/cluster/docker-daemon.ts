import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startChild, tailOf } from "./child.ts";
import type { Sandbox } from "./sandbox.ts";

export interface DockerDaemonOptions {
  readonly sandbox: Sandbox;
  /** Path of dockerd. */
  readonly dockerd: string;
  /** Scratch: log and socket. */
  readonly folder: string;
  /** Of the containers; it is there in all hierarchies. */
  readonly cgroup: string;
}

/** A docker of a sandbox's own: images and containers go with it. */
export interface DockerDaemon {
  /** For DOCKER_HOST. */
  readonly host: string;
  stop(): Promise<void>;
}

const startMs = 60_000;
const pauseMs = 50;

/** Networks of containers, in the range for benchmarks (RFC 2544), beside those of pods and Services (node-network.ts). */
const networks = ["--bip=198.18.8.1/24", "--default-address-pool=base=198.18.16.0/20,size=24"];
/** The rules of the machine's packet filter stay as they are: the sandbox has a guard of its own. */
const filters = ["--iptables=false", "--ip6tables=false", "--ip-forward=false", "--ip-masq=false"];

/** Starts dockerd inside a sandbox; resolves when it answers. Its data is in the memory of the sandbox. */
export async function startDockerDaemon({
  sandbox,
  dockerd,
  folder,
  cgroup,
}: DockerDaemonOptions): Promise<DockerDaemon> {
  const socket = join(folder, "docker.sock");
  const [command, ...args] = sandbox.inside([
    dockerd,
    "--data-root=/var/lib/docker",
    "--exec-root=/run/docker",
    "--pidfile=/run/docker.pid",
    `--host=unix://${socket}`,
    `--cgroup-parent=/${cgroup}`,
    "--exec-opt=native.cgroupdriver=cgroupfs",
    "--storage-driver=overlay2",
    ...networks,
    ...filters,
  ]);
  const child = startChild({ name: "dockerd", command, args, logFile: join(folder, "dockerd.log") });
  const deadline = Date.now() + startMs;
  while (!existsSync(socket)) {
    if (child.ended !== undefined || Date.now() > deadline) {
      throw new Error(`dockerd has not started (${child.ended ?? "time is up"}): ${tailOf(child.logFile)}`);
    }
    await sleep(pauseMs);
  }
  return { host: `unix://${socket}`, stop: async () => child.stop(10_000) };
}
