// Plays what runs on the host cluster of the container deployer: the kubelet, and the init and wait containers of Pods.
import { kubeResources, type ContainerState, type KubeObject, type Pod } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { waitFor } from "@landscaper/testkit";
import { parseJobFile, type JobFile } from "../src/contract/job-file.ts";
import { containerAnnotations, containerLabels, recordedGate, secretTypes } from "../src/contract/labels.ts";
import { hostKinds } from "../src/deployer/host/host-objects.ts";

/** How a Pod ends. Default: all of its containers succeed. */
export interface PodEnd {
  readonly init?: Ended;
  readonly main?: Ended;
  readonly wait?: Ended;
  /** Content of the export file. */
  readonly exports?: string;
  /** Parts of a new state. */
  readonly state?: readonly string[];
  /** Of the Pod. */
  readonly reason?: string;
  readonly message?: string;
}

interface Ended {
  readonly exitCode: number;
  readonly reason?: string;
  readonly message?: string;
}

const times = { startedAt: "2026-01-01T00:00:00Z", finishedAt: "2026-01-01T00:00:01Z" };
const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** The Pods of a namespace of the host. */
export abstract class PlayedPods {
  /** Of the host cluster, with all rights. */
  abstract get host(): Client;
  abstract get namespace(): string;

  async pods(): Promise<readonly Pod[]> {
    return (await this.host.list(kubeResources.pod, { namespace: this.namespace })).items;
  }

  /** A Pod of the item whose program may run, other than those that are known. */
  async untilPod(known: readonly Pod[] = []): Promise<Pod> {
    const uids = new Set(known.map(({ metadata }) => metadata.uid));
    return await waitFor(async () => {
      const pods = (await this.pods()).filter(({ metadata }) => !uids.has(metadata.uid));
      return pods.find((pod) => !JSON.stringify(pod.spec).includes(recordedGate));
    });
  }

  async job(pod: Pod): Promise<JobFile> {
    const volumes = pod.spec?.["volumes"] as readonly {
      readonly name: string;
      readonly secret?: { secretName: string };
    }[];
    const name = volumes.find((volume) => volume.name === "job")?.secret?.secretName ?? "";
    const secret = await this.host.get(kubeResources.secret, { namespace: this.namespace, name });
    return parseJobFile(Buffer.from(secret.data?.["job.json"] ?? "", "base64").toString(), name);
  }

  /** What the kubelet reports. */
  async report(pod: Pod, status: Pod["status"]): Promise<void> {
    const key = { namespace: this.namespace, name: pod.metadata.name ?? "" };
    await this.host.patch(kubeResources.pod, key, { type: "merge", body: { status }, subresource: "status" });
  }

  async reportRunning(pod: Pod): Promise<void> {
    const ended = { terminated: { exitCode: 0, reason: "Completed" } };
    const running = { running: { startedAt: "2026-01-01T00:00:00Z" } };
    await this.report(pod, { phase: "Running", ...statuses({ init: ended, main: running, wait: running }) });
  }

  async finish(pod: Pod, end: PodEnd = {}): Promise<void> {
    const job = await this.job(pod);
    if (end.state !== undefined) await this.writeState(job, end.state);
    if (end.exports !== undefined) await this.#writeExports(job, end.exports);
    const state = ({ exitCode, reason, message }: Ended = { exitCode: 0 }): ContainerState => ({
      terminated: {
        exitCode,
        reason: reason ?? (exitCode === 0 ? "Completed" : "Error"),
        ...(message === undefined ? {} : { message }),
        ...times,
      },
    });
    const isInitialized = (end.init?.exitCode ?? 0) === 0;
    const unstarted: ContainerState = { waiting: { reason: "PodInitializing" } };
    // The Pod was ended from outside.
    const main = end.main ?? { exitCode: end.reason === undefined ? 0 : 137 };
    const all = {
      init: state(end.init),
      main: isInitialized ? state(main) : unstarted,
      wait: isInitialized ? state(end.wait) : unstarted,
    };
    // Not that of the sidecar.
    const isFailed = !isInitialized || main.exitCode !== 0;
    const { reason, message } = end;
    await this.report(pod, {
      phase: isFailed || reason !== undefined ? "Failed" : "Succeeded",
      ...(reason === undefined ? {} : { reason }),
      ...(message === undefined ? {} : { message }),
      ...statuses(all),
    });
  }

  /** As the wait container does it: the parts first, the index last. */
  async writeState(job: JobFile, parts: readonly string[]): Promise<void> {
    const chunks = parts.map((_, number) => ({
      name: job.state.chunks[number] ?? "",
      sha256: "0".repeat(64),
      bytes: 1,
    }));
    for (const [number, content] of parts.entries()) {
      await this.#apply(job, chunks[number]?.name ?? "", {
        type: secretTypes.state,
        annotations: {
          [containerAnnotations.stateUuid]: job.suffix,
          [containerAnnotations.stateNumber]: String(number),
          [containerAnnotations.stateSha256]: "0".repeat(64),
        },
        data: { config: base64(content) },
      });
    }
    const index = { version: 1, generation: job.suffix, chunks, sha256: "0".repeat(64), bytes: 1, fileCount: 1 };
    const data = { "index.json": base64(JSON.stringify(index)) };
    await this.#apply(job, job.state.index.name, { type: secretTypes.stateIndex, annotations: {}, data });
  }

  async #writeExports(job: JobFile, content: string): Promise<void> {
    const annotations = { [containerAnnotations.job]: job.pod };
    await this.#apply(job, job.exports.name, {
      type: secretTypes.export,
      annotations,
      data: { config: base64(content) },
    });
  }

  async #apply(
    job: JobFile,
    name: string,
    { type, annotations, data }: { readonly type: string; readonly annotations: object; readonly data: object },
  ): Promise<void> {
    const key = { namespace: this.namespace, name };
    const metadata = { ...key, labels: { ...job.labels, [containerLabels.type]: type }, annotations };
    const body = { apiVersion: "v1", kind: "Secret", metadata, data };
    await this.host.patch(kubeResources.secret, key, { type: "apply", body, fieldManager: "wait", force: true });
  }

  /** All that the deployer and its Pods have made on the host. */
  async objects(): Promise<readonly { readonly kind: string; readonly object: KubeObject }[]> {
    const options = { namespace: this.namespace, labelSelector: containerLabels.deployerId };
    const lists = await Promise.all(
      [kubeResources.pod, ...hostKinds].map(async (type) =>
        (await this.host.list<KubeObject>(type, options)).items.map((object) => ({ kind: type.kind, object })),
      ),
    );
    return lists.flat();
  }

  /** "Kind name" of `objects`. */
  async hostObjects(): Promise<readonly string[]> {
    return (await this.objects()).map(({ kind, object }) => `${kind} ${object.metadata.name}`).toSorted();
  }
}

/** Of the containers of a Pod. */
export function statuses(states: Readonly<Record<"init" | "main" | "wait", ContainerState>>): Pod["status"] {
  const status = (name: "init" | "main" | "wait") => ({
    name,
    state: states[name],
    ready: false,
    restartCount: 0,
    image: `registry.example/${name}:1`,
    imageID: `registry.example/${name}@sha256:${"a".repeat(64)}`,
  });
  return { initContainerStatuses: [status("init"), status("wait")], containerStatuses: [status("main")] };
}
