import { LandscaperError, type UnstructuredObject } from "@landscaper/api";
import { applyManifests, type ApplyResult } from "../apply/apply-manifests.ts";
import { applyObject } from "../apply/apply-object.ts";
import { createDryRunCluster } from "./dry-run-client.ts";
import { isExpiring } from "./expiring-objects.ts";
import { diffObjects, type FieldChange } from "./field-diff.ts";
import type { ManagedResource, Manifest } from "../manifests/manifest.ts";
import { mapBounded } from "../map-bounded.ts";
import { ChangeMask } from "./mask-changes.ts";
import { withoutOwnerMark } from "../cluster/owner-label.ts";
import type { PlanOptions } from "./plan-diff.ts";
import { formatResource, referenceTo, resourceId, type ResourceReference } from "../cluster/resource-reference.ts";
import { findLive, findType } from "../cluster/target-cluster.ts";

/** An object that is no longer as it was deployed. */
export interface Drift {
  readonly resource: ResourceReference;
  readonly type: "changed" | "missing";
  /** Masked: `from` the target to `to` what was deployed. */
  readonly fields: readonly FieldChange[];
  readonly manifest: Manifest;
}

export interface DriftReport {
  readonly drifts: readonly Drift[];
  /** Objects that could not be compared. */
  readonly failures: readonly LandscaperError[];
}

const defaultConcurrency = 10;

/**
 * One pass over the objects of a finished job: which of them differ from what was deployed. The comparison is what a dry run of
 * the same write would change, so that defaults of the target are no drift; labels and annotations that others have added are
 * none either, nor are Jobs that have expired. Nothing changes on the target. Objects with policy `ignore` or `immutable`, and those that `fallback` has
 * released, are not looked at.
 */
export async function detectDrift(options: PlanOptions): Promise<DriftReport> {
  const { manifests, inventory, concurrency: limit = defaultConcurrency, signal } = options;
  const cluster = createDryRunCluster(options.cluster);
  const managed = new Map(inventory.map((entry) => [resourceId(entry.resource), entry]));
  const compared = manifests.filter(
    ({ policy, manifest }) =>
      policy !== "ignore" && policy !== "immutable" && managed.has(resourceId(referenceTo(manifest))),
  );
  const failures: LandscaperError[] = [];
  const found = await mapBounded(compared, { limit, signal }, async (manifest) => {
    try {
      const recorded = managed.get(resourceId(referenceTo(manifest.manifest)));
      return await compare({ manifest, recorded }, { ...options, cluster });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof LandscaperError)) throw error;
      failures.push(error);
      return undefined;
    }
  });
  const raw = found.filter((drift) => drift !== undefined);
  const forms = raw.flatMap(({ live, manifest }) => [live, manifest.manifest]);
  const mask = new ChangeMask(forms, options.secrets);
  const masked = await mask.mask(raw.map(({ resource, fields }) => ({ object: resource, fields })));
  const drifts = raw.map(({ live: _live, ...drift }, index) => ({ ...drift, fields: masked[index] ?? [] }));
  return { drifts, failures };
}

interface RawDrift extends Drift {
  readonly live: UnstructuredObject | undefined;
}

async function compare(
  { manifest, recorded }: { readonly manifest: Manifest; readonly recorded: ManagedResource | undefined },
  options: PlanOptions,
): Promise<RawDrift | undefined> {
  const { cluster, strategy, owner, extraLabels, serverSide, ignore, signal } = options;
  const { uid: _uid, ...resource } = referenceTo(manifest.manifest);
  const live = await findLive(cluster, resource, signal);
  const base = { resource, live, manifest };
  if (live === undefined) return isExpiring(manifest.manifest) ? undefined : { ...base, type: "missing", fields: [] };
  const type = await findType(cluster, resource, signal);
  const managers = strategy === "apply" ? serverSide?.managers : undefined;
  const rule = { manifest, strategy, owner, extraLabels, recorded, managers, ignore };
  // Whose the fields are is no question here: what was deployed is compared.
  const { live: after, isManaged } = await applyObject({ cluster, type, rule, force: true, signal });
  if (!isManaged || after === undefined) return undefined;
  const fields = diffObjects(withoutOwnerMark(live), withoutOwnerMark(after)).filter(isDrift);
  return fields.length === 0 ? undefined : { ...base, type: "changed", fields };
}

/** Labels and annotations that somebody has added are no drift, although strategies such as update would remove them. */
function isDrift({ path, type }: FieldChange): boolean {
  return type !== "removed" || !path.startsWith(".metadata");
}

/**
 * Brings the drifted objects back to what was deployed, except for ignored fields and fields of the cluster. With strategy `apply`, takes the
 * ownership of these fields from other managers.
 */
export async function correctDrift(options: PlanOptions, drifts: readonly Drift[]): Promise<ApplyResult> {
  const { serverSide } = options;
  return await applyManifests({
    ...options,
    manifests: drifts.map(({ manifest }) => manifest),
    serverSide: serverSide === undefined ? undefined : { ...serverSide, force: true },
  });
}

const maxNamedObjects = 10;
const maxNamedFields = 10;

/** The drifted objects and their fields, without values: the message of a condition. */
export function describeDrifts(drifts: readonly Pick<Drift, "resource" | "type" | "fields">[]): string {
  if (drifts.length === 0) return "everything is as it was deployed";
  const named = drifts.slice(0, maxNamedObjects).map(({ resource, type, fields }) => {
    if (type === "missing") return `${formatResource(resource)} does not exist`;
    const paths = fields.slice(0, maxNamedFields).map(({ path }) => path);
    const more = fields.length > maxNamedFields ? ` and ${fields.length - maxNamedFields} more` : "";
    return `${formatResource(resource)}: ${paths.join(", ")}${more}`;
  });
  const unnamed = drifts.length - named.length;
  return `${named.join("; ")}${unnamed > 0 ? `; and ${unnamed} more objects` : ""}`;
}
