import { sendRequest, type Server } from "../requests/send-request.ts";
import {
  type PodRun,
  fitsNode,
  nextPodStep,
  nodeLabels,
  parsePodScript,
  podStatus,
  simulatedNode,
  startPodRun,
  stopPod,
} from "@landscaper/local-cluster";
import type { UnstructuredObject } from "@landscaper/api";
import { setTimeout as sleep } from "node:timers/promises";

const connectionErrors: ReadonlySet<string> = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE"]);
const times = { stepMs: 50, backOffMs: 1000 };
const pauseMs = 20;

const node: UnstructuredObject = {
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: simulatedNode.name, labels: { ...nodeLabels } },
};

/**
 * Scheduler and kubelet of the simulated node on a real API server: pods live as the simulation of the embedded cluster lets them live, so
 * that what the controllers of both make of it can be compared. Resolves when `signal` is aborted.
 */
export async function playPods(server: Server, signal: AbortSignal): Promise<void> {
  await sendRequest(server, { method: "POST", path: "/api/v1/nodes", body: node });
  // A new node is tainted until somebody finds it ready.
  const path = `/api/v1/nodes/${simulatedNode.name}`;
  const contentType = "application/merge-patch+json";
  await sendRequest(server, { method: "PATCH", path, body: { spec: { taints: null } }, contentType });
  const player = new PodPlayer(server);
  while (!signal.aborted) {
    try {
      await player.playAll();
    } catch (error) {
      // The server stops and starts again, or has closed the connection: a kubelet tries again.
      if (!(error instanceof Error && "code" in error && connectionErrors.has(String(error.code)))) throw error;
    }
    await sleep(pauseMs);
  }
}

class PodPlayer {
  readonly #server: Server;
  readonly #runs = new Map<string, PodRun>();
  readonly #stopAt = new Map<string, number>();

  constructor(server: Server) {
    this.#server = server;
  }

  async playAll(): Promise<void> {
    const { body } = await sendRequest(this.#server, { method: "GET", path: "/api/v1/pods" });
    const { items = [] } = body as { items?: UnstructuredObject[] }; // a PodList
    await Promise.all(items.map(async (pod) => this.#play({ ...pod, apiVersion: "v1", kind: "Pod" })));
  }

  async #play(pod: UnstructuredObject): Promise<void> {
    const { uid = "" } = pod.metadata;
    const { nodeName } = pod["spec"] as { nodeName?: string }; // every pod has a spec
    const run = this.#runs.get(uid);
    if (nodeName === undefined) {
      if (fitsNode(pod["spec"], node)) await this.#bind(pod);
      return;
    }
    if (run === undefined) {
      await this.#report(pod, startPodRun(pod, Date.now(), await this.#failuresOf(pod)));
      return;
    }
    if (run.stopped) return;
    if (pod.metadata.deletionTimestamp !== undefined) {
      await this.#stop(pod, run);
      return;
    }
    const containers = run.containers.map(({ name }) => name);
    const script = parsePodScript(pod.metadata.annotations ?? {}, containers);
    const step = nextPodStep(run, { script, scriptSinceMs: 0, times });
    if (step !== undefined && step.atMs <= Date.now()) await this.#report(pod, step.run);
  }

  async #stop(pod: UnstructuredObject, run: PodRun): Promise<void> {
    const { uid = "" } = pod.metadata;
    const atMs = this.#stopAt.get(uid) ?? Date.now() + times.stepMs;
    this.#stopAt.set(uid, atMs);
    if (Date.now() < atMs) return;
    await this.#report(pod, stopPod(run, Date.now()));
    await sendRequest(this.#server, { method: "DELETE", path: pathOf(pod), body: { gracePeriodSeconds: 0 } });
  }

  async #bind(pod: UnstructuredObject): Promise<void> {
    const target = { apiVersion: "v1", kind: "Node", name: simulatedNode.name };
    const body = { apiVersion: "v1", kind: "Binding", metadata: { name: pod.metadata.name }, target };
    await sendRequest(this.#server, { method: "POST", path: `${pathOf(pod)}/binding`, body });
  }

  async #report(pod: UnstructuredObject, run: PodRun): Promise<void> {
    const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
    const status = podStatus(pod, run, { now, podIP: "10.244.0.1" });
    const path = `${pathOf(pod)}/status`;
    const contentType = "application/merge-patch+json";
    const { code } = await sendRequest(this.#server, { method: "PATCH", path, body: { status }, contentType });
    if (code === 200) this.#runs.set(pod.metadata.uid ?? "", run);
  }

  /** As the simulated kubelet counts them for the pods of a Job. */
  async #failuresOf(pod: UnstructuredObject): Promise<number> {
    const owner = pod.metadata.ownerReferences?.find(({ kind }) => kind === "Job");
    if (owner === undefined) return 0;
    const path = `/apis/batch/v1/namespaces/${pod.metadata.namespace}/jobs/${owner.name}`;
    const { body } = await sendRequest(this.#server, { method: "GET", path });
    return (body as { status?: { failed?: number } }).status?.failed ?? 0; // a Job
  }
}

function pathOf({ metadata }: UnstructuredObject): string {
  return `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`;
}
