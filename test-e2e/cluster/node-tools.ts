import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { MissingBinaries } from "./binaries.ts";
import { findProgram } from "@landscaper/testkit";
import { buildKubernetes } from "./binaries.ts";
import { cgroupRoot, hasCgroupControllers } from "./pod-cgroups.ts";
import { trySandbox } from "./sandbox.ts";
import { isStaticProgram } from "./static-program.ts";

/** Paths of what a node is made of. */
export interface NodeTools {
  readonly bash: string;
  readonly busybox: string;
  readonly cniPlugins: string;
  readonly containerd: string;
  readonly ctr: string;
  readonly ip: string;
  readonly nsenter: string;
  readonly tar: string;
  readonly unshare: string;
  readonly kubelet: string;
  readonly proxy: string;
  readonly scheduler: string;
}

/** The machine, as far as a node depends on it. */
export interface NodeMachine {
  readonly isRoot: boolean;
  readonly hasCgroups: boolean;
  findProgram(name: string): string | undefined;
  hasFile(path: string): boolean;
  /** Whether a program needs no shared libraries. */
  isStatic(path: string): boolean;
  /** What the system says when a sandbox is asked for; "" when it can be had. */
  trySandbox(tools: { readonly bash: string; readonly unshare: string }): string;
}

const install = (packages: string): string => `apt-get install ${packages} (Debian)`;

/** Programs by name, each with Debian's package. */
const programs: readonly (readonly [name: string, debian: string])[] = [
  ["unshare", "util-linux"],
  ["nsenter", "util-linux"],
  ["setpriv", "util-linux"],
  ["mount", "mount"],
  ["bash", "bash"],
  ["tar", "tar"],
  ["ip", "iproute2"],
  ["nft", "nftables"],
  ["containerd", "containerd"],
  ["ctr", "containerd"],
  ["runc", "runc"],
  ["busybox", "busybox-static"],
];
const plugins = ["bridge", "host-local", "loopback"];
const pluginFolders = ["/usr/lib/cni", "/opt/cni/bin"];

type MachineTools = Omit<NodeTools, "kubelet" | "proxy" | "scheduler">;

/** Finds the machine's part of a node, or says what is missing, in a few words that suit "no node: ...". */
export function findMachineTools(machine: NodeMachine): MachineTools | MissingBinaries {
  if (!machine.isRoot) return { missing: "this is not root", hint: "run the tests as root" };
  const found = new Map<string, string>();
  for (const [name, debian] of programs) {
    const path = machine.findProgram(name);
    if (path === undefined) return { missing: `${name} is not installed`, hint: install(debian) };
    found.set(name, path);
  }
  const pathOf = (name: string): string => found.get(name) ?? "";
  const cniPlugins = pluginFolders.find((folder) => plugins.every((name) => machine.hasFile(join(folder, name))));
  if (cniPlugins === undefined) {
    return { missing: "the CNI plugins are not installed", hint: install("containernetworking-plugins") };
  }
  if (!machine.isStatic(pathOf("busybox"))) {
    return { missing: "busybox needs shared libraries", hint: install("busybox-static") };
  }
  if (!machine.hasCgroups) {
    return { missing: "there is no cgroup v1 with all controllers", hint: `mount them at ${cgroupRoot}` };
  }
  const refusal = machine.trySandbox({ bash: pathOf("bash"), unshare: pathOf("unshare") });
  if (refusal !== "") {
    const hint = "run the tests in a privileged container, with the modules overlay, veth, br_netfilter and nf_tables";
    return { missing: `the system refuses a sandbox (${refusal})`, hint };
  }
  return {
    bash: pathOf("bash"),
    busybox: pathOf("busybox"),
    cniPlugins,
    containerd: pathOf("containerd"),
    ctr: pathOf("ctr"),
    ip: pathOf("ip"),
    nsenter: pathOf("nsenter"),
    tar: pathOf("tar"),
    unshare: pathOf("unshare"),
  };
}

const thisMachine: NodeMachine = {
  isRoot: process.getuid?.() === 0,
  hasCgroups: hasCgroupControllers(cgroupRoot),
  findProgram: (name) => findProgram(name),
  hasFile: existsSync,
  isStatic: (path) => isStaticProgram(readFileSync(path)),
  trySandbox,
};

/** What this machine has for a node, Kubernetes' programs built and cached; or why there can be none. */
export function provideNodeTools(announce: (line: string) => void): NodeTools | MissingBinaries {
  const tools = findMachineTools(thisMachine);
  if ("missing" in tools) return tools;
  const names = ["kubelet", "kube-proxy", "kube-scheduler"];
  const takes = "once; about a minute on 2 cores after the control plane";
  const folder = buildKubernetes({ programs: names, takes, announce });
  if (typeof folder !== "string") return folder;
  return {
    ...tools,
    kubelet: join(folder, "kubelet"),
    proxy: join(folder, "kube-proxy"),
    scheduler: join(folder, "kube-scheduler"),
  };
}
