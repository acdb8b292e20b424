import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import {
  coreRights,
  crdRights,
  deployerManagementRights,
  electionRights,
  healthCheckRights,
  hostKinds,
  judgeWarnings,
  policyRights,
  problemRights,
  productVersion,
} from "@landscaper/api";
import {
  addKindsCheck,
  addRightsCheck,
  answerFlags,
  createClient,
  createEventRecorder,
  createForeignServers,
  createLogger,
  createManager,
  createMetrics,
  createRefusals,
  createUnserved,
  createSystemClock,
  followKubeconfigs,
  loadConnections,
  parseServiceFlags,
  tellStart,
  tellWarnings,
  toForeignServerLimits,
  waitForConnection,
  type Client,
  type RightsDemand,
} from "@landscaper/controller-runtime";
import { createServiceEgress } from "@landscaper/egress";
import { addCoreControllers } from "./add-core-controllers.ts";
import { openComponents } from "./components/open-components.ts";
import { loadConfiguration, toCoreSettings, toHealthCheck } from "./configuration.ts";
import { reportSharedNamespace } from "./deployer-management/shared-namespace.ts";
import { manageCrds } from "./crd-management/manage-crds.ts";
import { managePolicies } from "./crd-management/manage-policies.ts";
import { reportProblems } from "./critical-problems/report-problems.ts";
import { readNatsServers } from "./events/read-nats-servers.ts";
import { addHealthCheck } from "./health-check/add-health-check.ts";
import { Renderer } from "./rendering/renderer.ts";
import { nameReplica } from "./replica-names.ts";

const component = "landscaper-core";
const flagOptions = { electsLeader: true, registersDeployers: true };

