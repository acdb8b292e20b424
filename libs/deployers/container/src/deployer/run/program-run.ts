import { LandscaperError, kubeResources, type ContainerProviderStatus, type Pod } from "@landscaper/api";
import { isConflict, isInvalid, isNotFound } from "@landscaper/controller-runtime";
import { type DeployContext, type Waiting } from "@landscaper/deployer";
import type { AwaitedObjects } from "@landscaper/resources";
import { graceSecondsOf } from "../../contract/grace-period.ts";
import { jobNames } from "../../contract/host-names.ts";
import type { ContainerOperation } from "../../contract/environment.ts";
import type { ContainerConfig } from "../container-config.ts";
import { readMessages, type ContainerMessages } from "./container-messages.ts";
import type { ItemCredentials } from "../registries/credentials.ts";
import { decideRun, type FailingStart, type GraceOfStart, type RunDecision, type RunRecord } from "./decide-run.ts";
import {
  describeWait,
  endedCondition,
  failureHints,
  finalError,
  givenUpError,
  lossError,
  podFailure,
  runConditions,
  startFailure,
} from "./describe-run.ts";
import { findResults, inAdvance, type EarlyReads } from "./early-reads.ts";
import { observeStart } from "./failing-start.ts";
import { findCredentials } from "./find-credentials.ts";
import { HostObjects, placeFor, type HostPlace } from "../host/host-objects.ts";
import { hasEnded, observePod, ungating, type ObservedPod } from "../pod/pod-state.ts";
import { endOf } from "../pod/program-end.ts";
import { prepareRun } from "./prepare-run.ts";
import { readExports } from "./read-exports.ts";
import { newsAfterMs, planReport, summarizePod } from "./report-pace.ts";
import type { RunMemory } from "./run-memory.ts";
import { endPod, listPods, releasePod, removePod } from "../host/remove-pods.ts";
import { identityOf, wantedRun, type WantedRun } from "./run-identity.ts";
import {
  configOf,
  inputsTooLarge,
  keepInputs,
  keptInputs,
  lastInputs,
  liveInputs,
  type RunInputs,
} from "./run-inputs.ts";
import { readStatus, recordOf, writeStatus, type RunProgress } from "./run-status.ts";
import type { ContainerSettings } from "../settings.ts";
import { removeOldState } from "./state-store.ts";

export type Context = DeployContext<ContainerConfig>;

