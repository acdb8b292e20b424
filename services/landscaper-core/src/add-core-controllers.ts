import { randomUUID } from "node:crypto";
import {
  defaultContextName,
  isJobOpen,
  keyOf,
  kubeResources,
  resources,
  type DeletionProtection,
  type Execution,
  type EmptyProtection,
  type FieldValidation,
  type Installation,
  type KubeObject,
  type ObjectKey,
} from "@landscaper/api";
import { createJobEntropy, listPredecessors, listSuccessors } from "@landscaper/blueprint";
import { createForeignServers } from "@landscaper/controller-runtime";
import type {
  EventRecorder,
  ForeignServers,
  Manager,
  MetricDefinitions,
  ShareLimits,
  WatchedKind,
} from "@landscaper/controller-runtime";
import {
  createJobObserver,
  createOidcGuard,
  warnAbout,
  type ConnectOptions,
  type OidcRules,
} from "@landscaper/deployer";
import { createComponentSource } from "@landscaper/components";
import { createEgressPolicy, type EgressPolicy } from "@landscaper/egress";
import { createRegistryClient } from "@landscaper/oci";
import { createJobComponents, type JobComponentsOptions } from "./components/job-components.ts";
import {
  createDefaultContextReconciler,
  makesDefaultContext,
  type DefaultContextSettings,
} from "./context/default-context-reconciler.ts";
import type { Core, CoreInformers } from "./core.ts";
import { addObjectGauges } from "./metrics/core-metrics.ts";
import { createAnnouncer } from "./create-announcer.ts";
import type { TimeoutSettings } from "./deploy-item/decide-timeout.ts";
import { createWatchdogReconciler, type JobSightings } from "./deploy-item/watchdog-reconciler.ts";
import { addDeployerManagement, createStampSources } from "./deployer-management/add-deployer-management.ts";
import { stampOf } from "./deployer-management/stamps/stamp-items.ts";
import type { DeployerManagementSettings } from "./deployer-management/pair.ts";
import { deployItemIndexes } from "./execution/deploy-item-index.ts";
import { createExecutionReconciler } from "./execution/execution-reconciler.ts";
import { addEventPublisher } from "./events/add-event-publisher.ts";
import { createHubId } from "./hub-id.ts";
import type { SignaturePolicy } from "./installation/preparation/check-verification.ts";
import { dataIndexes } from "./installation/imports/import-reader.ts";
import { lacksImports } from "./installation/imports/predecessors.ts";
import { createInstallationReconciler } from "./installation/installation-reconciler.ts";
import { createSiblings, installationIndexes } from "./installation/imports/siblings.ts";
import type { Renderer } from "./rendering/renderer.ts";
import { isDeleting } from "./object-reading.ts";
import { askCluster } from "./template-host/ask-cluster.ts";
import { createTemplateAnswers } from "./template-host/template-answers.ts";
import { createChangeSources, onChangeIndexes } from "./triggers/change-sources.ts";
import { createLostAccess, type WokenObjects } from "./triggers/lost-access.ts";
import { createNewsBoard } from "./triggers/news-board.ts";
import { contextSecretIndexes, targetSecretIndexes, userIndexes } from "./protection/used-objects.ts";
import { addProtection } from "./protection/add-protection.ts";
import { addTargetSyncController } from "./target-sync/add-target-sync-controller.ts";

export interface CoreWorkers {
  readonly installations: number;
  readonly executions: number;
  readonly deployItems: number;
  readonly contexts: number;
}

