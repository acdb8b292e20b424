import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import {
  createParser,
  deployerRights,
  judgeWarnings,
  parseConfiguredDuration,
  leaseRights,
  type EgressConfiguration,
  type EmptyProtection,
  type FieldValidation,
  type TargetSelector,
  type TargetsConfiguration,
  productVersion,
  type Right,
} from "@landscaper/api";
import {
  addKindsCheck,
  addRightsCheck,
  answerFlags,
  createClient,
  createForeignServers,
  createLogger,
  createManager,
  createMetrics,
  createRefusals,
  createUnserved,
  createSystemClock,
  loadConfigFile,
  type LoadedConfig,
  tellStart,
  tellWarnings,
  followKubeconfigs,
  loadConnections,
  parseServiceFlags,
  type ProgramName,
  toForeignServerLimits,
  waitForConnection,
  type Client,
  type Clock,
  type Connection,
  type Logger,
  type Manager,
  type RightsDemand,
  type ServiceFlags,
} from "@landscaper/controller-runtime";
import { createServiceEgress, type EgressPolicy } from "@landscaper/egress";
import type { TSchema } from "typebox";
import { addDeployer, defaultLeaseNamespace, type AddDeployerOptions, type ReplicaOptions } from "./add-deployer.ts";
import type { Deployer } from "./deployer-interface.ts";
import { demandLeaseNamespace } from "./sharing/lease-namespace.ts";
import { listSelectorWarnings } from "./target/selector-warnings.ts";

/** What every deployer's configuration file has (deployers.md §2.1-§2.4). */
export interface DeployerConfiguration {
  readonly identity?: string | undefined;
  /** A list of selectors, or one. */
  readonly targetSelector?: readonly TargetSelector[] | TargetSelector | undefined;
  /** Of the landscaper cluster, in place of all. */
  readonly namespaces?: readonly string[] | undefined;
  readonly controller: { readonly workers: number };
  readonly targets: TargetsConfiguration;
  /** What becomes of unknown fields of users, where no annotation says so. */
  readonly fieldValidation?: FieldValidation | undefined;
  /** Whether jobs are held back that would take away a lot. */
  readonly emptyProtection?: EmptyProtection | undefined;
  /** How long jobs wait for the Secrets of their Targets; "none": not at all. Default: 30 s. */
  readonly targetWait?: string | undefined;
  /** What users may make this service request. */
  readonly egress?: EgressConfiguration | undefined;
  readonly oidcTrustedServers?: readonly string[] | undefined;
  readonly oidcRequireAudience?: boolean | undefined;
}

/** What a deployer has to be allowed on the cluster that its process runs in. */
export interface HostNeeds {
  readonly rights: readonly Right[];
  /** Where; absent: in all namespaces. */
  readonly namespace?: string | undefined;
}

/** What a deployer is made with beside its configuration. */
export interface DeployerSurroundings {
  readonly egress: EgressPolicy;
}

/** Where a service is. */
export interface ServicePlace {
  /** Of the landscaper cluster. */
  readonly connection: Connection;
  /** Of the cluster that the process runs in; that of the landscaper cluster where it is the same. */
  readonly host: { readonly client: Client; readonly connection: Connection };
  readonly clock: Clock;
  readonly log: Logger;
}

/** What makes the deployer a part of another service. */
export interface Embedding extends Pick<
  AddDeployerOptions<unknown>,
  "identity" | "targetSelectors" | "hostSecret" | "secretsRole"
> {
  /** Of the landscaper cluster, the only one whose DeployItems it works on. `namespaces` of the configuration is the service's own matter. */
  readonly namespace: string;
  /** What the service has to be allowed on the landscaper cluster beside the deployer, in all namespaces. Those of the deployer it needs in `namespace` alone. */
  readonly rights: readonly Right[];
  readonly lease: Pick<ReplicaOptions, "lease" | "leaseNamespace" | "leaseDurationMs">;
  /** Adds what the service does beside the deployer. The Leases are where the flag says, or `lease`. */
  readonly attach: (manager: Manager, place: { readonly leaseNamespace: string }) => void;
}

