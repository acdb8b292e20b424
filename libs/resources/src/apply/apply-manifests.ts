import { LandscaperError, type UnstructuredObject, type UpdateStrategy } from "@landscaper/api";
import { createBreather } from "@landscaper/controller-runtime";
import { awaitObject, type AwaitedObjects } from "../readiness/awaited-objects.ts";
import { applyObject } from "./apply-object.ts";
import type { FieldManagers } from "./managed-fields.ts";
import { crdTypes, isEstablished } from "./custom-resource-definitions.ts";
import type { UnstructuredType } from "../cluster/discovery.ts";
import {
  groupOfManifest,
  isCustomResourceDefinition,
  manifestGroups,
  type ManifestGroup,
} from "../manifests/group-manifests.ts";
import type { IgnoreRule } from "../fields/ignore-rules.ts";
import { inventoryEntry } from "../manifests/inventory.ts";
import { listOwned } from "../cluster/list-owned.ts";
import type { AppliedObject, ManagedResource, Manifest } from "../manifests/manifest.ts";
import { mapBounded } from "../map-bounded.ts";
import type { OwnerLabel } from "../cluster/owner-label.ts";
import type { TakeOver } from "../cluster/take-over.ts";
import { formatResource, missingNamespace, referenceTo, resourceId } from "../cluster/resource-reference.ts";
import { findLive, findType, type TargetCluster } from "../cluster/target-cluster.ts";

export interface ApplyOptions {
  readonly cluster: TargetCluster;
  /** Expanded (`expandManifests`). */
  readonly manifests: readonly Manifest[];
  /** The inventory as it was persisted before this call (`planInventory`). */
  readonly inventory: readonly ManagedResource[];
  readonly strategy: UpdateStrategy;
  /** Needed with strategy `apply`. */
  readonly serverSide?: ServerSideOptions | undefined;
  readonly owner: OwnerLabel;
  readonly extraLabels?: Readonly<Record<string, string>> | undefined;
  /** Fields that others may change: they stay as they are on the target. */
  readonly ignore?: readonly IgnoreRule[] | undefined;
  /** By `resourceId`: not touched again. Only an optimisation, applying is idempotent. */
  readonly applied?: ReadonlyMap<string, AppliedObject> | undefined;
  /** Default: nothing is taken over from other items, unless a manifest says so. */
  readonly takeOver?: TakeOver | undefined;
  /** Requests in flight at a time; by default it depends on the number of objects. */
  readonly concurrency?: number | undefined;
  readonly signal: AbortSignal;
}

export interface ServerSideOptions {
  readonly managers: FieldManagers;
  /** Takes fields over that other managers have; otherwise they are reported. */
  readonly force: boolean;
}

export interface ApplyResult {
  /** By `resourceId`: all that is done, with what was done before. */
  readonly applied: ReadonlyMap<string, AppliedObject>;
  readonly failures: readonly LandscaperError[];
  /** What must happen first for the objects that were left out, e.g. a CRD being established. */
  readonly waitingFor: readonly string[];
  /** The objects that this is about. */
  readonly awaited: readonly AwaitedObjects[];
}

/** As many as the client of a target has connections. */
const maxConcurrency = 100;
const minConcurrency = 32;

/** The more are in flight, the less each costs the API server, but each connection that is opened for it costs as much as a write. */
function concurrencyFor(count: number): number {
  return Math.min(maxConcurrency, Math.max(minConcurrency, Math.ceil(count / 10)));
}

interface Work {
  readonly manifest: Manifest;
  readonly id: string;
  readonly type: UnstructuredType;
  readonly group: ManifestGroup;
}

/**
 * Brings the objects to the cluster, group by group (`manifestGroups`). A
 * failing object stops neither the others nor the later groups. Objects whose CRD is part of the manifests wait until it is
 * established: they are reported in `waitingFor`, and the caller comes back.
 */
export async function applyManifests(options: ApplyOptions): Promise<ApplyResult> {
  const run = new ApplyRun(options);
  const work = await run.classify();
  for (const group of manifestGroups) {
    await run.applyGroup(work.filter((item) => item.group === group));
    if (group === "crds") await run.awaitCrds();
  }
  return run.result();
}

class ApplyRun {
  readonly #options: ApplyOptions;
  readonly #applied: Map<string, AppliedObject>;
  readonly #inventory: ReadonlyMap<string, ManagedResource>;
  readonly #failures: LandscaperError[] = [];
  readonly #waitingFor: string[] = [];
  readonly #awaited: AwaitedObjects[] = [];
  /** "group/kind" of CRDs of this set that are not established yet. */
  readonly #unestablished = new Set<string>();

