// A small deployer on requests alone, and every way to get it wrong that the kit has to find.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { deployerType, isFinal, operation } from "../../src/kits/contract-names.ts";
import type { Cluster, Item } from "../../src/kits/plain-api.ts";
import { isConflict } from "../../src/kits/plain-api.ts";
import type { Defect } from "./defects.ts";
import type { SampleJob } from "./sample-job.ts";
import {
  endJob,
  errorFields,
  FinalFailure,
  isOpen,
  JobLost,
  now,
  setFinalizer,
  textOf,
  untilDone,
  writeStatus,
} from "./sample-job.ts";
import { applyConfigMap, parseConfig, readConfig, readPassword, removeConfigMap, writeExports } from "./sample-work.ts";

const withoutUninstall = "landscaper.gardener.cloud/delete-without-uninstall";
const deletingPhases = new Set(["InitDelete", "Deleting"]);

const identity = "sample-1";
/** As its profile says. */
const leaseNamespace = "default";

/** Name of the predecessor in the profile. */
const predecessorName = "sample.former";
const isInherited = ({ status }: Item): boolean =>
  Reflect.get(Object(status?.["deployer"]), "name") === predecessorName;

const isKept = ({ metadata }: Item): boolean => metadata.annotations?.[withoutUninstall] === "true";

interface Running {
  readonly job: SampleJob;
  readonly cancel: AbortController;
}

export interface SampleOptions {
  readonly cluster: Cluster;
  readonly type: string;
  readonly defect?: Defect | undefined;
}

/** Gets each version of each item, and does what the contract says; but for its defect. */
export class SampleDeployer {
  readonly #options: SampleOptions;
  readonly #running = new Map<string, Running>();
  readonly #withoutTarget = new Set<string>();
  readonly #tasks = new Set<Promise<void>>();

  constructor(options: SampleOptions) {
    this.#options = options;
  }

