import {
  createParser,
  deployerApiVersion,
  providerStatusSchema,
  type DeletionGroup,
  type ProviderStatus as InventoryStatus,
} from "@landscaper/api";
import type { ProviderStatus } from "@landscaper/deployer";
import type { ManagedResource } from "@landscaper/resources";

const parseStatus = createParser<InventoryStatus>(providerStatusSchema, "ProviderStatus");
const apiVersion = deployerApiVersion("manifest", "v1alpha2");

/**
 * The inventory of an item. Throws LandscaperError when the status is damaged: nothing must be forgotten because it cannot be read.
 * Entries of v1alpha1 are bare references (deployers.md §2.2).
 */
export function readInventory(status: ProviderStatus | undefined): ManagedResource[] {
  const { managedResources = [] } = parse(status);
  return managedResources.map(({ resource, ...entry }) => {
    const { apiVersion: version = "", kind = "", name = "", ...rest } = resource;
    return { ...entry, resource: { apiVersion: version, kind, name, ...rest } };
  });
}

/** The deletion groups of the last job; undefined when it had none. */
export function readDeletionGroups(status: ProviderStatus | undefined): readonly DeletionGroup[] | undefined {
  return parse(status).deletionGroups;
}

function parse(status: ProviderStatus | undefined): InventoryStatus {
  return status === undefined ? {} : parseStatus(upgrade(status), "status.providerStatus");
}

/** The provider status that says that these objects are (about to be) managed, and how they will be deleted. */
export function writeInventory(
  entries: readonly ManagedResource[],
  deletionGroups: readonly DeletionGroup[] | undefined,
): ProviderStatus {
  const status = { apiVersion, kind: "ProviderStatus", managedResources: entries };
  return deletionGroups === undefined ? status : { ...status, deletionGroups };
}

function upgrade(status: ProviderStatus): unknown {
  const entries = status["managedResources"];
  if (status["apiVersion"] !== deployerApiVersion("manifest") || !Array.isArray(entries)) return status;
  const isReference = (entry: unknown): boolean =>
    typeof entry === "object" && entry !== null && !("resource" in entry);
  return {
    ...status,
    managedResources: entries.map((entry: unknown) =>
      isReference(entry) ? { policy: "manage", resource: entry } : entry,
    ),
  };
}
