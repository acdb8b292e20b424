import { LandscaperError, type UnstructuredObject, type WaitStrategy } from "@landscaper/api";
import type { HelmVersion, HookEvent } from "@landscaper/helm";
import { referenceTo, resourceId, warnOfDuplicates, type IgnoreRule, type PlacedObject } from "@landscaper/resources";
import {
  applyRelease,
  checkOwnership,
  helmFieldManager,
  type ApplyReleaseOptions,
  type ServerSideApply,
} from "./objects/apply-objects.ts";
import { createNamespace } from "./objects/create-namespace.ts";
import { describeDuplicates } from "./objects/duplicates.ts";
import { revisionsAtWork } from "./records/decide-release.ts";
import { failureDescription } from "./records/failure-description.ts";
import { carryEndedHooks, endedHooks, hookKey } from "./hooks/hook-progress.ts";
import { installCrds, type CrdPolicy } from "./objects/install-crds.ts";
import { locatePast, type PastObject } from "./objects/past-objects.ts";
import { releaseError } from "./release-error.ts";
import { timeOf, type ReleaseContext, type ReleaseWait } from "./release-context.ts";
import { definitionIds, storedCrds } from "./objects/crd-files.ts";
import { locatePlaced, parseManifests, parsePlacedManifest, type ReleaseObject } from "./objects/release-objects.ts";
import type { ApplyMethod } from "./records/apply-method.ts";
import type { LabelChanges } from "./records/release-labels.ts";
import type { ReleaseRecord, ReleaseStatus } from "./records/release-record.ts";
import { ReleaseReadiness } from "./objects/release-readiness.ts";
import { removeLeftHooks } from "./hooks/remove-left-hooks.ts";
import { recordInterrupted } from "./records/record-interrupted.ts";
import { advanceSteps, hookStep, type Step } from "./hooks/steps.ts";

export interface RollOutOptions {
  /** Makes the namespace of the release when it is not there. */
  readonly createNamespace?: boolean | undefined;
  /** Ends only when its objects are ready, by the rules of `waitStrategy`. */
  readonly wait?: boolean | undefined;
  /** As Helm 4's --wait=STRATEGY. Default "legacy", as Helm 3. */
  readonly waitStrategy?: WaitStrategy | undefined;
  /** Waits until Jobs have completed, too, as --wait-for-jobs. */
  readonly waitForJobs?: boolean | undefined;
  /** Replaces objects instead of patching them. */
  readonly force?: boolean | undefined;
  readonly takeOwnership?: boolean | undefined;
  /** Applies objects on the server instead of the three-way merge, as Helm 4's --server-side; `force` has no meaning then. */
  readonly serverSideApply?: ServerSideApply | undefined;
  /** Version of Helm that revisions are made as. Not recorded if undefined. */
  readonly helmVersion?: HelmVersion | undefined;
  /** Changes of the release's labels. Other labels of the release stay. */
  readonly labels?: LabelChanges | undefined;
  /** Fields of objects that other clients set. */
  readonly ignore?: readonly IgnoreRule[] | undefined;
  readonly disableHooks?: boolean | undefined;
  /** Default as Helm: "Create" for an install, "Skip" for an upgrade. */
  readonly crdPolicy?: CrdPolicy | undefined;
  /** Revisions that are kept; 0 = all. Default 10. */
  readonly maxHistory?: number | undefined;
}

/** Returns what the record says of the way in which a roll-out writes objects. */
export function methodOf({ serverSideApply }: Pick<RollOutOptions, "serverSideApply">): ApplyMethod {
  return serverSideApply === undefined ? "csa" : "ssa";
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
  /** One that this revision supersedes although it is not deployed. */
  readonly former?: ReleaseRecord | undefined;
  /** Manifests of crds/, to be installed. */
  readonly crds: readonly UnstructuredObject[];
  readonly options: RollOutOptions;
  readonly description: string;
}

const defaultMaxHistory = 10;

/**
 * Install, upgrade or rollback in steps that never block: `advance` does what can be done now. A step that has ended is not
 * repeated. If it is abandoned half-way, a pending record stays, which the next operation repairs.
 */
