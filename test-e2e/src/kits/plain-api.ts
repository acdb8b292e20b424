// Requests in plain JSON, for suites that are to know nothing of our code.
import type { Client } from "@landscaper/controller-runtime";
import { connectionFromKubeconfig, createClient } from "@landscaper/controller-runtime";

type Fields = Readonly<Record<string, unknown>>;

/** The part of an object's status that the contract is about; Installation, Execution and DeployItem share it. */
export interface Status {
  readonly phase?: string;
  readonly jobID?: string;
  readonly jobIDFinished?: string;
  readonly observedGeneration?: number;
  readonly lastReconcileTime?: string;
  readonly transitionTimes?: Readonly<Record<string, string>>;
  readonly lastError?: Readonly<Record<string, unknown>> & { readonly message?: string; readonly reason?: string };
  readonly executionRef?: { readonly name: string };
  readonly exportRef?: { readonly name: string };
  readonly [field: string]: unknown;
}

export interface OwnerReference {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

/** Any object of the cluster, as its JSON stands there. */
export interface Item {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly generation?: number;
    readonly resourceVersion?: string;
    readonly deletionTimestamp?: string;
    readonly creationTimestamp?: string;
    readonly finalizers?: readonly string[];
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly OwnerReference[];
  };
  readonly spec?: Fields;
  readonly status?: Status;
  readonly data?: unknown;
  readonly [field: string]: unknown;
}

/** Where objects of a kind are served. */
const paths = {
  Installation: "/apis/landscaper.gardener.cloud/v1alpha1/namespaces/NAMESPACE/installations",
  Execution: "/apis/landscaper.gardener.cloud/v1alpha1/namespaces/NAMESPACE/executions",
  DeployItem: "/apis/landscaper.gardener.cloud/v1alpha1/namespaces/NAMESPACE/deployitems",
  DataObject: "/apis/landscaper.gardener.cloud/v1alpha1/namespaces/NAMESPACE/dataobjects",
  Target: "/apis/landscaper.gardener.cloud/v1alpha1/namespaces/NAMESPACE/targets",
  Context: "/apis/landscaper.gardener.cloud/v1alpha1/namespaces/NAMESPACE/contexts",
  Secret: "/api/v1/namespaces/NAMESPACE/secrets",
  ConfigMap: "/api/v1/namespaces/NAMESPACE/configmaps",
  Lease: "/apis/coordination.k8s.io/v1/namespaces/NAMESPACE/leases",
  Namespace: "/api/v1/namespaces",
} as const;
export type Kind = keyof typeof paths;

export const apiVersion = "landscaper.gardener.cloud/v1alpha1";

/** HTTP status of a failed request; undefined when it is none. */
function statusOf(error: unknown): unknown {
  return typeof error === "object" && error !== null ? Reflect.get(error, "status") : undefined;
}

/** The write did not reach the version that it was made for. */
export const isConflict = (error: unknown): boolean => statusOf(error) === 409;

/** Requests in one namespace of the API server under test, in plain JSON. */
export interface Api {
  find(kind: Kind, name: string): Promise<Item | undefined>;
  get(kind: Kind, name: string): Promise<Item>;
  list(kind: Kind, labelSelector?: string): Promise<readonly Item[]>;
  create(
    object: Fields & { readonly kind: Kind; readonly metadata: Fields & { readonly name: string } },
  ): Promise<Item>;
  /** JSON merge patch. */
  patch(kind: Kind, name: string, body: Fields): Promise<Item>;
  /** PUT on the status subresource, guarded by the object's resourceVersion. */
  putStatus(object: Item): Promise<Item>;
  delete(kind: Kind, name: string): Promise<void>;
}

const pauseMs = 200;

/**
 * Waits until these namespaces have gone. Returns the names of those that are still there after so many seconds, each with what keeps it according
 * to the API server.
 */
