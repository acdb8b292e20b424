import type { UnstructuredObject } from "@landscaper/api";
import type { ClusterClock } from "../../cluster/local-cluster.ts";
import { builtin, overwrite, systemTarget } from "../../controllers/system-writes.ts";
import { equalJson, fieldAt, listAt, numberAt, recordAt, stringAt } from "../../objects/json.ts";
import { deleteObject } from "../../rest/delete-object.ts";
import type { RestContext } from "../../rest/rest-context.ts";
import { formatTime } from "../../rest/rest-context.ts";
import type { StoredObject } from "../../storage/stored-object.ts";
import { findController, scriptAnnotations } from "../owners.ts";
import type { SimulationTimes } from "../simulation-options.ts";
import { simulatedNode } from "../simulation-options.ts";
import type { PodRun } from "./pod-run.ts";
import { startPodRun } from "./pod-run.ts";
import type { PodScript } from "./pod-script.ts";
import { parsePodScript } from "./pod-script.ts";
import { podStatus } from "./pod-status.ts";
import { fitsNode, unfitMessage, unschedulableStatus } from "./schedule-pod.ts";
import { nextPodStep, stopPod } from "./step-pod.ts";

interface Entry {
  run: PodRun;
  readonly podIP: string;
  annotations: Readonly<Record<string, string>>;
  script: PodScript;
  scriptSinceMs: number;
  cancelTimer: () => void;
}

/** Scheduler and kubelet of the simulated node: takes pods, runs them as their scripts say and reports their status. */
export class SimulatedKubelet {
  readonly #context: RestContext;
  readonly #clock: ClusterClock;
  readonly #times: SimulationTimes;
  readonly #entries = new Map<string, Entry>();
  #lastAddress = 0;

  constructor(context: RestContext, clock: ClusterClock, times: SimulationTimes) {
    this.#context = context;
    this.#clock = clock;
    this.#times = times;
  }

