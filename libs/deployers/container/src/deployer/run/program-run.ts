import { LandscaperError, kubeResources, type ContainerProviderStatus, type Pod } from "@landscaper/api";
import { isConflict, isNotFound } from "@landscaper/controller-runtime";
import { type DeployContext, type Waiting } from "@landscaper/deployer";
import type { AwaitedObjects } from "@landscaper/resources";
import { jobNames } from "../../contract/host-names.ts";
import type { ContainerOperation } from "../../contract/environment.ts";
import type { ContainerConfig } from "../container-config.ts";
import { readMessages, type ContainerMessages } from "./container-messages.ts";
import { readCredentials, type ItemCredentials } from "../registries/credentials.ts";
import { decideRun, type FailingStart, type RunDecision, type RunRecord } from "./decide-run.ts";
import {
  describeWait,
  endedCondition,
  failureHints,
  finalError,
  lossError,
  podFailure,
  runConditions,
  startFailure,
} from "./describe-run.ts";
import { findResults, inAdvance, type EarlyReads } from "./early-reads.ts";
import { failingSince } from "./failing-start.ts";
import { HostObjects, placeFor, type HostPlace } from "../host/host-objects.ts";
import { hasEnded, observePod, type ObservedPod } from "../pod/pod-state.ts";
import { endOf } from "../pod/program-end.ts";
import { prepareRun } from "./prepare-run.ts";
import { readExports } from "./read-exports.ts";
import { newsAfterMs, planReport, summarizePod } from "./report-pace.ts";
import type { RunMemory } from "./run-memory.ts";
import { endPod, listPods, releasePod, removePod } from "../host/remove-pods.ts";
import type { StartTrouble } from "../pod/start-trouble.ts";
import { identityOf, wantedRun, type WantedRun } from "./run-identity.ts";
import { configOf, keepInputs, keptInputs, lastInputs, liveInputs, type RunInputs } from "./run-inputs.ts";
import { readStatus, recordOf, writeStatus, type RunProgress } from "./run-status.ts";
import type { ContainerSettings } from "../settings.ts";
import { removeOldState } from "./state-store.ts";

export type Context = DeployContext<ContainerConfig>;

/** A run that has succeeded. */
export interface RunSuccess {
  readonly type: "succeeded";
  readonly exports: Readonly<Record<string, unknown>> | undefined;
  /** Gives the Pod back. */
  readonly settle: () => Promise<void>;
}

/** Steps of one pass: each is a request or two. */
const maxSteps = 12;

/** Runs the program of an item once for a job, in as many passes as it takes. */
export class ProgramRun {
  readonly #context: Context;
  readonly #settings: ContainerSettings;
  readonly #place: HostPlace;
  readonly #wanted: WantedRun;
  readonly #memory: RunMemory;
  #pods: readonly ObservedPod[] = [];
  #early: EarlyReads = {};

  constructor(context: Context, settings: ContainerSettings, operation: ContainerOperation) {
    this.#context = context;
    this.#settings = settings;
    this.#place = placeFor(identityOf(context.item), context, settings);
    this.#wanted = wantedRun(context.item, operation);
    this.#memory = context.memory<RunMemory>(() => ({}));
  }

  /** One pass. Throws LandscaperError when the run has failed. */
  async pass(): Promise<Waiting | RunSuccess> {
    this.#early = this.#readEarly();
    this.#pods = await listPods(this.#place);
    try {
      for (let steps = 0; steps < maxSteps; steps++) {
        const end = await this.#perform(this.#decide());
        if (end !== undefined) return end;
      }
    } catch (error) {
      // Of a write whose answer is lost, or that others have overtaken, the versions are old.
      delete this.#memory.known;
      throw error;
    }
    return { type: "waiting", for: "the Pods of the item to settle" };
  }

