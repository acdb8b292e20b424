import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import {
  formatKey,
  isJobOpen,
  keyOf,
  resources,
  type DeployItem,
  type EmptyProtection,
  type FieldValidation,
  type KubeObject,
  type ObjectKey,
  type TargetSelector,
} from "@landscaper/api";
import {
  createClient,
  createEventRecorder,
  createForeignServers,
  defaultLeaseDurationMs,
  type Client,
  type Connection,
  type ForeignServers,
  type Informer,
  type Logger,
  type Manager,
  type MetricDefinitions,
  type ShareLimits,
} from "@landscaper/controller-runtime";
import type { EgressPolicy } from "@landscaper/egress";
import { createTargetCluster, type TargetCluster } from "@landscaper/resources";
import { createClaims, type Claims } from "./sharing/claims.ts";
import { isTaken, type Claim } from "./sharing/decide-claim.ts";
import { createClusterCache } from "./target/cluster-cache.ts";
import { createTargetObserver } from "./target/target-observer.ts";
import { createOidcGuard, warnAbout, type OidcRules } from "./target/oidc-guard.ts";
import type { ConnectOptions } from "./target/target-connection.ts";
import type { HostSecret } from "./target/host-secret.ts";
import { explainSecretRefusals, type SecretsRole } from "./target/listed-secrets.ts";
import { createContinuousSchedules } from "./continuous/continuous-schedule.ts";
import { isBetweenJobs } from "./continuous/decide-continuous.ts";
import { isOfType } from "./jobs/decide-job.ts";
import { isPlanWanted } from "./preview/decide-preview.ts";
import type { Deployer } from "./deployer-interface.ts";
import { createItemReconciler } from "./item-reconciler.ts";
import { createJobObserver } from "./jobs/reporting/job-metrics.ts";
import { createJobNotifier } from "./jobs/reporting/job-notifier.ts";
import { toReportable } from "./jobs/reporting/reportable-error.ts";
import { takeNews } from "./jobs/job-pause.ts";
import { createJobRegistry, type JobNews } from "./jobs/job-registry.ts";
import { createMembership, membershipLease, type Member, type SharedLease } from "./sharing/membership.ts";
import { createStepBacks } from "./sharing/step-backs.ts";
import { createTargetWatches, type TargetWatches } from "./watches/target-watches.ts";

export interface AddDeployerOptions<Config> {
  readonly deployer: Deployer<Config>;
  /** Name of this instance in `status.deployer.identity`, before the pod's. Processes of one identity and the same selectors share the items. */
  readonly identity: string;
  /** Default: all targets. */
  readonly targetSelectors?: readonly TargetSelector[] | undefined;
  /** What becomes of unknown fields, where no annotation says so. Default: a warning. */
  readonly fieldValidation?: FieldValidation | undefined;
  /** Whether jobs are held back that would take away a lot. Default: they are. */
  readonly emptyProtection?: EmptyProtection | undefined;
  /** How long jobs wait for the Secrets of their Targets, in ms. Default: 30 s. */
  readonly targetWaitMs?: number | undefined;
  /** Items at a time whose status is read and written; those whose targets are talked to have a share instead. */
  readonly workers?: number | undefined;
  /** Items at a time whose targets are talked to. Default: see ControllerOptions. */
  readonly shares?: Partial<ShareLimits> | undefined;
  /** The API server that the DeployItems live in, for targets that mean just this cluster (selfConfig). */
  readonly self: ConnectOptions["self"];
  /** What Targets may name. Default: everything but link-local networks. */
  readonly egress?: EgressPolicy | undefined;
  /** Tokens for the servers of Targets. Default: a warning where the landscaper cluster accepts them, too. */
  readonly oidc?: OidcRules | undefined;
  /** Where numbers of jobs go. Default: nowhere. */
  readonly metrics?: MetricDefinitions | undefined;
  readonly replica?: ReplicaOptions | undefined;
  /** Limits for targets, and what is known of those that do not answer. */
  readonly foreignServers?: ForeignServers | undefined;
  /** The cluster that the process runs in. Default: that of the manager. Its owner closes it. */
  readonly host?: Client | undefined;
  /** The Secret of the host that Targets may name in place of a kubeconfig. Default: none. */
  readonly hostSecret?: HostSecret | undefined;
  /** The Role that lists the Secrets of the landscaper cluster that the deployer may read. Default: it may read those of all items. */
  readonly secretsRole?: SecretsRole | undefined;
  readonly createTargetClient?: ((connection: Connection) => Client) | undefined;
  /** In [0, 1), for jitter. */
  readonly random?: (() => number) | undefined;
  /** Of jobs that test-reconcile starts. */
  readonly newJobId?: (() => string) | undefined;
}

