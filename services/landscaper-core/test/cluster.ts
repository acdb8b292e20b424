// The embedded API server with the CRDs, for controller tests.
import {
  generateCrds,
  kubeResources,
  resources,
  type Installation,
  type KubeObject,
  type ResourceType,
} from "@landscaper/api";
import { connectionFromKubeconfig, createClient, type Client } from "@landscaper/controller-runtime";
import { waitFor } from "@landscaper/testkit";
import { startLocalCluster, type LocalCluster } from "@landscaper/local-cluster";

export interface TestCluster {
  readonly server: LocalCluster;
  readonly client: Client;
  /** A client of its own connections, counted and faulted apart by its user agent. */
  connect(userAgent: string): Client;
  createNamespace(name: string): Promise<TestNamespace>;
  stop(): Promise<void>;
}

export interface TestNamespace {
  readonly name: string;
  readonly client: Client;
  create<T extends KubeObject>(type: ResourceType<T>, object: T): Promise<T>;
  find<T extends KubeObject>(type: ResourceType<T>, name: string): Promise<T | undefined>;
  get<T extends KubeObject>(type: ResourceType<T>, name: string): Promise<T>;
  list<T extends KubeObject>(type: ResourceType<T>): Promise<readonly T[]>;
  annotate<T extends KubeObject>(type: ResourceType<T>, name: string, annotations: Record<string, string>): Promise<T>;
  delete<T extends KubeObject>(type: ResourceType<T>, name: string): Promise<void>;
  /** Resolves when the condition holds for the object, or, with undefined, for its absence. */
  until<T extends KubeObject>(
    type: ResourceType<T>,
    name: string,
    condition: (object: T | undefined) => boolean,
  ): Promise<T | undefined>;
  /** Waits until the last job of the Installation has ended in this phase. */
  untilPhase(name: string, phase: string): Promise<Installation>;
  /** Waits until the deploy items of the Installation have been handed out. */
  untilWorking(name: string): Promise<Installation>;
  untilGone<T extends KubeObject>(type: ResourceType<T>, name: string): Promise<void>;
}

export async function startTestCluster(): Promise<TestCluster> {
  const server = await startLocalCluster();
  const connection = connectionFromKubeconfig(server.kubeconfig);
  const client = createClient({ connection, userAgent: "test" });
  await Promise.all(generateCrds().map((crd) => client.create(kubeResources.customResourceDefinition, crd)));
  await waitFor(async () => {
    await Promise.all([resources.installation, resources.context, resources.target].map((type) => client.list(type)));
    return true;
  });
  const clients = [client];
  return {
    server,
    client,
    connect: (userAgent) => {
      const other = createClient({ connection, userAgent });
      clients.push(other);
      return other;
    },
    createNamespace: async (name) => {
      await client.create(kubeResources.namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
      return openNamespace(client, name);
    },
    stop: async () => {
      await Promise.all(clients.map((one) => one.close()));
      await server.stop();
    },
  };
}

function describe(object: (KubeObject & { status?: unknown }) | undefined): string {
  if (object === undefined) return "it is not there";
  const { annotations, finalizers, deletionTimestamp } = object.metadata;
  return JSON.stringify({ annotations, finalizers, deletionTimestamp, status: object.status }, undefined, 1);
}

function openNamespace(client: Client, namespace: string): TestNamespace {
  const until: TestNamespace["until"] = async (type, name, condition) => {
    let last: KubeObject | undefined;
    try {
      await waitFor(
        async () => {
          last = await client.find(type, { namespace, name });
          return condition(last as never);
        },
        { timeoutMs: 25_000, intervalMs: 10 },
      );
    } catch {
      throw new Error(`${type.kind} ${name} is not as expected: ${describe(last)}`);
    }
    return last as never;
  };
  return {
    name: namespace,
    client,
    create: (type, object) => client.create(type, { ...object, metadata: { ...object.metadata, namespace } }),
    find: (type, name) => client.find(type, { namespace, name }),
    get: (type, name) => client.get(type, { namespace, name }),
    list: async (type) => (await client.list(type, { namespace })).items,
    annotate: (type, name, annotations) =>
      client.patch(type, { namespace, name }, { type: "merge", body: { metadata: { annotations } } }),
    delete: async (type, name) => {
      await client.delete(type, { namespace, name });
    },
    until,
    untilPhase: async (name, phase) => {
      const found = await until(resources.installation, name, (object) => {
        const { status } = object ?? {};
        const isTriggered = object?.metadata.annotations?.["landscaper.gardener.cloud/operation"] !== undefined;
        return status?.phase === phase && status.jobID === status.jobIDFinished && !isTriggered;
      });
      if (found === undefined) throw new Error(`Installation ${name} is gone`);
      return found;
    },
    untilWorking: async (name) => {
      await until(resources.execution, name, (object) => object?.status?.phase === "Progressing");
      return client.get(resources.installation, { namespace, name });
    },
    untilGone: async (type, name) => {
      await until(type, name, (object) => object === undefined);
    },
  };
}
