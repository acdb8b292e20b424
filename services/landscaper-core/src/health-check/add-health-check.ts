import { apiVersion, resources, type LsHealthCheck, type ResourceType, type UnstructuredObject } from "@landscaper/api";
import { explainError, isAlreadyExists, type Client, type Manager } from "@landscaper/controller-runtime";
import { checkWorkload } from "@landscaper/resources";
import { nameOf } from "../object-reading.ts";
import { decideHealth, initialHealth, type Health } from "./decide-health.ts";

/** `lsDeployments` of the configuration (core.md §3.5). */
export interface HealthCheckSettings {
  readonly namespace: string;
  /** Of the LsHealthCheck. */
  readonly name: string;
  readonly deployments: readonly string[];
}

export interface HealthCheck {
  readonly settings: HealthCheckSettings;
  /** Of the cluster that the Landscaper itself runs in. */
  readonly client: Client;
}

/** core.md §1.4 no. 87 */
const intervalMs = 60_000;

const deploymentType: ResourceType<UnstructuredObject> = {
  group: "apps",
  version: "v1",
  kind: "Deployment",
  plural: "deployments",
  namespaced: true,
};

/** Lets a manager that has not been started look at the Landscaper's own Deployments every minute, on the leader alone. */
export function addHealthCheck(manager: Manager, { settings, client }: HealthCheck): void {
  const { clock, log } = manager;
  manager.addRunnable("health-check", async (signal) => {
    await prepareHealthCheck(client, settings, signal);
    let hadProblems = false;
    for (;;) {
      const problems = await findProblems(client, settings, signal);
      const health = decideHealth({ problems, hadProblems, now: new Date(clock.now()) });
      hadProblems = problems.length > 0;
      if (problems.length > 0) log.warn({ problems }, "the Landscaper is not healthy");
      if (health !== undefined) await storeHealth(client, { settings, health }, signal);
      await clock.sleep(intervalMs, signal);
    }
  });
}

/** One LsHealthCheck in the namespace: ours. */
async function prepareHealthCheck(client: Client, settings: HealthCheckSettings, signal: AbortSignal): Promise<void> {
  const { namespace, name } = settings;
  const type = resources.lsHealthCheck;
  const { items } = await client.list(type, { namespace, signal });
  const others = items.map(nameOf).filter((other) => other !== name);
  await Promise.all(others.map((other) => client.delete(type, { namespace, name: other }, { signal })));
  if (items.some((item) => nameOf(item) === name)) return;
  try {
    const metadata = { name, namespace };
    await client.create(type, { apiVersion, kind: type.kind, metadata, ...initialHealth }, { signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

async function findProblems(
  client: Client,
  { namespace, deployments }: HealthCheckSettings,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const check = async (name: string): Promise<readonly string[]> => {
    try {
      const deployment = await client.find(deploymentType, { namespace, name }, { signal });
      if (deployment === undefined) return [`Deployment ${name} does not exist`];
      const readiness = checkWorkload(deployment);
      return readiness.ready ? [] : [`Deployment ${name}: ${readiness.message}`];
    } catch (error) {
      signal.throwIfAborted();
      return [`Deployment ${name} cannot be read: ${explainError(error)}`];
    }
  };
  return (await Promise.all(deployments.map(check))).flat();
}

async function storeHealth(
  client: Client,
  { settings, health }: { readonly settings: HealthCheckSettings; readonly health: Health },
  signal: AbortSignal,
): Promise<void> {
  const { namespace, name } = settings;
  const patch = { type: "merge" as const, body: health, signal };
  await client.patch<LsHealthCheck>(resources.lsHealthCheck, { namespace, name }, patch);
}
