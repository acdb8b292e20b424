import { agentNames, kubeResources, labels, type Lease } from "@landscaper/api";
import { observeLease, type Manager, type ObservedLease } from "@landscaper/controller-runtime";
import { labelOf, nameOf } from "../object-reading.ts";
import { managedSelector } from "./deployer-indexes.ts";

/** The Leases of agents, and when this process saw each change last. */
export interface Heartbeats {
  of(environment: string): ObservedLease | undefined;
}

/** Watches the Leases of agents in the namespace of those of all deployers. To be called before controllers watch Leases. */
export function watchHeartbeats(
  manager: Pick<Manager, "informer" | "clock">,
  { leaseNamespace }: { readonly leaseNamespace: string },
): Heartbeats {
  const known = new Map<string, ObservedLease>();
  const informer = manager.informer(kubeResources.lease, { namespace: leaseNamespace, labelSelector: managedSelector });
  const observe = (lease: Lease): void => {
    const environment = environmentOfLease(lease);
    if (environment === undefined) return;
    known.set(environment, observeLease(known.get(environment), lease, manager.clock.elapsed()));
  };
  informer.addHandler({
    onAdd: observe,
    onUpdate: observe,
    onDelete: (lease) => void known.delete(environmentOfLease(lease) ?? ""),
  });
  return { of: (environment) => known.get(environment) };
}

/** The label alone proves nothing: the name has to follow from it. */
function environmentOfLease(lease: Lease): string | undefined {
  const environment = labelOf(lease, labels.deployerEnvironment);
  return environment !== undefined && nameOf(lease) === agentNames(environment).lease ? environment : undefined;
}