export interface CoreOptions {
  readonly recorder: EventRecorder;
  /** NATS URLs that transitions are published to, by the part "central". Default: they are not published. */
  readonly natsServers?: string | undefined;
  /** Where the core tells of its work. Default: nowhere. */
  readonly metrics?: MetricDefinitions | undefined;
  readonly timeouts: TimeoutSettings;
  readonly defaultContext: DefaultContextSettings;
  readonly workers: CoreWorkers;
  readonly renderer: Renderer;
  /** What becomes of unknown fields, where no annotation says so. Default: a warning. */
  readonly fieldValidation?: FieldValidation | undefined;
  /** Whether jobs are held back that would leave nothing where there was something. Default: they are. */
  readonly emptyProtection?: EmptyProtection | undefined;
  /** Whether Targets, Contexts, Secrets and RoleBindings stay while DeployItems need them. Default: "on". */
  readonly deletionProtection?: DeletionProtection | undefined;
  /** Whether signatures of components are verified. Default: where the Installation demands it. */
  readonly signaturePolicy?: SignaturePolicy | undefined;
  /** Namespaces whose Secrets all Contexts may name for signatures. Default: none. */
  readonly signatureSecretNamespaces?: readonly string[] | undefined;
  /** Where the API server of the manager is, for Targets that mean just this cluster. Default: its address, with the system's authorities. */
  readonly self?: ConnectOptions["self"];
  /** What Targets and TargetSyncs may name. Default: everything but link-local networks. */
  readonly egress?: EgressPolicy | undefined;
  /** Where components come from. Default: registries that speak https, without a cache on disk and without credentials of the service. */
  readonly components?: Pick<JobComponentsOptions, "configFiles" | "source"> | undefined;
  /** Tokens for the servers of Targets. Default: a warning where the landscaper cluster accepts them, too. */
  readonly oidc?: OidcRules | undefined;
  /** Where deployers of Environments are managed. Default: they are not. */
  readonly deployerManagement?: DeployerManagementSettings | undefined;
  /** Limits for clusters that templates and TargetSyncs ask, and what is known of those that do not answer. */
  readonly foreignServers?: ForeignServers;
  /**
   * "main": Installations and Executions, which rely on each other's writes being in the shared informers and therefore always run in
   * one process; "central": the watchdog and Contexts (core.md §3.5 LANDSCAPER_MODE). Both by default.
   */
  readonly parts?: readonly ("main" | "central")[];
}

function addInformers(manager: Manager): CoreInformers {
  return {
    installations: manager.informer(resources.installation, {
      indexes: { ...installationIndexes, ...onChangeIndexes },
    }),
    executions: manager.informer(resources.execution),
    deployItems: manager.informer(resources.deployItem, { indexes: { ...deployItemIndexes, ...userIndexes } }),
    dataObjects: manager.informer(resources.dataObject, { indexes: dataIndexes }),
    targets: manager.informer(resources.target, {
      indexes: { ...dataIndexes, ...targetSecretIndexes },
    }),
    targetSyncs: manager.informer(resources.targetSync),
    contexts: manager.informer(resources.context, { indexes: contextSecretIndexes }),
    secrets: manager.informer(kubeResources.secret, { metadataOnly: true }),
  };
}

/**
 * Siblings that may be waiting for this Installation: for its exports, or for it to be gone. A sibling that lacks an import may be part of a ring that this
 * Installation completes.
 */
function listWaitingSiblings(informers: CoreInformers, installation: Installation): readonly ObjectKey[] {
  const siblings = createSiblings(informers.installations.lister);
  const successors = listSuccessors(installation, siblings).filter((one) => isJobOpen(one.status) || lacksImports(one));
  const predecessors = listPredecessors(installation, siblings).filter(isDeleting);
  return [...successors, ...predecessors].map(keyOf);
}

/** What wakes Installations whose changes start jobs. */
function watchChanges(core: Core): readonly WatchedKind[] {
  const sources = createChangeSources(core);
  return [
    // The informer of a kind yields objects of that kind.
    { type: resources.installation, map: (object) => sources.noteInstallation(object as Installation) },
    { type: resources.execution, map: (object) => sources.noteExecution(object as Execution) },
    { type: resources.dataObject, map: sources.noteDataObject },
    { type: resources.target, map: sources.noteTarget },
    { type: kubeResources.secret, map: sources.noteSecret, metadataSuffices: true },
    { type: kubeResources.configMap, map: sources.noteConfigMap, metadataSuffices: true },
  ];
}

/** What wakes failed deletions that lacked a Target or its Secret. */
function watchAccess({ lostAccess }: Core, kind: keyof WokenObjects): readonly WatchedKind[] {
  return [
    { type: resources.target, map: (target) => lostAccess.wokenByTarget(target)[kind] },
    { type: kubeResources.secret, map: (secret) => lostAccess.wokenBySecret(secret)[kind], metadataSuffices: true },
  ];
}

/** One namespace has as many as there are workers; others are never kept waiting by those of a few that wait for threads. */
function sharesOf(workers: number): Partial<ShareLimits> {
  return { perNamespace: workers, total: 10 * workers };
}

function addMainControllers(manager: Manager, core: Core, workers: CoreWorkers): void {
  const group = "main";
  manager.addController({
    name: "installations",
    group,
    for: resources.installation,
    reconcile: createInstallationReconciler(core),
    owns: [resources.installation, resources.execution],
    watches: [
      {
        type: resources.installation,
        // The informer of this kind yields Installations.
        map: (object) => listWaitingSiblings(core.informers, object as Installation),
      },
      ...watchChanges(core),
      ...watchAccess(core, "installations"),
      // One that waits for the end of an Execution of its name is no owner of it.
      { type: resources.execution, map: (execution) => [keyOf(execution)] },
    ],
    workers: workers.installations,
    shares: sharesOf(workers.installations),
  });
  manager.addController({
    name: "executions",
    group,
    for: resources.execution,
    reconcile: createExecutionReconciler(core),
    owns: [resources.deployItem],
    watches: watchAccess(core, "executions"),
    workers: workers.executions,
    shares: sharesOf(workers.executions),
  });
}

