import type { DeployContext } from "@landscaper/deployer";
import { leaveObjects } from "@landscaper/manifest-deployer-lib";
import { readHelmStatus } from "./helm-status.ts";
import { isOfAnother, releaseContext } from "./release/release-access.ts";

/** The item goes, and what it has deployed stays: takes its marks off releases and objects. Throws LandscaperError. */
export async function leaveItem(context: DeployContext<unknown>): Promise<void> {
  const { release, formerReleases, managedResources, formerResources } = readHelmStatus(context.providerStatus);
  const releases = release === undefined ? formerReleases : [...formerReleases, release];
  for (const each of releases) {
    const { store } = releaseContext(each, await context.target.cluster(), context);
    try {
      await store.unmark(await store.history(context), context);
    } catch (error) {
      if (!isOfAnother(error)) throw error;
    }
  }
  await leaveObjects([...managedResources, ...formerResources], context);
}
