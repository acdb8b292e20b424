import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandLine } from "../../scripts/run-command.ts";
import type { ControlPlaneBinaries } from "./binaries.ts";
import type { Child } from "./child.ts";
import { startChild } from "./child.ts";
import { createKubeconfig, findFreePorts } from "@landscaper/testkit";
import { nameOfRun, removeLeftovers, scratchRoot } from "./leftovers.ts";
import { type ClusterNode, startNode } from "./node.ts";
import { firstServiceAddress, serviceRange } from "./node-network.ts";
import type { NodeTools } from "./node-tools.ts";
import type { ControlPlanePki } from "./pki.ts";
import { createControlPlanePki, writeCredentials } from "./pki.ts";
import { cgroupRoot, createCgroups, removeCgroups } from "./pod-cgroups.ts";
import type { Sandbox } from "./sandbox.ts";
import { startSandbox } from "./sandbox.ts";
import { waitReady } from "./wait-ready.ts";

export interface RealClusterOptions {
  readonly binaries: ControlPlaneBinaries;
  /**
   * Runs when the API server is ready and before the controllers start: CRDs created here are known to the
   * garbage collector at once, and not after its next 30-second look.
   */
  readonly beforeControllers?: (kubeconfig: string) => Promise<void>;
  /** Controllers beyond those that the suites rely on, by their names in `kube-controller-manager --controllers`. */
  readonly moreControllers?: readonly string[];
  /** Keeps an audit log of the requests of this group of users, without bodies. */
  readonly auditedGroup?: string | undefined;
  /** Where the API server listens without a node, such as an address of the host that another cluster can dial. Default: 127.0.0.1. */
  readonly address?: string | undefined;
  /** Adds a node that really runs pods, and all controllers; then everything of the cluster has its network in a sandbox. */
  readonly node?: NodeTools;
}

/** etcd, kube-apiserver and kube-controller-manager of our own on loopback, or with a node in a sandbox. */
export interface RealCluster {
  readonly url: string;
  readonly caPem: string;
  /** Of etcd; nobody else can reach it where the cluster has a node. */
  readonly etcdUrl: string;
  /** One JSON object in each line (audit.k8s.io/v1, level Metadata); undefined without an audited group. */
  readonly auditLog: string | undefined;
  /** Admin, inline data. */
  readonly kubeconfig: string;
  /** Undefined without one. */
  readonly node: ClusterNode | undefined;
  /** Processes by name, for their logs and for measuring them. */
  readonly children: readonly Child[];
  readonly etcdCopy: EtcdCopy;
  /** Ends the processes, users before providers, and removes the scratch folder. */
  stop(): Promise<void>;
}

/** A backup of etcd, as a copy of its files: objects, revision and resource versions are those of the moment when it was taken. */
export interface EtcdCopy {
  /** Replaces an earlier copy. etcd is away meanwhile. */
  take(): Promise<void>;
  /** Ends the control plane, puts the files back, and starts it again. Resolves when it is ready. */
  putBack(): Promise<void>;
}

/** Controllers that the suites rely on; the others would only cost time. More on request: `moreControllers`. */
const controllers = [
  "namespace-controller",
  "garbage-collector-controller",
  "serviceaccount-controller",
  "serviceaccount-token-controller",
  "deployment-controller",
  "replicaset-controller",
  "validatingadmissionpolicy-status-controller",
];

/** Where the control plane listens. */
interface Place {
  readonly address: string;
  readonly ports: { readonly etcd: number; readonly etcdPeer: number; readonly apiServer: number };
  readonly services: { readonly range: string; readonly first: string };
}

async function placeOn(address = "127.0.0.1"): Promise<Place> {
  const [etcd = 0, etcdPeer = 0, apiServer = 0] = await findFreePorts(3);
  const services = { range: "10.0.0.0/24", first: "10.0.0.1" };
  return { address, ports: { etcd, etcdPeer, apiServer }, services };
}

/** Nobody else has ports in there. */
function placeIn({ address }: Sandbox): Place {
  const services = { range: serviceRange, first: firstServiceAddress };
  return { address, ports: { etcd: 2379, etcdPeer: 2380, apiServer: 6443 }, services };
}

