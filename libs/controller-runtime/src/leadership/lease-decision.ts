import { maxLeaseDurationSeconds, type Lease } from "@landscaper/api";

/**
 * A lease as last seen. `observedMs` is the time on our own Clock.elapsed when it last changed: clocks of other machines may be
 * wrong and ours may be set, so a lease expires when we have not seen it change for its duration, whatever its renewTime says.
 */
export interface ObservedLease {
  readonly lease: Lease;
  readonly observedMs: number;
}

export type LeaseDecision =
  | { readonly type: "create" }
  /** We hold it, or nobody does any more. */
  | { readonly type: "take"; readonly isNewHolder: boolean }
  /** Another one holds it; look again at this time (Clock.elapsed). */
  | { readonly type: "wait"; readonly untilMs: number; readonly holder: string };

/** Whether `identity` may take or keep the lease now (Clock.elapsed). */
export function decideLease(observed: ObservedLease | undefined, identity: string, elapsedMs: number): LeaseDecision {
  if (observed === undefined) return { type: "create" };
  const holder = observed.lease.spec?.holderIdentity ?? "";
  if (holder === identity) return { type: "take", isNewHolder: false };
  const untilMs = expiryOf(observed);
  if (holder === "" || elapsedMs >= untilMs) return { type: "take", isNewHolder: true };
  return { type: "wait", untilMs, holder };
}

/** Returns how long a Lease is valid after a change, in ms. A duration above the limit counts as the limit, because any holder can write any duration. */
export function validityMs({ spec }: Lease): number {
  return Math.min(spec?.leaseDurationSeconds ?? 0, maxLeaseDurationSeconds) * 1000;
}

/** Returns the time at which a Lease expires without a renewal, on Clock.elapsed (ms). */
export function expiryOf({ lease, observedMs }: ObservedLease): number {
  return observedMs + validityMs(lease);
}

/** The observation after reading the lease again: unchanged content keeps its old time. */
export function observeLease(previous: ObservedLease | undefined, lease: Lease, elapsedMs: number): ObservedLease {
  const isUnchanged = previous?.lease.metadata.resourceVersion === lease.metadata.resourceVersion;
  return previous !== undefined && isUnchanged ? previous : { lease, observedMs: elapsedMs };
}

export interface LeaseClaim {
  readonly identity: string;
  readonly durationMs: number;
  readonly nowMs: number;
  readonly isNewHolder: boolean;
}

/** The spec that claims or renews a lease. */
export function claimSpec(current: Lease["spec"], claim: LeaseClaim): NonNullable<Lease["spec"]> {
  const now = toMicroTime(claim.nowMs);
  const transitions = current?.leaseTransitions ?? 0;
  return {
    ...current,
    holderIdentity: claim.identity,
    leaseDurationSeconds: Math.max(1, Math.ceil(claim.durationMs / 1000)),
    acquireTime: claim.isNewHolder ? now : (current?.acquireTime ?? now),
    renewTime: now,
    leaseTransitions: claim.isNewHolder && current !== undefined ? transitions + 1 : transitions,
  };
}

/** The spec that gives a lease up: whoever sees it may take it at once. */
export function releaseSpec(current: Lease["spec"], nowMs: number): NonNullable<Lease["spec"]> {
  const now = toMicroTime(nowMs);
  return { ...current, holderIdentity: "", leaseDurationSeconds: 1, acquireTime: now, renewTime: now };
}

/** The API's MicroTime. */
export function toMicroTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -1)}000Z`;
}
