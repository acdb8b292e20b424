// A fleet as the core leaves it: an Environment that is suspended, one with a deployer that has failed, and a registration that is being rolled out.
import {
  agentFinalizer,
  apiVersion,
  deployerManagementFinalizer,
  labels,
  resources,
  type Condition,
  type DeployerRegistration,
  type Environment,
  type InstallationStatus,
} from "@landscaper/api";
import type { TestCluster } from "./cluster.ts";
import { created, ended, failure, installation, open } from "./objects.ts";

export function environment(
  name: string,
  status?: Environment["status"],
  spec: Partial<Environment["spec"]> = {},
): Environment {
  return {
    apiVersion,
    kind: "Environment",
    metadata: { name, finalizers: [agentFinalizer, deployerManagementFinalizer] },
    spec: {
      hostTarget: { type: "landscaper.gardener.cloud/kubernetes-cluster" },
      namespace: "deployers",
      landscaperClusterConfig: { host: "https://hub.example", apiPath: "" },
      targetSelectors: [],
      ...spec,
    },
    ...(status === undefined ? {} : { status }),
  };
}

/** Environments have no namespace, so that `cluster.put` does not fit. */
export async function putEnvironment({ client }: TestCluster, object: Environment): Promise<void> {
  const { status, ...rest } = object;
  const stored = await client.create(resources.environment, rest);
  if (status !== undefined) await client.updateStatus(resources.environment, { ...stored, status });
}

async function putRegistration({ client }: TestCluster, { status, ...rest }: DeployerRegistration): Promise<void> {
  const stored = await client.create(resources.deployerRegistration, rest);
  if (status !== undefined) await client.updateStatus(resources.deployerRegistration, { ...stored, status });
}

/** The Installation of a deployer. */
export async function putDeployer(
  cluster: TestCluster,
  [registration, at]: readonly [string, string],
  status: InstallationStatus,
): Promise<void> {
  const object = installation({ name: `${registration}-${at}`, status });
  const own = { [labels.deployerRegistration]: registration, [labels.deployerEnvironment]: at };
  await cluster.put(resources.installation, { ...object, metadata: { ...object.metadata, labels: own } });
}

function condition(type: string, status: string, message: string): Condition {
  return { type, status, reason: "Test", message, lastTransitionTime: created, lastUpdateTime: created };
}

export async function putFleet(cluster: TestCluster): Promise<void> {
  const quiet: Environment["status"] = {
    phase: "Succeeded",
    succeeded: "3/3",
    conditions: [condition("Reachable", "True", "the agent lives")],
    lastHeartbeatTime: "2026-01-01T00:09:18Z",
  };
  await putEnvironment(cluster, environment("quiet", quiet, { suspend: true }));
  const shops: Environment["status"] = {
    phase: "Failed",
    succeeded: "1/3",
    deployers: [
      { name: "helm-shops", registration: "helm", phase: "Failed", version: "v1.1.0", message: "no such chart" },
      { name: "manifest-shops", registration: "manifest", phase: "Succeeded", version: "v1.0.0" },
      { name: "mock-shops", registration: "mock", phase: "Progressing", waitsFor: ["landscaper.gardener.cloud/helm"] },
    ],
    conditions: [
      condition("Ready", "False", "deployers that have failed: helm-shops"),
      condition("Reachable", "False", "the agent is silent"),
    ],
    lastHeartbeatTime: "2026-01-01T00:04:00Z",
    agentVersion: "v1.1.0",
  };
  await putEnvironment(cluster, environment("shops", shops));
  const template = {
    blueprint: { ref: { resourceName: "blueprint" } },
    componentDescriptor: { ref: { componentName: "example.com/helm", version: "v1.1.0" } },
  };
  await putRegistration(cluster, {
    apiVersion,
    kind: "DeployerRegistration",
    metadata: { name: "helm" },
    spec: { types: ["landscaper.gardener.cloud/helm"], installationTemplate: template },
    status: {
      environments: { total: 12, succeeded: 10, progressing: 1, failed: 1, deleting: 0 },
      rollout: { updated: 2, environments: ["shops"], waitsFor: "Environments in work: shops" },
    },
  });
}

/** The Installations of the deployers of "shops" that have not succeeded. */
export async function putFleetDeployers(cluster: TestCluster): Promise<void> {
  const failed = { ...ended("Failed"), ...failure("InvalidChart", "no such chart") };
  await putDeployer(cluster, ["helm", "shops"], failed);
  await putDeployer(cluster, ["mock", "shops"], open("Progressing"));
}
