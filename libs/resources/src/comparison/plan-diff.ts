import { isNamespace } from "../manifests/group-manifests.ts";
import { LandscaperError, type UnstructuredObject, type UpdateStrategy } from "@landscaper/api";
import { ownTurn } from "@landscaper/controller-runtime";
import { createMergePatch } from "@landscaper/patch";
import type { ServerSideOptions } from "../apply/apply-manifests.ts";
import { applyObject, type ApplyObjectResult } from "../apply/apply-object.ts";
import { crdTypes, type DefinedTypes } from "../apply/custom-resource-definitions.ts";
import { dropServerFields } from "../apply/required-fields.ts";
import { decideRemoval } from "../deletion/decide-removal.ts";
import { createDryRunCluster } from "./dry-run-client.ts";
import { diffObjects, type FieldChange } from "./field-diff.ts";
import { foreseePruning } from "./foresee-pruning.ts";
import type { IgnoreRule } from "../fields/ignore-rules.ts";
import type { ManagedResource, Manifest } from "../manifests/manifest.ts";
import { mapBounded } from "../map-bounded.ts";
import { ChangeMask } from "./mask-changes.ts";
import type { PlanSecrets } from "./plan-secrets.ts";
import { withoutOwnerMark, type OwnerLabel } from "../cluster/owner-label.ts";
import type { TakeOver } from "../cluster/take-over.ts";
import type { UnstructuredType } from "../cluster/discovery.ts";
import { resourceFailure } from "../cluster/resource-failure.ts";
import {
  keyOfReference,
  missingNamespace,
  referenceTo,
  resourceId,
  type ResourceReference,
} from "../cluster/resource-reference.ts";
import { findRecorded, findType, type TargetCluster } from "../cluster/target-cluster.ts";

export interface PlanOptions {
  readonly cluster: TargetCluster;
  /** Expanded (`expandManifests`). */
  readonly manifests: readonly Manifest[];
  readonly inventory: readonly ManagedResource[];
  /** CRDs that are there before the manifests are applied, without being among them. */
  readonly definitions?: readonly UnstructuredObject[] | undefined;
  /** Namespaces that are created before the manifests are applied, without being among them. */
  readonly namespaces?: readonly string[] | undefined;
  readonly strategy: UpdateStrategy;
  readonly serverSide?: ServerSideOptions | undefined;
  readonly owner: OwnerLabel;
  readonly extraLabels?: Readonly<Record<string, string>> | undefined;
  /** See ApplyOptions. */
  readonly ignore?: readonly IgnoreRule[] | undefined;
  /** See ApplyOptions. */
  readonly takeOver?: TakeOver | undefined;
  /** Values of Secrets are masked anyway. */
  readonly secrets?: PlanSecrets | undefined;
  readonly concurrency?: number | undefined;
  readonly signal: AbortSignal;
}

/** What a job would do with one object. */
export interface ObjectChange {
  readonly resource: ResourceReference;
  /** "blocked": the target, or a rule of ours, would refuse it; `problem` says why. */
  readonly type: "create" | "update" | "delete" | "unchanged" | "blocked";
  /** Masked; of an object that is deleted or blocked nothing is listed. */
  readonly fields: readonly FieldChange[];
  readonly problem?: string | undefined;
}

/** Before masking: the forms that are compared. */
interface RawChange extends Omit<ObjectChange, "fields"> {
  readonly from?: UnstructuredObject | undefined;
  readonly to?: UnstructuredObject | undefined;
}

const defaultConcurrency = 10;
/** Failures that say nothing about an object: no plan can be made. */
const targetFailures: ReadonlySet<string> = new Set(["TargetUnreachable", "TargetUnavailable", "TargetUnauthorized"]);

/**
 * What a job with these manifests would change on the target, object by object, in the order of the manifests, then what it would
 * delete. Every write is sent as a dry run, by a client that can send no other: nothing changes, and defaults, webhooks and
 * policies of the target count. Failures to read, and a target that does not answer, are thrown as LandscaperError.
 */
export async function planDiff(options: PlanOptions): Promise<ObjectChange[]> {
  const { manifests, concurrency: limit = defaultConcurrency, signal } = options;
  const cluster = createDryRunCluster(options.cluster);
  const plan = new PlanPass({ ...options, cluster });
  const written = await mapBounded(manifests, { limit, signal }, async (manifest) => await plan.write(manifest));
  const removed = await mapBounded(plan.orphans(), { limit, signal }, async (entry) => await plan.remove(entry));
  const changes = [...written, ...removed].filter((change) => change !== undefined);
  const forms = changes.flatMap(({ from, to }) => [from, to]);
  const mask = new ChangeMask([...manifests.map(({ manifest }) => manifest), ...forms], options.secrets);
  const shown = await mapBounded(changes, { limit: 1, signal }, async ({ type, resource, from, to }) => ({
    object: resource,
    fields: type === "delete" || type === "blocked" ? [] : diffObjects(unmarked(from), unmarked(to)),
  }));
  await ownTurn();
  const masked = await mask.mask(shown);
  await ownTurn();
  return changes.map(({ from: _from, to: _to, ...change }, index) => {
    const fields = masked[index] ?? [];
    return { ...change, type: change.type === "update" && fields.length === 0 ? "unchanged" : change.type, fields };
  });
}

