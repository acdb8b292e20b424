// A deployer of an Environment as a process, with the account that deployer management gives it.
import { kubeResources, resources } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { harnessNamespace } from "../src/clusters/service-token.ts";
import type { Environment, EnvironmentOptions } from "../src/services/environment.ts";
import { createServiceProcess, type ServiceProcess } from "../src/services/service-process.ts";
import { deployerKubeconfig, emptyRegistration, hostedEnvironment, removeEnvironment } from "./environment-objects.ts";

export interface EnvironmentDeployerOptions {
  /** Name of the Environment. */
  readonly name: string;
  /** Name of the DeployerRegistration. */
  readonly registration: string;
  /** Namespace of deployer management; `startEnvironmentDeployer` creates it. */
  readonly management: string;
  /** Namespaces of the Environment. Default: all. */
  readonly namespaces?: readonly string[];
  /** For configuration and logs. */
  readonly folder: string;
}

/** Returns the configuration of a core that manages deployers in this namespace. */
export function configureDeployerManagement(management: string): NonNullable<EnvironmentOptions["configs"]> {
  return { "landscaper-core": { deployerManagement: { namespace: management, leaseNamespace: harnessNamespace } } };
}

/**
 * Creates an Environment with one deployer, waits until the core has installed the deployer, and starts it. It has no selectors: only the bounds of its account keep
 * it from the items of others.
 */
export async function startEnvironmentDeployer(
  environment: Environment,
  { name, registration, management, namespaces, folder }: EnvironmentDeployerOptions,
): Promise<ServiceProcess<"mock-deployer">> {
  const { client, hub } = environment;
  const metadata = { name: management };
  await client.create(kubeResources.namespace, { apiVersion: "v1", kind: "Namespace", metadata });
  const limits = namespaces === undefined ? {} : { namespaces: [...namespaces] };
  await client.create(resources.environment, hostedEnvironment(name, hub, limits));
  await client.create(resources.deployerRegistration, emptyRegistration(registration));
  await waitFor(async () => (await client.get(resources.environment, { name })).status?.succeeded === "1/1", {
    describe: () => Promise.resolve(environment.describeLogs()),
  });
  const identity = `${registration}-${name}`;
  const deployer = await createServiceProcess({
    name: "mock-deployer",
    folder,
    kubeconfig: await deployerKubeconfig(client, management, identity),
    config: { identity, ...limits },
  });
  await deployer.start();
  return deployer;
}

/** Stops the deployer, and removes what `startEnvironmentDeployer` has created. */
export async function stopEnvironmentDeployer(
  { client }: Environment,
  { name, registration, management }: EnvironmentDeployerOptions,
  deployer: ServiceProcess<"mock-deployer">,
): Promise<void> {
  await deployer.stop();
  await client.delete(resources.deployerRegistration, { name: registration });
  await removeEnvironment(client, name);
  await client.delete(kubeResources.namespace, { name: management });
}
