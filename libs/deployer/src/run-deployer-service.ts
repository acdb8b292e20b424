import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { createParser, type TargetSelector } from "@landscaper/api";
import {
  createClient,
  createLogger,
  createManager,
  createMetrics,
  createSystemClock,
  loadConfigFile,
  loadConnection,
  parseServiceFlags,
  serviceUsage,
} from "@landscaper/controller-runtime";
import { createEventPublisher } from "@landscaper/events";
import type { TSchema } from "typebox";
import { addDeployer } from "./add-deployer.ts";
import type { Deployer } from "./deployer-interface.ts";
import { membershipLease } from "./sharing/membership.ts";

/** What every deployer's configuration file has (deployers.md §2.1-§2.4). */
export interface DeployerConfiguration {
  readonly identity?: string | undefined;
  readonly targetSelector?: readonly TargetSelector[] | undefined;
  readonly controller: { readonly workers: number };
  /** More than one: replicas share the items. */
  readonly hpa?: { readonly maxReplicas: number } | undefined;
}

export interface DeployerServiceOptions<Config, Configuration extends DeployerConfiguration> {
  readonly configuration: TSchema;
  /** Makes the deployer, once its configuration is read. */
  readonly createDeployer: (configuration: Configuration) => Deployer<Config>;
  /** Command line without node and script. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the process goes by another name than its host's, in tests. */
  readonly host?: string | undefined;
}

/** The whole process of a deployer: flags, configuration, connections, health server, graceful stop. Runs until `signal`. */
export async function runDeployerService<Config, Configuration extends DeployerConfiguration>(
  options: DeployerServiceOptions<Config, Configuration>,
  signal: AbortSignal,
): Promise<void> {
  const { env } = options;
  const flags = parseServiceFlags(options.argv, { electsLeader: false });
  if (flags.help) {
    process.stdout.write(serviceUsage("deployer", { electsLeader: false }));
    return;
  }
  const configuration = await readConfiguration<Configuration>(options.configuration, flags.configFile);
  const deployer = options.createDeployer(configuration);
  const clock = createSystemClock();
  const log = createLogger({ name: deployer.name, level: flags.logLevel });
  const metrics = await createMetrics();
  const isShared = (configuration.hpa?.maxReplicas ?? 1) > 1;
  const host = env["MY_POD_NAME"] ?? options.host ?? hostname();
  const connect = async (kubeconfigPath: string | undefined) => {
    const connection = await loadConnection({ kubeconfigPath, env, clock });
    // The audit log of the API server tells replicas apart.
    const userAgent = isShared ? `${deployer.name}/${host}` : deployer.name;
    return { connection, client: createClient({ connection, clock, metrics, userAgent }) };
  };
  const { connection, client } = await connect(flags.kubeconfig);
  // Leases stand where the deployer runs.
  const home = isShared && flags.host !== undefined ? (await connect(flags.host.kubeconfig)).client : undefined;
  const identity = configuration.identity ?? (isShared ? deployer.name : `${deployer.name}-${host}`);
  const replica = isShared
    ? {
        // A pod has one deployer of a name. Elsewhere there can be several, and none may take the other's Lease for its own.
        pod: env["MY_POD_NAME"] ?? `${host}-${randomUUID()}`,
        namespace: env["MY_POD_NAMESPACE"] ?? "ls-system",
        client: home ?? client,
      }
    : undefined;
  const publisher = createEventPublisher({
    servers: env["NATS_URL"],
    source: `/${deployer.name}/${identity}`,
    log,
    clock,
  });
  const port = flags.metricsPort ?? 0;
  const manager = createManager({
    name: deployer.name,
    client,
    log,
    clock,
    metrics,
    ...(port === 0 ? {} : { http: { port } }),
    ...(replica === undefined
      ? {}
      : {
          leaderElection: membershipLease({ deployerName: deployer.name, identity }, replica, flags.leaseDurationMs),
        }),
  });
  const added = addDeployer(manager, {
    deployer,
    identity,
    targetSelectors: configuration.targetSelector,
    workers: configuration.controller.workers,
    self: connection,
    publisher,
    replica,
  });
  try {
    await manager.start(signal);
  } finally {
    await Promise.all([added.close(), publisher.stop()]);
    await Promise.all([client.close(), home?.close()]);
  }
}

async function readConfiguration<Configuration extends DeployerConfiguration>(
  schema: TSchema,
  file: string | undefined,
): Promise<Configuration> {
  // The schema is the one of `Configuration`: the caller gives both.
  if (file !== undefined) return (await loadConfigFile(schema, file)) as Configuration;
  return createParser<Configuration>(schema, "Configuration")({}, "defaults");
}
