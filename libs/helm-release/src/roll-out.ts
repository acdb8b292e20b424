import type { UnstructuredObject } from "@landscaper/api";
import type { HookEvent } from "@landscaper/helm";
import { checkReadiness, referenceTo, settleObject } from "@landscaper/resources";
import { applyRelease, checkOwnership, helmFieldManager, type ApplyReleaseOptions } from "./apply-objects.ts";
import { installCrds, type CrdPolicy } from "./install-crds.ts";
import { timeOf, type ReleaseContext, type ReleaseWait } from "./release-context.ts";
import { locateObjects, locateRecords, parseManifest, type ReleaseObject } from "./release-objects.ts";
import type { ReleaseRecord, ReleaseStatus } from "./release-record.ts";
import { advanceSteps, hookStep, type Step } from "./steps.ts";

export interface RollOutOptions {
  /** Makes the namespace of the release when it is not there. */
  readonly createNamespace?: boolean | undefined;
  /** Ends only when everything is ready. */
  readonly wait?: boolean | undefined;
  /** Replaces objects in place of patching them. */
  readonly force?: boolean | undefined;
  readonly takeOwnership?: boolean | undefined;
  readonly disableHooks?: boolean | undefined;
  /** Default as Helm: "Create" for an install, "Skip" for an upgrade. */
  readonly crdPolicy?: CrdPolicy | undefined;
  /** Revisions that are kept; 0 = all. Default 10. */
  readonly maxHistory?: number | undefined;
}

export type RollOutKind = "install" | "upgrade" | "rollback";

export interface RollOutPlan {
  readonly kind: RollOutKind;
  /** The new revision, pending. */
  readonly record: ReleaseRecord;
  /** All revisions before it, the oldest first. */
  readonly history: readonly ReleaseRecord[];
  /** The newest of the history, when the new revision takes its place. */
  readonly retried?: ReleaseRecord | undefined;
  /** The one whose objects are there. */
  readonly former: ReleaseRecord | undefined;
  /** Manifests of crds/. */
  readonly crds: readonly UnstructuredObject[];
  readonly options: RollOutOptions;
  readonly description: string;
}

const defaultMaxHistory = 10;
const failedWords = { install: "Release", upgrade: "Upgrade", rollback: "Rollback" } as const;

/**
 * Install, upgrade or rollback in steps that wait in nobody's place: `advance` does what can be done now. A step that has ended is not
 * begun again. Dropped half-way it leaves a pending record, which the next operation puts right.
 */
export class RollOut {
  readonly #context: ReleaseContext;
  readonly #plan: RollOutPlan;
  readonly #steps: Step[];
  #record: ReleaseRecord;
  #isRecorded = false;
  #objects: readonly ReleaseObject[] = [];
  #former: ReadonlyMap<string, ReleaseObject> = new Map();
  readonly #ready = new Set<string>();

  constructor(context: ReleaseContext, plan: RollOutPlan) {
    this.#context = context;
    this.#plan = plan;
    this.#record = plan.record;
    const { kind, options } = plan;
    this.#steps = [
      (signal) => this.#createNamespace(signal),
      (signal) => installCrds({ ...this.#context, crds: plan.crds, policy: options.crdPolicy, signal }),
      (signal) => this.#begin(signal),
      ...this.#hooks(`pre-${kind}`),
      (signal) => this.#apply(signal),
      (signal) => this.#awaitReadiness(signal),
      ...this.#hooks(`post-${kind}`),
      (signal) => this.#finish(signal),
    ];
  }

  /** The revision as it was recorded last. */
  get record(): ReleaseRecord {
    return this.#record;
  }

  /** Whether the revision is recorded: before that nothing of it is on the cluster. */
  get isRecorded(): boolean {
    return this.#isRecorded;
  }

  /** Undefined when the revision is deployed. What fails is recorded, and thrown. */
  async advance(signal: AbortSignal): Promise<ReleaseWait | undefined> {
    try {
      return await advanceSteps(this.#steps, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (this.#isRecorded) await this.fail(error instanceof Error ? error.message : String(error), signal);
      throw error;
    }
  }

  /** Records that the revision has failed. */
  async fail(problem: string, signal: AbortSignal): Promise<void> {
    const { name } = this.#record;
    const description = `${failedWords[this.#plan.kind]} "${name}" failed: ${problem}`;
    await this.#write({ status: "failed", description }, signal);
  }

  async #createNamespace(signal: AbortSignal): Promise<undefined> {
    if (this.#plan.options.createNamespace !== true) return undefined;
    const { cluster, namespace } = this.#context;
    const object = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels: { name: namespace } } };
    const type = { group: "", version: "v1", kind: "Namespace", plural: "namespaces", namespaced: false };
    const decide = (live: UnstructuredObject | undefined) =>
      live === undefined ? ({ type: "create", object } as const) : ({ type: "none" } as const);
    await settleObject({ cluster, type, object, decide, fieldManager: helmFieldManager, signal });
    return undefined;
  }