/** By what the process is known to the other deployers of the landscaper cluster. */
export interface ReplicaOptions {
  /** Differs between all processes that live at a time, and is the same again after a restart within a pod. Default: a random name. */
  readonly pod?: string | undefined;
  /** Of the landscaper cluster, where the Leases of all its deployers are. Default "ls-system". */
  readonly leaseNamespace?: string | undefined;
  /** After which others take over the items of a process that is gone. Default 15 s. */
  readonly leaseDurationMs?: number | undefined;
  /** For replicas of which one works at a time. Default: they share the work. */
  readonly lease?: SharedLease | undefined;
}

export const defaultLeaseNamespace = "ls-system";
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

/**
 * Makes `manager` run the deployer: one controller for the DeployItems of its type, which works while the process holds its Lease. A manager
 * has one deployer.
 */
export function addDeployer<Config>(manager: Manager, options: AddDeployerOptions<Config>): AddedDeployer {
  const { deployer, self, hostSecret } = options;
  const { client, clock } = manager;
  const log = manager.log.child({ deployer: deployer.name });
  const items = manager.informer(resources.deployItem, { indexes: { [targetIndex]: targetKeysOf } });
  const targets = manager.informer(resources.target);
  const member = toMember(options);
  // Neither is it written to any more when the Lease is lost.
  const host = createTargetCluster(options.host === undefined ? client : manager.guard(options.host));
  // The audit logs of targets tell replicas apart.
  const userAgent = `${deployer.name}/${member.pod}`;
  const foreignServers = options.foreignServers ?? createForeignServers();
  const shared = { clock, userAgent, maxConnections: targetConnections };
  const recorder = createEventRecorder({ client, component: deployer.name, instance: member.identity, clock, log });
  const oidc = createOidcGuard({ ...options.oidc, client, self, clock, onWarning: warnAbout({ recorder, log }) });
  const clusters = createClusterCache({
    client,
    self,
    clock,
    egress: options.egress,
    oidc,
    hostSecret: hostSecret && { reader: options.host ?? client, own: hostSecret },
    createClient:
      options.createTargetClient ??
      // A process that has lost its Lease writes to no target any more.
      ((connection) => manager.guard(createClient({ ...shared, connection, foreign: foreignServers.of(connection) }))),
  });
  const random = options.random ?? Math.random;
  const watches = createTargetWatches({ clock, random, hold: (cluster) => clusters.hold(cluster) });
  const news: JobNews = {
    watches,
    onNews: (key, memory, told) => {
      if (takeNews(memory, told, clock.elapsed())) enqueue(key);
    },
  };
  // Work on an item that another deployer has taken is cut off, before it writes to the target again.
  const isStillOurs = (item: DeployItem): boolean => !isTaken(item, claims.holder);
  const jobs = createJobRegistry((item) => isJobOpen(item.status) && isStillOurs(item), news);
  const runs = createJobRegistry((item) => isBetweenJobs(item) && isStillOurs(item), news);
  const previews = createJobRegistry((item) => isPlanWanted(item) && isStillOurs(item));
  const onEnd = options.metrics === undefined ? undefined : createJobObserver(options.metrics, clock);
  const notifier = createJobNotifier({ recorder, onEnd });
  const schedules = createContinuousSchedules(deployer, {
    onUnreadable: (item, error) => {
      const { message } = toReportable(error);
      const warning = { reason: "InvalidSchedule", message: `not repeated between jobs: ${message}` };
      log.warn({ deployItem: formatKey(keyOf(item)) }, warning.message);
      notifier.warned(item, warning);
    },
  });
  items.addHandler({
    onUpdate: (item) => {
      for (const known of [jobs, runs, previews]) known.observe(item);
    },
    onDelete: (item) => {
      for (const known of [jobs, runs, previews, schedules, claims, stepBacks]) known.forget(item);
    },
  });
  let enqueue: (key: ObjectKey) => void = () => {};
  const lookAgain = (): void => {
    const list = items.lister.list().filter((item) => isOfType(item, deployer.type) && isOurBusiness(claims.of(item)));
    for (const item of list) enqueue(keyOf(item));
  };
  const claims = shareItems(manager, {
    member,
    leaseDurationMs: options.replica?.leaseDurationMs,
    onChange: lookAgain,
  });
  const stepBacks = createStepBacks({ claims, recorder, log });
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
    shares: options.shares,
    reconcile: createItemReconciler({
      deployer,
      targetSelectors: options.targetSelectors ?? [],
      fieldValidation: options.fieldValidation ?? "Warn",
      emptyProtection: options.emptyProtection ?? "on",
      targetWaitMs: options.targetWaitMs ?? 30_000,
      claims,
      stepBacks,
      client: options.secretsRole === undefined ? client : explainSecretRefusals(client, options.secretsRole),
      items: items.lister,
      targets: createTargetObserver({ client, targets: targets.lister, hostSecret }),
      clusters,
      host,
      jobs,
      runs,
      previews,
      schedules,
      notifier,
      clock,
      log,
      random,
      newJobId: options.newJobId ?? randomUUID,
    }),
  });
  addBackground(manager, { deployer, host, items, log });
  return {
    watches,
    async close() {
      watches.close();
      await Promise.all([recorder.stop(), clusters.close()]);
    },
  };
}

