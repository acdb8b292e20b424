// Runs the Pods of container items on an API server without a node. init and wait are the real programs, in this process, with the rights of the account of
// their Pod; the program beside them is a function of the test. The Pods have no node: one that is deleted is gone at once, its program is stopped, and
// its wait, which may not be told of it any more, is killed.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kubeResources, type ContainerState, type Pod } from "@landscaper/api";
import {
  createClient,
  createSystemClock,
  failureMessage,
  isNotFound,
  reflect,
  type Client,
} from "@landscaper/controller-runtime";
import { waitFor } from "@landscaper/testkit";
import type { ContainerName, ContainerOperation } from "../src/contract/environment.ts";
import { runInit } from "../src/init/run-init.ts";
import { runWait } from "../src/wait/run-wait.ts";
import { HostPods } from "./host-pods.ts";
import { createKillableClock } from "./killable-clock.ts";
import { statuses } from "./played-pods.ts";
import { environmentIn, mountVolumes, pathsOf } from "./pod-volumes.ts";

/** What a program is given. */
export interface ProgramContext {
  readonly operation: ContainerOperation;
  /** Of the container main. */
  readonly image: string;
  /** Variables of the contract; the paths are those of this machine. */
  readonly env: Readonly<Record<string, string>>;
  /** Aborted when the Pod is deleted. */
  readonly signal: AbortSignal;
  /** A line of the log of the container. */
  readonly log: (line: string) => void;
}

/** How the kubelet reports a program that could not start, or was killed. */
export interface ReportedEnd {
  readonly exitCode: number;
  readonly reason: string;
  readonly message?: string;
}

/** A program: resolves to its exit code, or to what the kubelet reports of its end. One that throws logs why, and ends with 1. */
export type TestProgram = (context: ProgramContext) => Promise<number | ReportedEnd>;

/** A program that was started. */
export interface StartedProgram {
  readonly pod: string;
  readonly operation: ContainerOperation;
  /** Of the item. */
  readonly namespace: string;
  readonly item: string;
}

export interface PodRunnerOptions {
  /** Of the host, with all rights. */
  readonly client: Client;
  readonly server: string;
  /** PEM; undefined when the system's authorities vouch for the server. */
  readonly ca: string | undefined;
  /** Of the Pods. */
  readonly namespace: string;
  readonly program: TestProgram;
  /** Why the container main of a Pod never starts, such as ErrImagePull; undefined: it starts. */
  readonly findStartFailure?: (pod: Pod) => StartFailure | undefined;
}

export interface StartFailure {
  readonly reason: string;
  readonly message: string;
}

export interface PodRunner {
  readonly pods: HostPods;
  /** In the order in which they were started. */
  readonly started: readonly StartedProgram[];
  /** All lines of all containers so far, each with the name of its container. */
  readonly logs: readonly { readonly pod: string; readonly container: ContainerName; readonly line: string }[];
  /** What the containers of a Pod have found and left; see `pathsOf`. Stays until the runner stops. */
  folderOf(pod: string): string;
  stop(): Promise<void>;
}

interface Surroundings extends PodRunnerOptions {
  readonly pods: HostPods;
  readonly started: StartedProgram[];
  readonly logs: { readonly pod: string; readonly container: ContainerName; readonly line: string }[];
  readonly folderOf: (pod: string) => string;
}

