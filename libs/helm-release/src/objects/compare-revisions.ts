import type { UnstructuredObject } from "@landscaper/api";
import {
  compareObjects,
  referenceTo,
  resourceId,
  type ObjectChange,
  type ResourceReference,
} from "@landscaper/resources";
import { isDeepEqual } from "@landscaper/patch";
import { isKept } from "./ownership.ts";
import { placeObjects, type PlaceOptions } from "./place-objects.ts";
import { parseManifest, parseManifests } from "./release-objects.ts";
import type { HookRecord } from "../records/release-record.ts";

/** What of a revision is compared. */
export interface ComparedRevision {
  /** Without hooks. */
  readonly manifest: string;
  readonly hooks: readonly ComparedHook[];
}

type ComparedHook = Pick<HookRecord, "name" | "kind" | "path" | "manifest" | "events">;

/** What becomes of a hook of a release from one revision to the other. */
export interface HookChange {
  readonly type: "create" | "update" | "delete" | "unchanged";
  readonly kind: string;
  readonly name: string;
  readonly events: readonly string[];
}

export interface RevisionComparison {
  /** By what is written in the manifests, masked. */
  readonly changes: readonly ObjectChange[];
  /** Objects that only the first has and that stay, because of `helm.sh/resource-policy: keep`. */
  readonly kept: readonly ResourceReference[];
  readonly hooks: readonly HookChange[];
}

/** No manifest, no hooks: what was there before an installation. */
export const emptyRevision: ComparedRevision = { manifest: "", hooks: [] };

/**
 * What differs between two revisions as they are recorded. The cluster is asked only for which kinds are namespaced: objects without
 * namespace are in that of the release. Throws LandscaperError for a manifest that holds something else than objects.
 */
export async function compareRevisions(
  before: ComparedRevision,
  after: ComparedRevision,
  options: PlaceOptions,
): Promise<RevisionComparison> {
  const [former, wanted] = [await placedOf(before, options), await placedOf(after, options)];
  const all = await compareObjects(former, wanted);
  const keeping = new Map(former.filter(isKept).map((object) => [resourceId(referenceTo(object)), object]));
  const isStaying = ({ type, resource }: ObjectChange): boolean =>
    type === "delete" && keeping.has(resourceId(resource));
  return {
    changes: all.filter((change) => !isStaying(change)),
    kept: all.filter(isStaying).map(({ resource }) => resource),
    hooks: await compareHooks(before.hooks, after.hooks),
  };
}

async function placedOf({ manifest }: ComparedRevision, options: PlaceOptions): Promise<UnstructuredObject[]> {
  return await placeObjects(await parseManifest(manifest), options);
}

async function compareHooks(before: readonly ComparedHook[], after: readonly ComparedHook[]): Promise<HookChange[]> {
  const former = new Map(before.map((hook) => [idOf(hook), hook]));
  const wanted = new Set(after.map(idOf));
  const written = await Promise.all(
    after.map(async (hook): Promise<HookChange> => {
      const known = former.get(idOf(hook));
      const type = known === undefined ? "create" : (await isSameManifest(known, hook)) ? "unchanged" : "update";
      return changeOf(type, hook);
    }),
  );
  return [...written, ...before.filter((hook) => !wanted.has(idOf(hook))).map((hook) => changeOf("delete", hook))];
}

/** White space and comments do not count. */
async function isSameManifest(before: ComparedHook, after: ComparedHook): Promise<boolean> {
  if (before.manifest === after.manifest) return true;
  return isDeepEqual(await parseManifests([before.manifest]), await parseManifests([after.manifest]));
}

function changeOf(type: HookChange["type"], { kind, name, events }: ComparedHook): HookChange {
  return { type, kind, name, events: [...events] };
}

function idOf({ kind, name, path }: ComparedHook): string {
  return JSON.stringify([kind, name, path]);
}
