import {
  agentNames,
  configurationError,
  environmentNameRule,
  everyNamespace,
  isEnvironmentName,
  LandscaperError,
  type AgentConfiguration,
  type AgentNames,
  type TargetSelector,
} from "@landscaper/api";
import type { Connection } from "@landscaper/controller-runtime";
import type { ClusterAddress } from "@landscaper/deployer";

/** What an agent makes its objects of. */
export interface AgentSettings {
  /** Name of the Environment. */
  readonly environment: string;
  readonly names: AgentNames;
  /** Of the host, for deployers and the agent's own objects. */
  readonly namespace: string;
  /** Of the landscaper cluster, with the Target of the host. */
  readonly landscaperNamespace: string;
  /** Undefined: an existing Environment keeps its selectors. */
  readonly targetSelectors: readonly TargetSelector[] | undefined;
  /** Namespaces of the landscaper cluster in which the deployers of the Environment work; `["*"]`: all. Undefined: the Environment must exist and keeps its list. */
  readonly namespaces: readonly string[] | undefined;
  /** How the agent reaches the landscaper cluster, and so its deployers. */
  readonly landscaper: ClusterAddress;
  readonly host: ClusterAddress;
  /** The host is the landscaper cluster, so the operator of the agent administers both. */
  readonly hostIsLandscaperCluster: boolean;
}

/** The error of an agent whose Environment only an administrator can create. */
export function missingEnvironment(environment: string, cause?: unknown): LandscaperError {
  return new LandscaperError({
    message: `Environment ${environment} does not exist, and its agent must not create it${cause instanceof Error ? `: ${cause.message}` : ""}`,
    reason: "InvalidConfiguration",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: `run landscaper agent bootstrap --environment ${environment} --namespaces NAMES as an administrator of the landscaper cluster`,
    cause,
  });
}

/** Throws LandscaperError for a name that no Environment with deployers can have, and for "*" beside names of namespaces. */
export function readSettings(
  {
    name,
    namespace,
    landscaperNamespace,
    targetSelectors,
    namespaces,
  }: Pick<AgentConfiguration, "name" | "namespace" | "landscaperNamespace" | "targetSelectors" | "namespaces">,
  { landscaper, host }: { readonly landscaper: Connection; readonly host: Connection },
): AgentSettings {
  if (!isEnvironmentName(name)) {
    throw configurationError(`name: expected ${environmentNameRule}, found ${JSON.stringify(name)}`);
  }
  if (namespaces !== undefined && namespaces.length > 1 && namespaces.includes(everyNamespace)) {
    throw configurationError(
      `namespaces: expected names, or ["*"] alone for all namespaces, found ${JSON.stringify(namespaces)}`,
    );
  }
  return {
    environment: name,
    names: agentNames(name),
    namespace,
    landscaperNamespace,
    targetSelectors,
    namespaces,
    landscaper: addressOf(landscaper),
    host: addressOf(host),
    hostIsLandscaperCluster: landscaper.server === host.server,
  };
}

/** Where a connection leads to, without its credentials. */
function addressOf({ server, ca, insecureSkipTlsVerify, tlsServerName, proxyUrl }: Connection): ClusterAddress {
  return { server, ca, insecureSkipTlsVerify, tlsServerName, proxyUrl };
}