  /** What the pass is going to read, as far as that can be told before its Pods are known. */
  #readEarly(): EarlyReads {
    const { runID, operation } = this.#wanted;
    const record = this.#record;
    const isOfRun = record?.runID === runID && record.operation === operation;
    if (!isOfRun && operation === "RECONCILE") {
      return { credentials: inAdvance(this.#credentials(this.#context.config)) };
    }
    const { ended, known } = this.#memory;
    const isEnded = isOfRun && record.result === undefined && ended !== undefined && ended === record.podUID;
    return isEnded && known !== undefined ? { results: inAdvance(this.#objects().then(findResults)) } : {};
  }

  #decide(): RunDecision {
    return decideRun({
      wanted: this.#wanted,
      record: this.#record,
      podName: (attempt) => this.#podName(attempt),
      pods: this.#pods,
      retryPolicy: this.#retryPolicy,
      keepsPods: this.#settings.debug.keepPod,
      startGraceMs: this.#settings.startGraceMs,
      failingMs: (pod, trouble) => this.#failingMs(pod, trouble),
    });
  }

  #failingMs({ uid }: ObservedPod, trouble: StartTrouble): number {
    const elapsedMs = this.#context.clock.elapsed();
    const { failing: known } = this.#memory;
    const recorded = this.#status.podStatus;
    this.#memory.failing = failingSince({ uid, trouble, known, recorded, elapsedMs });
    return elapsedMs - this.#memory.failing.sinceMs;
  }

  get #status(): ContainerProviderStatus {
    return readStatus(this.#context.providerStatus);
  }

  get #record(): RunRecord | undefined {
    return recordOf(this.#status);
  }

  #podName(attempt: number): string {
    const { runID: jobID, operation } = this.#wanted;
    return jobNames({ item: this.#place.item, jobID, operation, attempt }).pod;
  }

  /** An item that is deleted may have a configuration that cannot be read: then its program runs once. */
  get #retryPolicy(): ContainerConfig["retryPolicy"] {
    if (this.#wanted.operation === "RECONCILE") return this.#context.config.retryPolicy;
    try {
      return this.#context.config.retryPolicy;
    } catch (error) {
      if (!(error instanceof LandscaperError)) throw error;
      return undefined;
    }
  }

  /** Undefined: the next step is to be decided. */
  async #perform(decision: RunDecision): Promise<Waiting | RunSuccess | undefined> {
    switch (decision.type) {
      case "clear":
        return await this.#clear(decision.pods);
      case "create":
        this.#take(observePod(await this.#prepare(decision.attempt)));
        return undefined;
      case "record":
        // From here on, a run that has ended without this deployer can be told from its condition.
        await this.#persist({ attempt: decision.attempt, podUID: decision.pod.uid, pod: decision.pod.pod });
        return undefined;
      case "ungate":
        return await this.#ungate(decision.pod);
      case "wait":
        return await this.#wait(decision.pod, decision.failing);
      case "collect":
        return await this.#collect(decision.pod);
      case "failed": {
        const messages = await this.#messages(decision.pod.pod);
        return await this.#fail(podFailure(decision.pod.pod, messages), { pod: decision.pod, messages });
      }
      case "giveUp":
        return await this.#giveUp(decision.pod, decision.failing);
      case "end":
        return await this.#end(decision.pod);
      case "notStarted": {
        const { pod } = decision;
        const messages = pod === undefined ? {} : await this.#messages(pod.pod);
        const { reason = "ContainerImageFailed", message = "the program has not started" } =
          this.#record?.givenUp ?? {};
        return await this.#fail(finalError(reason, message), { pod, messages });
      }
      case "lost": {
        const { pod, why } = decision;
        return await this.#fail(lossError(this.#podName(this.#attempt), why, pod?.pod), { pod });
      }
      case "retry": {
        const fields = { pod: this.#podName(this.#attempt), why: decision.why, attempt: decision.attempt };
        this.#context.log.warn(fields, "the Pod has ended without a result of its program, which is run again");
        await this.#persist({ attempt: decision.attempt, podUID: undefined });
        return undefined;
      }
      case "finish":
        return await this.#finish(decision.record, decision.pod);
    }
  }

  get #attempt(): number {
    return this.#record?.runID === this.#wanted.runID ? this.#record.attempt : 0;
  }

  #take(pod: ObservedPod): void {
    this.#pods = [...this.#pods.filter(({ name }) => name !== pod.name), pod];
  }

