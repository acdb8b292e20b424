import { LandscaperError } from "@landscaper/api";
import type { DeployContext } from "@landscaper/deployer";
import { leaveObjects } from "@landscaper/manifest-deployer-lib";
import { combineFailures } from "@landscaper/resources";
import { readHelmStatus, type ReleaseName } from "./helm-status.ts";
import { isOfAnother, releaseContext } from "./release/release-access.ts";

/** Removes the marks of the item from its releases and objects. Throws LandscaperError that names those whose marks may remain. */
export async function leaveItem(context: DeployContext<unknown>): Promise<void> {
  const { release, formerReleases, managedResources, formerResources } = readHelmStatus(context.providerStatus);
  const works = [
    ...formerReleases.map((each) => async () => leaveRelease(each, context)),
    ...(release === undefined ? [] : [async () => leaveRelease(release, context)]),
    async () => leaveObjects([...managedResources, ...formerResources], context),
  ];
  const failures: LandscaperError[] = [];
  for (const work of works) {
    try {
      await work();
    } catch (error) {
      context.signal.throwIfAborted();
      if (!(error instanceof LandscaperError)) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw combineFailures(failures, works.length);
}

async function leaveRelease(release: ReleaseName, context: DeployContext<unknown>): Promise<void> {
  const { store } = releaseContext(release, await context.target.cluster(), context);
  try {
    await store.unmark(await store.history(context), context);
  } catch (error) {
    if (!isOfAnother(error)) throw error;
  }
}
