/**
 * Longest duration of a Lease, in seconds. Flags and the admission policy `leases.bounds` refuse a longer duration. Every reader counts a longer
 * duration as this one (docs/reference/deployer-management.md#leases).
 */
export const maxLeaseDurationSeconds = 600;

/**
 * CEL and JavaScript pattern of the names of deployers' Leases: a dot and eight hexadecimal digits at the end. The Leases of cores and agents have no dot,
 * so a deployer cannot take one of these names.
 */
export const deployerLeaseName = "^.+[.][0-9a-f]{8}$";

/** Label of the Leases of all deployers of one type: the SHA-1 of the type, in hexadecimal digits. */
export const leaseTypeLabel = "deployer.landscaper.gardener.cloud/claims-of";
/** Label of the Leases of the replicas that share DeployItems. */
export const leaseGroupLabel = "deployer.landscaper.gardener.cloud/replicas-of";