export interface CoreProcess {
  /** Command line without node and script. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The whole process of the core: flags, configuration, connection, health server, leases, graceful stop. Runs until `signal`. */
export async function runCore({ argv, env }: CoreProcess, signal: AbortSignal): Promise<void> {
  const flags = parseServiceFlags(argv, flagOptions);
  const answer = answerFlags(flags, { name: component, version: productVersion, ...flagOptions });
  if (answer !== undefined) {
    process.stdout.write(answer);
    return;
  }
  const { configuration, warnings } = await loadConfiguration(flags.configFile, flags.deployers);
  const { instance, identity } = nameReplica({ env, hostname: hostname(), newId: randomUUID });
  const clock = createSystemClock();
  const log = createLogger({ name: component, level: flags.logLevel });
  tellWarnings(log, judgeWarnings(warnings, configuration.fieldValidation));
  const port = flags.metricsPort ?? configuration.metrics?.port ?? 0;
  const loadAll = async () => await loadConnections(flags, { env, clock });
  const { texts, connection, hostConnection } = await waitForConnection(
    {
      load: loadAll,
      port,
      clock,
      log,
    },
    signal,
  );
  tellStart(log, { configFile: flags.configFile, connection, hostConnection });
  const metrics = await createMetrics();
  // The audit log of the API server tells the replicas apart.
  const refusals = createRefusals();
  const unserved = createUnserved();
  const clientOptions = {
    clock,
    metrics: unserved.watch(refusals.watch(metrics)),
    userAgent: `${component}/${instance}`,
  };
  const client = createClient({ connection, ...clientOptions });
  // What is about the Landscaper itself stands where it runs: its Leases, its health, its faults (core.md §1.4 no. 95).
  const host =
    hostConnection === undefined ? undefined : createClient({ connection: hostConnection, ...clientOptions });
  const servers = [connection.server, hostConnection?.server];
  const egress = createServiceEgress(configuration.egress, { servers, env });
  // Several replicas share the work by leadership (design.md §5).
  const isElected = flags.leaderElection || configuration.hpaMain.maxReplicas > 1;
  const namespace = env["MY_POD_NAMESPACE"] ?? "ls-system";
  const { leaseDurationMs } = flags;
  const election = { namespace, leaseName: component, identity, leaseDurationMs, client: host ?? client };
  const manager = createManager({
    name: component,
    client,
    log,
    clock,
    metrics,
    ...(port === 0 ? {} : { http: { port } }),
    ...(isElected ? { leaderElection: election } : {}),
  });
  // Not the plain client: Events too are writes, and those of a core that was frozen beyond its Lease stay here.
  const recorder = createEventRecorder({ client: manager.client, component, instance, clock, log });
  const homeClient = host === undefined ? manager.client : manager.guard(host);
  const settings = toCoreSettings(configuration, env["LANDSCAPER_MODE"]);
  const guarded = reportProblems(manager, { name: instance, namespace, client: homeClient });
  const renderer = new Renderer(configuration.rendering, { keepsSpare: true });
  const { requests } = configuration.targets;
  const foreignServers = createForeignServers({ limits: toForeignServerLimits(requests, "targets.requests"), metrics });
  const outgoing = { self: connection, egress, oidc: configuration, foreignServers };
  const components = openComponents(configuration, { egress, userAgent: `${component}/v${productVersion}` });
  const { define } = metrics;
  const nats = readNatsServers(env, settings.parts);
  if (nats.warning !== undefined) log.warn({}, nats.warning);
  addCoreControllers(guarded, {
    recorder,
    natsServers: nats.servers,
    metrics: define,
    renderer,
    components,
    ...outgoing,
    ...settings,
  });
  const health = toHealthCheck(configuration);
  if (health !== undefined && settings.parts?.includes("central") === true) {
    addHealthCheck(manager, { settings: health, client: homeClient });
  }
  const { deployCrd } = configuration.crdManagement;
  const managesDeployers = settings.deployerManagement !== undefined && settings.parts?.includes("central") === true;
  reportSharedNamespace(manager, {
    define,
    // Outside of a Pod and without Leases, the core has nothing in the namespace.
    namespace: isElected ? namespace : env["MY_POD_NAMESPACE"],
    management: managesDeployers && host === undefined ? settings.deployerManagement?.namespace : undefined,
  });
  const places = { client, host, namespace, isElected, deployCrd, healthNamespace: health?.namespace };
  const demands = listDemands({ ...places, managesDeployers });
  addRightsCheck(manager, { demands, refusals });
  const crds = { clock, log, settings: configuration.crdManagement };
  manager.addPreparation("crds", async (stop) => {
    await manageCrds({ ...crds, client }, stop);
    if (host !== undefined) await manageCrds({ ...crds, client: host, kinds: hostKinds }, stop);
  });
  const { hubEnvironments } = configuration.deployerManagement;
  const boundSettings = { management: settings.deployerManagement?.namespace, core: namespace, hubEnvironments };
  const policies = { client, log, settings: configuration.crdManagement, managesDeployers, boundSettings };
  manager.addPreparation("admission-policies", (stop) => managePolicies(policies, stop));
  addKindsCheck(manager, { client, cluster: hubName, rights: coreRights, unserved });
  try {
    await followKubeconfigs({ texts, load: loadAll, clock }, (stop) => manager.start(stop), signal);
  } finally {
    await Promise.all([recorder.stop(), renderer.close(), components.close()]);
    await Promise.all([client.close(), host?.close()]);
  }
}

const hubName = "the landscaper cluster";

interface Places {
  readonly client: Client;
  /** Of the cluster that the core runs in, when it is another one. */
  readonly host: Client | undefined;
  readonly namespace: string;
  readonly isElected: boolean;
  readonly deployCrd: boolean;
  readonly managesDeployers: boolean;
  /** Undefined: it looks at no Deployments. */
  readonly healthNamespace: string | undefined;
}

/** What this core has to be allowed, by its configuration. */
function listDemands(places: Places): readonly RightsDemand[] {
  const { client, host, namespace, isElected, deployCrd, healthNamespace } = places;
  const ofDeployers = places.managesDeployers ? deployerManagementRights : [];
  const hub = { client, cluster: hubName };
  const home = host === undefined ? hub : { client: host, cluster: "the cluster that the core runs in" };
  return [
    { ...hub, rights: [...coreRights, ...ofDeployers, ...(deployCrd ? [...crdRights(), ...policyRights] : [])] },
    ...(host !== undefined && deployCrd ? [{ ...home, rights: crdRights(hostKinds) }] : []),
    { ...home, namespace, rights: [...problemRights, ...(isElected ? electionRights : [])] },
    ...(healthNamespace === undefined ? [] : [{ ...home, namespace: healthNamespace, rights: healthCheckRights }]),
  ];
}
