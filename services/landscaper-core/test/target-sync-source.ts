// A source cluster and the TargetSyncs that read it.
import { randomBytes } from "node:crypto";
import { kubeResources, resources, type KubeObject, type Secret, type TargetSync } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import type { LocalCluster } from "@landscaper/local-cluster";
import { startEmbeddedCluster, type TestNamespace } from "@landscaper/testkit";
import { targetSync, type TestTargetSync } from "./target-syncs.ts";

export interface TestSource {
  readonly server: LocalCluster;
  readonly client: Client;
  /** Creates a namespace. */
  open(): Promise<TestSourceNamespace>;
  stop(): Promise<void>;
}

export interface TestSourceNamespace {
  readonly name: string;
  /** Creates the Secret, or gives it this kubeconfig. */
  putSecret(name: string, kubeconfig: string): Promise<void>;
  deleteSecret(name: string): Promise<void>;
}

export const base64 = (text: string): string => Buffer.from(text).toString("base64");

export function kubeconfigSecret(name: string, kubeconfig: string): Secret {
  return { apiVersion: "v1", kind: "Secret", metadata: { name }, data: { kubeconfig: base64(kubeconfig) } };
}

export async function startTestSource(authorization?: "rbac"): Promise<TestSource> {
  const cluster = await startEmbeddedCluster(authorization === undefined ? {} : { authorization });
  const { server, client } = cluster;
  return {
    server,
    client,
    open: async () => {
      const name = `source-${randomBytes(4).toString("hex")}`;
      await cluster.createNamespace(name);
      return openNamespace(client, name);
    },
    stop: () => cluster.stop(),
  };
}

function openNamespace(client: Client, namespace: string): TestSourceNamespace {
  const type = kubeResources.secret;
  return {
    name: namespace,
    putSecret: async (name, kubeconfig) => {
      const { data } = kubeconfigSecret(name, kubeconfig);
      const existing = await client.find(type, { namespace, name });
      if (existing !== undefined) await client.update(type, { ...existing, ...(data === undefined ? {} : { data }) });
      else await client.create(type, { ...kubeconfigSecret(name, kubeconfig), metadata: { name, namespace } });
    },
    deleteSecret: async (name) => {
      await client.delete(type, { namespace, name });
    },
  };
}

/** Creates the Secret with the kubeconfig and the TargetSync that uses it. */
export async function startSync(
  namespace: TestNamespace,
  { kubeconfig, ...fields }: TestTargetSync & { readonly kubeconfig: string },
): Promise<TargetSync> {
  await namespace.create(kubeResources.secret, kubeconfigSecret("source", kubeconfig));
  return namespace.create(resources.targetSync, targetSync(fields));
}

const labelled = (object: KubeObject): boolean =>
  object.metadata.labels?.["landscaper.gardener.cloud/targetsync"] === "ok";

/** Names of what was made. */
export async function namesOfMade(namespace: TestNamespace): Promise<{ targets: string[]; secrets: string[] }> {
  const namesOf = (objects: readonly KubeObject[]): string[] =>
    objects
      .filter(labelled)
      .map(({ metadata }) => metadata.name ?? "")
      .toSorted();
  return {
    targets: namesOf(await namespace.list(resources.target)),
    secrets: namesOf(await namespace.list(kubeResources.secret)),
  };
}

/** Waits until the TargetSync "sync" was tried since the status says otherwise. */
export async function untilSynced(
  namespace: TestNamespace,
  condition: (status: NonNullable<TargetSync["status"]>) => boolean,
  name = "sync",
): Promise<TargetSync> {
  const found = await namespace.until(
    resources.targetSync,
    name,
    (object) => object?.status !== undefined && condition(object.status),
  );
  if (found === undefined) throw new Error(`TargetSync ${name} is gone`);
  return found;
}

/** Asks for a try and waits for its end. */
export async function syncNow(namespace: TestNamespace, name = "sync"): Promise<TargetSync> {
  const operation = "landscaper.gardener.cloud/operation";
  await namespace.annotate(resources.targetSync, name, { [operation]: "reconcile" });
  const found = await namespace.until(
    resources.targetSync,
    name,
    (object) => object !== undefined && object.metadata.annotations?.[operation] === undefined,
  );
  if (found === undefined) throw new Error(`TargetSync ${name} is gone`);
  return found;
}
