import { agentNames, kubeResources, labels, type Lease } from "@landscaper/api";
import { observeLease, type Manager, type ObservedLease } from "@landscaper/controller-runtime";
import { labelOf, nameOf } from "../object-reading.ts";
import { managedSelector } from "./deployer-indexes.ts";

/** The Lease of an agent, and when this process saw it change last. */
export interface Heartbeat extends ObservedLease {
  /** The time of day at which this process saw the last renewal, in ms since the epoch. */
  readonly seenMs: number;
  /**
   * Time (ms) from the renewTime of each of the last two renewals until this process saw it, newest first; negative if the clock of the agent is ahead.
   * The renewal that the process finds when it starts does not count: it may be old.
   */
  readonly delaysMs: readonly number[];
}

export interface Heartbeats {
  of(environment: string): Heartbeat | undefined;
}

/** Watches the Leases of agents in the namespace of those of all deployers. To be called before controllers watch Leases. */
export function watchHeartbeats(
  manager: Pick<Manager, "informer" | "clock">,
  { leaseNamespace }: { readonly leaseNamespace: string },
): Heartbeats {
  const known = new Map<string, Heartbeat>();
  const informer = manager.informer(kubeResources.lease, { namespace: leaseNamespace, labelSelector: managedSelector });
  const observe = (lease: Lease): void => {
    const environment = environmentOfLease(lease);
    if (environment === undefined) return;
    const previous = known.get(environment);
    const observed = observeLease(previous, lease, manager.clock.elapsed());
    if (observed !== previous) known.set(environment, toHeartbeat(observed, previous, manager.clock.now()));
  };
  informer.addHandler({
    onAdd: observe,
    onUpdate: observe,
    onDelete: (lease) => void known.delete(environmentOfLease(lease) ?? ""),
  });
  return { of: (environment) => known.get(environment) };
}

/** Returns the heartbeat after a change of the Lease. Pure; exported for tests. */
export function toHeartbeat(
  { lease, observedMs }: ObservedLease,
  previous: Heartbeat | undefined,
  nowMs: number,
): Heartbeat {
  const { renewTime = "" } = lease.spec ?? {};
  // Other changes of the Lease, such as a restored object, say nothing about clocks.
  if (previous !== undefined && previous.lease.spec?.renewTime === renewTime) return { ...previous, lease, observedMs };
  const delayMs = nowMs - Date.parse(renewTime);
  const delaysMs = previous === undefined || Number.isNaN(delayMs) ? [] : [delayMs, ...previous.delaysMs].slice(0, 2);
  return { lease, observedMs, seenMs: nowMs, delaysMs };
}

/** The label alone proves nothing: the name has to follow from it. */
function environmentOfLease(lease: Lease): string | undefined {
  const environment = labelOf(lease, labels.deployerEnvironment);
  return environment !== undefined && nameOf(lease) === agentNames(environment).lease ? environment : undefined;
}