export class RollOut {
  readonly #context: ReleaseContext;
  readonly #plan: RollOutPlan;
  readonly #steps: Step[];
  /** Hooks that have run in an earlier try of this revision. */
  readonly #ended: ReadonlySet<string>;
  #record: ReleaseRecord;
  #isRecorded = false;
  #parsed: readonly PlacedObject[] | undefined;
  #objects: readonly ReleaseObject[] = [];
  #past: ReadonlyMap<string, PastObject> = new Map();
  /** `resourceId`s of the CRDs in crds/ that the revision contains. */
  #definitions: ReadonlySet<string> = new Set();
  #readiness: ReleaseReadiness | undefined;

  constructor(context: ReleaseContext, plan: RollOutPlan) {
    this.#context = context;
    this.#plan = plan;
    const { kind, options, record, retried } = plan;
    const operation = { events: [`pre-${kind}`, `post-${kind}`] } as const;
    this.#record = retried === undefined ? record : carryEndedHooks(record, retried, operation);
    this.#ended = new Set(endedHooks(this.#record, operation).map(hookKey));
    this.#steps = [
      async () => this.#checkSize(),
      async () => this.#checkDuplicates(),
      (signal) => this.#createNamespace(signal),
      (signal) => installCrds({ ...this.#context, crds: plan.crds, policy: options.crdPolicy, signal }),
      (signal) => this.#begin(signal),
      (signal) => this.#removeLeftHooks(signal),
      ...this.#hooks(`pre-${kind}`),
      (signal) => this.#apply(signal),
      (signal) => this.#awaitReadiness(signal),
      ...this.#hooks(`post-${kind}`),
      (signal) => this.#finish(signal),
    ];
  }

  get kind(): RollOutKind {
    return this.#plan.kind;
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
      if (this.#isRecorded) await this.#recordFailure(error, signal);
      throw error;
    }
  }

  /** What cannot be recorded must not hide what has happened; the next operation finds the revision pending then. */
  async #recordFailure(problem: unknown, signal: AbortSignal): Promise<void> {
    try {
      await this.fail(problem instanceof Error ? problem.message : String(problem), signal);
    } catch (error) {
      signal.throwIfAborted();
      const { name, version } = this.#record;
      this.#context.log.warn(
        { release: name, revision: version, error: String(error) },
        "could not record the failure",
      );
    }
  }

  /** Records that the revision has failed. */
  async fail(problem: string, signal: AbortSignal): Promise<void> {
    const { name } = this.#record;
    const description = failureDescription(this.#plan.kind, name, problem);
    await this.#write({ status: "failed", description }, signal);
  }

  /** Before anything is written: a revision that cannot be recorded must not be begun. */
  async #checkSize(): Promise<undefined> {
    await this.#context.store.checkSize(this.#record);
    return undefined;
  }

  /**
   * Helm creates each object at an install, so the second copy fails. Upgrades, server-side apply and takeOwnership write the copies one after the
   * other. A rollback goes to a revision that has been deployed.
   */
  async #checkDuplicates(): Promise<undefined> {
    const { kind, options } = this.#plan;
    if (kind === "rollback") return undefined;
    const { name, namespace, warn } = this.#context;
    const objects = await this.#parse();
    const isWritten = kind === "upgrade" || options.serverSideApply !== undefined || options.takeOwnership === true;
    const duplicates = isWritten ? undefined : describeDuplicates(objects, namespace);
    if (duplicates !== undefined) throw duplicateRefused(`${namespace}/${name}`, duplicates);
    for (const warning of warnOfDuplicates(objects, namespace)) warn?.(warning);
    return undefined;
  }

  /** Returns the objects of the manifest. Parses a manifest once: it may be large. */
  async #parse(): Promise<readonly PlacedObject[]> {
    return (this.#parsed ??= await parsePlacedManifest(this.#plan.record.manifest));
  }

  async #createNamespace(signal: AbortSignal): Promise<undefined> {
    if (this.#plan.options.createNamespace !== true) return undefined;
    const { cluster, namespace } = this.#context;
    await createNamespace(namespace, { cluster, labels: { name: namespace }, fieldManager: helmFieldManager, signal });
    return undefined;
  }

  /** What can be refused is refused before anything is written. */
  async #begin(signal: AbortSignal): Promise<undefined> {
    const { cluster, namespace, name, store } = this.#context;
    const { record, history, retried } = this.#plan;
    this.#objects = await locatePlaced(cluster, await this.#parse(), { namespace, signal });
    // As Helm, which compares with what was deployed, not with what failed after it.
    const objects = this.#objects;
    this.#past = await locatePast(cluster, revisionsAtWork(history), { release: { name, namespace }, objects, signal });
    // A rollback installs no definitions, but its revision contains them.
    this.#definitions = definitionIds([...this.#plan.crds, ...(await storedCrds(record))]);
    await checkOwnership(await this.#applyOptions(signal));
    const others = history.filter((each) => each !== retried);
    await recordInterrupted(others, this.#context, signal);
    await this.#prune(others, signal);
    if (retried === undefined) await store.create(this.#record, { signal });
    else await store.update(this.#record, { signal });
    this.#isRecorded = true;
    return undefined;
  }

  async #removeLeftHooks(signal: AbortSignal): Promise<undefined> {
    const spared = new Set(this.#objects.map(({ object }) => resourceId(referenceTo(object))));
    await removeLeftHooks(this.#context, revisionsAtWork(this.#plan.history), { spared, signal });
    return undefined;
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
    const record = {
      get: () => this.#record,
      set: (next: ReleaseRecord) => void (this.#record = next),
      hookHistory: () => ({ ended: this.#ended, records: this.#plan.history }),
    };
    return [hookStep(this.#context, event, record)];
  }

  async #applyOptions(signal: AbortSignal): Promise<ApplyReleaseOptions> {
    const { cluster, name, namespace, warn } = this.#context;
    const { takeOwnership, force, serverSideApply, ignore } = this.#plan.options;
    return {
      cluster,
      release: { name, namespace },
      objects: this.#objects,
      past: this.#past,
      hooks: await this.#hookIds(),
      definitions: this.#definitions,
      takeOwnership: takeOwnership === true,
      force: force === true,
      serverSideApply,
      ignore,
      warn,
      signal,
    };
  }

  async #hookIds(): Promise<ReadonlySet<string>> {
    const { namespace } = this.#context;
    const objects = await parseManifests(this.#record.hooks.map(({ manifest }) => manifest));
    const references = objects.map((object) => ({
      ...referenceTo(object),
      namespace: object.metadata.namespace ?? namespace,
    }));
    return new Set(references.map(resourceId));
  }

  async #apply(signal: AbortSignal): Promise<ReleaseWait | undefined> {
    return await applyRelease(await this.#applyOptions(signal));
  }

  async #awaitReadiness(signal: AbortSignal): Promise<ReleaseWait | undefined> {
    const { wait, waitStrategy = "legacy", waitForJobs = false } = this.#plan.options;
    if (wait !== true || waitStrategy === "hookOnly") return undefined;
    this.#readiness ??= new ReleaseReadiness(this.#context, this.#objects, { strategy: waitStrategy, waitForJobs });
    return await this.#readiness.check(signal);
  }

  async #finish(signal: AbortSignal): Promise<undefined> {
    const { now } = this.#context;
    const { former, history, retried, description } = this.#plan;
    for (const record of history) {
      const isSuperseded = record.info.status === "deployed" || record === former;
      if (isSuperseded && record !== retried) await this.#supersede(record, signal);
    }
    await this.#write({ status: "deployed", description, last_deployed: timeOf(now()) }, signal);
    return undefined;
  }

  /** A record that another client has written or removed in the meantime is no longer the deployed one. */
  async #supersede(record: ReleaseRecord, signal: AbortSignal): Promise<void> {
    try {
      await this.#context.store.update({ ...record, info: { ...record.info, status: "superseded" } }, { signal });
    } catch (error) {
      if (!(error instanceof LandscaperError) || error.reason !== "ReleaseBusy") throw error;
      this.#context.log.warn({ release: record.name, revision: record.version }, error.message);
    }
  }

  async #write(
    change: { status: ReleaseStatus; description: string; last_deployed?: string },
    signal: AbortSignal,
  ): Promise<void> {
    this.#record = { ...this.#record, info: { ...this.#record.info, ...change } };
    await this.#context.store.update(this.#record, { signal });
  }
}

function duplicateRefused(release: string, duplicates: string): LandscaperError {
  return releaseError(
    "DuplicateObject",
    `release ${release} cannot be installed: the chart has an object more than once: ${duplicates}`,
    { hint: "remove the other copies from the chart, or set updateStrategy: apply or takeOwnership" },
  );
}
