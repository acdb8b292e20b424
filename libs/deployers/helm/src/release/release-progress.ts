import type { DeployContext } from "@landscaper/deployer";
import type {
  Deployment,
  Patience,
  ReleaseContext,
  ReleaseRecord,
  ReleaseWait,
  Restoration,
  RollOut,
  Uninstall,
} from "@landscaper/helm-release";
import { isTakenOver } from "@landscaper/manifest-deployer-lib";
import { EmptyStatuses, WorkloadTroubles, type ResourceReference, type TargetCluster } from "@landscaper/resources";
import type { ChartStore, LoadedChart } from "../rendering/chart-store.ts";
import type { HelmConfig } from "../helm-config.ts";
import { readHelmStatus, type Attempts, type Remedy } from "../helm-status.ts";
import type { Remediation } from "../remediation/remediation-config.ts";
import type { Uninstalls } from "./uninstall-release.ts";

/** What is at work on the release. */
export type ReleaseOperation =
  | {
      /** Of the configured chart. */
      readonly type: "deploy";
      readonly run: Deployment;
      /** The revision that it makes. */
      readonly revision: number;
      /** When it was begun, in ms of `Clock.elapsed`. */
      readonly startMs: number;
      /** What becomes of a failure; undefined: it is tried again until the job ends. */
      readonly remediation: Remediation | undefined;
      /** Before this one. */
      readonly attempts: Attempts;
    }
  /** To the revision that an annotation names. */
  | { readonly type: "rollBack"; readonly run: RollOut }
  /** Restores changed and removed objects of the deployed revision. */
  | { readonly type: "restore"; readonly run: Restoration }
  /** Of what has failed. */
  | { readonly type: "undo"; readonly run: RollOut | Uninstall; readonly remedy: Remedy };

/** What comes next: an operation, somebody else's that has to be waited for, or undefined: the release is as it is wanted. */
export type NextOperation = ReleaseOperation | ReleaseWait | undefined;

/** The release, and how long others may have been at work on it. */
export interface ReleaseAccess {
  readonly release: ReleaseContext;
  readonly patience: Patience;
}

/** A revision without what its job does not need any more: a thousand items may wait with theirs. */
export type DeployedRevision = Pick<
  ReleaseRecord,
  "name" | "namespace" | "version" | "manifest" | "chart" | "config" | "helmVersion"
>;

export interface DeployedResource {
  readonly resource: ResourceReference;
  readonly isWorkload: boolean;
}

/** What is done of a job, so that the passes that only wait need not repeat it. A new process starts with nothing done. */
export interface Progress {
  readonly generation: number | undefined;
  readonly rollbackRequest: string | undefined;
  loaded: LoadedChart | undefined;
  access: ReleaseAccess | undefined;
  operation: ReleaseOperation | undefined;
  /** The revision that is wanted, deployed. */
  deployed: DeployedRevision | undefined;
  /** What it has. */
  resources: readonly DeployedResource[] | undefined;
  /** Whether the objects of a revision that is deployed already must be compared with the cluster; undefined: not decided yet. */
  needsRestoring: boolean | undefined;
  /** Ids of objects that were removed during the job and that it has created again. */
  readonly recreated: Set<string>;
  readonly uninstalls: Uninstalls;
  readonly ready: Set<string>;
  readonly suspects: Map<string, number>;
  readonly troubles: WorkloadTroubles;
  readonly emptyStatuses: EmptyStatuses;
}

/** What a pass over a job that makes a release works with. */
export interface ReleaseWork {
  readonly context: DeployContext<HelmConfig>;
  readonly charts: ChartStore;
  readonly cluster: TargetCluster;
  readonly progress: Progress;
  /** See DeploymentOptions. */
  readonly abandonedAfterMs: number | undefined;
}

/** Whoever changes configuration or annotation during the job has it done anew. */
export function enterProgress(
  context: Pick<DeployContext<HelmConfig>, "item" | "memory" | "providerStatus">,
  rollbackRequest: string | undefined,
): Progress {
  const { generation } = context.item.metadata;
  const memory = context.memory<{ release?: Progress }>(() => ({}));
  const known = memory.release;
  if (known !== undefined && known.generation === generation && known.rollbackRequest === rollbackRequest) return known;
  const fresh: Progress = {
    generation,
    rollbackRequest,
    loaded: undefined,
    access: undefined,
    operation: undefined,
    deployed: undefined,
    resources: undefined,
    needsRestoring: undefined,
    recreated: new Set(),
    uninstalls: new Map(),
    ready: new Set(),
    suspects: new Map(),
    troubles: new WorkloadTroubles(),
    emptyStatuses: new EmptyStatuses(readHelmStatus(context.providerStatus).readyWithoutStatus ?? [], {
      isTakenOver: isTakenOver(context),
    }),
  };
  memory.release = fresh;
  return fresh;
}

/** The release is as it is wanted. */
export function noteDeployed(progress: Progress, record: ReleaseRecord | undefined): void {
  // With what it has seen of the records.
  progress.access = undefined;
  if (record === undefined) {
    progress.deployed = undefined;
    return;
  }
  const { name, namespace, version, manifest, helmVersion } = record;
  // Of a revision that an annotation keeps value exports read what is stored.
  const isKept = progress.rollbackRequest !== undefined;
  const chart = isKept ? { metadata: record.chart["metadata"], values: record.chart["values"] } : {};
  const config = isKept ? record.config : {};
  progress.deployed = { name, namespace, version, manifest, helmVersion, chart, config };
}
