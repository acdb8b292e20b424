import { type DeployItem, type KubeObject, resources, type ResourceType } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { inlineInstallation } from "../../src/installations/inline-installation.ts";
import type { ServiceName } from "../../src/services/service-process.ts";

/** An object that a service has to act on, as it was before the service started. */
export interface WaitingWork {
  readonly type: ResourceType;
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string | undefined;
}

interface ItemContent {
  readonly type: string;
  readonly config: object;
}

const itemOf = (kind: string, type: string, config: object = {}): ItemContent => ({
  type: `landscaper.gardener.cloud/${type}`,
  config: {
    apiVersion: `${kind}.deployer.landscaper.gardener.cloud/v1alpha1`,
    kind: "ProviderConfiguration",
    ...config,
  },
});

const items: Readonly<Record<Exclude<ServiceName, "landscaper-core">, ItemContent>> = {
  "manifest-deployer": itemOf("manifest", "kubernetes-manifest", { manifests: [] }),
  "helm-deployer": itemOf("helm", "helm", {
    name: "idle",
    namespace: "default",
    chart: { ref: "localhost:1/idle:1.0.0" },
  }),
  "mock-deployer": itemOf("mock", "mock"),
  "container-deployer": itemOf("container", "container", { image: "localhost:1/idle:1.0.0" }),
};

async function createItem(client: Client, namespace: string, content: ItemContent): Promise<DeployItem> {
  const item = await client.create<KubeObject>(resources.deployItem, {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "DeployItem",
    metadata: { name: "waits", namespace },
    spec: content,
  } as KubeObject);
  // As the core hands out a job.
  const status = { observedGeneration: 0, jobID: "first", jobIDGenerationTime: new Date().toISOString() };
  return await client.updateStatus(resources.deployItem, { ...(item as DeployItem), status });
}

/** Creates an Installation with a job for the core, or a DeployItem with one for a deployer. */
export async function createWaitingWork(client: Client, namespace: string, service: ServiceName): Promise<WaitingWork> {
  if (service !== "landscaper-core") {
    const { metadata } = await createItem(client, namespace, items[service]);
    return { type: resources.deployItem, namespace, name: "waits", resourceVersion: metadata.resourceVersion };
  }
  const installation = inlineInstallation({ name: "waits", blueprint: {} });
  const object = { ...installation, metadata: { ...installation.metadata, namespace } } as KubeObject;
  const { metadata } = await client.create<KubeObject>(resources.installation, object);
  return { type: resources.installation, namespace, name: "waits", resourceVersion: metadata.resourceVersion };
}

/** Whether the service has written the object. */
export async function isTouched(
  client: Client,
  { type, namespace, name, resourceVersion }: WaitingWork,
): Promise<boolean> {
  const found = await client.get(type, { namespace, name });
  return found.metadata.resourceVersion !== resourceVersion;
}
