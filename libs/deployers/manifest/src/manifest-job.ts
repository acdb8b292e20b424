import { isDeepStrictEqual } from "node:util";
import { findSensitiveInTurns, type JsonPath } from "@landscaper/api";
import { createBreather } from "@landscaper/controller-runtime";
import { secretConfigValues, type DeployContext, type Outcome, type Waiting } from "@landscaper/deployer";
import {
  applyManifests,
  checkReadiness,
  compileChecks,
  collectExports,
  combineFailures,
  confirmInventory,
  findAddressable,
  findLive,
  deleteResources,
  findOrphans,
  formatResource,
  isNamespace,
  lostAgain,
  patchAfterDeployment,
  planInventory,
  EmptyStatuses,
  type AppliedObject,
  type ManagedResource,
  WorkloadTroubles,
  type TargetCluster,
} from "@landscaper/resources";
import { approvalPauseMs, describeApproval, isApproved } from "./approval.ts";
import { openCluster } from "./config-secrets.ts";
import { isTakenOver, noteEmptyStatuses, readEmptyStatuses, warnOfEmptyStatuses } from "./empty-status.ts";
import { checkRemovalsOf } from "./check-manifest-removals.ts";
import { conditionsAfterJob } from "./drift-condition.ts";
import { planManifests } from "./inspect-target.ts";
import { listBriefly } from "./list-briefly.ts";
import { troubleOf } from "./trouble-of.ts";
import type { ManifestConfig } from "./manifest-config.ts";
import { ownerOf } from "./owner-of.ts";
import { readInventory, writeInventory } from "./provider-status.ts";
import { fieldManagerOf, serverSideOf } from "./server-side.ts";
import { settleDeletion } from "./settle-deletion.ts";
import { askingOnce, TakenObjects, takeOverOf } from "./take-over-of.ts";

/** What is done of a job, so that the passes that only wait need not repeat it. A new process starts with nothing done. */
interface Progress {
  readonly generation: number | undefined;
  /** By `resourceId`, without the live objects: they would be old, and large. */
  applied: ReadonlyMap<string, AppliedObject>;
  /** Nothing is going to be removed that has to be held back. */
  isChecked: boolean;
  isApplied: boolean;
  isPruned: boolean;
  /** Whether the expressions of checks have been compiled. */
  isCompiled: boolean;
  readonly ready: Set<string>;
  /** Removed objects that the job has made anew. */
  readonly lost: Set<string>;
  /** When objects were first found failed. */
  readonly suspects: Map<string, number>;
  readonly troubles: WorkloadTroubles;
  readonly emptyStatuses: EmptyStatuses;
  /** As of the last report; the status may lag behind, when its write was refused. */
  inventory: readonly ManagedResource[] | undefined;
}

/** One pass over a job. Each step returns what it waits for, or undefined when it is done; failures are thrown. */
export class ManifestJob {
  readonly #context: DeployContext<ManifestConfig>;
  readonly #config: ManifestConfig;
  readonly #cluster: TargetCluster;
  readonly #progress: Progress;
  #inventory: readonly ManagedResource[];
  /** What this pass has received from the API server, by `resourceId`. */
  #fresh: ReadonlyMap<string, AppliedObject["live"]> = new Map();
  #exports: Readonly<Record<string, unknown>> | undefined;
  #sensitiveExports: readonly JsonPath[] = [];