  #has(defect: Defect): boolean {
    return this.#options.defect === defect;
  }

  isFor(type: string): boolean {
    const { type: own } = this.#options;
    return this.#has("takes every type for its own that begins with its own") ? type.startsWith(own) : type === own;
  }

  /** Resolves when everything in work has ended. */
  async stop(): Promise<void> {
    for (const { cancel } of this.#running.values()) cancel.abort();
    await Promise.all(this.#tasks);
  }

  see(item: Item): void {
    const isUnmarked = item.metadata.annotations?.[deployerType] === undefined;
    if (isUnmarked && this.#has("knows items by their annotation")) return;
    const { jobID = "" } = item.status ?? {};
    const running = this.#running.get(item.metadata.uid ?? "");
    const isOurs = running?.job.jobID === jobID && isOpen(item.status);
    if (running !== undefined && isOurs) return this.#seeChange(running, item);
    running?.cancel.abort();
    if (isOpen(item.status)) this.#begin(item, jobID);
    else if (item.metadata.annotations?.[operation] === "test-reconcile") this.#task(this.#test(item));
    else this.#seeIdle(item);
  }

  #seeChange(running: Running, item: Item): void {
    const isForeign = item.metadata.annotations?.["conformance.test/count"] !== undefined;
    if (isForeign && this.#has("begins to count anew with each change of the item"))
      running.job.pickedUpAt = Date.now();
    const isTurned = this.#has("turns a job into a deletion when the item is deleted");
    if (item.metadata.deletionTimestamp === undefined || !isTurned || deletingPhases.has(item.status?.phase ?? ""))
      return;
    running.cancel.abort();
  }

  /** What must not happen without a job. */
  #seeIdle(item: Item): void {
    const { name, namespace = "", deletionTimestamp, generation } = item.metadata;
    const api = this.#options.cluster.namespace(namespace);
    const applyNow = async (): Promise<void> => {
      await sleep(400);
      const live = await api.find("DeployItem", name);
      if (live !== undefined && !isOpen(live.status)) await this.#apply(this.#jobOf(live, ""));
    };
    const isNew = item.status?.jobID === undefined && this.#has("works on items that nobody has triggered");
    const isChanged =
      item.status?.observedGeneration !== generation &&
      item.status?.phase === "Succeeded" &&
      this.#has("works when an item changes, without a job");
    if (isNew || isChanged) this.#task(applyNow());
    const isDeleted = deletionTimestamp !== undefined && item.status?.phase === "Succeeded";
    if (!isDeleted || !this.#has("uninstalls before the deletion has a job")) return;
    const removeNow = async (): Promise<void> => {
      await sleep(800);
      const live = await api.find("DeployItem", name);
      if (live === undefined || isOpen(live.status)) return;
      await removeConfigMap(this.#jobOf(live, ""), name, api);
      await setFinalizer(this.#jobOf(live, ""), false);
    };
    this.#task(removeNow());
  }

  #task(work: Promise<void>): void {
    const task = work.catch(() => undefined).finally(() => this.#tasks.delete(task));
    this.#tasks.add(task);
  }

  #jobOf(item: Item, jobID: string, signal = new AbortController().signal): SampleJob {
    const { name, namespace = "" } = item.metadata;
    const initTime = item.status?.transitionTimes?.["initTime"];
    const isCounted = initTime !== undefined && !this.#has("begins to count anew when it starts");
    return {
      api: this.#options.cluster.namespace(namespace),
      name,
      jobID,
      signal,
      item,
      pickedUpAt: isCounted ? Date.parse(initTime) : Date.now(),
      has: (defect) => this.#has(defect),
    };
  }

  #begin(item: Item, jobID: string): void {
    const { uid = "" } = item.metadata;
    const phase = item.status?.phase ?? "";
    if (phase !== "" && !isFinal(phase) && this.#has("forgets what it had in work when it starts")) return;
    const cancel = new AbortController();
    const job = this.#jobOf(item, jobID, cancel.signal);
    this.#running.set(uid, { job, cancel });
    this.#task(
      this.#run(job).finally(() => {
        if (this.#running.get(uid)?.job === job) this.#running.delete(uid);
      }),
    );
  }

  /** The annotation asks for a run under an ID of our own. */
  async #test(item: Item): Promise<void> {
    if (this.#has("does not know test-reconcile")) return;
    const { name, namespace = "" } = item.metadata;
    const api = this.#options.cluster.namespace(namespace);
    const body = { metadata: { annotations: { [operation]: null }, resourceVersion: item.metadata.resourceVersion } };
    try {
      const stripped = await api.patch("DeployItem", name, body);
      const test = { jobID: randomUUID(), phase: "Init", transitionTimes: { initTime: now() } };
      const status = { observedGeneration: 0, ...stripped.status, ...test };
      this.see(await api.putStatus({ ...stripped, status }));
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }

  async #run(job: SampleJob): Promise<void> {
    const { item } = job;
    const phase = item.status?.phase ?? "";
    const isResumed = phase !== "" && !isFinal(phase);
    const isInstalling = isResumed && !deletingPhases.has(phase);
    const isDeleting = item.metadata.deletionTimestamp !== undefined && !isInstalling;
    try {
      if (isResumed) await this.#untilOurs(job);
      const target = await this.#findTarget(job, isDeleting);
      if (target === "foreign") return;
      if (isDeleting) await this.#uninstall(job, isResumed);
      else if (!this.#isUnchanged(item)) await this.#install(job, isResumed, target);
      else await endJob(job, "Succeeded", () => ({ lastReconcileTime: now() }));
    } catch (error) {
      await this.#fail(job, error, isDeleting);
    }
  }

  /** What another deployer has in work is its own, while its Lease lives. */
  async #untilOurs({ item, signal }: SampleJob): Promise<void> {
    const holder: unknown = Reflect.get(Object(item.status?.["deployer"]), "identity");
    if (holder === identity || this.#has("works on what another deployer has in work")) return;
    const isLive = async (): Promise<boolean> => {
      const leases = await this.#options.cluster.namespace(leaseNamespace).list("Lease");
      return leases.some(({ spec }) => spec?.["holderIdentity"] === holder);
    };
    while (!signal.aborted && (await isLive())) await sleep(40);
  }

  #isUnchanged({ metadata, spec, status }: Item): boolean {
    const isSeen = status?.observedGeneration === metadata.generation && status?.phase === "Succeeded";
    if (this.#has("does nothing when the generation is the one that it has seen") && isSeen) return true;
    const isWanted = spec?.["updateOnChangeOnly"] === true && !this.#has("does not know updateOnChangeOnly");
    return isSeen && isWanted;
  }

  async #fail(job: SampleJob, error: unknown, isDeleting: boolean): Promise<void> {
    if (error instanceof JobLost) {
      if (job.signal.aborted) await this.#afterInterrupt(job);
      return;
    }
    try {
      const phase = isDeleting ? "DeleteFailed" : "Failed";
      await endJob(job, phase, (status) => errorFields(job, status, error));
      if (!this.#has("writes once more after a failure")) return;
      await sleep(400);
      const live = await job.api.get("DeployItem", job.name);
      await job.api.putStatus({ ...live, status: { ...live.status, providerStatus: { after: "the end" } } });
    } catch (lost) {
      if (!(lost instanceof JobLost) && !isConflict(lost)) throw lost;
    }
  }

  async #afterInterrupt({ api, name, jobID }: SampleJob): Promise<void> {
    const live = await api.find("DeployItem", name);
    if (live === undefined) return;
    const isDeleted = live.metadata.deletionTimestamp !== undefined;
    if (isDeleted && isOpen(live.status) && this.#has("turns a job into a deletion when the item is deleted")) {
      const job = this.#jobOf(live, live.status?.jobID ?? "");
      await this.#uninstall(job, true);
    }
    const isOther = live.status?.jobID !== jobID && !isOpen(live.status);
    const isReported = this.#has("looks for an interrupt of the job that it has alone") && isOther;
    if (isDeleted || (!isReported && !this.#has("reports a job that was interrupted"))) return;
    await api.putStatus({ ...live, status: { ...live.status, providerStatus: { interrupted: true } } });
  }

  /** The Target that is there, if the item has one; "foreign" is another instance's. */
  async #findTarget(job: SampleJob, isDeleting: boolean): Promise<Item | "foreign" | undefined> {
    const name: unknown = Reflect.get(Object(job.item.spec?.["target"]), "name");
    if (typeof name !== "string") return undefined;
    const { uid = "" } = job.item.metadata;
    const found = this.#withoutTarget.has(uid) ? undefined : await job.api.find("Target", name);
    if (
      found?.metadata.labels?.["conformance.test/instance"] === "other" &&
      !this.#has("ignores its target selector")
    ) {
      return "foreign";
    }
    if (found !== undefined) return found;
    const isNeeded = this.#has("needs the Target whatever is to be done");
    if (isDeleting && isKept(job.item) && !isNeeded) return undefined;
    if (isDeleting && this.#has("lets the item go when its Target is gone")) return undefined;
    if (!isDeleting && this.#has("does not look again for a Target")) this.#withoutTarget.add(uid);
    const isNamed = isDeleting || !this.#has("does not say which Target is missing");
    throw new FinalFailure(isNamed ? `Target ${name} does not exist` : "there is nothing to work with", []);
  }

  async #pickUp(job: SampleJob, phase: string): Promise<void> {
    const written = await writeStatus(job, (status) => ({
      phase,
      lastReconcileTime: this.#has("signals only the first pickup") ? (status.lastReconcileTime ?? now()) : now(),
      deployer: {
        identity,
        name: "sample",
        version: this.#has("does not say which version it is") ? "" : "v1",
      },
      transitionTimes: { ...status.transitionTimes, initTime: now() },
      ...(this.#has("leaves observedGeneration as it was") && (status.observedGeneration ?? 0) !== 0
        ? {}
        : { observedGeneration: job.item.metadata.generation }),
      lastError: this.#has("keeps lastError") ? status.lastError : undefined,
      firstError: undefined,
      lastErrors: undefined,
    }));
    job.pickedUpAt = Date.now();
    if (!this.#has("marks items with an annotation")) return;
    await job.api.patch("DeployItem", written.metadata.name, { metadata: { annotations: { "sample/seen": "yes" } } });
  }

  /** Without a look at what it does not use: defects work before they have looked. */
  async #apply(job: SampleJob): Promise<void> {
    const config = readConfig(job.item);
    await applyConfigMap(job, config, this.#options.cluster.namespace(config.configMap.namespace));
  }

  async #install(job: SampleJob, isResumed: boolean, target: Item | undefined): Promise<void> {
    if (this.#has("starts to work before it has signalled the pickup")) await this.#apply(job);
    const isLate = this.#has("adds the finalizer when the work is done");
    if (!isLate) await setFinalizer(job, true);
    if (!isResumed) await this.#pickUp(job, "Progressing");
    if (this.#has("works before it looks at the whole configuration")) await this.#apply(job);
    const config = parseConfig(job.item);
    if (isInherited(job.item) && this.#has("refuses what another deployer has left")) {
      throw new FinalFailure("another deployer has the item", []);
    }
    let password = "";
    if (target !== undefined) {
      await untilDone(job, "the Target", async () => {
        password = await this.#tryPassword(job, target);
        return password !== "";
      });
    }
    if (config.outcome === "Failed") {
      const quote = this.#has("quotes the Target's password") ? ` with ${password}` : "";
      throw new FinalFailure(`spec.config asks for a failure${quote}`, []);
    }
    await this.#apply(job);
    const { api } = job;
    await untilDone(job, "the gate", async () => {
      return config.gate === undefined || (await api.find("ConfigMap", config.gate)) !== undefined;
    });
    if (config.gate !== undefined) await api.patch("ConfigMap", config.configMap.name, { data: { late: "yes" } });
    if (isLate) await setFinalizer(job, true);
    const exported = await writeExports(job, config);
    await endJob(job, "Succeeded", (status) => ({
      ...exported,
      lastError: this.#has("keeps lastError") ? status.lastError : undefined,
    }));
  }

  async #tryPassword(job: SampleJob, target: Item): Promise<string> {
    try {
      return await readPassword(job, target);
    } catch (error) {
      const isMissing = textOf(error).includes("does not exist");
      if (isMissing && this.#has("takes a Secret that is missing for one that is still to come")) return "";
      throw error;
    }
  }

  async #uninstall(job: SampleJob, isResumed: boolean): Promise<void> {
    if (!isResumed) await this.#pickUp(job, "Deleting");
    const isUntouched = job.item.status?.lastReconcileTime === undefined;
    if (isUntouched && this.#has("lets an item go only when it has done something")) throw new FinalFailure("why?", []);
    const isForeign = isInherited(job.item) && this.#has("uninstalls only what it has deployed itself");
    if ((!isForeign && !isKept(job.item)) || this.#has("uninstalls what is to stay")) {
      if (this.#has("needs a valid configuration to delete")) parseConfig(job.item);
      const { configMap } = readConfig(job.item);
      const api = this.#options.cluster.namespace(configMap.namespace);
      if (this.#has("fails to delete what is not there")) await api.get("ConfigMap", configMap.name);
      await untilDone(job, "the deletion", async () => removeConfigMap(job, configMap.name, api));
    }
    await setFinalizer(job, false);
    const left = await job.api.find("DeployItem", job.name);
    if (left !== undefined) await endJob(job, "Succeeded", () => ({ lastError: undefined }));
  }
}
