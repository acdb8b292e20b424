import {
  agentNames,
  annotations,
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
  readonly targetSelectors: readonly TargetSelector[];
  /** Namespaces of the landscaper cluster in which the deployers of the Environment work; `["*"]`: all. Undefined: the Environment must exist and keeps its list. */
  readonly namespaces: readonly string[] | undefined;
  /** How the agent reaches the landscaper cluster, and so its deployers. */
  readonly landscaper: ClusterAddress;
  readonly host: ClusterAddress;
}

/** The Targets of an Environment whose configuration names none: that of its host, and all that are annotated for it. */
export function defaultTargetSelectors(environment: string): readonly TargetSelector[] {
  return [
    { targets: [{ name: environment, namespace: "" }] },
    { annotations: [{ key: annotations.environment, operator: "=", values: [environment] }] },
  ];
}

function invalidConfiguration(message: string): LandscaperError {
  return new LandscaperError({
    message,
    reason: "InvalidConfiguration",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
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
    throw invalidConfiguration(`name: expected ${environmentNameRule}, found ${JSON.stringify(name)}`);
  }
  if (namespaces !== undefined && namespaces.length > 1 && namespaces.includes(everyNamespace)) {
    throw invalidConfiguration(
      `namespaces: expected names, or ["*"] alone for all namespaces, found ${JSON.stringify(namespaces)}`,
    );
  }
  return {
    environment: name,
    names: agentNames(name),
    namespace,
    landscaperNamespace,
    targetSelectors: targetSelectors ?? defaultTargetSelectors(name),
    namespaces,
    landscaper: addressOf(landscaper),
    host: addressOf(host),
  };
}

/** Where a connection leads to, without its credentials. */
function addressOf({ server, ca, insecureSkipTlsVerify, tlsServerName, proxyUrl }: Connection): ClusterAddress {
  return { server, ca, insecureSkipTlsVerify, tlsServerName, proxyUrl };
}
