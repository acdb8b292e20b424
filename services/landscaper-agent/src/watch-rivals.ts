import { kubeResources, type Lease } from "@landscaper/api";
import type { Manager } from "@landscaper/controller-runtime";
import type { AgentSettings } from "./agent-settings.ts";
import { findRival } from "./find-rival.ts";

export interface RivalOptions {
  readonly settings: AgentSettings;
  readonly leaseNamespace: string;
  readonly ownHost: () => string;
}

/** An agent that waits for the Lease of another one's cluster says so. */
export function watchRivals(manager: Manager, { settings, leaseNamespace, ownHost }: RivalOptions): void {
  const { environment, names } = settings;
  const fieldSelector = `metadata.name=${names.lease}`;
  const informer = manager.informer(kubeResources.lease, { namespace: leaseNamespace, fieldSelector });
  const tell = (lease: Lease | undefined): void =>
    manager.reportProblem("name", findRival(lease, environment, ownHost()));
  informer.addHandler({ onAdd: tell, onUpdate: tell, onDelete: () => tell(undefined) });
}
