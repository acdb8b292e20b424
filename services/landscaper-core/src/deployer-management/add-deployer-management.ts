import {
  deployerLeaseRoleName,
  deployerRoleName,
  keyOf,
  kubeResources,
  labels,
  resources,
  type DeployItem,
  type KubeObject,
  type ObjectKey,
} from "@landscaper/api";
import type { EventRecorder, Manager, MetricDefinitions } from "@landscaper/controller-runtime";
import type { CoreInformers } from "../core.ts";
import type { JobSighting } from "../deploy-item/job-sightings.ts";
import { coreMetricTable } from "../metrics/core-metrics.ts";
import { labelOf, namespaceOf } from "../object-reading.ts";
import {
  contextSecretState,
  environmentOfTargetName,
  environmentsNaming,
  namedTargetIndexIn,
  targetSecretState,
} from "./agent-secrets/observe-secrets.ts";
import { addConfiguredDeployers } from "./configured/add-configured-deployers.ts";
import { createEnvironmentReconciler } from "./environment-reconciler.ts";
import {
  bindingIndexes,
  environmentIndexes,
  environmentsOfName,
  environmentsOfNamespace,
  installationIndexesIn,
  labelledEnvironment,
  managedSelector,
} from "./deployer-indexes.ts";
import type { DeployerManagementContext } from "./deployer-management-context.ts";
import { watchHeartbeats } from "./heartbeats.ts";
import { deletedEnvironmentsOfItem, environmentOfItem } from "./observe-environment.ts";
import {
  createStampReconciler,
  itemsOfEnvironment,
  itemsOfTarget,
  targetOfItemIndexes,
  type StampSources,
} from "./stamps/stamp-items.ts";
import type { DeployerManagementSettings } from "./pair.ts";
import {
  changes,
  claimState,
  environmentsOfRollout,
  environmentState,
  identityState,
  rolloutState,
  selectorState,
  specState,
} from "./relevant-updates.ts";
import { createRegistrationReconciler } from "./registration-reconciler.ts";
import { addSilenceController } from "./silence/add-silence.ts";

export interface DeployerManagementOptions {
  readonly informers: CoreInformers;
  /** What the watchdog has seen of the items. */
  readonly sightings: ReadonlyMap<string, JobSighting>;
  readonly recorder: EventRecorder;
  readonly settings: DeployerManagementSettings;
  readonly metrics?: MetricDefinitions | undefined;
}

const group = "central";
const environmentWorkers = 10;
const stampWorkers = 10;

function createContext(manager: Manager, options: DeployerManagementOptions): DeployerManagementContext {
  const { informers, sightings, recorder, settings } = options;
  const { namespace } = settings;
  const named = (name: string) =>
    manager.informer(kubeResources.clusterRole, { fieldSelector: `metadata.name=${name}` }).lister;
  const labelled = { labelSelector: managedSelector, indexes: bindingIndexes };
  return {
    client: manager.client,
    clock: manager.clock,
    sightings,
    recorder,
    settings,
    environments: manager.informer(resources.environment, { indexes: environmentIndexes }).lister,
    registrations: manager.informer(resources.deployerRegistration).lister,
    installations: manager.informer(resources.installation, { indexes: installationIndexesIn(namespace) }).lister,
    executions: informers.executions.lister,
    deployItems: manager.informer(resources.deployItem, {
      indexes: { ...targetOfItemIndexes, ...namedTargetIndexIn(namespace) },
    }).lister,
    contexts: informers.contexts.lister,
    targets: informers.targets.lister,
    accounts: manager.informer(kubeResources.serviceAccount, {
      namespace,
      labelSelector: managedSelector,
      metadataOnly: true,
    }).lister,
    clusterRoles: [deployerRoleName, deployerLeaseRoleName].map(named),
    clusterBindings: manager.informer(kubeResources.clusterRoleBinding, labelled).lister,
    roleBindings: manager.informer(kubeResources.roleBinding, labelled).lister,
    roles: manager.informer(kubeResources.role, { namespace, labelSelector: managedSelector }).lister,
    namespaces: manager.informer(kubeResources.namespace).lister,
    heartbeats: watchHeartbeats(manager, settings),
    requestedTokens: new Map(),
  };
}

function registrationOf(object: KubeObject): readonly ObjectKey[] {
  const name = labelOf(object, labels.deployerRegistration);
  return name === undefined ? [] : [{ name }];
}

