import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runCommand, type CommandLine } from "../../scripts/run-command.ts";
import type { Child } from "./child.ts";
import { createKubeconfig, findBelow } from "@landscaper/testkit";
import { cniConfig, containerdConfig, containerdSocket, kubeletConfig, nodeName, proxyConfig } from "./node-files.ts";
import { pauseImage, writeImages } from "./node-image.ts";
import type { NodeTools } from "./node-tools.ts";
import type { ControlPlanePki } from "./pki.ts";
import { writeCredentials, writeSecret } from "./pki.ts";
import type { Sandbox } from "./sandbox.ts";
import { waitReady } from "./wait-ready.ts";

export interface NodeOptions {
  readonly tools: NodeTools;
  readonly sandbox: Sandbox;
  /** Scratch, gone with the cluster. */
  readonly folder: string;
  readonly pki: ControlPlanePki;
  /** Of the API server. */
  readonly url: string;
  /** Of the pods; it is there in all hierarchies. */
  readonly cgroup: string;
  readonly start: (name: string, line: CommandLine) => Child;
}

const containerdMs = 30_000;
const nodeMs = 60_000;
const pauseMs = 50;

/** A node that takes pods; it ends with its sandbox. */
export interface ClusterNode {
  /** Of the node, where the host reaches it. */
  readonly address: string;
  /** Of the host, where the node reaches it as far as the packet filters let it. */
  readonly hostAddress: string;
  /** Makes the images of an OCI archive known, each as `name` with the tag in the archive: pods that name them pull nothing. */
  importImages(archive: string, name: string): void;
  /** Kills the kubelet and starts it again; resolves when it has reported. Its pods run on. */
  restartKubelet(): Promise<void>;
  /** Runs a command with all of the sandbox, where the node's processes and pods are. Returns what it prints. */
  run(line: CommandLine): string;
  /** Starts a program with the network of the sandbox, and everything else of the host. It ends with the cluster at the latest. */
  startInNetwork(name: string, line: CommandLine): Child;
}

/** kube-scheduler, containerd with the images of node-image.ts, kubelet and kube-proxy in the sandbox. Resolves when the node takes pods. */
export async function startNode(options: NodeOptions): Promise<ClusterNode> {
  const { tools, sandbox, pki, url, start } = options;
  const folder = join(options.folder, "node");
  const cniConfigs = join(folder, "cni");
  mkdirSync(cniConfigs, { recursive: true });
  const write = (name: string, text: string): string => writeSecret(join(folder, name), text);
  const kubeconfig = (name: string, commonName: string, ...organizations: string[]): string => {
    const user = pki.authority.issue({ commonName, organizations });
    return write(`${name}.kubeconfig`, createKubeconfig({ name, server: url, ca: pki.caPem, user }));
  };

  start(
    "kube-scheduler",
    sandbox.inNetwork([
      tools.scheduler,
      `--kubeconfig=${kubeconfig("scheduler", "system:kube-scheduler")}`,
      "--leader-elect=false",
      "--secure-port=0",
    ]),
  );
  writeFileSync(join(cniConfigs, "10-pods.conflist"), cniConfig());
  const { cniPlugins } = tools;
  const containerdFile = write("containerd.toml", containerdConfig({ cniPlugins, cniConfigs, pauseImage }));
  start("containerd", sandbox.inside([tools.containerd, "--config", containerdFile]));
  const archive = writeImages({ folder: join(folder, "images"), busybox: tools.busybox, tar: tools.tar });
  await importWhenReady(options, archive);

  const serving = pki.authority.issue({ commonName: `system:node:${nodeName}`, hosts: [nodeName, sandbox.address] });
  const config = kubeletConfig({
    address: sandbox.address,
    ca: pki.files.ca,
    ...writeCredentials(folder, "kubelet-server", serving),
    cgroup: options.cgroup,
  });
  const kubeletLine = sandbox.inside([
    tools.kubelet,
    `--config=${write("kubelet.yaml", config)}`,
    `--kubeconfig=${kubeconfig("kubelet", `system:node:${nodeName}`, "system:nodes")}`,
    `--hostname-override=${nodeName}`,
    `--node-ip=${sandbox.address}`,
    "--root-dir=/var/lib/kubelet",
  ]);
  let kubelet = start("kubelet", kubeletLine);
  const proxyFile = write(
    "proxy.yaml",
    proxyConfig({ address: sandbox.address, kubeconfig: kubeconfig("proxy", "system:kube-proxy") }),
  );
  start("kube-proxy", sandbox.inside([tools.proxy, `--config=${proxyFile}`]));
  const waitUntil = async (path: string, isReady: (body: string) => boolean): Promise<void> => {
    const probe = { ca: pki.caPem, user: pki.admin, isReady, child: kubelet, timeoutMs: nodeMs };
    await waitReady({ ...probe, url: `${url}${path}` });
  };
  await waitUntil(`/api/v1/nodes/${nodeName}`, takesPods);
  return {
    address: sandbox.address,
    hostAddress: sandbox.hostAddress,
    importImages: (file, name) => importInto(options, file, [`--base-name=${name}`]),
    async restartKubelet() {
      // The child is the program that enters the sandbox, and ends with the kubelet.
      const pid = findBelow(kubelet.pid, ["setpriv", "nsenter"]);
      if (pid !== undefined) process.kill(pid, "SIGKILL");
      await kubelet.whenEnded;
      const endedMs = Date.now();
      kubelet = start("kubelet", kubeletLine);
      await waitUntil(leasePath, (body) => renewedMs(body) > endedMs);
      await waitUntil(`/api/v1/nodes/${nodeName}`, takesPods);
    },
    run: (line) => runCommand(sandbox.inside(line)),
    startInNetwork: (name, line) => start(name, sandbox.inNetwork(line)),
  };
}

/** The heartbeat of the node. */
const leasePath = `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${nodeName}`;

function renewedMs(body: string): number {
  const { spec } = JSON.parse(body) as { readonly spec?: { readonly renewTime?: string } };
  return Date.parse(spec?.renewTime ?? "");
}

/** Ready, and no longer kept free by a taint. */
function takesPods(body: string): boolean {
  const { spec, status } = JSON.parse(body) as {
    readonly spec?: { readonly taints?: readonly unknown[] };
    readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
  };
  const isReady = status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") ?? false;
  return isReady && (spec?.taints ?? []).length === 0;
}

function importInto({ tools, sandbox }: NodeOptions, archive: string, flags: readonly string[] = []): void {
  const client = [tools.ctr, `--address=${containerdSocket}`, "--connect-timeout=10s", "--namespace=k8s.io"] as const;
  runCommand(sandbox.inside([...client, "images", "import", ...flags, archive]));
}

/** Tries until containerd listens. */
async function importWhenReady(options: NodeOptions, archive: string): Promise<void> {
  const deadline = Date.now() + containerdMs;
  for (;;) {
    try {
      importInto(options, archive);
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(pauseMs);
    }
  }
}
