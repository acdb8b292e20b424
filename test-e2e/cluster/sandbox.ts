import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runCommand, type CommandLine } from "../../scripts/run-command.ts";
import type { Child } from "./child.ts";
import { startChild, tailOf } from "./child.ts";
import type { Link } from "./node-network.ts";
import { linkCount, linkOf, networkScript, nodeLink } from "./node-network.ts";

/** Paths of what a sandbox is made with. */
export interface SandboxTools {
  readonly bash: string;
  readonly ip: string;
  readonly nsenter: string;
  readonly unshare: string;
}

/**
 * Namespaces of network, mounts and processes of a run's own. When this process ends, however it does, the kernel ends all processes inside, and
 * with the last of them go their mounts, interfaces, routes and packet filters.
 */
export interface Sandbox {
  /** Where programs inside are reached from the host, and nobody else reaches them. */
  readonly address: string;
  /** Where the host is reached from inside, as far as the packet filters let it. */
  readonly hostAddress: string;
  /** What runs a command with the network of the sandbox, and everything else of the host. */
  readonly inNetwork: (line: CommandLine) => CommandLine;
  /** What runs a command with all of the sandbox. */
  readonly inside: (line: CommandLine) => CommandLine;
  stop(): Promise<void>;
}

const startMs = 10_000;
const pauseMs = 10;

/** Settings of the whole machine that a kubelet would make. It finds them made, in files of the sandbox, and the machine keeps its own. */
const kernelSettings: Readonly<Record<string, number>> = {
  "kernel/keys/root_maxbytes": 25_000_000,
  "kernel/keys/root_maxkeys": 1_000_000,
  "kernel/panic": 10,
  "kernel/panic_on_oops": 1,
  "vm/overcommit_memory": 1,
  "vm/panic_on_oom": 0,
};

/** Ends with the first process inside, which waits for those that have lost their parents. */
const init = (readyFile: string): string => `
set -e
for folder in /run /var/lib /var/log; do mount -t tmpfs -o mode=755 tmpfs "$folder"; done
mkdir -p /run/netns /run/settings
while read -r name value; do
  [ -e "/proc/sys/$name" ] || continue
  echo "$value" > "/run/settings/\${name##*/}"
  mount --bind "/run/settings/\${name##*/}" "/proc/sys/$name"
done <<'END'
${Object.entries(kernelSettings)
  .map(([name, value]) => `${name} ${value}`)
  .join("\n")}
END
touch '${readyFile}'
while :; do sleep 86400 & wait $! || true; done
`;

const namespaces = ["--net", "--mount", "--pid", "--fork", "--kill-child=KILL", "--mount-proc", "--"];

/** What a sandbox and containers in it need of the kernel, once. */
const trial = `
set -e
mount -t tmpfs tmpfs /run
mkdir /run/lower /run/upper /run/work /run/merged
mount -t overlay -o lowerdir=/run/lower,upperdir=/run/upper,workdir=/run/work overlay /run/merged
ip link add bridge0 type bridge
ip link add link0 type veth peer name link1
nft add table inet trial
if [ ! -e /proc/sys/net/bridge/bridge-nf-call-iptables ]; then echo "br_netfilter is not loaded" >&2; exit 1; fi
`;

/** What the system says when a sandbox is asked for; "" when it can be had. */
export function trySandbox({ bash, unshare }: Pick<SandboxTools, "bash" | "unshare">): string {
  const { status, stderr, error } = spawnSync(unshare, [...namespaces, bash, "-c", trial], { encoding: "utf8" });
  return status === 0 ? "" : (error?.message ?? stderr).trim().replaceAll("\n", "; ");
}

export async function startSandbox(tools: SandboxTools, folder: string): Promise<Sandbox> {
  const readyFile = join(folder, "sandbox-ready");
  const child = startChild({
    name: "sandbox",
    command: tools.unshare,
    args: [...namespaces, tools.bash, "-c", init(readyFile)],
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
    runCommand(inNetwork([tools.bash, "-c", networkScript(link)]));
    return {
      address: link.nodeAddress,
      hostAddress: link.hostAddress,
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
      runCommand([ip, "link", "add", link.name, "type", "veth", "peer", "name", nodeLink, "netns", String(pid)]);
    } catch (error) {
      if (error instanceof Error && error.message.includes("File exists")) continue;
      throw error;
    }
    runCommand([ip, "addr", "add", `${link.hostAddress}/30`, "dev", link.name]);
    runCommand([ip, "link", "set", link.name, "up"]);
    return link;
  }
}