function namespaceKeyOf(object: KubeObject): readonly ObjectKey[] {
  const { name, namespace } = object.metadata;
  return name === defaultContextName && namespace !== undefined ? [{ name: namespace }] : [];
}

function addCentralControllers(manager: Manager, core: Core, options: CoreOptions): void {
  const group = "central";
  const sightings: JobSightings = new Map();
  manager.addController({
    name: "deploy-item-watchdog",
    group,
    for: resources.deployItem,
    reconcile: createWatchdogReconciler(core, options.timeouts, sightings),
    workers: options.workers.deployItems,
  });
  const namespaces = manager.informer(kubeResources.namespace);
  manager.addController({
    name: "default-contexts",
    group,
    for: kubeResources.namespace,
    reconcile: createDefaultContextReconciler({
      client: manager.client,
      namespaces: namespaces.lister,
      contexts: core.informers.contexts.lister,
      settings: options.defaultContext,
    }),
    watches: [{ type: resources.context, map: namespaceKeyOf }],
    workers: options.workers.contexts,
  });
  const { targets, targetSyncs } = core.informers;
  const { egress, foreignServers } = core;
  const { recorder } = options;
  addTargetSyncController(manager, { targets, targetSyncs, recorder, egress, foreignServers });
  const { deployerManagement: settings, metrics, natsServers, deletionProtection = "on" } = options;
  if (natsServers !== undefined) addEventPublisher(manager, { servers: natsServers, hubId: core.hubId, metrics });
  addProtection(manager, { recorder, deletionProtection, managementNamespace: settings?.namespace });
  if (settings !== undefined)
    addDeployerManagement(manager, { informers: core.informers, sightings, recorder, settings, metrics });
}

/** Adds the controllers of the core to a manager that has not been started. */
export function addCoreControllers(manager: Manager, options: CoreOptions): void {
  const { client, clock, log } = manager;
  const { recorder, defaultContext, self = { server: client.server } } = options;
  const { parts = ["main", "central"], egress = createEgressPolicy({}) } = options;
  const oidc = createOidcGuard({ ...options.oidc, client, self, clock, onWarning: warnAbout({ recorder, log }) });
  const foreignServers = options.foreignServers ?? createForeignServers();
  const informers = addInformers(manager);
  const onEnd = options.metrics === undefined ? undefined : createJobObserver(options.metrics, clock);
  if (options.metrics !== undefined) addObjectGauges(options.metrics, informers);
  // A process without deployer management leaves the annotation to the one that has it.
  const isManaging = options.deployerManagement !== undefined && parts.includes("central");
  const stampSources = isManaging ? createStampSources(manager, informers.targets.lister) : undefined;
  const core: Core = {
    client,
    clock,
    log,
    informers,
    news: createNewsBoard(),
    lostAccess: createLostAccess(informers),
    announcer: createAnnouncer({ recorder, log, onEnd }),
    newJobId: randomUUID,
    entropy: createJobEntropy(),
    renderer: options.renderer,
    fieldValidation: options.fieldValidation ?? "Warn",
    emptyProtection: options.emptyProtection ?? "on",
    signaturePolicy: options.signaturePolicy ?? "DoNotEnforce",
    egress,
    foreignServers,
    answers: createTemplateAnswers((call, at) =>
      askCluster(call, { ...at, client, self, clock, egress, oidc, foreignServers }),
    ),
    components: createJobComponents({
      client,
      source:
        options.components?.source ??
        createComponentSource({ registries: createRegistryClient({ userAgent: "landscaper-core", egress }) }),
      findInIndex: async ({ namespace, ...asked }, signal) =>
        await options.renderer.perform({ type: "index", ...asked }, { namespace, signal }),
      configFiles: options.components?.configFiles,
      signatures: {
        policy: options.signaturePolicy ?? "DoNotEnforce",
        secretNamespaces: options.signatureSecretNamespaces ?? [],
      },
      onWarning: (message) => log.warn({}, message),
    }),
    makesDefaultContext: (namespace) => makesDefaultContext(defaultContext, namespace),
    hubId: createHubId({ client, clock, log }),
    environmentsOf: (item) => (stampSources === undefined ? undefined : stampOf(stampSources, item)),
  };
  if (parts.includes("main")) addMainControllers(manager, core, options.workers);
  if (parts.includes("central")) addCentralControllers(manager, core, options);
}