/** A run that has succeeded. */
export interface RunSuccess {
  readonly type: "succeeded";
  readonly exports: Readonly<Record<string, unknown>> | undefined;
  /** Releases or removes the Pod. */
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
      failing: this.#failing(),
    });
  }

  #failing(): FailingStart | undefined {
    const own = this.#pods.find(({ name }) => name === this.#podName(this.#attempt));
    const { failing, since } = observeStart(own, {
      known: this.#memory.failing,
      recorded: this.#status.podStatus,
      elapsedMs: this.#context.clock.elapsed(),
    });
    this.#memory.failing = since;
    return failing;
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
      case "failed":
        return await this.#fail(decision.pod, (messages) => podFailure(decision.pod.pod, messages));
      case "giveUp":
        return await this.#giveUp(decision.pod, decision.failing);
      case "end":
        return await this.#end(decision.pod);
      case "notStarted":
        return await this.#fail(decision.pod, () => givenUpError(this.#record?.givenUp));
      case "lost": {
        const { pod, why } = decision;
        const name = this.#podName(this.#attempt);
        return await this.#fail(pod, (messages) => lossError(name, { why, pod: pod?.pod, messages }));
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
    this.#memory.written = this.#writtenOf(attempt);
    return new HostObjects(this.#place, this.#memory.known, this.#memory.written.objects);
  }

  /** Returns what the process has written for an attempt, with the grace period: otherwise a later pass would write everything again. */
  #writtenOf(attempt: string): NonNullable<RunMemory["written"]> {
    const { written } = this.#memory;
    if (written?.attempt === attempt) return written;
    return { attempt, objects: new Map(), graceSeconds: graceSecondsOf(this.#context.remainingMs()) };
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
    const { graceSeconds } = this.#writtenOf(this.#podName(attempt));
    const run = { item: this.#context.item, wanted: this.#wanted, attempt, isFirst };
    const plan = { ...run, inputs, credentials, remainingMs, graceSeconds };
    return await prepareRun(plan, { place: this.#place, objects, settings: this.#settings });
  }

  /** A DELETE run gets what the last run got that has succeeded; when none has, what the last one got. */
  async #keptInputs(objects: HostObjects): Promise<RunInputs | undefined> {
    if (this.#wanted.operation !== "DELETE") return undefined;
    return (await keptInputs(objects)) ?? (await lastInputs(objects));
  }

  async #credentials(config: ContainerConfig): Promise<ItemCredentials | undefined> {
    const { configFiles } = this.#settings;
    return await findCredentials(this.#context, { config, configFiles, operation: this.#wanted.operation });
  }

  async #ungate(pod: ObservedPod): Promise<undefined> {
    const { cluster, namespace, signal } = this.#place;
    try {
      const key = { namespace, name: pod.name };
      const body = ungating(pod);
      this.#take(observePod(await cluster.client.patch(kubeResources.pod, key, { type: "json", body, signal })));
    } catch (error) {
      // Another Pod has its name, the Pod no longer exists, or its gates have changed.
      if (!isNotFound(error) && !isConflict(error) && !isInvalid(error)) throw error;
      this.#pods = await listPods(this.#place);
    }
  }

  async #wait({ name, uid, pod, isDeleting }: ObservedPod, failing?: GraceOfStart): Promise<Waiting> {
    const wakeOn = [this.#await(name)];
    const elapsedMs = this.#context.clock.elapsed();
    const before = this.#memory.reported;
    const spans = { remainingMs: this.#context.remainingMs(), leftMs: failing?.leftMs };
    const { afterMs, requeueAfterMs, isToReport } = planReport(pod, before, { elapsedMs, ...spans });
    const isGivenUp = this.#record?.givenUp !== undefined;
    if (before !== undefined && !isToReport && !isGivenUp)
      return { type: "waiting", for: before.waitingFor, requeueAfterMs, wakeOn };
    const messages = await this.#messages(pod);
    const givenUp = isDeleting ? this.#record?.givenUp : undefined;
    // The program has started after all, so the record that the Pod is given up is removed: a later end of the Pod has another cause.
    const progress = { attempt: this.#attempt, podUID: uid, pod, messages, failing, givenUp };
    if (givenUp === undefined && isGivenUp) await this.#persist(progress);
    else this.#report(progress);
    const waitingFor = describeWait(pod, messages, givenUp?.message);
    // What was reported, and could not be written, is reported again.
    const atMs = afterMs === undefined && before !== undefined ? before.atMs : elapsedMs;
    this.#memory.reported = { uid, summary: summarizePod(pod), waitingFor, atMs };
    return { type: "waiting", for: waitingFor, requeueAfterMs, wakeOn };
  }

  /** Records the reason first: after a crash in between, the end of the Pod does not count as a loss. */
  async #giveUp(pod: ObservedPod, failing: FailingStart): Promise<undefined> {
    const messages = await this.#messages(pod.pod);
    const { reason, message } = startFailure(failing, messages);
    const run = { attempt: this.#attempt, podUID: pod.uid, pod: pod.pod, messages };
    await this.#persist({ ...run, failing, givenUp: { reason, message } });
    return await this.#end(pod);
  }

  /** Requests the deletion of the Pod, unless the Pod has changed: its program may have started. */
  async #end(pod: ObservedPod): Promise<undefined> {
    await endPod(pod, this.#place);
    this.#pods = await listPods(this.#place);
  }

  async #messages(pod: Pod): Promise<ContainerMessages> {
    const { item } = this.#context;
    return await readMessages(pod, { item, place: this.#place, showsLogs: this.#settings.showsLogs });
  }

  /** Records the result before it releases the Pod: after a crash in between, the job still ends. */
  async #collect(pod: ObservedPod): Promise<RunSuccess | undefined> {
    const objects = await this.#objects();
    const { exported, index } = await (this.#early.results ?? findResults(objects));
    let exports: RunSuccess["exports"];
    try {
      exports = await readExports(exported, pod.name);
    } catch (error) {
      if (!(error instanceof LandscaperError) || error.retry !== "never") throw error;
      return await this.#fail(pod, () => error);
    }
    const messages = await this.#messages(pod.pod);
    await Promise.all([this.#keepInputs(objects), removeOldState(index, this.#place)]);
    const { jobID = "" } = this.#context.item.status ?? {};
    await this.#persist({ attempt: this.#attempt, podUID: pod.uid, pod: pod.pod, messages, result: { jobID } });
    return { type: "succeeded", exports, settle: async () => this.#giveBack(pod, this.#settings.debug.keepPod) };
  }

  async #keepInputs(objects: HostObjects): Promise<void> {
    if (this.#wanted.operation === "DELETE") return;
    const inputs = this.#memory.inputs ?? (await lastInputs(objects));
    if (inputs !== undefined && !(await keepInputs(objects, inputs))) this.#context.warn(inputsTooLarge);
  }

  async #fail(
    pod: ObservedPod | undefined,
    toError: (messages: ContainerMessages) => LandscaperError,
  ): Promise<undefined> {
    const messages = pod === undefined ? {} : await this.#messages(pod.pod);
    const objects = await this.#objects();
    // What the program has left is saved although it has failed.
    await removeOldState(await objects.findSecret("state-index"), this.#place);
    const known = pod === undefined ? {} : { pod: pod.pod, messages };
    const result = { error: toError(messages) };
    await this.#persist({ attempt: this.#attempt, podUID: this.#record?.podUID, ...known, result });
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
    // Containers that other clients have added may still run.
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
