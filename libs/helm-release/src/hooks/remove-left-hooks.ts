import { findLive, referenceTo, resourceId } from "@landscaper/resources";
import type { RevisionsAtWork } from "../records/decide-release.ts";
import { isLeftBehind, isToBeGone } from "./hook-progress.ts";
import { isMarked, isOfAnotherRelease } from "../objects/ownership.ts";
import type { ReleaseContext } from "../release-context.ts";
import { locateObjects, parseManifest } from "../objects/release-objects.ts";
import { deleteObject } from "../objects/remove-objects.ts";

interface LeftHooksOptions {
  /** `resourceId`s of what is not to be touched. */
  readonly spared: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** Removes objects of hooks that revisions which were interrupted, or failed, have left against their policies. */
export async function removeLeftHooks(
  { cluster, name, namespace }: ReleaseContext,
  { former, isDeployed, others }: RevisionsAtWork,
  { spared, signal }: LeftHooksOptions,
): Promise<void> {
  const records = former === undefined || isDeployed ? others : [former, ...others];
  for (const record of records) {
    for (const hook of record.hooks.filter((each) => each.last_run.started_at !== "" && isToBeGone(each))) {
      const manifest = await parseManifest(hook.manifest);
      for (const item of await locateObjects(cluster, manifest, { namespace, anyVersion: true, signal })) {
        const reference = referenceTo(item.object);
        const live = spared.has(resourceId(reference)) ? undefined : await findLive(cluster, reference, signal);
        if (live === undefined || !isLeftBehind(live, hook, [record])) continue;
        // Hooks bear no marks.
        const release = { name, namespace };
        if (isMarked(live, release) || isOfAnotherRelease(live, release)) continue;
        if (live.kind !== "CustomResourceDefinition")
          await deleteObject(live, { cluster, uid: live.metadata.uid, signal });
      }
    }
  }
}