  /** Pods of other runs end first: two programs of an item never run at a time. */
  async #clear(pods: readonly ObservedPod[]): Promise<Waiting | undefined> {
    const gone = await Promise.all(pods.map((pod) => removePod(pod, this.#place)));
    const left = pods.filter((_, index) => gone[index] !== true);
    const removed = new Set(pods.filter((pod) => !left.includes(pod)).map(({ uid }) => uid));
    this.#pods = this.#pods.filter(({ uid }) => !removed.has(uid));
    if (left.length === 0) return undefined;
    const names = left.map(({ name }) => name);
    return { type: "waiting", for: `Pod ${names.join(", ")} to end`, wakeOn: names.map((name) => this.#await(name)) };
  }

  #await(name: string): AwaitedObjects {
    const { cluster, namespace } = this.#place;
    const isNewAfterMs = (found: Pod): number | undefined => {
      const pod = observePod(found);
      if (endOf(pod).type !== "open") this.#memory.ended = pod.uid;
      return newsAfterMs(found, this.#memory.reported, this.#context.clock.elapsed());
    };
    return { cluster, apiVersion: "v1", kind: "Pod", namespace, name, newsAfterMs: isNewAfterMs };
  }

  async #objects(): Promise<HostObjects> {
    // Before the first run there is nothing that could be listed.
    const isFirst = this.#status.podStatus === undefined;
    this.#memory.known ??= isFirst ? new Map() : await HostObjects.find(this.#place);
    const attempt = this.#podName(this.#attempt);
    if (this.#memory.written?.attempt !== attempt) this.#memory.written = { attempt, objects: new Map() };
    return new HostObjects(this.#place, this.#memory.known, this.#memory.written.objects);
  }

  async #prepare(attempt: number): Promise<Pod> {
    // What was known before may have changed since.
    delete this.#memory.known;
    const objects = await this.#objects();
    const kept = await this.#keptInputs(objects);
    const config = kept === undefined ? this.#context.config : configOf(kept);
    const credentials = await (this.#early.credentials ?? this.#credentials(config));
    const inputs = kept ?? (await liveInputs(this.#context, credentials?.ocmConfig ?? {}));
    this.#memory.inputs = inputs;
    const remainingMs = this.#context.remainingMs();
    const isFirst = this.#status.podStatus === undefined;
    const plan = { item: this.#context.item, wanted: this.#wanted, attempt, isFirst, inputs, credentials, remainingMs };
    return await prepareRun(plan, { place: this.#place, objects, settings: this.#settings });
  }

  /** A DELETE run gets what the last run got that has succeeded; when none has, what the last one got. */
  async #keptInputs(objects: HostObjects): Promise<RunInputs | undefined> {
    if (this.#wanted.operation !== "DELETE") return undefined;
    return (await keptInputs(objects)) ?? (await lastInputs(objects));
  }

  /** Undefined: a DELETE run whose Secrets are gone, and which goes on with those of the last run. */
  async #credentials(config: ContainerConfig): Promise<ItemCredentials | undefined> {
    const { item, landscaper, warn } = this.#context;
    const { configFiles } = this.#settings;
    try {
      const credentials = await readCredentials({ item, config, landscaper, configFiles });
      for (const message of credentials.warnings) warn({ reason: "PullSecretIgnored", message });
      return credentials;
    } catch (error) {
      const isGone = error instanceof LandscaperError && error.reason === "PullSecretMissing";
      if (isGone && this.#wanted.operation === "DELETE") return undefined;
      throw error;
    }
  }

  async #ungate(pod: ObservedPod): Promise<undefined> {
    const { cluster, namespace, signal } = this.#place;
    const body = { metadata: { uid: pod.uid }, spec: { schedulingGates: null } };
    try {
      const key = { namespace, name: pod.name };
      this.#take(observePod(await cluster.client.patch(kubeResources.pod, key, { type: "merge", body, signal })));
    } catch (error) {
      // Another one has its name, or none has.
      if (!isNotFound(error) && !isConflict(error)) throw error;
      this.#pods = await listPods(this.#place);
    }
  }

  async #wait({ name, uid, pod, isDeleting }: ObservedPod, failing?: FailingStart): Promise<Waiting> {
    if (failing === undefined) delete this.#memory.failing;
    const wakeOn = [this.#await(name)];
    const elapsedMs = this.#context.clock.elapsed();
    const before = this.#memory.reported;
    const spans = { remainingMs: this.#context.remainingMs(), leftMs: failing?.leftMs };
    const { afterMs, requeueAfterMs, isToReport } = planReport(pod, before, { elapsedMs, ...spans });
    if (before !== undefined && !isToReport) return { type: "waiting", for: before.waitingFor, requeueAfterMs, wakeOn };
    const messages = await this.#messages(pod);
    // A Pod that is not ended after all: its program has started.
    const givenUp = isDeleting ? this.#record?.givenUp : undefined;
    this.#report({ attempt: this.#attempt, podUID: uid, pod, messages, failing, givenUp });
    const waitingFor = describeWait(pod, messages, givenUp?.message);
    // What was reported, and could not be written, is reported again.
    const atMs = afterMs === undefined && before !== undefined ? before.atMs : elapsedMs;
    this.#memory.reported = { uid, summary: summarizePod(pod), waitingFor, atMs };
    return { type: "waiting", for: waitingFor, requeueAfterMs, wakeOn };
  }

  /** The reason is recorded first: a process that dies in between does not take the end of the Pod for a loss. */
  async #giveUp(pod: ObservedPod, failing: FailingStart): Promise<undefined> {
    const messages = await this.#messages(pod.pod);
    const { reason, message } = startFailure(failing, messages);
    const givenUp = { reason, message };
    await this.#persist({ attempt: this.#attempt, podUID: pod.uid, pod: pod.pod, messages, failing, givenUp });
    return await this.#end(pod);
  }

  /** Unless the Pod has changed, so that its program may have started. */
  async #end(pod: ObservedPod): Promise<undefined> {
    await endPod(pod, this.#place);
    this.#pods = await listPods(this.#place);
  }

  async #messages(pod: Pod): Promise<ContainerMessages> {
    const { item } = this.#context;
    return await readMessages(pod, { item, place: this.#place, showsLogs: this.#settings.showsLogs });
  }

  /** The result is recorded before the Pod is given back: a process that dies in between ends the job all the same. */
  async #collect(pod: ObservedPod): Promise<RunSuccess | undefined> {
    const messages = await this.#messages(pod.pod);
    const objects = await this.#objects();
    const { exported, index } = await (this.#early.results ?? findResults(objects));
    let exports: RunSuccess["exports"];
    try {
      exports = await readExports(exported, pod.name);
    } catch (error) {
      if (!(error instanceof LandscaperError) || error.retry !== "never") throw error;
      return await this.#fail(error, { pod, messages });
    }
    await Promise.all([this.#keepInputs(objects), removeOldState(index, this.#place)]);
    const { jobID = "" } = this.#context.item.status ?? {};
    await this.#persist({ attempt: this.#attempt, podUID: pod.uid, pod: pod.pod, messages, result: { jobID } });
    return { type: "succeeded", exports, settle: async () => this.#giveBack(pod, this.#settings.debug.keepPod) };
  }

  async #keepInputs(objects: HostObjects): Promise<void> {
    if (this.#wanted.operation === "DELETE") return;
    const inputs = this.#memory.inputs ?? (await lastInputs(objects));
    if (inputs === undefined || (await keepInputs(objects, inputs))) return;
    this.#context.warn({
      reason: "InputsTooLarge",
      message:
        "configuration and target together are too large to be kept: the DELETE run gets those of the last run, also of one that has failed",
    });
  }

  async #fail(
    error: LandscaperError,
    { pod, messages = {} }: { readonly pod: ObservedPod | undefined; readonly messages?: ContainerMessages },
  ): Promise<undefined> {
    const objects = await this.#objects();
    // What the program has left is saved although it has failed.
    await removeOldState(await objects.findSecret("state-index"), this.#place);
    const known = pod === undefined ? {} : { pod: pod.pod, messages };
    await this.#persist({ attempt: this.#attempt, podUID: this.#record?.podUID, ...known, result: { error } });
  }

  async #finish(record: RunRecord, pod: ObservedPod | undefined): Promise<RunSuccess> {
    const isFailed = record.result === "Failed";
    const { keepPod, keepFailedPod } = this.#settings.debug;
    const podName = this.#podName(record.attempt);
    const settle = async (): Promise<void> => {
      if (pod !== undefined) await this.#giveBack(pod, keepPod || (isFailed && keepFailedPod));
    };
    if (isFailed) {
      await settle();
      const { reason = "ContainerFailed", message = `Pod ${podName} has failed` } = record.error ?? {};
      this.#context.reportConditions([endedCondition(message)]);
      throw finalError(reason, message, { hint: failureHints[reason] });
    }
    const objects = await this.#objects();
    return { type: "succeeded", exports: await readExports(await objects.findSecret("export"), podName), settle };
  }

  async #giveBack(pod: ObservedPod, isKept: boolean): Promise<void> {
    // Containers that others have added to the Pod may still run.
    if (isKept && hasEnded(pod) && !pod.isDeleting) await releasePod(pod, this.#place);
    else await removePod(pod, this.#place);
  }

  #report(progress: Omit<RunProgress, "wanted" | "podName" | "now">): void {
    const { clock } = this.#context;
    const { pod, messages = {}, attempt } = progress;
    const now = new Date(clock.now());
    const podName = this.#podName(attempt);
    this.#context.report(writeStatus(this.#status, { wanted: this.#wanted, podName, now, ...progress }));
    if (pod !== undefined) this.#context.reportConditions(runConditions(pod, messages));
  }

  async #persist(progress: Omit<RunProgress, "wanted" | "podName" | "now">): Promise<void> {
    this.#report(progress);
    await this.#context.persist();
  }
}