function unmarked(object: UnstructuredObject | undefined): UnstructuredObject | undefined {
  return object && withoutOwnerMark(object);
}

function isOfTarget({ reason }: LandscaperError): boolean {
  return targetFailures.has(reason);
}

class PlanPass {
  readonly #options: PlanOptions;
  readonly #defined: DefinedTypes;
  readonly #namespaces: ReadonlySet<string>;
  readonly #inventory: ReadonlyMap<string, ManagedResource>;

  constructor(options: PlanOptions) {
    this.#options = options;
    const objects = options.manifests.map(({ manifest }) => manifest);
    this.#defined = crdTypes([...(options.definitions ?? []), ...objects]);
    const namespaces = objects.filter(isNamespace);
    const names = namespaces.map(({ metadata }) => metadata.name ?? "");
    this.#namespaces = new Set([...(options.namespaces ?? []), ...names]);
    this.#inventory = new Map(options.inventory.map((entry) => [resourceId(entry.resource), entry]));
  }

  /** Undefined for what the job would not touch at all. */
  async write(manifest: Manifest): Promise<RawChange | undefined> {
    if (manifest.policy === "ignore") return undefined;
    const { cluster, signal } = this.#options;
    const { uid: _uid, ...resource } = referenceTo(manifest.manifest);
    // A reference of no object is blocked below.
    const live = await findRecorded(cluster, resource, signal);
    try {
      const { isManaged, live: to } = await this.#dryRun(manifest, { resource, live });
      if (!isManaged || to === undefined) return undefined;
      return { resource, type: live === undefined ? "create" : "update", from: live, to };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof LandscaperError) || isOfTarget(error)) throw error;
      // Its kind or its namespace comes with the job: there is nobody yet who could check it.
      if (live === undefined && this.#comesLater(resource)) return { resource, type: "create", to: manifest.manifest };
      return { resource, type: "blocked", from: live, problem: error.message };
    }
  }

  async #dryRun(
    manifest: Manifest,
    { resource, live }: { readonly resource: ResourceReference; readonly live: UnstructuredObject | undefined },
  ): Promise<ApplyObjectResult> {
    const { cluster, strategy, owner, extraLabels, serverSide, takeOver, ignore, signal } = this.#options;
    const type = this.#defined.typeOf(resource) ?? (await findType(cluster, resource, signal));
    if (type.namespaced && resource.namespace === undefined) throw missingNamespace(resource);
    const managers = strategy === "apply" ? serverSide?.managers : undefined;
    const recorded = this.#inventory.get(resourceId(resource));
    const rule = { manifest, strategy, owner, extraLabels, recorded, managers, ignore };
    const result = await applyObject({ cluster, type, rule, force: serverSide?.force, takeOver, signal });
    const { decision, live: applied } = result;
    if (decision?.type !== "apply" || managers === undefined || live === undefined || applied === undefined)
      return result;
    const left = foreseePruning(applied, decision, managers.manager);
    // Defaults take the place of what goes.
    return left === undefined ? result : { ...result, live: await this.#change(type, { from: live, to: left }) };
  }

  /** By a patch: an apply needs no other right. */
  async #change(
    type: UnstructuredType,
    { from, to }: { readonly from: UnstructuredObject; readonly to: UnstructuredObject },
  ): Promise<UnstructuredObject> {
    const { cluster, signal } = this.#options;
    const reference = referenceTo(to);
    const body = createMergePatch(dropServerFields(from), dropServerFields(to));
    try {
      const key = keyOfReference(reference, type.namespaced);
      return await cluster.client.patch(type, key, { type: "merge", body, signal });
    } catch (error) {
      throw await resourceFailure(error, { verb: "apply", reference, sent: to, secrets: cluster.sentSecrets });
    }
  }

  #comesLater(resource: ResourceReference): boolean {
    return this.#defined.typeOf(resource) !== undefined || this.#namespaces.has(resource.namespace ?? "");
  }

  orphans(): ManagedResource[] {
    const { manifests, inventory } = this.#options;
    const ids = new Set(manifests.map(({ manifest }) => resourceId(referenceTo(manifest))));
    return inventory.filter(({ resource }) => !ids.has(resourceId(resource)));
  }

  async remove(entry: ManagedResource): Promise<RawChange | undefined> {
    const { cluster, owner, signal } = this.#options;
    const live = await findRecorded(cluster, entry.resource, signal);
    const { type } = decideRemoval(entry, live, owner);
    if (type !== "delete" && type !== "prepare" && type !== "terminating") return undefined;
    const { uid: _uid, ...resource } = entry.resource;
    return { resource, type: "delete", from: live };
  }
}
