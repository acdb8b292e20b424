import { LandscaperError } from "@landscaper/api";
import type { DeleteOutcome, DeployContext } from "@landscaper/deployer";
import type { StandaloneHooks } from "@landscaper/helm-release";
import { uninstallManifests } from "@landscaper/manifest-deployer-lib";
import type { HelmConfig } from "./helm-config.ts";
import { readHelmStatus, writeHelmStatus, type HelmStatus, type ReleaseName } from "./helm-status.ts";
import { manifestContext, type Slot } from "./manifests/manifest-context.ts";
import { advanceHooks, deletionHooks, forgetHooks } from "./manifests/manifest-hooks.ts";
import { emptyConfig } from "./manifests/manifest-mode.ts";
import { uninstallRelease, type Uninstalls } from "./release/uninstall-release.ts";

/** What is done of a deletion, so that the passes that only wait need not repeat it. */
interface Progress {
  readonly uninstalls: Uninstalls;
  readonly slot: Slot;
  hooks: StandaloneHooks | undefined;
}

/** One pass of the deletion of what an item has deployed. Needs neither chart nor registry, and no configuration that can be read. */
export async function removeItem(context: DeployContext<HelmConfig>): Promise<DeleteOutcome> {
  const { providerStatus, signal } = context;
  if (providerStatus === undefined) return "done";
  const status = readHelmStatus(providerStatus);
  const progress = context.memory<Progress>(() => ({ uninstalls: new Map(), slot: {}, hooks: undefined }));
  const { uninstalls } = progress;
  const wait = configOf(context)?.options.uninstall?.wait ?? true;
  for (const release of releasesOf(context, status)) {
    const waiting = await uninstallRelease(release, context, { uninstalls, wait });
    if (waiting !== undefined) return waiting;
  }
  progress.hooks ??= await deletionHooks(context);
  const waitingBefore = await advanceHooks(progress.hooks, "pre", signal);
  if (waitingBefore !== undefined) return waitingBefore;
  const outcome = await removeManifests(context, progress.slot);
  if (outcome !== "done") return outcome;
  const waitingAfter = await advanceHooks(progress.hooks, "post", signal);
  if (waitingAfter !== undefined) return waitingAfter;
  await forgetHooks(context);
  return "done";
}

async function removeManifests(context: DeployContext<HelmConfig>, slot: Slot): Promise<DeleteOutcome> {
  const status = readHelmStatus(context.providerStatus);
  // A release has taken its workloads with it.
  const own = status.mode === "manifests" ? status.managedResources : [];
  const managedResources = [...own, ...status.formerResources];
  if (managedResources.length === 0) return "done";
  context.report(writeHelmStatus({ ...status, mode: "manifests", managedResources, formerResources: [] }));
  const config = () => emptyConfig(context.config);
  return await uninstallManifests(manifestContext(context, config, slot));
}

/** Of an item that the original has deployed, the status does not name the release. */
function releasesOf(context: DeployContext<HelmConfig>, { mode, release, formerReleases }: HelmStatus): ReleaseName[] {
  if (mode !== undefined) return [...(release === undefined ? [] : [release]), ...formerReleases];
  const config = configOf(context);
  return config?.isRelease === true ? [{ name: config.name, namespace: config.namespace }] : [];
}

function configOf(context: DeployContext<HelmConfig>): HelmConfig | undefined {
  try {
    return context.config;
  } catch (error) {
    if (error instanceof LandscaperError) return undefined;
    throw error;
  }
}
