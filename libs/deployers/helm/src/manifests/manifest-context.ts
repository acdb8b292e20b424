import type { DeployContext, ProviderStatus } from "@landscaper/deployer";
import { readInventory, type ManifestConfig } from "@landscaper/manifest-deployer-lib";
import type { HelmConfig } from "../helm-config.ts";
import { readHelmStatus, writeHelmStatus, type HelmStatus } from "../helm-status.ts";

/** What a job of the manifest deployer keeps in memory. */
export interface Slot {
  value?: unknown;
}

/** What the manifest deployer finds in the status of a helm item. */
export function inventoryStatus(status: HelmStatus): ProviderStatus {
  const { managedResources, deletionGroups } = status;
  return { managedResources, ...(deletionGroups === undefined ? {} : { deletionGroups }) };
}

/** The context of a helm item as the manifest deployer sees it; `config` may throw LandscaperError. */
export function manifestContext(
  context: DeployContext<HelmConfig>,
  config: () => ManifestConfig,
  slot: Slot,
): DeployContext<ManifestConfig> {
  const { target, landscaper, findItem, host, clock, log, signal } = context;
  const { removals, warn, announce, noteWork, noteChange, reportConditions, remainingMs } = context;
  return {
    get item() {
      return context.item;
    },
    get config() {
      return config();
    },
    get providerStatus() {
      return inventoryStatus(readHelmStatus(context.providerStatus));
    },
    report: (reported) => {
      const { deletionGroups } = reported;
      const groups = deletionGroups as HelmStatus["deletionGroups"];
      context.report(
        writeHelmStatus({
          ...readHelmStatus(context.providerStatus),
          managedResources: readInventory(reported),
          deletionGroups: groups,
        }),
      );
    },
    reportConditions,
    remainingMs,
    persist: context.persist,
    memory: <State>(create: () => State): State => {
      slot.value ??= create();
      // One job keeps one state: what it reads is what it made.
      return slot.value as State;
    },
    removals,
    warn,
    announce,
    noteWork,
    noteChange,
    target,
    landscaper,
    findItem,
    host,
    clock,
    log,
    signal,
  };
}