export async function waitUntilRemoved(api: Api, names: readonly string[], seconds = 60): Promise<readonly string[]> {
  const deadline = performance.now() + seconds * 1000;
  let left = names;
  for (;;) {
    const found = await Promise.all(left.map(async (name) => api.find("Namespace", name)));
    const there = found.filter((namespace) => namespace !== undefined);
    if (there.length === 0 || performance.now() > deadline) return there.map(describeNamespace);
    left = there.map(({ metadata }) => metadata.name);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

function describeNamespace({ metadata, status }: Item): string {
  if (metadata.deletionTimestamp === undefined) return `${metadata.name}: it is not being deleted`;
  const conditions: unknown = status?.["conditions"];
  const causes = (Array.isArray(conditions) ? (conditions as unknown[]) : [])
    .filter((condition) => Reflect.get(Object(condition), "status") === "True")
    .map((condition) => String(Reflect.get(Object(condition), "message")));
  return [metadata.name, ...causes].join(": ");
}

/**
 * Deletes a namespace with what is in it, if it is there. Objects of these kinds lose their finalizers: who would remove them waits for a job that
 * nobody gives any more.
 */
export async function removeNamespace(api: Api, namespace: string, kinds: readonly Kind[]): Promise<void> {
  await deleteIfThere(api, "Namespace", namespace);
  // Whoever is at work may make some more meanwhile.
  for (let round = 0; round < 5; round += 1) {
    const found = await Promise.all(
      kinds.map(async (kind) => (await api.list(kind)).map(({ metadata }) => ({ kind, name: metadata.name }))),
    );
    if (found.every((objects) => objects.length === 0)) return;
    await Promise.all(found.flat().map(async ({ kind, name }) => release(api, kind, name)));
  }
}

async function deleteIfThere(api: Api, kind: Kind, name: string): Promise<void> {
  try {
    await api.delete(kind, name);
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
  }
}

async function release(api: Api, kind: Kind, name: string): Promise<void> {
  // Before its finalizers, which nobody can add again then.
  await deleteIfThere(api, kind, name);
  try {
    await api.patch(kind, name, { metadata: { finalizers: null } });
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
  }
}

export interface Cluster {
  /** For watches, and for kinds that have no path here. */
  readonly client: Client;
  namespace(name: string): Api;
  close(): Promise<void>;
}

// What the API server answers to these requests is an object, or a list of them.
const asItem = (answer: unknown): Item => answer as Item;
const asList = (answer: unknown): { readonly items: readonly Item[] } => answer as { readonly items: readonly Item[] };

export function connect(kubeconfig: string): Cluster {
  const connection = connectionFromKubeconfig(kubeconfig, { allowFiles: true });
  const client = createClient({ connection, userAgent: "landscaper-conformance" });

  function openNamespace(namespace: string): Api {
    const path = (kind: Kind, name?: string): string =>
      paths[kind].replace("NAMESPACE", namespace) + (name === undefined ? "" : `/${name}`);
    const api: Api = {
      async find(kind, name) {
        try {
          return await api.get(kind, name);
        } catch (error) {
          if (statusOf(error) === 404) return undefined;
          throw error;
        }
      },
      get: async (kind, name) => asItem(await client.request({ method: "GET", path: path(kind, name) })),
      async list(kind, labelSelector) {
        const query = labelSelector === undefined ? "" : `?labelSelector=${encodeURIComponent(labelSelector)}`;
        return asList(await client.request({ method: "GET", path: path(kind) + query })).items;
      },
      create: async (object) => asItem(await client.request({ method: "POST", path: path(object.kind), body: object })),
      async patch(kind, name, body) {
        const contentType = "application/merge-patch+json";
        return asItem(await client.request({ method: "PATCH", path: path(kind, name), body, contentType }));
      },
      async putStatus(object) {
        // Only objects whose kind has a path are read.
        const at = `${path(object.kind as Kind, object.metadata.name)}/status`;
        return asItem(await client.request({ method: "PUT", path: at, body: object }));
      },
      async delete(kind, name) {
        await client.request({ method: "DELETE", path: path(kind, name) });
      },
    };
    return api;
  }
  return { client, namespace: openNamespace, close: async () => client.close() };
}
