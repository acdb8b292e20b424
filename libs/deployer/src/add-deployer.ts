import { randomUUID } from "node:crypto";
import {
  keyOf,
  resources,
  type DeployItem,
  type KubeObject,
  type ObjectKey,
  type TargetSelector,
} from "@landscaper/api";
import {
  createClient,
  createEventRecorder,
  type Client,
  type Connection,
  type Manager,
} from "@landscaper/controller-runtime";
import type { EventPublisher } from "@landscaper/events";
import { createSharedClaims, createSoleClaims, type Claims } from "./sharing/claims.ts";
import { createClusterCache } from "./target/cluster-cache.ts";
import { createContinuousSchedules } from "./continuous/continuous-schedule.ts";
import { isBetweenJobs } from "./continuous/decide-continuous.ts";
import { isOfType } from "./jobs/decide-job.ts";
import { isPlanWanted } from "./preview/decide-preview.ts";
import type { Deployer } from "./deployer-interface.ts";
import { createItemReconciler } from "./item-reconciler.ts";
import { createJobNotifier } from "./jobs/job-notifier.ts";
import { takeNews } from "./jobs/job-pause.ts";
import { createJobRegistry, type JobNews } from "./jobs/job-registry.ts";
import { createMembership, type ReplicaOptions } from "./sharing/membership.ts";
import { createTargetWatches, type TargetWatches } from "./watches/target-watches.ts";

export interface AddDeployerOptions<Config> {
  readonly deployer: Deployer<Config>;
  /** Name of this instance in `status.deployer.identity`. */
  readonly identity: string;
  /** Default: all targets. */
  readonly targetSelectors?: readonly TargetSelector[] | undefined;
  /** Items worked on at a time; waiting items take no worker. */
  readonly workers?: number | undefined;
  /** The API server that the DeployItems live in, for targets that mean just this cluster (selfConfig). */
  readonly self: Pick<Connection, "server" | "ca" | "insecureSkipTlsVerify">;
  /** Where CloudEvents go. */
  readonly publisher: Pick<EventPublisher, "publish">;
  /**
   * One of several replicas of the same identity that share the items. The manager's leader election has to be the
   * `membershipLease` of the same replica. Default: there is only this one.
   */
  readonly replica?: ReplicaOptions | undefined;
  readonly createTargetClient?: ((connection: Connection) => Client) | undefined;
  /** In [0, 1), for jitter. */
  readonly random?: (() => number) | undefined;
  /** Of jobs that test-reconcile starts. */
  readonly newJobId?: (() => string) | undefined;
}

const defaultWorkers = 30;
const targetIndex = "target";

export interface AddedDeployer {
  /** On targets, for what its items wait for. */
  readonly watches: Pick<TargetWatches, "size">;
  /** Writes the last events and closes the connections to targets. To be called when the manager has ended. */
  close(): Promise<void>;
}

/** To one target, for all items together: API servers queue what is too much for them, and each request costs the less the more there are. */
const targetConnections = 100;

/** Makes `manager` run the deployer: one controller for the DeployItems of its type. */
export function addDeployer<Config>(manager: Manager, options: AddDeployerOptions<Config>): AddedDeployer {
  const { deployer, identity, self, publisher } = options;
  const { client, clock } = manager;
  const log = manager.log.child({ deployer: deployer.name });
  const items = manager.informer(resources.deployItem, { indexes: { [targetIndex]: targetKeysOf } });
  const targets = manager.informer(resources.target);
  // The audit logs of targets tell replicas apart.
  const userAgent = options.replica === undefined ? deployer.name : `${deployer.name}/${options.replica.pod}`;
  const clusters = createClusterCache({
    client,
    self,
    clock,
    createClient:
      options.createTargetClient ??
      // A replica that has lost its Lease writes to no target any more.
      ((connection) =>
        manager.guard(createClient({ connection, clock, userAgent, maxConnections: targetConnections }))),
  });
  const random = options.random ?? Math.random;
  const watches = createTargetWatches({ clock, random, hold: (cluster) => clusters.hold(cluster) });
  const news: JobNews = {
    watches,
    onNews: (key, memory, what) => {
      if (takeNews(memory, what, clock.now())) enqueue(key);
    },
  };
  const jobs = createJobRegistry(undefined, news);
  const runs = createJobRegistry(isBetweenJobs, news);
  const previews = createJobRegistry(isPlanWanted);
  const schedules = createContinuousSchedules(deployer);
  items.addHandler({
    onUpdate: (item) => {
      for (const known of [jobs, runs, previews]) known.observe(item);
    },
    onDelete: (item) => {
      for (const known of [jobs, runs, previews, schedules]) known.forget(item);
    },
  });
  let enqueue: (key: ObjectKey) => void = () => {};
  const lookAgain = (): void => {
    const list = items.lister.list().filter((item) => isOfType(item, deployer.type) && claims.of(item) !== "theirs");
    for (const item of list) enqueue(keyOf(item));
  };
  const claims = shareItems(manager, options, lookAgain);
  const recorder = createEventRecorder({ client, component: deployer.name, instance: identity, clock, log });
  manager.addController<DeployItem>({
    name: deployer.name,
    for: resources.deployItem,
    predicate: (item) => isOfType(item, deployer.type),
    // An item that waits for its Target, or for a Target that this instance is meant for, wakes with it.
    watches: [
      { type: resources.target, map: (target) => items.lister.byIndex(targetIndex, keyText(target)).map(keyOf) },
    ],
    onPrepared: (add) => {
      enqueue = add;
    },
    workers: options.workers ?? defaultWorkers,
    reconcile: createItemReconciler({
      deployer,
      targetSelectors: options.targetSelectors ?? [],
      claims,
      client,
      items: items.lister,
      targets: targets.lister,
      clusters,
      jobs,
      runs,
      previews,
      schedules,
      notifier: createJobNotifier({ recorder, publisher }),
      clock,
      log,
      random,
      newJobId: options.newJobId ?? randomUUID,
    }),
  });
  return {
    watches,
    async close() {
      watches.close();
      await Promise.all([recorder.stop(), clusters.close()]);
    },
  };
}

/** Alone, or among replicas; `onChange` is called when items may have moved. */
function shareItems<Config>(manager: Manager, options: AddDeployerOptions<Config>, onChange: () => void): Claims {
  const { deployer, identity, replica } = options;
  if (replica === undefined) return createSoleClaims(identity);
  const { clock, log } = manager;
  const membership = createMembership({ ...replica, deployerName: deployer.name, identity, clock, log, onChange });
  manager.addRunnable("membership", (signal) => membership.run(signal));
  return createSharedClaims({ identity, pod: replica.pod, members: () => membership.members });
}

function targetKeysOf({ metadata, spec }: DeployItem): readonly string[] {
  const name = spec.target?.name;
  return name === undefined ? [] : [`${metadata.namespace}/${name}`];
}

function keyText({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}
