import {
  agentFinalizer,
  annotations,
  apiVersion,
  areOwnSelectors,
  environmentKind,
  environmentNamespaces,
  kubernetesClusterTargetType,
  ownTargetSelectors,
  publicProxyOf,
  type Environment,
  type EnvironmentSpec,
} from "@landscaper/api";
import type { ClusterAddress } from "@landscaper/deployer";
import { isDeepEqual } from "@landscaper/patch";
import type { AgentSettings } from "./agent-settings.ts";
import { accessKey } from "./build-host-objects.ts";

/** How deployers of the host reach the landscaper cluster: as the agent does. Credentials are no part of it. */
function landscaperClusterConfigOf({
  server,
  ca,
  insecureSkipTlsVerify,
  tlsServerName,
  proxyUrl,
}: ClusterAddress): EnvironmentSpec["landscaperClusterConfig"] {
  const proxyURL = proxyUrl === undefined ? undefined : publicProxyOf(proxyUrl);
  const { origin, pathname } = new URL(server);
  const path = pathname.replaceAll(/^\/+|\/+$/g, "");
  return {
    host: origin,
    apiPath: path === "" ? "" : `/${path}`,
    insecure: insecureSkipTlsVerify === true,
    ...(tlsServerName === undefined ? {} : { serverName: tlsServerName }),
    caData: ca === undefined ? "" : Buffer.from(ca).toString("base64"),
    ...(proxyURL === undefined ? {} : { proxyURL }),
  };
}

/**
 * Returns spec.targetSelectors as the agent wants them. In an existing Environment, the agent of a fenced cluster only writes selectors of its own
 * Targets. With other selectors, its deployers would work on DeployItems of other Environments.
 */
function selectorsOf(
  { environment, targetSelectors, hostIsLandscaperCluster }: AgentSettings,
  existing: Environment | undefined,
): EnvironmentSpec["targetSelectors"] {
  const current = existing?.spec.targetSelectors;
  if (targetSelectors === undefined) return current ?? [...ownTargetSelectors(environment)];
  const isWritable = current === undefined || hostIsLandscaperCluster || areOwnSelectors(targetSelectors, environment);
  return isWritable ? [...targetSelectors] : current;
}

/** Whether the configuration has selectors that the Environment does not have: only an administrator of the landscaper cluster sets them. */
export function hasRefusedSelectors(settings: AgentSettings, existing: Environment | undefined): boolean {
  const { targetSelectors } = settings;
  if (targetSelectors === undefined || existing === undefined) return false;
  return !isDeepEqual(targetSelectors, selectorsOf(settings, existing));
}

function specOf(
  { settings, hostCluster, sealingKey }: WantedEnvironment,
  existing: Environment | undefined,
): EnvironmentSpec {
  const { environment, names, namespace, landscaper } = settings;
  // A cluster that replaces the host has nothing of what the deployers were installed with: another Target installs them there.
  const secretRef = { key: accessKey, name: names.accessSecret, namespace, cluster: hostCluster };
  return {
    hostTarget: {
      type: kubernetesClusterTargetType,
      annotations: { [annotations.environment]: environment },
      config: { kubeconfig: { secretRef } },
    },
    namespace,
    landscaperClusterConfig: landscaperClusterConfigOf(landscaper),
    targetSelectors: selectorsOf(settings, existing),
    sealingKey,
  };
}

export interface WantedEnvironment {
  readonly settings: AgentSettings;
  /** UID of the cluster of the host. */
  readonly hostCluster: string;
  /** Public key for which tokens are sealed. */
  readonly sealingKey: string;
}

/**
 * Returns spec.namespaces as the agent wants it. A new Environment, which only agents of the hub create, gets the list of the configuration. In an existing one, the agent only
 * removes namespaces: by adding one, it would extend its own rights. If no namespace would remain, the list stays.
 */
function namespacesOf({ namespaces }: AgentSettings, existing: Environment | undefined): readonly string[] | undefined {
  if (existing === undefined) return namespaces;
  const current = environmentNamespaces(existing.spec);
  const configured = environmentNamespaces({ namespaces });
  if (configured === undefined) return existing.spec.namespaces;
  if (current === undefined) return configured;
  const common = current.filter((name) => configured.includes(name));
  return common.length === 0 ? current : common;
}

/** Namespaces of the configuration that the Environment does not have: only an administrator of the landscaper cluster adds them. */
export function findRefusedNamespaces(
  { namespaces = [] }: AgentSettings,
  existing: Environment | undefined,
): readonly string[] {
  const current = existing && environmentNamespaces(existing.spec);
  return current === undefined ? [] : namespaces.filter((name) => !current.includes(name));
}

/**
 * Returns the Environment as the agent wants it, over the existing one. Only users suspend it, and only they add namespaces and selectors of
 * further Targets (docs/reference/deployer-management.md#agent).
 */
export function buildEnvironment(wanted: WantedEnvironment, existing: Environment | undefined): Environment {
  const metadata = existing?.metadata ?? { name: wanted.settings.environment };
  const { finalizers = [] } = metadata;
  const suspend = existing?.spec.suspend;
  const namespaces = namespacesOf(wanted.settings, existing);
  const isMarked = finalizers.includes(agentFinalizer);
  return {
    ...(existing ?? { apiVersion, kind: environmentKind.type.kind }),
    metadata: { ...metadata, finalizers: isMarked ? finalizers : [...finalizers, agentFinalizer] },
    spec: {
      ...specOf(wanted, existing),
      ...(namespaces === undefined ? {} : { namespaces: [...namespaces] }),
      ...(suspend === undefined ? {} : { suspend }),
    },
  };
}
