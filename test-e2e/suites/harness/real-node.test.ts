// What keeps a real node apart from the machine that it is on: its pods reach nothing outside, and of a run that is killed nothing is left.
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ResourceType, UnstructuredObject } from "@landscaper/api";
import { type Client, connectionFromKubeconfig, createClient } from "@landscaper/controller-runtime";
import { describeUnless, openNamespace, waitFor } from "@landscaper/testkit";
import type { MissingBinaries } from "../../cluster/binaries.ts";
import { provideBinaries } from "../../cluster/binaries.ts";
import type { Child } from "../../cluster/child.ts";
import { startChild } from "../../cluster/child.ts";
import { removeLeftovers, scratchRoot } from "../../cluster/leftovers.ts";
import { toolsImage } from "../../cluster/node-image.ts";
import { provideNodeTools } from "../../cluster/node-tools.ts";
import { cgroupHierarchies, cgroupRoot } from "../../cluster/pod-cgroups.ts";
import { startRealCluster } from "../../cluster/real-cluster.ts";
import { nodeAbsence } from "../../src/clusters/node-absence.ts";

/** By process: the namespace that it is in, e.g. "pid:[4026531836]". */
function processNamespaces(): Map<string, string> {
  const found = new Map<string, string>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      found.set(pid, readlinkSync(`/proc/${pid}/ns/pid`));
    } catch {
      // It has ended meanwhile.
    }
  }
  return found;
}

/** That of the processes in the sandbox of a run; its first process is known by its script, which names the run. */
function namespaceOf(run: string): string | undefined {
  const outside = readlinkSync("/proc/self/ns/pid");
  for (const [pid, namespace] of processNamespaces()) {
    const file = `/proc/${pid}/cmdline`;
    if (namespace !== outside && existsSync(file) && readFileSync(file, "utf8").includes(run)) return namespace;
  }
  return undefined;
}

const hasAddress = (address: string): boolean =>
  Object.values(networkInterfaces()).some((each) => each?.some((one) => one.address === address));

const pods: ResourceType<UnstructuredObject> = {
  group: "",
  version: "v1",
  kind: "Pod",
  plural: "pods",
  namespaced: true,
};

/** Settings of the whole machine that kubelets make where they may. */
const kernelSettings = (): readonly string[] =>
  ["kernel/panic", "kernel/panic_on_oops", "vm/overcommit_memory", "vm/panic_on_oom"].map(
    (name) => `${name} ${readFileSync(`/proc/sys/${name}`, "utf8")}`,
  );

function provided<T extends object>(found: T | MissingBinaries): T {
  if ("missing" in found) throw new Error(found.missing);
  return found;
}

/** What is there of runs of a process: scratch folders and cgroups. */
function remainsOf(pid: number): string[] {
  const roots = [...cgroupHierarchies(cgroupRoot), scratchRoot];
  return roots.flatMap((root) => readdirSync(root).filter((each) => each.startsWith(`landscaper-e2e-${pid}-`)));
}

describeUnless(nodeAbsence(), describe)("a real node", () => {
  let folder: string;
  let run: Child;
  let client: Client;
  /** Of its scratch folder and its cgroup. */
  let name: string;
  let kubeconfig: string;
  /** The host's end of its link to the node. */
  let host: string;

  let settings: readonly string[];

  beforeAll(async () => {
    settings = kernelSettings();
    folder = mkdtempSync(join(tmpdir(), "landscaper-node-"));
    const logFile = join(folder, "run.log");
    const args = [join(import.meta.dirname, "../../cluster/run.ts"), "--node"];
    run = startChild({ name: "run", command: process.execPath, args, logFile });
    const said = (): string => readFileSync(logFile, "utf8");
    const isStarted = (): boolean => said().includes("kube-proxy: ") || run.ended !== undefined;
    await waitFor(isStarted, { intervalMs: 100, describe: said });
    name = /landscaper-e2e-\d+-[0-9a-f]+/.exec(said())?.[0] ?? "";
    kubeconfig = /KUBECONFIG=([^;]+);/.exec(said())?.[1] ?? "";
    if (name === "" || kubeconfig === "") throw new Error(`the cluster has not started: ${said()}`);
    const connection = connectionFromKubeconfig(readFileSync(kubeconfig, "utf8"));
    client = createClient({ connection });
    // The two addresses of the link follow each other.
    host = new URL(connection.server).hostname.replace(/\d+$/, (last) => String(Number(last) - 1));
  });
  afterAll(async () => {
    await client?.close();
    await run.kill();
    rmSync(folder, { recursive: true });
  });

  /** Starts a pod and waits until it is in this phase. */
  async function runPod(pod: string, command: readonly string[], phase: string): Promise<void> {
    const key = { namespace: "default", name: pod };
    const spec = { restartPolicy: "Never", containers: [{ name: "main", image: toolsImage, command }] };
    await client.create(pods, { apiVersion: "v1", kind: "Pod", metadata: key, spec });
    const isMet = (found: UnstructuredObject | undefined): boolean =>
      (found?.["status"] as { phase?: string } | undefined)?.phase === phase;
    const options = { timeoutMs: 60_000, intervalMs: 50, describe: async () => command.join(" ") };
    await openNamespace(client, key.namespace, options).until(pods, pod, isMet);
  }

  it("lets pods reach the API server, and neither the host nor anything beyond", async () => {
    const server = createServer();
    let connections = 0;
    server.on("connection", (socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    const { port } = server.address() as AddressInfo; // it listens on TCP
    try {
      // It would answer.
      const socket = connect(port, host);
      await new Promise((resolve) => socket.once("close", resolve));
      expect(connections).toBe(1);
      const reaches = (address: string): string => `nc -w 2 ${address} </dev/null`;
      const script = `${reaches("$KUBERNETES_SERVICE_HOST 443")} || exit 1
${reaches(`${host} ${port}`)} && exit 2
${reaches("203.0.113.1 80")} && exit 3
exit 0`;
      await runPod("guest", ["sh", "-c", script], "Succeeded");
      expect(connections).toBe(1);
    } finally {
      server.close();
    }
  });

  it("removes all when a part of it does not start", async () => {
    const binaries = provided(provideBinaries(() => undefined));
    const node = { ...provided(provideNodeTools(() => undefined)), kubelet: "/bin/false" };
    // The worker may have a cluster of its own, for other suites.
    const before = remainsOf(process.pid);
    await expect(startRealCluster({ binaries, node })).rejects.toThrow("kubelet ended with exit code 1");
    expect(remainsOf(process.pid)).toEqual(before);
  });

  it("leaves no process and no interface when its run is killed, and after the next start nothing at all", async () => {
    await runPod("sleeper", ["sleep", "infinity"], "Running");
    const namespace = namespaceOf(name) ?? "";
    const left = (): unknown => ({
      address: hasAddress(host),
      processes: [...processNamespaces().values()].includes(namespace),
    });
    expect(left()).toEqual({ address: true, processes: true });
    expect(remainsOf(run.pid)).not.toEqual([]);

    await run.kill();
    const nothing = { address: false, processes: false };
    await waitFor(() => isDeepStrictEqual(left(), nothing)).catch(() => undefined);
    expect(left()).toEqual(nothing);
    await removeLeftovers();
    expect(remainsOf(run.pid)).toEqual([]);
    expect(kernelSettings()).toEqual(settings);
    rmSync(dirname(kubeconfig), { recursive: true });
  });
});
