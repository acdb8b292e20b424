import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ControlPlaneBinaries } from "./binaries.ts";
import type { Child } from "./child.ts";
import { startChild } from "./child.ts";
import { createKubeconfig } from "./kubeconfig.ts";
import type { ControlPlanePki } from "./pki.ts";
import { createControlPlanePki } from "./pki.ts";
import { findFreePorts } from "./ports.ts";
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
}

/** etcd, kube-apiserver and kube-controller-manager of our own on loopback. */
export interface RealCluster {
  readonly url: string;
  readonly caPem: string;
  /** Admin, inline data. */
  readonly kubeconfig: string;
  /** Processes by name, for their logs and for measuring them. */
  readonly children: readonly Child[];
  /** Ends the processes, users before providers, and removes the scratch folder. */
  stop(): Promise<void>;
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

/** Data in memory where the machine offers it: etcd syncs each write to disk, and this data is thrown away. */
function createScratchFolder(): string {
  return mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "landscaper-e2e-"));
}

function etcdArguments(folder: string, clientUrl: string, peerUrl: string): string[] {
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

function apiServerArguments({ files }: ControlPlanePki, etcdUrl: string, port: number): string[] {
  return [
    `--etcd-servers=${etcdUrl}`,
    "--bind-address=127.0.0.1",
    "--advertise-address=127.0.0.1",
    `--secure-port=${port}`,
    "--endpoint-reconciler-type=none",
    `--client-ca-file=${files.ca}`,
    `--tls-cert-file=${files.serverCert}`,
    `--tls-private-key-file=${files.serverKey}`,
    "--authorization-mode=RBAC",
    "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
    `--service-account-key-file=${files.serviceAccountPublicKey}`,
    `--service-account-signing-key-file=${files.serviceAccountKey}`,
    "--service-cluster-ip-range=10.0.0.0/24",
    "--profiling=false",
    // The benchmark measures us, not the queues of a server with default limits.
    "--enable-priority-and-fairness=false",
    "--max-requests-inflight=2000",
    "--max-mutating-requests-inflight=1000",
  ];
}

interface ControllerManagerOptions {
  readonly folder: string;
  readonly kubeconfig: string;
  readonly pki: ControlPlanePki;
  readonly moreControllers: readonly string[];
}

function controllerManagerArguments({ folder, kubeconfig, pki, moreControllers }: ControllerManagerOptions): string[] {
  const { files } = pki;
  const file = join(folder, "controller-manager.kubeconfig");
  writeFileSync(file, kubeconfig, { mode: 0o600 });
  return [
    `--kubeconfig=${file}`,
    `--service-account-private-key-file=${files.serviceAccountKey}`,
    `--root-ca-file=${files.ca}`,
    `--controllers=${[...controllers, ...moreControllers].join(",")}`,
    "--leader-elect=false",
    "--secure-port=0",
    "--kube-api-qps=500",
    "--kube-api-burst=1000",
    "--concurrent-gc-syncs=20",
  ];
}

async function startOnce({
  binaries,
  beforeControllers,
  moreControllers = [],
}: RealClusterOptions): Promise<RealCluster> {
  const folder = createScratchFolder();
  const children: Child[] = [];
  const start = (name: string, command: string, args: string[]): Child => {
    const child = startChild({ name, command, args, logFile: join(folder, `${name}.log`) });
    children.push(child);
    return child;
  };
  async function stop(): Promise<void> {
    for (const child of children.toReversed()) await child.stop(2000);
    rmSync(folder, { recursive: true, force: true });
  }

  try {
    const pki = createControlPlanePki(folder);
    const [clientPort = 0, peerPort = 0, port = 0] = await findFreePorts(3);
    const etcdUrl = `http://127.0.0.1:${clientPort}`;
    const url = `https://127.0.0.1:${port}`;
    start("etcd", binaries.etcd, etcdArguments(folder, etcdUrl, `http://127.0.0.1:${peerPort}`));
    const child = start("kube-apiserver", binaries.apiServer, apiServerArguments(pki, etcdUrl, port));
    await waitReady({ url: `${url}/readyz`, ca: pki.caPem, user: pki.admin, child, timeoutMs: 120_000 });
    const kubeconfig = createKubeconfig({ name: "e2e", server: url, ca: pki.caPem, user: pki.admin });
    await beforeControllers?.(kubeconfig);
    const user = pki.controllerManager;
    const managerKubeconfig = createKubeconfig({ name: "e2e", server: url, ca: pki.caPem, user });
    const args = controllerManagerArguments({ folder, kubeconfig: managerKubeconfig, pki, moreControllers });
    start("kube-controller-manager", binaries.controllerManager, args);
    return { url, caPem: pki.caPem, kubeconfig, children, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts the control plane; ready means that /readyz of the API server is. A port that was snatched away costs one more try. */
export async function startRealCluster(options: RealClusterOptions): Promise<RealCluster> {
  try {
    return await startOnce(options);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes("address already in use")) throw error;
    return startOnce(options);
  }
}
