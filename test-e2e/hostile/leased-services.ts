import { kubeResources } from "@landscaper/api";
import type { EnvironmentOptions } from "../src/services/environment.ts";
import type { Environment } from "../src/services/environment.ts";
import { ensureObject } from "../src/clusters/service-token.ts";
import type { Vitals } from "./vitals.ts";
import { findDisturbances, readVitals } from "./vitals.ts";

/** Where the services of `startEnvironment` look for their Leases: the namespace of their pods. */
const leaseNamespace = "landscaper-e2e";

/** Services that hold Leases, as those of an installation with several replicas: what freezes them shows. Start them by `startLeasedServices`. */
export const leasedServices = {
  startsServices: false,
  args: { "landscaper-core": ["--leader-elect"] },
  configs: {
    "manifest-deployer": {
      apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha2",
      kind: "Configuration",
      identity: "manifest",
      hpa: { maxReplicas: 2 },
    },
    "helm-deployer": {
      apiVersion: "helm.deployer.landscaper.gardener.cloud/v1alpha1",
      kind: "Configuration",
      identity: "helm",
      hpa: { maxReplicas: 2 },
    },
  },
} as const satisfies Partial<EnvironmentOptions>;

/** How the services of an environment are doing. */
export interface Watched {
  /** Those of all services, now. */
  read(): Promise<Vitals[]>;
  /** One line for each sign that a service was not left in peace since the start. */
  findDisturbances(): Promise<string[]>;
}

/** Starts the services of an environment that was made with `leasedServices`. */
export async function startLeasedServices(environment: Environment): Promise<Watched> {
  const { client, services } = environment;
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: leaseNamespace } };
  await ensureObject(client, kubeResources.namespace, namespace);
  await Promise.all(services.map(async (service) => service.start()));
  const read = async (): Promise<Vitals[]> =>
    Promise.all(services.map(async (service) => readVitals(service, { client, leaseNamespace })));
  const before = await read();
  return {
    read,
    async findDisturbances() {
      const after = await read();
      return before.flatMap((vitals, index) => findDisturbances(vitals, after[index] ?? vitals));
    },
  };
}
