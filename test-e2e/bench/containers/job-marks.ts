import { isJobOpen, kubeResources, resources, type DeployItem, type Pod } from "@landscaper/api";
import { createSystemClock, reflect } from "@landscaper/controller-runtime";
import { hasProgramEnded } from "@landscaper/container-deployer-lib/testing";
import { waitFor } from "@landscaper/testkit";
import type { ContainerPlace } from "./container-place.ts";

/** Times of the first job of an item, in ms of performance.now(). */
export interface JobMarks {
  pickedUp?: number;
  /** The Pod is there, recorded, and has no gate. */
  started?: number;
  /** The program has ended, and its results are saved. */
  podEnded?: number;
  finished?: number;
  /** As it was created. */
  pod?: Pod;
}

export interface MarkWatch {
  /** Resolves when the first job of the item has ended. Rejects when it has failed. */
  whenFinished(item: string): Promise<JobMarks>;
  stop(): Promise<void>;
}

const timeoutMs = 300_000;

/** The deployer's part of a job, in ms. */
export interface JobShare {
  /** From the pickup until the Pod may start. */
  readonly startMs: number;
  /** From the end of the Pod until that of the job. */
  readonly finishMs: number;
}

export function shareOf({ pickedUp, started, podEnded, finished }: JobMarks): JobShare {
  const between = (from = Number.NaN, to = Number.NaN): number => to - from;
  return { startMs: between(pickedUp, started), finishMs: between(podEnded, finished) };
}

/** Watches the items of the scope and the Pods of the host. */
export function watchMarks({ environment, pods, scope }: ContainerPlace): MarkWatch {
  const { client } = environment;
  const stopping = new AbortController();
  const marks = new Map<string, JobMarks>();
  const phases = new Map<string, string>();
  const of = (name: string): JobMarks => {
    const found = marks.get(name) ?? {};
    marks.set(name, found);
    return found;
  };

  function seeItem({ metadata: { name = "" }, status }: DeployItem): void {
    if (status?.jobID === undefined) return;
    const now = performance.now();
    if (status.phase !== undefined) of(name).pickedUp ??= now;
    if (isJobOpen(status)) return;
    of(name).finished ??= now;
    phases.set(name, `${status.phase}: ${status.lastError?.message ?? ""}`);
  }

  function seePod(pod: Pod): void {
    const now = performance.now();
    const { name: podName = "" } = pod.metadata;
    const item = of(podName.slice(0, podName.lastIndexOf("-")));
    item.pod ??= pod;
    const gates = pod.spec?.["schedulingGates"];
    if (!Array.isArray(gates) || gates.length === 0) item.started ??= now;
    if (hasProgramEnded(pod)) item.podEnded ??= now;
  }

  const common = { client, clock: createSystemClock(), random: Math.random };
  const watches = [
    reflect(
      {
        ...common,
        type: resources.deployItem,
        selection: { namespace: scope.namespace },
        onList: ({ items }) => items.forEach(seeItem),
        onEvent: (type, item) => (type === "DELETED" ? undefined : seeItem(item)),
      },
      stopping.signal,
    ),
    reflect<Pod>(
      {
        ...common,
        type: kubeResources.pod,
        selection: { namespace: pods.namespace },
        onList: ({ items }) => items.forEach(seePod),
        onEvent: (_, pod) => seePod(pod),
      },
      stopping.signal,
    ),
  ];

  return {
    async whenFinished(item) {
      await waitFor(() => of(item).finished !== undefined, { timeoutMs, intervalMs: 20 });
      const phase = phases.get(item) ?? "";
      if (!phase.startsWith("Succeeded")) throw new Error(`${item}: ${phase}`);
      return of(item);
    },
    async stop() {
      stopping.abort();
      await Promise.all(watches);
    },
  };
}