  private constructor(context: DeployContext<ManifestConfig>, cluster: TargetCluster) {
    this.#context = context;
    this.#config = context.config;
    this.#cluster = cluster;
    this.#progress = enterProgress(context);
    this.#inventory = readInventory(context.providerStatus);
    if (this.#progress.inventory !== undefined) this.#report(this.#progress.inventory);
  }

  static async enter(context: DeployContext<ManifestConfig>): Promise<ManifestJob> {
    return new ManifestJob(context, await openCluster(context));
  }

  /** Compiles the expressions of checks, once for a job and before it changes anything. */
  async checkExpressions(): Promise<void> {
    if (this.#progress.isCompiled) return;
    const { item, signal } = this.#context;
    const options = { where: "spec.config: readinessChecks.custom", tenant: item.metadata.namespace ?? "", signal };
    await compileChecks(this.#config.readinessChecks, options);
    this.#progress.isCompiled = true;
  }

  /** Before anything is done. Throws LandscaperError when the job would take away more than it may. */
  async checkRemovals(): Promise<void> {
    if (this.#progress.isChecked) return;
    const { item, removals, signal } = this.#context;
    const place = { item, config: this.#config, cluster: this.#cluster, removals, signal };
    await checkRemovalsOf({ ...place, inventory: this.#inventory });
    this.#progress.isChecked = true;
  }

  /**
   * Before anything is done; what is approved is the job, so that one that goes on after a crash needs no second word. A job that
   * would change nothing needs none.
   */
  async awaitApproval(): Promise<Waiting | undefined> {
    const { item, providerStatus, findItem, signal } = this.#context;
    const isOpen = this.#config.requireApproval && !this.#progress.isApplied;
    if (!isOpen || isApproved(item)) return undefined;
    const inspection = { item, config: this.#config, providerStatus, cluster: this.#cluster, findItem, signal };
    const { summary, changes } = await planManifests(inspection);
    if (changes.length === 0) return undefined;
    return { type: "waiting", for: describeApproval(item, summary), requeueAfterMs: approvalPauseMs };
  }

  async apply(): Promise<Waiting | undefined> {
    if (this.#progress.isApplied) return undefined;
    await this.#persistPlan();
    const { updateStrategy, manifests } = this.#config;
    const taken = new TakenObjects();
    const { applied, failures, waitingFor, awaited } = await applyManifests({
      cluster: this.#cluster,
      manifests,
      inventory: this.#inventory,
      strategy: updateStrategy,
      serverSide: serverSideOf(this.#context.item, this.#config),
      owner: ownerOf(this.#context.item, this.#config),
      extraLabels: this.#config.extraLabels,
      ignore: this.#config.ignoreFields,
      applied: this.#progress.applied,
      takeOver: askingOnce(takeOverOf(this.#context, (object, owner) => taken.add(object, owner))),
      signal: this.#context.signal,
    });
    taken.announce(this.#context);
    if ([...applied].some(([id, { isUnchanged }]) => isUnchanged === false && !this.#progress.applied.has(id))) {
      this.#context.noteChange();
    }
    for (const [id, { isNewGeneration }] of applied) {
      if (isNewGeneration === true) this.#progress.emptyStatuses.noteChanged(id);
    }
    this.#progress.applied = new Map([...applied].map(([id, { entry }]) => [id, { entry, live: undefined }]));
    this.#fresh = new Map([...applied].map(([id, { live }]) => [id, live]));
    this.#report(confirmInventory(this.#inventory, applied));
    if (failures.some(({ reason }) => reason === "TargetNamespaceMissing")) {
      const again = await this.#forgetLostNamespaces();
      if (again.length > 0) {
        return { type: "waiting", for: `${listBriefly(again)} to be created again`, requeueAfterMs: 0 };
      }
    }
    if (failures.length > 0) throw combineFailures(failures, manifests.length);
    if (waitingFor.length > 0) return { type: "waiting", for: listBriefly(waitingFor), wakeOn: awaited };
    this.#progress.isApplied = true;
    return undefined;
  }

  /**
   * The pickup has written most of the plan. Another one comes of a configuration that changed during the job, and of new objects without a namespace,
   * of which only the cluster knows whether they need one.
   */
  async #persistPlan(): Promise<void> {
    const manager = fieldManagerOf(this.#context.item, this.#config);
    const { manifests } = this.#config;
    const addressable = await findAddressable({ cluster: this.#cluster, manifests }, this.#context.signal);
    const planned = planInventory(this.#inventory, addressable, manager);
    if (isDeepStrictEqual(planned, this.#inventory)) return;
    this.#report(planned);
    await this.#context.persist();
  }

  /** Only when all objects are applied: until then something may still depend on what is to go. */
  async prune(): Promise<Waiting | undefined> {
    if (this.#progress.isPruned) return undefined;
    const { applied } = this.#progress;
    const result = await deleteResources({
      cluster: this.#cluster,
      entries: findOrphans(this.#inventory, applied),
      groups: this.#config.deletionGroupsDuringUpdate,
      owner: ownerOf(this.#context.item, this.#config),
      clusterOf: (name) => this.#context.target.clusterOf(name),
      signal: this.#context.signal,
    });
    this.#report(confirmInventory(result.remaining, applied));
    const waiting = settleDeletion(result, this.#context);
    this.#progress.isPruned = waiting === undefined;
    return waiting;
  }

  async awaitReadiness(): Promise<Waiting | undefined> {
    const absent = new Set<string>();
    const { unready, hint, awaited, lookAgainAfterMs } = await checkReadiness({
      cluster: this.#cluster,
      entries: this.#inventory,
      checks: this.#config.readinessChecks,
      fresh: this.#fresh,
      ready: this.#progress.ready,
      suspects: this.#progress.suspects,
      troubles: this.#progress.troubles,
      emptyStatuses: this.#progress.emptyStatuses,
      elapsedMs: this.#context.clock.elapsed(),
      absent,
      tenant: this.#context.item.metadata.namespace,
      clusterOf: (name) => this.#context.target.clusterOf(name),
      signal: this.#context.signal,
    });
    for (const id of absent) this.#applyAgain(id);
    warnOfEmptyStatuses(this.#progress.emptyStatuses, this.#context);
    this.#report(this.#inventory);
    if (unready.length === 0) return undefined;
    const waitingFor = `readiness of ${listBriefly(unready)}`;
    return {
      ...this.#wait(waitingFor, { wakeOn: awaited, requeueAfterMs: lookAgainAfterMs }),
      trouble: troubleOf(hint),
    };
  }

  /** What has to be made anew comes by our own next pass, not by a change. */
  #wait(waitingFor: string, wake: Pick<Waiting, "wakeOn" | "requeueAfterMs">): Waiting {
    return { type: "waiting", for: waitingFor, ...(this.#progress.isApplied ? wake : {}) };
  }

  /**
   * Somebody has removed the object since it was applied: the next pass makes it anew, once. Kubernetes does so with the token Secret
   * of a ServiceAccount that came a moment later. Throws LandscaperError (TargetObjectLost) for an object that was made anew before.
   */
  #applyAgain(id: string): void {
    const { applied, lost } = this.#progress;
    const entry = applied.get(id)?.entry;
    // The item does not make what it only looks at.
    if (entry === undefined) return;
    if (lost.has(id)) throw lostAgain(formatResource(entry.resource));
    lost.add(id);
    this.#forgetApplied([id]);
  }

  #forgetApplied(ids: readonly string[]): void {
    this.#progress.applied = new Map([...this.#progress.applied].filter(([applied]) => !ids.includes(applied)));
    for (const id of ids) this.#progress.ready.delete(id);
    this.#progress.isApplied = false;
  }

  /** The next pass makes Namespaces of the item anew that somebody has removed, with all that was in them. Returns their names for a message. */
  async #forgetLostNamespaces(): Promise<readonly string[]> {
    const { signal } = this.#context;
    const names: string[] = [];
    for (const [id, { entry }] of this.#progress.applied) {
      if (entry === undefined || !isNamespace(entry.resource)) continue;
      const live = await findLive(this.#cluster, entry.resource, signal);
      if (live !== undefined && live.metadata.uid === entry.resource.uid) continue;
      this.#applyAgain(id);
      const inside = [...this.#progress.applied].filter(
        ([, other]) => other.entry?.resource.namespace === entry.resource.name,
      );
      this.#forgetApplied(inside.map(([inner]) => inner));
      names.push(formatResource(entry.resource));
    }
    return names;
  }

  async awaitExports(): Promise<Waiting | undefined> {
    const { exports } = this.#config;
    if (exports.length === 0) return undefined;
    const result = await collectExports({
      cluster: this.#cluster,
      exports,
      fresh: this.#fresh,
      clusterOf: (name) => this.#context.target.clusterOf(name),
      signal: this.#context.signal,
    });
    if (result.type === "missing") {
      if (result.absent !== undefined) this.#applyAgain(result.absent);
      return this.#wait(`export of key ${result.key}: ${result.message}`, { wakeOn: result.awaited });
    }
    this.#exports = Object.keys(result.values).length === 0 ? undefined : result.values;
    // An object that is no Secret may hold what the configuration has from one.
    const secrets = secretConfigValues(this.#context.item);
    const found = await findSensitiveInTurns(result.values, secrets, createBreather());
    this.#sensitiveExports = [...result.sensitive, ...found];
    return undefined;
  }

  async finish(): Promise<Outcome> {
    const { manifests } = this.#config;
    const { applied } = this.#progress;
    await patchAfterDeployment({ cluster: this.#cluster, manifests, applied, signal: this.#context.signal });
    const conditions = conditionsAfterJob(this.#context.item, this.#config.driftDetection);
    return { type: "succeeded", exports: this.#exports, sensitiveExports: this.#sensitiveExports, conditions };
  }

  #report(reported: readonly ManagedResource[]): void {
    const inventory = noteEmptyStatuses(reported, this.#progress.emptyStatuses);
    if (isDeepStrictEqual(inventory, this.#inventory)) return;
    this.#inventory = inventory;
    this.#progress.inventory = inventory;
    this.#context.report(writeInventory(inventory, this.#config.deletionGroups));
  }
}

/** Whoever changes the configuration during the job has it applied anew. */
function enterProgress(context: DeployContext<ManifestConfig>): Progress {
  const { generation } = context.item.metadata;
  const fresh = (): Progress => ({
    generation,
    applied: new Map(),
    isChecked: false,
    isApplied: false,
    isPruned: false,
    isCompiled: false,
    ready: new Set(),
    lost: new Set(),
    suspects: new Map(),
    troubles: new WorkloadTroubles(),
    emptyStatuses: new EmptyStatuses(readEmptyStatuses(readInventory(context.providerStatus)), {
      isTakenOver: isTakenOver(context),
    }),
    inventory: undefined,
  });
  const slot = context.memory(() => ({ progress: fresh() }));
  if (slot.progress.generation !== generation) slot.progress = fresh();
  return slot.progress;
}