/** What the annotations of DeployItems follow from, by informers of the manager. */
export function createStampSources(manager: Manager, targets: StampSources["targets"]): StampSources {
  return {
    environments: manager.informer(resources.environment).lister,
    registrations: manager.informer(resources.deployerRegistration).lister,
    targets,
  };
}

/** Keeps the annotation of DeployItems that says which Environments may write them. */
function addStamps(manager: Manager, { informers, recorder, metrics }: DeployerManagementOptions): void {
  const removals = metrics?.counter<never>(coreMetricTable.removedSecrets);
  const { lister } = manager.informer(resources.deployItem, { indexes: targetOfItemIndexes });
  const sources = createStampSources(manager, informers.targets.lister);
  manager.addController({
    name: "deploy-item-environments",
    group,
    for: resources.deployItem,
    reconcile: createStampReconciler({
      client: manager.client,
      sources,
      deployItems: lister,
      recorder,
      onSecretRemoved: () => removals?.inc({}),
    }),
    watches: [
      { type: resources.target, map: itemsOfTarget(lister) },
      {
        type: resources.environment,
        map: itemsOfEnvironment(sources, lister),
        updatePredicate: changes(claimState),
      },
      // Registrations are few, and seldom change.
      {
        type: resources.deployerRegistration,
        map: () => lister.list().map(keyOf),
        updatePredicate: changes(selectorState),
      },
    ],
    workers: stampWorkers,
  });
}

/** Adds the controllers of Environments and DeployerRegistrations to a manager that has not been started. */
export function addDeployerManagement(manager: Manager, options: DeployerManagementOptions): void {
  const context = createContext(manager, options);
  addStamps(manager, options);
  const { environments, registrations, settings } = context;
  const isInPlace = (object: KubeObject): boolean => namespaceOf(object) === settings.namespace;
  const inPlace = (map: (object: KubeObject) => readonly ObjectKey[]) => (object: KubeObject) =>
    isInPlace(object) ? map(object) : [];
  manager.addController({
    name: "environments",
    group,
    for: resources.environment,
    reconcile: createEnvironmentReconciler(context),
    watches: [
      {
        type: resources.deployerRegistration,
        map: () => environments.list().map(keyOf),
        updatePredicate: changes(specState),
      },
      {
        type: resources.deployerRegistration,
        map: environmentsOfRollout,
        updatePredicate: changes(rolloutState),
      },
      { type: resources.installation, map: inPlace(environmentsOfName(environments)) },
      // The informer of this kind yields DeployItems.
      { type: resources.deployItem, map: inPlace((object) => environmentOfItem(context, object as DeployItem)) },
      {
        type: resources.deployItem,
        map: inPlace((object) => environmentOfTargetName(environments)(object as DeployItem)),
        updatePredicate: changes(specState),
      },
      { type: resources.deployItem, map: (object) => deletedEnvironmentsOfItem(context, object as DeployItem) },
      { type: resources.target, map: inPlace(environmentsOfName(environments)) },
      {
        type: resources.target,
        map: inPlace(environmentsNaming(context)),
        updatePredicate: changes(targetSecretState),
      },
      // Contexts of one namespace are few, and seldom change.
      {
        type: resources.context,
        map: inPlace(() => environments.list().map(keyOf)),
        updatePredicate: changes(contextSecretState),
      },
      { type: kubeResources.role, map: labelledEnvironment },
      { type: kubeResources.serviceAccount, map: labelledEnvironment, metadataSuffices: true },
      { type: kubeResources.clusterRole, map: () => environments.list().map(keyOf) },
      { type: kubeResources.clusterRoleBinding, map: labelledEnvironment },
      { type: kubeResources.roleBinding, map: labelledEnvironment },
      {
        type: kubeResources.namespace,
        map: environmentsOfNamespace(environments),
        updatePredicate: changes(identityState),
      },
      { type: kubeResources.lease, map: labelledEnvironment },
    ],
    workers: environmentWorkers,
  });
  addSilenceController(manager, options.informers);
  addConfiguredDeployers(manager, settings.registrations ?? []);
  manager.addController({
    name: "deployer-registrations",
    group,
    for: resources.deployerRegistration,
    reconcile: createRegistrationReconciler(context),
    watches: [
      {
        type: resources.environment,
        map: () => registrations.list().map(keyOf),
        updatePredicate: changes(environmentState),
      },
      { type: resources.installation, map: inPlace(registrationOf) },
    ],
  });
}
