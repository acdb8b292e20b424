import {
  agentConfigurationSchema,
  agentDeployerRights,
  agentEnvironmentRights,
  agentHostRights,
  agentLeaseAnnotations,
  agentNames,
  agentNamespaceRights,
  parseProxyUrl,
  publicProxyOf,
  kubeResources,
  labels,
  productVersion,
  type AgentConfiguration,
} from "@landscaper/api";
import { withEnvironmentProxy } from "@landscaper/controller-runtime";
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
        return embedAgent(configuration, place, env);
      },
      program: { name: "landscaper-agent", version: productVersion },
      argv,
      env,
    },
    signal,
  );
}

/** The helm deployer as a part of the agent: it acts for the Target of the host alone, and works while it has the Lease of the Environment. */
function embedAgent(configuration: AgentConfiguration, place: ServicePlace, env: AgentProcess["env"]): Embedding {
  // Deployers inside of the fence need the proxy that the agent needs.
  const landscaper = withEnvironmentProxy(place.connection, env);
  const settings = readSettings(configuration, { landscaper, host: place.host.connection });
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

/** Every reader of the Environment would see the password of the proxy. */
function warnOfProxy({ landscaper: { proxyUrl }, environment }: AgentSettings, { log }: ServicePlace): void {
  if (proxyUrl === undefined || publicProxyOf(proxyUrl) !== undefined) return;
  const what =
    parseProxyUrl(proxyUrl)?.hasLogin === true
      ? "has a user and a password"
      : "is not of the form http://HOST:PORT or https://HOST:PORT";
  log.warn(
    { environment },
    `the proxy of the landscaper cluster ${what}: the agent uses it, but does not write it into the Environment. Set HTTPS_PROXY for its deployers`,
  );
}