function etcdArguments(folder: string, { ports }: Place): string[] {
  const clientUrl = `http://127.0.0.1:${ports.etcd}`;
  const peerUrl = `http://127.0.0.1:${ports.etcdPeer}`;
  return [
    `--data-dir=${join(folder, "etcd")}`,
    `--listen-client-urls=${clientUrl}`,
    `--advertise-client-urls=${clientUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
    "--logger=zap",
    "--log-level=warn",
    `--quota-backend-bytes=${4 * 1024 ** 3}`,
  ];
}

function apiServerArguments({ files }: ControlPlanePki, { address, ports, services }: Place): string[] {
  return [
    `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
    `--bind-address=${address}`,
    `--advertise-address=${address}`,
    `--secure-port=${ports.apiServer}`,
    `--client-ca-file=${files.ca}`,
    `--tls-cert-file=${files.serverCert}`,
    `--tls-private-key-file=${files.serverKey}`,
    "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
    `--service-account-key-file=${files.serviceAccountPublicKey}`,
    `--service-account-signing-key-file=${files.serviceAccountKey}`,
    `--service-cluster-ip-range=${services.range}`,
    "--profiling=false",
    // The benchmark measures us, not the queues of a server with default limits.
    "--enable-priority-and-fairness=false",
    "--max-requests-inflight=2000",
    "--max-mutating-requests-inflight=1000",
  ];
}

/** Suites with a node have a policy that adds containers to Pods, as meshes do. */
const nodeApiServerArguments = [
  "--feature-gates=MutatingAdmissionPolicy=true",
  "--runtime-config=admissionregistration.k8s.io/v1beta1=true",
];

/** Events are written before the answer leaves (mode "blocking"), so that none is missed; a megabyte has about a thousand of them. */
function auditArguments(folder: string, { auditLog, group }: { auditLog: string; group: string }): string[] {
  const policy = join(folder, "audit-policy.json");
  const rules = [{ level: "Metadata", userGroups: [group], omitStages: ["RequestReceived"] }, { level: "None" }];
  writeFileSync(policy, JSON.stringify({ apiVersion: "audit.k8s.io/v1", kind: "Policy", rules }));
  return [`--audit-policy-file=${policy}`, `--audit-log-path=${auditLog}`, "--audit-log-maxsize=4096"];
}

interface ControllerManagerOptions {
  readonly folder: string;
  readonly kubeconfig: string;
  readonly pki: ControlPlanePki;
  readonly controllers: readonly string[];
}

function controllerManagerArguments({ folder, kubeconfig, pki, controllers }: ControllerManagerOptions): string[] {
  const { files } = pki;
  const file = join(folder, "controller-manager.kubeconfig");
  writeFileSync(file, kubeconfig, { mode: 0o600 });
  return [
    `--kubeconfig=${file}`,
    `--service-account-private-key-file=${files.serviceAccountKey}`,
    `--root-ca-file=${files.ca}`,
    `--controllers=${controllers.join(",")}`,
    "--leader-elect=false",
    "--secure-port=0",
    "--kube-api-qps=500",
    "--kube-api-burst=1000",
    "--concurrent-gc-syncs=20",
  ];
}

/** What kubelets may do, and how they are reached for logs, exec and port-forward of pods. */
function kubeletArguments(folder: string, { authority, files }: ControlPlanePki): string[] {
  const client = authority.issue({ commonName: "kube-apiserver-kubelet-client", organizations: ["system:masters"] });
  const { cert, key } = writeCredentials(folder, "kubelet-client", client);
  return [
    "--authorization-mode=Node,RBAC",
    `--kubelet-client-certificate=${cert}`,
    `--kubelet-client-key=${key}`,
    `--kubelet-certificate-authority=${files.ca}`,
    "--kubelet-preferred-address-types=InternalIP",
  ];
}

