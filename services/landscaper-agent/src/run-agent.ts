import {
  agentConfigurationSchema,
  agentDeployerRights,
  agentEnvironmentRights,
  agentHostRights,
  agentLeaseAnnotations,
  agentNames,
  agentNamespaceRights,
  kubeResources,
  labels,
  productVersion,
  type AgentConfiguration,
} from "@landscaper/api";
import { runDeployerService, type Embedding, type ServicePlace } from "@landscaper/deployer";
import { createConfiguredHelmDeployer } from "@landscaper/helm-deployer-lib";
import { readSettings, type AgentSettings } from "./agent-settings.ts";
import { readPrivateKey } from "./build-host-objects.ts";
import { createUnsealer, type ReadPrivateKey } from "./create-unsealer.ts";
import { identifyHost, type HostIdentity } from "./identify-host.ts";
import { addKeeper } from "./add-keeper.ts";
import { watchRivals } from "./watch-rivals.ts";

/** The agent renews its Lease every fifth of this: once a minute. */
export const agentLeaseMs = 5 * 60_000;

export interface AgentProcess {
  /** Command line without node and script. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: a helm deployer of its own. */
  readonly createDeployer?: typeof createConfiguredHelmDeployer;
}

/** The whole process of the agent: that of a helm deployer for one Target, and what the agent does beside it. Runs until `signal`. */
export async function runAgent(
  { argv, env, createDeployer = createConfiguredHelmDeployer }: AgentProcess,
  signal: AbortSignal,
): Promise<void> {
  // The host is known when the deployer has been made.
  let readKey: ReadPrivateKey = () => Promise.resolve(undefined);
  const unseal = createUnsealer((stop) => readKey(stop));
  await runDeployerService(
    {
      configuration: agentConfigurationSchema,
      createDeployer: (configuration: AgentConfiguration, surroundings) =>
        createDeployer(configuration, { ...surroundings, unseal }),
      rights: agentDeployerRights,
      host: ({ name, namespace }) => [
        { rights: agentHostRights(name) },
        { namespace, rights: agentNamespaceRights(name) },
      ],
      embed: (configuration, place) => {
        const { name, namespace } = configuration;
        const key = { namespace, name: agentNames(name).accessSecret };
        readKey = async (stop) =>
          readPrivateKey(await place.host.client.find(kubeResources.secret, key, { signal: stop }));
        return embedAgent(configuration, place);
      },
      program: { name: "landscaper-agent", version: productVersion },
      argv,
      env,
    },
    signal,
  );
}

/** The helm deployer as a part of the agent: it acts for the Target of the host alone, and works while it has the Lease of the Environment. */
function embedAgent(configuration: AgentConfiguration, place: ServicePlace): Embedding {
  const settings = readSettings(configuration, { landscaper: place.connection, host: place.host.connection });
  const { environment, names, namespace } = settings;
  warnOfProxy(settings, place);
  let identity: HostIdentity = { cluster: "", marks: {} };
  const { landscaperNamespace } = configuration;
  const lease = {
    name: names.lease,
    labels: { [labels.deployerEnvironment]: environment },
    annotations: () => identity.marks,
  };
  return {
    identity: names.identity,
    namespace: landscaperNamespace,
    rights: agentEnvironmentRights(environment),
    // Whoever writes Targets elsewhere could deploy to the host by one of the same name.
    targetSelectors: [{ targets: [{ name: environment, namespace: landscaperNamespace }] }],
    hostSecret: { namespace, name: names.accessSecret },
    secretsRole: { namespace: landscaperNamespace, name: names.secretsRole },
    lease: { lease, leaseNamespace: landscaperNamespace, leaseDurationMs: agentLeaseMs },
    attach: (manager, { leaseNamespace }) => {
      manager.addPreparation("host", async (stop) => {
        identity = await identifyHost(place.host.client, namespace, stop);
      });
      watchRivals(manager, {
        settings,
        leaseNamespace,
        ownHost: () => identity.marks[agentLeaseAnnotations.host] ?? "",
      });
      addKeeper(manager, { settings, host: place.host.client, hostCluster: () => identity.cluster });
    },
  };
}

/** An Environment has no field for a proxy. */
function warnOfProxy({ landscaper, environment }: AgentSettings, { log }: ServicePlace): void {
  if (landscaper.proxyUrl === undefined) return;
  log.warn(
    { environment },
    "the kubeconfig of the landscaper cluster has a proxy-url: the agent uses it, deployers of the Environment do not",
  );
}
