// Real clusters that the suites of one test worker use one after the other: to start one takes as long as many a suite.
import { restoreSnapshot, takeSnapshot } from "../../cluster/etcd-snapshot.ts";
import type { TestCluster } from "./test-cluster.ts";

/** A cluster that belongs to the worker, with the address of its etcd. */
export interface OwnedCluster {
  readonly cluster: TestCluster;
  readonly etcdUrl: string;
  /** Called when a suite gives it back; what it throws is the suite's failure. */
  readonly onReturn: () => void;
}

interface Idle {
  readonly cluster: TestCluster;
  readonly onReturn: () => void;
  /** Puts everything back as it was. */
  reset(): Promise<void>;
}

const idle = new Map<string, Idle[]>();
const owned = new Set<TestCluster>();

let isSharing = false;

/** Whether files of tests follow each other in this process. */
export function isTestWorker(): boolean {
  return process.env["TEST_FILE"] !== undefined;
}

/** Returns true if this process keeps clusters for their next user. */
export function sharesClusters(): boolean {
  return isSharing || isTestWorker();
}

/** Makes this process keep clusters for their next user. Returns a function that stops all of them. */
export function shareClusters(): () => Promise<void> {
  isSharing = true;
  return stopAll;
}

/** A cluster as it came from `start`; stopping it gives it back to the worker. `kind`: clusters of one kind stand in for each other. */
export async function borrowCluster(kind: string, start: () => Promise<OwnedCluster>): Promise<TestCluster> {
  const found = idle.get(kind)?.pop();
  if (found !== undefined) signalAll(found.cluster, "SIGCONT");
  if (found === undefined) {
    const { cluster, etcdUrl, onReturn } = await start();
    watchEnd();
    owned.add(cluster);
    const snapshot = await takeSnapshot(etcdUrl);
    return lend(kind, { cluster, onReturn, reset: async () => await restoreSnapshot(etcdUrl, snapshot) });
  }
  await found.reset();
  return lend(kind, found);
}

function lend(kind: string, lent: Idle): TestCluster {
  let isBack = false;
  return {
    ...lent.cluster,
    stop: async () => {
      if (isBack) return;
      isBack = true;
      // A control plane that nobody uses takes a thirtieth of a processor for itself.
      signalAll(lent.cluster, "SIGSTOP");
      idle.set(kind, [...(idle.get(kind) ?? []), lent]);
      lent.onReturn();
    },
  };
}

function signalAll({ children }: TestCluster, signal: NodeJS.Signals): void {
  for (const { pid, ended } of children) {
    if (ended === undefined && pid > 0) process.kill(pid, signal);
  }
}

/** Ends what belongs to the worker. */
async function stopAll(): Promise<void> {
  idle.clear();
  for (const cluster of owned) signalAll(cluster, "SIGCONT");
  await Promise.all([...owned].map(async (cluster) => cluster.stop()));
  owned.clear();
}

/** For the end of the worker, or of jest where the tests ran in its own process (scripts/test-run/stop-worker-clusters.mjs). */
function watchEnd(): void {
  Reflect.set(globalThis, Symbol.for("landscaper.stop-worker-clusters"), stopAll);
}