  constructor(options: ApplyOptions) {
    this.#options = options;
    this.#applied = new Map(options.applied);
    this.#inventory = new Map(options.inventory.map((entry) => [resourceId(entry.resource), entry]));
  }

  async classify(): Promise<Work[]> {
    const { cluster, manifests, signal } = this.#options;
    const types = crdTypes(manifests.map(({ manifest }) => manifest));
    const work: Work[] = [];
    const breathe = createBreather();
    for (const manifest of manifests) {
      await breathe();
      const reference = referenceTo(manifest.manifest);
      await this.#collectFailure(async () => {
        const type = types.typeOf(reference) ?? (await findType(cluster, reference, signal));
        if (type.namespaced && reference.namespace === undefined) throw missingNamespace(reference);
        const group = groupOfManifest(reference, type.namespaced);
        work.push({ manifest, id: resourceId(reference), type, group });
      });
    }
    return work;
  }

  async applyGroup(group: readonly Work[]): Promise<void> {
    const { signal } = this.#options;
    const open = group.filter(({ id, type }) => !this.#applied.has(id) && !this.#mustWait(type));
    const concurrency = this.#options.concurrency ?? concurrencyFor(open.length);
    await this.#collectFailure(async () => {
      const seen = await this.#lookAtMany(open);
      await mapBounded(open, { limit: concurrency, signal }, (item) =>
        this.#collectFailure(() => this.#apply(item, seen.get(item.id))),
      );
    });
  }

  /** Those that have to be looked at before they are written, where one list can do it for many. */
  async #lookAtMany(open: readonly Work[]): Promise<ReadonlyMap<string, UnstructuredObject>> {
    const { cluster, strategy, owner, signal } = this.#options;
    const wanted = open.filter(({ id, manifest }) => {
      const uid = this.#inventory.get(id)?.resource.uid;
      if (uid === undefined || manifest.policy === "ignore") return false;
      // An apply needs no look, but what is known not to need it.
      return strategy !== "apply" || cluster.written?.has(uid) === true;
    });
    return await listOwned({ cluster, wanted, owner, signal });
  }

  #mustWait(type: UnstructuredType): boolean {
    return this.#unestablished.has(`${type.group}/${type.kind}`);
  }

  async #apply({ manifest, id, type }: Work, seen: UnstructuredObject | undefined): Promise<void> {
    const { cluster, strategy, owner, extraLabels, serverSide, takeOver, ignore, signal } = this.#options;
    const managers = strategy === "apply" ? serverSide?.managers : undefined;
    const recorded = this.#inventory.get(id);
    const { live, isManaged, isUnchanged, isNewGeneration } = await applyObject({
      cluster,
      type,
      rule: { manifest, strategy, owner, extraLabels, recorded, managers, ignore },
      seen,
      force: serverSide?.force,
      takeOver,
      signal,
    });
    const uid = live?.metadata.uid;
    const readyWithoutStatus = recorded?.resource.uid === uid ? recorded?.readyWithoutStatus : undefined;
    const entry = isManaged
      ? inventoryEntry(manifest, { uid, fieldManager: managers?.manager, readyWithoutStatus })
      : undefined;
    this.#applied.set(id, { entry, live, isUnchanged, isNewGeneration });
  }

  /** CRDs of this set that are not established hold their objects back. */
  async awaitCrds(): Promise<void> {
    const { manifests, cluster, signal } = this.#options;
    for (const { manifest, policy } of manifests) {
      const reference = referenceTo(manifest);
      if (!isCustomResourceDefinition(reference) || policy === "ignore") continue;
      const id = resourceId(reference);
      const known = this.#applied.get(id);
      if (isEstablished(known?.live)) continue;
      await this.#collectFailure(async () => {
        const live = known === undefined ? undefined : await findLive(cluster, reference, signal);
        if (known !== undefined) this.#applied.set(id, { ...known, live });
        if (isEstablished(live)) return;
        for (const kind of crdTypes([manifest]).kinds) this.#unestablished.add(kind);
        if (known === undefined) return;
        this.#waitingFor.push(`${formatResource(reference)} to be established`);
        this.#awaited.push(awaitObject(cluster, reference));
      });
    }
  }

  result(): ApplyResult {
    const waiting = { waitingFor: this.#waitingFor, awaited: this.#awaited };
    return { applied: this.#applied, failures: this.#failures, ...waiting };
  }

  /** Runs `work`; a LandscaperError is kept for the end, everything else (an abort) ends the run. */
  async #collectFailure(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.signal.throwIfAborted();
      if (!(error instanceof LandscaperError)) throw error;
      this.#failures.push(error);
    }
  }
}
