import {
  kubeResources,
  resources,
  type KubeObject,
  type ObjectKey,
  type Target,
  type TargetSync,
} from "@landscaper/api";
import type { EventRecorder, ForeignServers, Informer, Manager } from "@landscaper/controller-runtime";
import type { EgressPolicy } from "@landscaper/egress";
import { sourceShares } from "./attempt.ts";
import { madeSelector } from "./synced-objects.ts";
import { createTargetSyncReconciler, listConcerned } from "./target-sync-reconciler.ts";

export interface TargetSyncOptions {
  readonly targets: Informer<Target>;
  readonly targetSyncs: Informer<TargetSync>;
  readonly recorder: EventRecorder;
  readonly egress: EgressPolicy;
  readonly foreignServers: ForeignServers;
}

const workers = 10;

/** Adds the controller of TargetSyncs to a manager that has not been started. */
export function addTargetSyncController(manager: Manager, options: TargetSyncOptions): void {
  const { targets, targetSyncs, recorder, egress, foreignServers } = options;
  const map = (object: KubeObject): readonly ObjectKey[] => listConcerned(targetSyncs.lister, object);
  const context = {
    client: manager.client,
    clock: manager.clock,
    recorder,
    egress,
    foreignServers,
    random: Math.random,
    targetSyncs: targetSyncs.lister,
    targets: targets.lister,
    secrets: manager.informer(kubeResources.secret, { labelSelector: madeSelector }).lister,
    secretMetadata: manager.informer(kubeResources.secret, { metadataOnly: true }).lister,
  };
  manager.addController({
    name: "target-syncs",
    group: "central",
    for: resources.targetSync,
    reconcile: createTargetSyncReconciler(context),
    watches: [
      { type: resources.targetSync, map },
      { type: resources.target, map },
      { type: kubeResources.secret, map, metadataSuffices: true },
    ],
    workers,
    shares: sourceShares,
  });
}
