import {
  agentFinalizer,
  annotations,
  apiVersion,
  environmentKind,
  kubernetesClusterTargetType,
  type Environment,
  type EnvironmentSpec,
} from "@landscaper/api";
import type { ClusterAddress } from "@landscaper/deployer";
import type { AgentSettings } from "./agent-settings.ts";
import { accessKey } from "./build-host-objects.ts";

/** How deployers of the host reach the landscaper cluster: as the agent does. Credentials are no part of it. */
function landscaperClusterConfigOf({
  server,
  ca,
  insecureSkipTlsVerify,
  tlsServerName,
}: ClusterAddress): EnvironmentSpec["landscaperClusterConfig"] {
  const { origin, pathname } = new URL(server);
  const path = pathname.replaceAll(/^\/+|\/+$/g, "");
  return {
    host: origin,
    apiPath: path === "" ? "" : `/${path}`,
    insecure: insecureSkipTlsVerify === true,
    ...(tlsServerName === undefined ? {} : { serverName: tlsServerName }),
    caData: ca === undefined ? "" : Buffer.from(ca).toString("base64"),
  };
}

function specOf({ settings, hostCluster, sealingKey }: WantedEnvironment): EnvironmentSpec {
  const { environment, names, namespace, targetSelectors, landscaper } = settings;
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
    targetSelectors: [...targetSelectors],
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
 * The namespaces of an Environment: those of the configuration, as far as the Environment has them already. An agent only takes namespaces away: with
 * more it would give itself rights. Where none would be left, what is there stays.
 */
function namespacesOf({ namespaces }: AgentSettings, existing: Environment | undefined): readonly string[] | undefined {
  const current = existing?.spec.namespaces;
  if (namespaces === undefined || current === undefined) return current ?? namespaces;
  const common = current.filter((name) => namespaces.includes(name));
  return common.length === 0 ? current : common;
}

/** Namespaces of the configuration that the Environment does not have: only an administrator of the landscaper cluster adds them. */
export function findRefusedNamespaces(
  { namespaces = [] }: AgentSettings,
  existing: Environment | undefined,
): readonly string[] {
  const current = existing?.spec.namespaces;
  return current === undefined ? [] : namespaces.filter((name) => !current.includes(name));
}

/**
 * The Environment as the agent wants it, over the one that is there; whether it is suspended, users say, and namespaces they alone add
 * (docs/reference/deployer-management.md#agent).
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
      ...specOf(wanted),
      ...(namespaces === undefined ? {} : { namespaces: [...namespaces] }),
      ...(suspend === undefined ? {} : { suspend }),
    },
  };
}
