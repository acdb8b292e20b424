import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Child } from "./child.ts";
import { startChild, tailOf } from "./child.ts";
import type { Link } from "./node-network.ts";
import { linkCount, linkOf, networkScript, nodeLink } from "./node-network.ts";
import { runTool } from "./run-tool.ts";

/** Paths of what a sandbox is made with. */
export interface SandboxTools {
  readonly bash: string;
  readonly ip: string;
  readonly nsenter: string;
  readonly unshare: string;
}

/** A program and its arguments. */
export type CommandLine = readonly [command: string, ...args: string[]];

/**
 * Namespaces of network, mounts and processes of a run's own. When this process ends, however it does, the kernel ends all processes inside, and
 * with the last of them go their mounts, interfaces, routes and packet filters.
 */
export interface Sandbox {
  /** Where programs inside are reached from the host, and nobody else reaches them. */
  readonly address: string;
  /** What runs a command with the network of the sandbox, and everything else of the host. */
  readonly inNetwork: (line: CommandLine) => CommandLine;
  /** What runs a command with all of the sandbox. */
  readonly inside: (line: CommandLine) => CommandLine;
  stop(): Promise<void>;
}

const startMs = 10_000;
const pauseMs = 10;

/** The first process inside. It waits for those that have lost their parents. */
const init = (readyFile: string): string => `
set -e
for folder in /run /var/lib /var/log; do mount -t tmpfs -o mode=755 tmpfs "$folder"; done
mkdir -p /run/netns
touch '${readyFile}'
while :; do sleep 86400 & wait $! || true; done
`;

export async function startSandbox(tools: SandboxTools, folder: string): Promise<Sandbox> {
  const readyFile = join(folder, "sandbox-ready");
  const child = startChild({
    name: "sandbox",
    command: tools.unshare,
    args: [
      "--net",
      "--mount",
      "--pid",
      "--fork",
      "--kill-child=KILL",
      "--mount-proc",
      "--",
      tools.bash,
      "-c",
      init(readyFile),
    ],
    logFile: join(folder, "sandbox.log"),
  });
  try {
    await waitForFile(readyFile, child);
    const link = createLink(tools, child.pid);
    const inNetwork = ([command, ...args]: CommandLine): CommandLine => [
      tools.nsenter,
      `--net=/proc/${child.pid}/ns/net`,
      "--",
      command,
      ...args,
    ];
    const [command, ...args] = inNetwork([tools.bash, "-c", networkScript(link)]);
    runTool(command, args);
    return {
      address: link.nodeAddress,
      inNetwork,
      inside: ([program, ...more]) => [
        tools.nsenter,
        `--net=/proc/${child.pid}/ns/net`,
        `--mount=/proc/${child.pid}/ns/mnt`,
        // The process that made the namespace is not in it, only its children are.
        `--pid=/proc/${child.pid}/ns/pid_for_children`,
        "--",
        program,
        ...more,
      ],
      stop: async () => child.kill(),
    };
  } catch (error) {
    await child.kill();
    throw error;
  }
}

async function waitForFile(file: string, child: Child): Promise<void> {
  const deadline = Date.now() + startMs;
  while (!existsSync(file)) {
    if (child.ended !== undefined || Date.now() > deadline) {
      throw new Error(
        `the sandbox of the node has not started (${child.ended ?? "time is up"}): ${tailOf(child.logFile)}`,
      );
    }
    await sleep(pauseMs);
  }
}

/** Connects host and sandbox by a link that no other run has. */
function createLink({ ip }: SandboxTools, pid: number): Link {
  for (;;) {
    const link = linkOf(randomInt(linkCount));
    try {
      runTool(ip, ["link", "add", link.name, "type", "veth", "peer", "name", nodeLink, "netns", String(pid)]);
    } catch (error) {
      if (error instanceof Error && error.message.includes("File exists")) continue;
      throw error;
    }
    runTool(ip, ["addr", "add", `${link.hostAddress}/30`, "dev", link.name]);
    runTool(ip, ["link", "set", link.name, "up"]);
    return link;
  }
}
