import type { DeployItem, EmptyProtection, FieldValidation, TargetSelector } from "@landscaper/api";
import type { Client, Clock, Lister, Logger } from "@landscaper/controller-runtime";
import type { TargetCluster } from "@landscaper/resources";
import type { Claims } from "./sharing/claims.ts";
import type { StepBacks } from "./sharing/step-backs.ts";
import type { ClusterCache } from "./target/cluster-cache.ts";
import type { TargetObserver } from "./target/target-observer.ts";
import type { ContinuousSchedules } from "./continuous/continuous-schedule.ts";
import type { Deployer } from "./deployer-interface.ts";
import type { JobRegistry } from "./jobs/job-registry.ts";
import type { JobNotifier } from "./jobs/reporting/job-notifier.ts";

/** Everything that the reconciler of one deployer uses. */
export interface ReconcilerOptions {
  readonly deployer: Deployer;
  readonly targetSelectors: readonly TargetSelector[];
  /** What becomes of unknown fields, where no annotation says so. */
  readonly fieldValidation: FieldValidation;
  /** Whether jobs are held back that would take away a lot. */
  readonly emptyProtection: EmptyProtection;
  /** How long jobs wait for the Secrets of their Targets, in ms. */
  readonly targetWaitMs: number;
  /** Which items this process works on. */
  readonly claims: Claims;
  readonly stepBacks: StepBacks;
  /** Of the cluster that DeployItems live in. */
  readonly client: Client;
  readonly items: Lister<DeployItem>;
  readonly targets: TargetObserver;
  readonly clusters: ClusterCache;
  /** The cluster that the process runs in. */
  readonly host: TargetCluster;
  readonly jobs: JobRegistry;
  /** Work between jobs, under the id of the last one. */
  readonly runs: JobRegistry;
  /** Plans in work, under the id of the last job. */
  readonly previews: JobRegistry;
  readonly schedules: ContinuousSchedules;
  readonly notifier: JobNotifier;
  readonly clock: Clock;
  readonly log: Logger;
  /** A number in [0, 1). */
  readonly random: () => number;
  readonly newJobId: () => string;
}