/** Runs every Pod of the namespace that has no scheduling gate, until it is stopped. */
export function startPodRunner(options: PodRunnerOptions): PodRunner {
  const root = mkdtempSync(join(tmpdir(), "landscaper-pods-"));
  const pods = new HostPods(options.client, options.namespace);
  const surroundings: Surroundings = {
    ...options,
    pods,
    started: [],
    logs: [],
    folderOf: (pod) => join(root, pod),
  };
  const stopping = new AbortController();
  const stops = new Map<string, AbortController>();
  const runs: Promise<void>[] = [];
  const problems: unknown[] = [];

  const onPod = (pod: Pod): void => {
    const { uid = "", deletionTimestamp } = pod.metadata;
    if (deletionTimestamp !== undefined) stops.get(uid)?.abort();
    const gates = (pod.spec?.["schedulingGates"] ?? []) as readonly unknown[]; // of a Pod that the API server has taken
    if (deletionTimestamp !== undefined || gates.length > 0 || stops.has(uid) || stopping.signal.aborted) return;
    const stop = new AbortController();
    stops.set(uid, stop);
    runs.push(new PodRun(pod, surroundings, stop.signal).run().catch((error: unknown) => void problems.push(error)));
  };
  const watching = reflect<Pod>(
    {
      client: options.client,
      clock: createSystemClock(),
      random: Math.random,
      type: kubeResources.pod,
      selection: { namespace: options.namespace },
      onList: ({ items }) => items.forEach(onPod),
      onEvent: (type, pod) => (type === "DELETED" ? stops.get(pod.metadata.uid ?? "")?.abort() : onPod(pod)),
    },
    stopping.signal,
  );
  const { started, logs, folderOf } = surroundings;
  return {
    pods,
    started,
    logs,
    folderOf,
    async stop() {
      stopping.abort();
      for (const stop of stops.values()) stop.abort();
      await Promise.all([watching, ...runs]);
      rmSync(root, { recursive: true, force: true });
      if (problems.length > 0) throw new AggregateError(problems, "Pods could not be run");
    },
  };
}

const startedAt = "2026-01-01T00:00:00Z";
const running: ContainerState = { running: { startedAt } };
const initializing: ContainerState = { waiting: { reason: "PodInitializing" } };

function terminated(exitCode: number, message = "", reason = exitCode === 0 ? "Completed" : "Error"): ContainerState {
  return {
    terminated: {
      exitCode,
      reason,
      startedAt,
      finishedAt: "2026-01-01T00:00:01Z",
      ...(message === "" ? {} : { message }),
    },
  };
}

function imageOf({ spec }: Pod): string {
  const containers = (spec?.["containers"] ?? []) as readonly { readonly name: string; readonly image: string }[]; // of a Pod that the API server has taken
  return containers.find(({ name }) => name === "main")?.image ?? "";
}

/** The kubelet takes as much of the end of the log of a container that has failed. */
const tail = { lines: 80, bytes: 2048 };

class PodRun {
  readonly #pod: Pod;
  readonly #name: string;
  readonly #around: Surroundings;
  readonly #signal: AbortSignal;
  readonly #root: string;

  constructor(pod: Pod, around: Surroundings, signal: AbortSignal) {
    this.#pod = pod;
    this.#name = pod.metadata.name ?? "";
    this.#around = around;
    this.#signal = signal;
    this.#root = around.folderOf(this.#name);
  }

