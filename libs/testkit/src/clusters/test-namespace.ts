import {
  formatKey,
  keyOf,
  kubeResources,
  resources,
  type Installation,
  type KubeObject,
  type ResourceType,
} from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { patienceMs, waitFor } from "../wait-for.ts";

/** What tests do with the objects of one namespace. */
export interface TestNamespace {
  readonly name: string;
  readonly client: Client;
  create<T extends KubeObject>(type: ResourceType<T>, object: T): Promise<T>;
  find<T extends KubeObject>(type: ResourceType<T>, name: string): Promise<T | undefined>;
  get<T extends KubeObject>(type: ResourceType<T>, name: string): Promise<T>;
  list<T extends KubeObject>(type: ResourceType<T>, labelSelector?: string): Promise<T[]>;
  annotate<T extends KubeObject>(type: ResourceType<T>, name: string, annotations: Record<string, string>): Promise<T>;
  delete<T extends KubeObject>(type: ResourceType<T>, name: string): Promise<void>;
  /** Resolves when the condition holds for the object, or, with undefined, for its absence; fails with what it last found. */
  until<T extends KubeObject>(
    type: ResourceType<T>,
    name: string,
    condition: (object: T | undefined) => boolean,
  ): Promise<T | undefined>;
  /** Waits until the last job of the Installation has ended in this phase. */
  untilPhase(name: string, phase: string): Promise<Installation>;
  /** Waits until the deploy items of the Installation have been handed out. */
  untilWorking(name: string): Promise<Installation>;
  untilGone(type: ResourceType, name: string): Promise<void>;
}

export interface NamespaceOptions {
  /** How long the waits wait. Default: 25 s. */
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
  /** What else belongs into the message of a wait that fails. */
  readonly describe?: () => Promise<string>;
}

/** Creates the namespace on whatever cluster the client talks to. */
export async function createNamespace(
  client: Client,
  name: string,
  options: NamespaceOptions = {},
): Promise<TestNamespace> {
  await client.create(kubeResources.namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  return openNamespace(client, name, options);
}

/** Metadata and status for messages; conditions say the same as the rest of the status. */
export function describeObject(object: KubeObject | undefined): string {
  if (object === undefined) return "(no such object)";
  const status: unknown = { ...Object(Reflect.get(object, "status")), conditions: undefined };
  const { generation, annotations, finalizers, deletionTimestamp } = object.metadata;
  const shown = { metadata: { generation, annotations, finalizers, deletionTimestamp }, status };
  return `${object.kind} ${formatKey(keyOf(object))}: ${JSON.stringify(shown, undefined, 1)}`;
}

/** A namespace that is there. */
export function openNamespace(client: Client, namespace: string, options: NamespaceOptions = {}): TestNamespace {
  const { timeoutMs = patienceMs, intervalMs = 10, describe = () => Promise.resolve("") } = options;
  const until: TestNamespace["until"] = async (type, name, condition) => {
    let last: KubeObject | undefined;
    await waitFor(
      async () => {
        const found = await client.find(type, { namespace, name });
        last = found;
        return condition(found);
      },
      {
        timeoutMs,
        intervalMs,
        describe: async () => {
          const what = `${type.kind} ${namespace}/${name} is not as expected after ${timeoutMs / 1000} s`;
          return [what, describeObject(last), await describe()].filter((line) => line !== "").join("\n");
        },
      },
    );
    return last as never; // Of the type that was asked for.
  };
  return {
    name: namespace,
    client,
    create: (type, object) => client.create(type, { ...object, metadata: { ...object.metadata, namespace } }),
    find: (type, name) => client.find(type, { namespace, name }),
    get: (type, name) => client.get(type, { namespace, name }),
    list: async (type, labelSelector) => (await client.list(type, { namespace, labelSelector })).items,
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