export interface DeployerServiceOptions<Config, Configuration extends DeployerConfiguration> {
  readonly configuration: TSchema;
  /** Makes the deployer, once its configuration is read. */
  readonly createDeployer: (configuration: Configuration, surroundings: DeployerSurroundings) => Deployer<Config>;
  /** What it has to be allowed on the landscaper cluster, where its DeployItems are. Default: what every deployer that connects to Targets needs. */
  readonly rights?: readonly Right[] | ((configuration: Configuration) => readonly Right[]) | undefined;
  /** For a deployer that works on the cluster that its process runs in: the landscaper cluster, unless `--landscaper-kubeconfig` names that one. */
  readonly host?: ((configuration: Configuration) => HostNeeds | readonly HostNeeds[]) | undefined;
  /** For a service that is more than a deployer. */
  readonly embed?: ((configuration: Configuration, place: ServicePlace) => Embedding) | undefined;
  /** What --help and --version print. Default: "deployer", with the version of these libraries. */
  readonly program?: ProgramName | undefined;
  /** Command line without node and script. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The whole process of a deployer: flags, configuration, connections, health server, graceful stop. Runs until `signal`, and closes the deployer. */
export async function runDeployerService<Config, Configuration extends DeployerConfiguration>(
  options: DeployerServiceOptions<Config, Configuration>,
  signal: AbortSignal,
): Promise<void> {
  const { env } = options;
  const flags = parseServiceFlags(options.argv, { electsLeader: false });
  const { program = { name: "deployer", version: productVersion } } = options;
  const answer = answerFlags(flags, { ...program, electsLeader: false });
  if (answer !== undefined) {
    process.stdout.write(answer);
    return;
  }
  const { configuration, warnings } = await readConfiguration<Configuration>(options.configuration, flags.configFile);
  const clock = createSystemClock();
  const starting = createLogger({ name: program.name, level: flags.logLevel });
  const loadAll = async () => await loadConnections(flags, { env, clock });
  const loaded = await waitForConnection({ load: loadAll, port: flags.metricsPort ?? 0, clock, log: starting }, signal);
  const servers = [loaded.connection.server, loaded.hostConnection?.server];
  const egress = createServiceEgress(configuration.egress ?? {}, { servers, env });
  const deployer = options.createDeployer(configuration, { egress });
  const follow = async (work: (stop: AbortSignal) => Promise<void>): Promise<void> =>
    await followKubeconfigs({ texts: loaded.texts, load: loadAll, clock }, work, signal);
  try {
    await serve(options, { ...loaded, flags, configuration, warnings, clock, egress, deployer, follow });
  } finally {
    await deployer.close?.();
  }
}

/** What a service has once its deployer is made. */
interface Service<Config, Configuration> extends LoadedConfig<Configuration> {
  readonly flags: ServiceFlags;
  readonly clock: Clock;
  readonly connection: Connection;
  readonly hostConnection: Connection | undefined;
  readonly egress: EgressPolicy;
  readonly deployer: Deployer<Config>;
  /** Runs the work until the service is to end. */
  readonly follow: (work: (stop: AbortSignal) => Promise<void>) => Promise<void>;
}

async function serve<Config, Configuration extends DeployerConfiguration>(
  options: DeployerServiceOptions<Config, Configuration>,
  service: Service<Config, Configuration>,
): Promise<void> {
  const { env } = options;
  const { flags, configuration, warnings, clock, connection, hostConnection, egress, deployer, follow } = service;
  const rights = rightsOf(options, configuration);
  const port = flags.metricsPort ?? 0;
  const log = createLogger({ name: deployer.name, level: flags.logLevel });
  tellWarnings(log, judgeWarnings(warnings, configuration.fieldValidation ?? "Warn"));
  tellStart(log, { configFile: flags.configFile, connection, hostConnection });
  const metrics = await createMetrics();
  const pod = nameProcess(env);
  // The audit log of the API server tells replicas apart.
  const refusals = createRefusals();
  const unserved = createUnserved();
  const userAgent = `${deployer.name}/${pod}`;
  const client = createClient({ connection, clock, metrics: unserved.watch(refusals.watch(metrics)), userAgent });
  const hostClient =
    hostConnection && createClient({ connection: hostConnection, clock, metrics: refusals.watch(metrics), userAgent });
  const host = { client: hostClient ?? client, connection: hostConnection ?? connection };
  const embedding = options.embed?.(configuration, { connection, host, clock, log });
  const replica = {
    ...embedding?.lease,
    pod,
    leaseNamespace: flags.leaseNamespace ?? embedding?.lease.leaseNamespace ?? defaultLeaseNamespace,
    leaseDurationMs: flags.leaseDurationMs ?? embedding?.lease.leaseDurationMs,
  };
  const namespaces = embedding === undefined ? configuration.namespaces : [embedding.namespace];
  const identity = embedding?.identity ?? configuration.identity ?? deployer.name;
  const targetSelectors = embedding?.targetSelectors ?? selectorsOf(configuration.targetSelector);
  tellWarnings(log, listSelectorWarnings(targetSelectors ?? [], "targetSelector"));
  if ((env["NATS_URL"] ?? "") !== "") {
    log.warn({}, "NATS_URL has no effect: the core publishes the events of DeployItems. Remove the variable");
  }
  const manager = createManager({
    name: deployer.name,
    client,
    log,
    clock,
    metrics,
    namespaces,
    ...(port === 0 ? {} : { http: { port } }),
  });
  const { requests } = configuration.targets;
  const added = addDeployer(manager, {
    deployer,
    identity,
    targetSelectors,
    hostSecret: embedding?.hostSecret,
    secretsRole: embedding?.secretsRole,
    workers: configuration.controller.workers,
    fieldValidation: configuration.fieldValidation,
    emptyProtection: configuration.emptyProtection,
    targetWaitMs:
      configuration.targetWait === undefined
        ? undefined
        : parseConfiguredDuration(configuration.targetWait, "targetWait"),
    shares: configuration.targets.shares,
    foreignServers: createForeignServers({ limits: toForeignServerLimits(requests, "targets.requests"), metrics }),
    self: connection,
    egress,
    oidc: configuration,
    metrics: metrics.define,
    replica,
    host: hostClient,
  });
  const cluster = "the landscaper cluster";
  const namespace = replica.leaseNamespace;
  const demands = [
    ...demandsOf(configuration.namespaces, embedding, { client, cluster, rights }),
    { client, cluster, namespace, rights: leaseRights },
    ...hostDemands(options.host?.(configuration), { client, cluster, hostClient }),
  ];
  addRightsCheck(manager, { demands, refusals });
  addKindsCheck(manager, { client, cluster, rights: [...rights, ...(embedding?.rights ?? [])], unserved });
  manager.addPreparation("lease-namespace", (stop) => demandLeaseNamespace({ client, namespace }, stop));
  embedding?.attach(manager, { leaseNamespace: namespace });
  try {
    await follow((stop) => manager.start(stop));
  } finally {
    await added.close();
    await Promise.all([client.close(), hostClient?.close()]);
  }
}

interface HostClients {
  readonly client: Client;
  /** What `client` leads to, for messages. */
  readonly cluster: string;
  readonly hostClient: Client | undefined;
}

function hostDemands(
  needs: HostNeeds | readonly HostNeeds[] | undefined,
  { client, cluster, hostClient }: HostClients,
): RightsDemand[] {
  const own = { client: hostClient ?? client, cluster: hostClient ? "the cluster that the deployer runs in" : cluster };
  return [needs ?? []].flat().map((need) => ({ ...own, ...need }));
}

/** Namespaces that are named may come later, and their rights with them; that of an embedded deployer has to be there. */
function demandsOf(
  namespaces: readonly string[] | undefined,
  embedding: Embedding | undefined,
  demand: RightsDemand,
): readonly RightsDemand[] {
  if (embedding !== undefined) {
    return [
      { ...demand, rights: embedding.rights },
      { ...demand, namespace: embedding.namespace },
    ];
  }
  return namespaces?.map((namespace) => ({ ...demand, namespace, isOptional: true })) ?? [demand];
}

function rightsOf<Config, Configuration extends DeployerConfiguration>(
  { rights = deployerRights({ connects: true }) }: DeployerServiceOptions<Config, Configuration>,
  configuration: Configuration,
): readonly Right[] {
  return typeof rights === "function" ? rights(configuration) : rights;
}

/** One that says nothing is none. */
function selectorsOf(given: DeployerConfiguration["targetSelector"]): readonly TargetSelector[] | undefined {
  if (given === undefined || Array.isArray(given)) return given;
  const isEmpty = Object.values(given).every((part) => Array.isArray(part) && part.length === 0);
  return isEmpty ? [] : [given as TargetSelector];
}

/** Of a pod its name. Elsewhere there can be several processes on a host, and none may take the other's Lease for its own. */
function nameProcess(env: DeployerServiceOptions<unknown, never>["env"]): string {
  const pod = env["MY_POD_NAME"] ?? "";
  return pod === "" ? `${hostname()}-${randomUUID()}` : pod;
}

async function readConfiguration<Configuration extends DeployerConfiguration>(
  schema: TSchema,
  file: string | undefined,
): Promise<LoadedConfig<Configuration>> {
  // The schema is the one of `Configuration`: the caller gives both.
  if (file !== undefined) return (await loadConfigFile(schema, file)) as LoadedConfig<Configuration>;
  return { configuration: createParser<Configuration>(schema, "Configuration")({}, "defaults"), warnings: [] };
}