  async run(): Promise<void> {
    mkdirSync(pathsOf(this.#root, "main").shared, { recursive: true });
    const own = await this.#logIn();
    if (own === undefined) return;
    try {
      const init = await this.#init(own);
      if (init.terminated?.exitCode !== 0) {
        await this.#report("Failed", { init, main: initializing, wait: initializing });
        return;
      }
      const waiting = this.#around.findStartFailure?.(this.#pod);
      if (waiting === undefined) await this.#runMain(own, init);
      else await this.#report("Pending", { init, main: { waiting }, wait: running });
    } finally {
      await own.close();
    }
  }

  /** A client with the token that init and wait have. Undefined: the Pod is gone. */
  async #logIn(): Promise<Client | undefined> {
    const { client, server, ca, namespace, pods } = this.#around;
    const { uid } = this.#pod.metadata;
    const account = String(this.#pod.spec?.["serviceAccountName"]);
    const spec = { expirationSeconds: 3600, boundObjectRef: { apiVersion: "v1", kind: "Pod", name: this.#name, uid } };
    try {
      for (const name of ["init", "wait", "main"] as const) {
        await mountVolumes(this.#pod, this.#root, { name, host: pods });
      }
      const answer = await client.request({
        method: "POST",
        path: `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`,
        body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec },
      });
      const { status } = answer as { readonly status: { readonly token: string } }; // a TokenRequest
      return createClient({ connection: { server, ca, token: status.token }, userAgent: "container-deployer-wait" });
    } catch (error) {
      // With a Pod that is deleted go its objects.
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #init(own: Client): Promise<ContainerState> {
    await this.#report("Pending", { init: running, main: initializing, wait: initializing });
    // A new Role takes a moment until the authorizer knows it.
    const selection = { namespace: this.#around.namespace, fieldSelector: `metadata.name=${this.#name}` };
    await waitFor(async () => this.#signal.aborted || (await own.list(kubeResources.pod, selection)));
    return await this.#runProgram("init", async (context) => await runInit({ ...context, client: own }));
  }

  async #runMain(own: Client, init: ContainerState): Promise<void> {
    const { started } = this.#around;
    await this.#report("Running", { init, main: running, wait: running });
    const stopped = new AbortController();
    const killed = new AbortController();
    const waiting = this.#runProgram("wait", async (context) => {
      const clock = createKillableClock(killed.signal);
      await runWait({ ...context, client: own, clock, random: Math.random, signal: stopped.signal });
    });
    const env = environmentIn(this.#pod, this.#root, "main");
    const helper = environmentIn(this.#pod, this.#root, "wait");
    const operation = env["OPERATION"] === "DELETE" ? "DELETE" : "RECONCILE";
    started.push({
      pod: this.#name,
      operation,
      namespace: helper["DEPLOY_ITEM_NAMESPACE"] ?? "",
      item: helper["DEPLOY_ITEM_NAME"] ?? "",
    });
    const lines: string[] = [];
    const log = (line: string): void => void [lines.push(line), this.#log("main", line)];
    const end = await this.#callProgram({ operation, image: imageOf(this.#pod), env, log, signal: this.#signal });
    const { exitCode, ...reported } = typeof end === "number" ? { exitCode: end } : end;
    const text = Buffer.from(lines.slice(-tail.lines).join("\n")).subarray(-tail.bytes).toString();
    const { message = exitCode === 0 ? "" : text, reason }: Partial<ReportedEnd> = reported;
    const main = terminated(exitCode, message, reason);
    const isThere = await this.#report("Running", { init, main, wait: running });
    // The kubelet stops a sidecar when the program has ended, and kills what is left of a Pod that is gone.
    stopped.abort();
    if (!isThere) killed.abort();
    await this.#report(exitCode === 0 ? "Succeeded" : "Failed", { init, main, wait: await waiting });
  }

  /** As a runtime does it with what a program does not catch. */
  async #callProgram(context: ProgramContext): Promise<number | ReportedEnd> {
    try {
      return await this.#around.program(context);
    } catch (error) {
      context.log(error instanceof Error ? error.message : String(error));
      return 1;
    }
  }

  async #runProgram(name: "init" | "wait", work: (context: HelperContext) => Promise<void>): Promise<ContainerState> {
    const log = (line: string): void => this.#log(name, line);
    const env = environmentIn(this.#pod, this.#root, name);
    try {
      await work({ env, log, paths: pathsOf(this.#root, name), signal: this.#signal });
      return terminated(0);
    } catch (error) {
      const message = failureMessage(error);
      log(message);
      return terminated(1, message);
    }
  }

  #log(container: ContainerName, line: string): void {
    this.#around.logs.push({ pod: this.#name, container, line });
  }

  /** False: the Pod is gone. */
  async #report(phase: string, states: Parameters<typeof statuses>[0]): Promise<boolean> {
    try {
      await this.#around.pods.report(this.#pod, { phase, ...statuses(states) });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }
}

interface HelperContext {
  readonly env: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
  readonly paths: ReturnType<typeof pathsOf>;
  readonly signal: AbortSignal;
}
