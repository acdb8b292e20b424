import { annotations, type DeployItem } from "@landscaper/api";
import type { DeleteOutcome, Deployer, Outcome } from "@landscaper/deployer";
import { abandonRun, isRunLeft } from "./run/abandon-run.ts";
import { cleanUp } from "./host/clean-up.ts";
import { placeFor } from "./host/host-objects.ts";
import { parseContainerConfig, warnOfContainerConfig, type ContainerConfig } from "./container-config.ts";
import { previewRun } from "./run/preview-run.ts";
import { ProgramRun, type Context } from "./run/program-run.ts";
import { identityOf } from "./run/run-identity.ts";
import type { RunMemory } from "./run/run-memory.ts";
import { readStatus, recordOf } from "./run/run-status.ts";
import type { ContainerSettings } from "./settings.ts";
import { sweepForever } from "./host/sweep.ts";

/** `spec.type` of container items. */
export const containerDeployItemType = "landscaper.gardener.cloud/container";
export const containerDeployerName = "container.deployer.landscaper.gardener.cloud";

/** The deployer of programs in containers (docs/reference/container-deployer.md). */
export function createContainerDeployer(settings: ContainerSettings): Deployer<ContainerConfig> {
  return {
    type: containerDeployItemType,
    name: containerDeployerName,
    version: settings.version,
    parseConfig: parseContainerConfig,
    findWarnings: ({ spec }) => warnOfContainerConfig("spec.config", spec.config),
    reconcile: async (context) => await reconcile(context, settings),
    delete: async (context) => await remove(context, settings),
    abandon: async (context) => await abandonRun(context, placeFor(identityOf(context.item), context, settings)),
    isLeft: isRunLeft,
    isForced: isCleanupForced,
    continuousReconcile: (config) => config.continuousReconcile,
    preview: async (context) => await previewRun(context, settings),
    background: async (context) => await sweepForever(context, settings),
  };
}

async function reconcile(context: Context, settings: ContainerSettings): Promise<Outcome> {
  const end = await new ProgramRun(context, settings, "RECONCILE").pass();
  if (end.type === "waiting") return end;
  context.noteChange();
  return end;
}

function isCleanupForced({ metadata }: DeployItem): boolean {
  return metadata.annotations?.[annotations.containerForceCleanup] === "true";
}

/** The program takes back what it has made, before anything of the item is removed. */
async function remove(context: Context, settings: ContainerSettings): Promise<DeleteOutcome> {
  const isForced = isCleanupForced(context.item);
  const hasRun = recordOf(readStatus(context.providerStatus)) !== undefined;
  if (hasRun && !isForced) {
    const end = await new ProgramRun(context, settings, "DELETE").pass();
    if (end.type === "waiting") return end;
    await end.settle();
  }
  const { jobID = "" } = context.item.status ?? {};
  const memory = context.memory<RunMemory>(() => ({}));
  // Another job may have run the program again.
  if (memory.removed?.jobID !== jobID) memory.removed = { jobID, kinds: new Set() };
  return (await cleanUp(placeFor(identityOf(context.item), context, settings), memory.removed.kinds)) ?? "done";
}