  /** What can be refused is refused before anything is written. */
  async #begin(signal: AbortSignal): Promise<undefined> {
    const { cluster, namespace, store } = this.#context;
    const { record, former, history, retried } = this.#plan;
    this.#objects = await locateObjects(cluster, parseManifest(record.manifest), { namespace, signal });
    this.#former = await this.#locateFormer(former, signal);
    await checkOwnership(this.#applyOptions(signal));
    await this.#prune(
      history.filter((each) => each !== retried),
      signal,
    );
    if (retried === undefined) await store.create(this.#record, { signal });
    else await store.update(this.#record, { signal });
    this.#isRecorded = true;
    return undefined;
  }

  /** Objects of the former revision, and those that failed revisions after it may have left. */
  async #locateFormer(
    former: ReleaseRecord | undefined,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ReleaseObject>> {
    const { cluster, namespace } = this.#context;
    const from = former?.version ?? 0;
    const records = this.#plan.history.filter(({ version, info }) => version >= from && info.status !== "uninstalled");
    // As Helm, which compares with what was deployed, not with what failed after it.
    return await locateRecords(cluster, records, { namespace, signal });
  }

  /** The deployed revision stays, whatever its age. */
  async #prune(history: readonly ReleaseRecord[], signal: AbortSignal): Promise<void> {
    const { maxHistory = defaultMaxHistory } = this.#plan.options;
    if (maxHistory <= 0) return;
    const surplus = history.length + 1 - maxHistory;
    const removable = history.filter(({ info }) => info.status !== "deployed");
    for (const record of removable.slice(0, Math.max(0, surplus))) await this.#context.store.remove(record, { signal });
  }

  #hooks(event: HookEvent): Step[] {
    if (this.#plan.options.disableHooks === true) return [];
    const record = { get: () => this.#record, set: (next: ReleaseRecord) => void (this.#record = next) };
    return [hookStep(this.#context, event, record)];
  }

  #applyOptions(signal: AbortSignal): ApplyReleaseOptions {
    const { cluster, name, namespace } = this.#context;
    const { takeOwnership, force } = this.#plan.options;
    return {
      cluster,
      release: { name, namespace },
      objects: this.#objects,
      former: this.#former,
      takeOwnership: takeOwnership === true,
      force: force === true,
      signal,
    };
  }

  async #apply(signal: AbortSignal): Promise<undefined> {
    await applyRelease(this.#applyOptions(signal));
    return undefined;
  }

  async #awaitReadiness(signal: AbortSignal): Promise<ReleaseWait | undefined> {
    if (this.#plan.options.wait !== true) return undefined;
    const { cluster, now } = this.#context;
    const entries = this.#objects.map(({ object }) => ({ resource: referenceTo(object) }));
    const { unready, awaited } = await checkReadiness({
      cluster,
      entries,
      checks: { level: "kstatus", failFast: false },
      ready: this.#ready,
      now: now(),
      clusterOf: () => Promise.reject(new Error("a release has one cluster")),
      signal,
    });
    return unready.length === 0 ? undefined : { waitingFor: unready, awaited };
  }

  async #finish(signal: AbortSignal): Promise<undefined> {
    const { store, now } = this.#context;
    const { former, history, description } = this.#plan;
    const superseded = history.filter(({ info, version }) => info.status === "deployed" || version === former?.version);
    for (const record of superseded) {
      await store.update({ ...record, info: { ...record.info, status: "superseded" } }, { signal });
    }
    await this.#write({ status: "deployed", description, last_deployed: timeOf(now()) }, signal);
    return undefined;
  }

  async #write(
    change: { status: ReleaseStatus; description: string; last_deployed?: string },
    signal: AbortSignal,
  ): Promise<void> {
    this.#record = { ...this.#record, info: { ...this.#record.info, ...change } };
    await this.#context.store.update(this.#record, { signal });
  }
}
