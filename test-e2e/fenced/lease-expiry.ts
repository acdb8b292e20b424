import type { Lease } from "@landscaper/api";

/** Returns when the Lease expires (ms since the epoch): no other holder may take it before. */
export function leaseExpiryMs({ renewTime = "", leaseDurationSeconds = NaN }: NonNullable<Lease["spec"]>): number {
  return Date.parse(renewTime) + leaseDurationSeconds * 1000;
}
