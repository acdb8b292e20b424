import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import {
  createClient,
  createEventRecorder,
  createLogger,
  createManager,
  createMetrics,
  createSystemClock,
  loadConnection,
  parseServiceFlags,
  serviceUsage,
} from "@landscaper/controller-runtime";
import { createEventPublisher } from "@landscaper/events";
import { addCoreControllers } from "./add-core-controllers.ts";
import { loadConfiguration, toCoreSettings, toHealthCheck } from "./configuration.ts";
import { manageCrds } from "./crd-management/manage-crds.ts";
import { reportProblems } from "./critical-problems/report-problems.ts";
import { addHealthCheck } from "./health-check/add-health-check.ts";

const component = "landscaper-core";

export interface CoreProcess {
  /** Command line without node and script. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The whole process of the core: flags, configuration, connection, health server, leases, graceful stop. Runs until `signal`. */
export async function runCore({ argv, env }: CoreProcess, signal: AbortSignal): Promise<void> {
  const flags = parseServiceFlags(argv, { electsLeader: true });
  if (flags.help) {
    process.stdout.write(serviceUsage(component, { electsLeader: true }));
    return;
  }
  const configuration = await loadConfiguration(flags.configFile);
  const instance = env["MY_POD_NAME"] ?? hostname();
  const clock = createSystemClock();
  const log = createLogger({ name: component, level: flags.logLevel });
  const connection = await loadConnection({ kubeconfigPath: flags.kubeconfig, env, clock });
  const metrics = await createMetrics();
  // The audit log of the API server tells the replicas apart.
  const client = createClient({ connection, clock, metrics, userAgent: `${component}/${instance}` });
  const publisher = createEventPublisher({
    servers: env["NATS_URL"],
    source: `/${component}/${instance}`,
    log,
    clock,
  });
  const recorder = createEventRecorder({ client, component, instance, clock, log });
  const port = flags.metricsPort ?? configuration.metrics?.port ?? 0;
  // Several replicas share the work by leadership (design.md §5).
  const isElected = flags.leaderElection || configuration.hpaMain.maxReplicas > 1;
  const namespace = env["MY_POD_NAMESPACE"] ?? "ls-system";
  // A pod has one core. Elsewhere there can be several on a host, and none may take the other's Lease for its own.
  const identity = env["MY_POD_NAME"] ?? `${instance}_${randomUUID()}`;
  const { leaseDurationMs } = flags;
  const manager = createManager({
    name: component,
    client,
    log,
    clock,
    metrics,
    ...(port === 0 ? {} : { http: { port } }),
    ...(isElected ? { leaderElection: { namespace, leaseName: component, identity, leaseDurationMs } } : {}),
  });
  const settings = toCoreSettings(configuration, env["LANDSCAPER_MODE"]);
  const guarded = reportProblems(manager, { name: instance, namespace });
  addCoreControllers(guarded, { recorder, publisher, self: connection, ...settings });
  const healthCheck = toHealthCheck(configuration);
  if (healthCheck !== undefined && settings.parts?.includes("central") === true) addHealthCheck(manager, healthCheck);
  try {
    await manageCrds({ client, clock, log, settings: configuration.crdManagement }, signal);
    await manager.start(signal);
  } finally {
    await Promise.all([recorder.stop(), publisher.stop()]);
    await client.close();
  }
}
