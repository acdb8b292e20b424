import type { Warning } from "@landscaper/api";
import {
  isExpiring,
  referenceTo,
  resourceId,
  type IgnoreRule,
  type ObjectChange,
  type PlanSecrets,
} from "@landscaper/resources";
import { applyObjects, type ServerSideApply } from "./objects/apply-objects.ts";
import { findChangedObjects, type ChangedObject } from "./objects/changed-objects.ts";
import { previewObjects } from "./objects/preview-revision.ts";
import { locateObjects, parseManifest } from "./objects/release-objects.ts";
import type { ReleaseRecord } from "./records/release-record.ts";
import type { ReleaseContext, ReleaseWait } from "./release-context.ts";

export interface RestorationOptions {
  /** In place of the three-way merge. */
  readonly serverSideApply?: ServerSideApply | undefined;
  /** Fields of objects that other clients set. */
  readonly ignore?: readonly IgnoreRule[] | undefined;
  /** Leaves out Jobs that Kubernetes has removed after they finished (`ttlSecondsAfterFinished`). */
  readonly omitsExpired?: boolean | undefined;
}

type RestoredRelease = Pick<ReleaseContext, "cluster" | "name" | "namespace"> & {
  readonly warn?: ((warning: Warning) => void) | undefined;
};

/**
 * Brings the objects of a deployed revision back to what the revision says, without a new revision: creates what is missing, and changes the
 * fields that the revision has. Hooks do not run, and what others have added stays.
 */
export class Restoration {
  readonly #release: RestoredRelease;
  readonly #options: RestorationOptions;
  readonly record: ReleaseRecord;
  #hasChanged = false;

  constructor(release: RestoredRelease, record: ReleaseRecord, options: RestorationOptions) {
    this.#release = release;
    this.record = record;
    this.#options = options;
  }

  /** Whether the restoration wrote anything. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  /** Returns undefined if all objects match the revision. Throws LandscaperError for the first object that fails. */
  async advance(signal: AbortSignal): Promise<ReleaseWait | undefined> {
    const { cluster, name, namespace, warn } = this.#release;
    const { serverSideApply, ignore } = this.#options;
    const release = { name, namespace };
    const changed = await findChanged({ ...this.#release, ...this.#options, record: this.record, signal });
    if (changed.length === 0) return undefined;
    const deployed = changed.map(({ object, type }) => ({ object, type, isDeployed: true, otherForms: [] }));
    const applied = await applyObjects({
      cluster,
      release,
      objects: changed,
      past: new Map(deployed.map((item) => [resourceId(referenceTo(item.object)), item])),
      hooks: new Set(),
      definitions: new Set(),
      takeOwnership: false,
      force: false,
      serverSideApply,
      ignore,
      warn,
      signal,
    });
    if ("waitingFor" in applied) return applied;
    const versions = new Set(changed.map(({ live }) => live?.metadata.resourceVersion));
    this.#hasChanged ||= applied.some(({ metadata }) => !versions.has(metadata.resourceVersion));
    return undefined;
  }
}

export interface RevisionCheckOptions extends RestorationOptions, RestoredRelease {
  readonly record: Pick<ReleaseRecord, "manifest">;
  /** Values of Secrets are masked anyway. */
  readonly secrets?: PlanSecrets | undefined;
  readonly signal: AbortSignal;
}

/** Returns the changes of a `Restoration`, found by dry runs. Throws LandscaperError if a request fails. */
export async function previewRestoration(options: RevisionCheckOptions): Promise<readonly ObjectChange[]> {
  const { name, namespace } = options;
  const changed = await findChanged(options);
  if (changed.length === 0) return [];
  const former = new Map(changed.map((item) => [resourceId(referenceTo(item.object)), item]));
  const objects = changed.map(({ object }) => object);
  const changes = await previewObjects(objects, { ...options, release: { name, namespace }, former });
  const leaving = new Set([...former].flatMap(([id, { live }]) => (live?.metadata.deletionTimestamp ? [id] : [])));
  const planned = changes.map((change) =>
    leaving.has(resourceId(change.resource)) ? { ...change, type: "create" as const, fields: [] } : change,
  );
  return planned.filter(({ type }) => type !== "unchanged");
}

async function findChanged(options: RevisionCheckOptions): Promise<readonly ChangedObject[]> {
  const { cluster, name, namespace, record, ignore, omitsExpired = false, signal } = options;
  const objects = await locateObjects(cluster, await parseManifest(record.manifest), { namespace, signal });
  const changed = await findChangedObjects(objects, { cluster, release: { name, namespace }, ignore, signal });
  return changed.filter(({ object, live }) => live !== undefined || !omitsExpired || !isExpiring(object));
}
