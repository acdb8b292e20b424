import type { Secret, Target, TargetSync } from "@landscaper/api";
import type { Client, Clock, EventRecorder, ForeignServers, Lister } from "@landscaper/controller-runtime";
import type { EgressPolicy } from "@landscaper/egress";

/** What the controller of TargetSyncs works with. */
export interface TargetSyncContext {
  /** The manager's client: its writes are observed by the informers behind the listers. */
  readonly client: Client;
  readonly clock: Clock;
  readonly foreignServers: ForeignServers;
  readonly recorder: EventRecorder;
  /** What sources may be. */
  readonly egress: EgressPolicy;
  readonly random: () => number;
  readonly targetSyncs: Lister<TargetSync>;
  readonly targets: Lister<Target>;
  /** Those with the label of TargetSyncs, whole. */
  readonly secrets: Lister<Secret>;
  /** All of them, metadata alone. */
  readonly secretMetadata: Lister<Secret>;
}

/** One try for one TargetSync. */
export interface SyncRun {
  readonly context: TargetSyncContext;
  readonly targetSync: TargetSync;
  readonly signal: AbortSignal;
}