interface Background {
  readonly deployer: Pick<Deployer, "background">;
  readonly host: TargetCluster;
  readonly items: Informer<DeployItem>;
  readonly log: Logger;
}

function addBackground(manager: Manager, { deployer, host, items, log }: Background): void {
  if (deployer.background === undefined) return;
  const { client, clock } = manager;
  manager.addRunnable("background", async (signal) => {
    await items.waitForSync(signal);
    const confirm = (key: ObjectKey): Promise<DeployItem | undefined> =>
      client.find(resources.deployItem, key, { signal });
    await deployer.background?.({ items: items.lister, confirm, host, clock, log, signal });
  });
}

/** Also what another instance has in work: that this one steps back has to be said. */
function isOurBusiness(claim: Claim): boolean {
  return claim.type !== "theirs" || claim.holder !== undefined;
}

function toMember<Config>({ deployer, identity, targetSelectors, replica }: AddDeployerOptions<Config>): Member {
  return {
    type: deployer.type,
    deployerName: deployer.name,
    identity,
    targetSelectors: targetSelectors ?? [],
    // There can be several on a host, and none may take the other's Lease for its own.
    pod: replica?.pod ?? `${hostname()}-${randomUUID()}`,
    namespace: replica?.leaseNamespace ?? defaultLeaseNamespace,
    lease: replica?.lease,
  };
}

interface Sharing {
  readonly member: Member;
  readonly leaseDurationMs: number | undefined;
  /** Called when items may have moved. */
  readonly onChange: () => void;
}

/** Has the process hold a Lease, and watches those of the other deployers. */
function shareItems(manager: Manager, { member, leaseDurationMs, onChange }: Sharing): Claims {
  const { client, clock, log } = manager;
  const membership = createMembership({ ...member, client, clock, log, onChange });
  manager.holdLease(membershipLease(member, leaseDurationMs));
  manager.addRunnable("membership", (signal) => membership.run(signal));
  const { identity, pod } = member;
  return createClaims({
    identity,
    pod,
    membership,
    clock,
    leaseDurationMs: leaseDurationMs ?? defaultLeaseDurationMs,
  });
}

function targetKeysOf({ metadata, spec }: DeployItem): readonly string[] {
  const name = spec.target?.name;
  return name === undefined ? [] : [`${metadata.namespace}/${name}`];
}

function keyText({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}