async function startOnce(options: RealClusterOptions): Promise<RealCluster> {
  const { binaries, beforeControllers, moreControllers = [], node, auditedGroup: group } = options;
  const name = nameOfRun();
  const folder = join(scratchRoot, name);
  const auditLog = group === undefined ? undefined : join(folder, "audit.log");
  mkdirSync(folder, { mode: 0o700 });
  const children: Child[] = [];
  const lines = new Map<string, CommandLine>();
  const start = (name: string, line: CommandLine): Child => {
    const [command, ...args] = line;
    const child = startChild({ name, command, args, logFile: join(folder, `${name}.log`) });
    children.push(child);
    lines.set(name, line);
    return child;
  };
  /** Ends processes, the last one first, and starts them again when `work` is done. */
  async function without(names: readonly string[], work: () => void): Promise<void> {
    for (const name of names.toReversed()) {
      const at = children.findIndex((child) => child.name === name);
      for (const child of children.splice(at, 1)) await child.stop();
    }
    work();
    for (const name of names) start(name, lines.get(name) ?? [name]);
  }
  let sandbox: Sandbox | undefined;
  async function stop(): Promise<void> {
    // Pods, node and their network before the API server.
    await sandbox?.stop();
    for (const child of children.toReversed()) await child.stop(2000);
    if (node !== undefined) await removeCgroups(cgroupRoot, name);
    rmSync(folder, { recursive: true, force: true });
  }

  try {
    if (node !== undefined) {
      createCgroups(cgroupRoot, name);
      sandbox = await startSandbox(node, folder);
    }
    const inNetwork = sandbox?.inNetwork ?? ((line: CommandLine) => line);
    const place = sandbox === undefined ? await placeOn(options.address) : placeIn(sandbox);
    const pki = createControlPlanePki(folder, [...new Set([place.address, "127.0.0.1", place.services.first])]);
    const url = `https://${place.address}:${place.ports.apiServer}`;
    start("etcd", inNetwork([binaries.etcd, ...etcdArguments(folder, place)]));
    const args = [
      ...apiServerArguments(pki, place),
      ...(node === undefined ? withoutNode : [...kubeletArguments(folder, pki), ...nodeApiServerArguments]),
      ...(group === undefined || auditLog === undefined ? [] : auditArguments(folder, { auditLog, group })),
    ];
    start("kube-apiserver", inNetwork([binaries.apiServer, ...args]));
    const untilReady = async (): Promise<void> => {
      const child = children.find(({ name: own }) => own === "kube-apiserver");
      if (child === undefined) throw new Error("there is no kube-apiserver");
      await waitReady({ url: `${url}/readyz`, ca: pki.caPem, user: pki.admin, child, timeoutMs: 120_000 });
    };
    await untilReady();
    const kubeconfig = createKubeconfig({ name: "e2e", server: url, ca: pki.caPem, user: pki.admin });
    await beforeControllers?.(kubeconfig);
    const user = pki.controllerManager;
    const managerKubeconfig = createKubeconfig({ name: "e2e", server: url, ca: pki.caPem, user });
    const chosen = node === undefined ? [...controllers, ...moreControllers] : ["*"];
    const manager = controllerManagerArguments({ folder, kubeconfig: managerKubeconfig, pki, controllers: chosen });
    start("kube-controller-manager", inNetwork([binaries.controllerManager, ...manager]));
    const started =
      node === undefined || sandbox === undefined
        ? undefined
        : await startNode({ tools: node, sandbox, folder, pki, url, cgroup: name, start });
    const etcdUrl = `http://127.0.0.1:${place.ports.etcd}`;
    const [data, copy] = [join(folder, "etcd"), join(folder, "etcd-copy")];
    const replace = (to: string, from: string): void => {
      rmSync(to, { recursive: true, force: true });
      cpSync(from, to, { recursive: true });
    };
    const etcdCopy: EtcdCopy = {
      async take() {
        await without(["etcd"], () => replace(copy, data));
        await untilReady();
      },
      async putBack() {
        await without(["etcd", "kube-apiserver", "kube-controller-manager"], () => replace(data, copy));
        await untilReady();
      },
    };
    return { url, caPem: pki.caPem, etcdUrl, auditLog, kubeconfig, node: started, children, etcdCopy, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The Service of the API server has no endpoint: loopback cannot be one. */
const withoutNode = ["--authorization-mode=RBAC", "--endpoint-reconciler-type=none"];

/** Starts the control plane; ready means that /readyz of the API server is. A port that was snatched away costs one more try. */
export async function startRealCluster(options: RealClusterOptions): Promise<RealCluster> {
  await removeLeftovers();
  try {
    return await startOnce(options);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes("address already in use")) throw error;
    return startOnce(options);
  }
}
