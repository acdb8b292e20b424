import { randomUUID } from "node:crypto";
import { keyOf, resources, type DeployItem, type KubeObject, type TargetSelector } from "@landscaper/api";
import {
  createClient,
  createEventRecorder,
  type Client,
  type Connection,
  type Manager,
} from "@landscaper/controller-runtime";
import type { EventPublisher } from "@landscaper/events";
import { createClusterCache } from "./cluster-cache.ts";
import { createContinuousSchedules } from "./continuous-schedule.ts";
import { isBetweenJobs } from "./decide-continuous.ts";
import { isOfType } from "./decide-job.ts";
import type { Deployer } from "./deployer-interface.ts";
import { createItemReconciler } from "./item-reconciler.ts";
import { createJobNotifier } from "./job-notifier.ts";
import { createJobRegistry } from "./job-registry.ts";

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
  /** Whether this replica holds the item, where replicas share them. Default: it holds all. */
  readonly claims?: ((item: DeployItem) => boolean) | undefined;
  readonly createTargetClient?: ((connection: Connection) => Client) | undefined;
  /** In [0, 1), for jitter. */
  readonly random?: (() => number) | undefined;
  /** Of jobs that test-reconcile starts. */
  readonly newJobId?: (() => string) | undefined;
}

const defaultWorkers = 30;
const targetIndex = "target";

export interface AddedDeployer {
  /** Writes the last events and closes the connections to targets. To be called when the manager has ended. */
  close(): Promise<void>;
}

/** Makes `manager` run the deployer: one controller for the DeployItems of its type. */
export function addDeployer<Config>(manager: Manager, options: AddDeployerOptions<Config>): AddedDeployer {
  const { deployer, identity, self, publisher } = options;
  const { client, clock } = manager;
  const log = manager.log.child({ deployer: deployer.name });
  const items = manager.informer(resources.deployItem, { indexes: { [targetIndex]: targetKeysOf } });
  const targets = manager.informer(resources.target);
  const jobs = createJobRegistry();
  const runs = createJobRegistry(isBetweenJobs);
  const schedules = createContinuousSchedules(deployer);
  items.addHandler({
    onUpdate: (item) => {
      jobs.observe(item);
      runs.observe(item);
    },
    onDelete: (item) => {
      for (const known of [jobs, runs, schedules]) known.forget(item);
    },
  });
  const recorder = createEventRecorder({ client, component: deployer.name, instance: identity, clock, log });
  const clusters = createClusterCache({
    client,
    self,
    clock,
    createClient:
      options.createTargetClient ?? ((connection) => createClient({ connection, clock, userAgent: deployer.name })),
  });
  manager.addController<DeployItem>({
    name: deployer.name,
    for: resources.deployItem,
    predicate: (item) => isOfType(item, deployer.type),
    // An item that waits for its Target, or for a Target that this instance is meant for, wakes with it.
    watches: [
      { type: resources.target, map: (target) => items.lister.byIndex(targetIndex, keyText(target)).map(keyOf) },
    ],
    workers: options.workers ?? defaultWorkers,
    reconcile: createItemReconciler({
      deployer,
      identity,
      targetSelectors: options.targetSelectors ?? [],
      claims: options.claims ?? ((): boolean => true),
      client,
      items: items.lister,
      targets: targets.lister,
      clusters,
      jobs,
      runs,
      schedules,
      notifier: createJobNotifier({ recorder, publisher }),
      clock,
      log,
      random: options.random ?? Math.random,
      newJobId: options.newJobId ?? randomUUID,
    }),
  });
  return {
    async close() {
      await Promise.all([recorder.stop(), clusters.close()]);
    },
  };
}

function targetKeysOf({ metadata, spec }: DeployItem): readonly string[] {
  const name = spec.target?.name;
  return name === undefined ? [] : [`${metadata.namespace}/${name}`];
}

function keyText({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}