  stop(): void {
    for (const uid of this.#entries.keys()) this.forget(uid);
  }

  /** The run of a pod and its script; undefined when the node has not taken it. */
  find(uid: string): { readonly run: PodRun; readonly script: PodScript } | undefined {
    return this.#entries.get(uid);
  }

  /** A pod is gone. */
  forget(uid: string): void {
    this.#entries.get(uid)?.cancelTimer();
    this.#entries.delete(uid);
  }

  /** Looks at a pod that is new or has changed, or whose owners have. */
  check(namespace: string, name: string): void {
    const current = this.#find(namespace, name);
    if (current === undefined) return;
    const annotations = scriptAnnotations(this.#context, current.object);
    const nodeName = stringAt(current.object, "spec", "nodeName");
    if (nodeName === "") this.#schedule(current, parsePodScript(annotations));
    else if (nodeName === simulatedNode.name) this.#run(current, annotations);
  }

  #find(namespace: string, name: string): StoredObject | undefined {
    return this.#context.store.collection("pods").get(namespace, name);
  }

  #schedule(current: StoredObject, script: PodScript): void {
    if (listAt(current.object, "spec", "schedulingGates").length > 0) return;
    const node = this.#context.store.collection("nodes").get("", simulatedNode.name)?.object;
    const fits = node !== undefined && fitsNode(fieldAt(current.object, "spec"), node);
    const message = script.unschedulable ?? (fits ? undefined : unfitMessage);
    if (message !== undefined) {
      const text = message === "true" ? "0/1 nodes are available: 1 Insufficient cpu." : message;
      const status = unschedulableStatus(current.object, text, formatTime(this.#clock.now()));
      this.#write(current, { ...current.object, status }, "kube-scheduler");
      return;
    }
    const spec = { ...recordAt(current.object, "spec"), nodeName: simulatedNode.name };
    const definition = builtin(this.#context, "v1", "pods");
    // The status comes with the next look, which this write causes.
    overwrite(this.#context, definition, { current, object: { ...current.object, spec }, manager: "kube-scheduler" });
  }

  #run(current: StoredObject, annotations: Readonly<Record<string, string>>): void {
    const known = this.#entries.get(current.uid);
    if (known === undefined) {
      const phase = stringAt(current.object, "status", "phase");
      if (phase === "Succeeded" || phase === "Failed") return;
      const entry = this.#take(current, annotations);
      this.#entries.set(current.uid, entry);
      this.#report(current, entry);
      this.#plan(current, entry);
      return;
    }
    if (!equalJson(known.annotations, annotations)) {
      known.annotations = annotations;
      known.script = parsePodScript(annotations, containerNames(known.run));
      known.scriptSinceMs = this.#clock.now();
    }
    this.#plan(current, known);
  }

  #take({ object }: StoredObject, annotations: Readonly<Record<string, string>>): Entry {
    const owner = findController(this.#context, object)?.object;
    const earlierFailures = owner?.kind === "Job" ? (numberAt(owner, "status", "failed") ?? 0) : 0;
    this.#lastAddress = (this.#lastAddress % 65_000) + 1;
    const ownAddress = `10.244.${this.#lastAddress >> 8}.${this.#lastAddress & 255}`;
    const now = this.#clock.now();
    const run = startPodRun(object, now, earlierFailures);
    return {
      run,
      podIP: fieldAt(object, "spec", "hostNetwork") === true ? simulatedNode.address : ownAddress,
      annotations,
      script: parsePodScript(annotations, containerNames(run)),
      scriptSinceMs: now,
      cancelTimer: () => undefined,
    };
  }

  /** Waits for what happens next to the pod. */
  #plan(current: StoredObject, entry: Entry): void {
    entry.cancelTimer();
    const { script, scriptSinceMs } = entry;
    const { namespace, name, uid } = current;
    const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = current.object.metadata;
    if (deletionTimestamp !== undefined) {
      if (entry.run.stopped) return;
      const stopMs = Math.min(script.stopDelayMs ?? this.#times.stepMs, deletionGracePeriodSeconds * 1000);
      this.#later(entry, stopMs, () => this.#end(namespace, name, uid));
      return;
    }
    const step = nextPodStep(entry.run, { script, scriptSinceMs, times: this.#times });
    if (step === undefined) return;
    this.#later(entry, Math.max(step.atMs - this.#clock.now(), 0), () => {
      const latest = this.#find(namespace, name);
      if (latest?.uid !== uid) return;
      entry.run = step.run;
      this.#report(latest, entry);
      this.#plan(latest, entry);
    });
  }

  #later(entry: Entry, ms: number, work: () => void): void {
    entry.cancelTimer = this.#clock.schedule(ms, work);
  }

  /** The containers of a deleted pod have stopped: the last status, then the pod goes. */
  #end(namespace: string, name: string, uid: string): void {
    const current = this.#find(namespace, name);
    const entry = this.#entries.get(uid);
    if (current?.uid !== uid || entry === undefined) return;
    entry.run = stopPod(entry.run, this.#clock.now());
    this.#report(current, entry);
    const target = systemTarget(builtin(this.#context, "v1", "pods"), { namespace, name });
    deleteObject(this.#context, target, { dryRun: false, uid, gracePeriodSeconds: 0 });
  }

  #report(current: StoredObject, { run, podIP }: Entry): void {
    const status = podStatus(current.object, run, { now: formatTime(this.#clock.now()), podIP });
    this.#write(current, { ...current.object, status }, "kubelet");
  }

  #write(current: StoredObject, object: UnstructuredObject, manager: string): void {
    overwrite(this.#context, builtin(this.#context, "v1", "pods"), {
      current,
      object,
      subresource: "status",
      manager,
    });
  }
}

function containerNames({ containers }: PodRun): readonly string[] {
  return containers.map(({ name }) => name);
}
