// The embedded API server with the CRDs and one namespace, for tests of commands.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KubeObject, ResourceType } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { createStandingClock, startEmbeddedCluster } from "@landscaper/testkit";

export interface TestCluster {
  readonly client: Client;
  readonly namespace: string;
  /** Path of the admin's kubeconfig. */
  readonly kubeconfig: string;
  /** Words that make a command use the cluster and its namespace. */
  readonly flags: readonly string[];
  /** Creates the object with its status; owners get their real uid. Resolves to what is stored. */
  put<T extends KubeObject & { status?: object }>(type: ResourceType<T>, object: T): Promise<T>;
  /** Merges into the status. */
  setStatus<T extends KubeObject>(type: ResourceType<T>, name: string, status: object): Promise<T>;
  stop(): Promise<void>;
}

/** With `createdAt`, in ms since the epoch, all objects are as old as that. */
export async function startTestCluster(namespace: string, createdAt?: number): Promise<TestCluster> {
  const clock = createdAt === undefined ? {} : { clock: createStandingClock(createdAt) };
  const cluster = await startEmbeddedCluster({ crds: true, ...clock });
  const { server, client } = cluster;
  const folder = mkdtempSync(join(tmpdir(), "landscaper-cli-"));
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, server.kubeconfig);
  await cluster.createNamespace(namespace);
  const setStatus: TestCluster["setStatus"] = (type, name, status) =>
    client.patch(type, { namespace, name }, { type: "merge", subresource: "status", body: { status } });
  return {
    client,
    namespace,
    kubeconfig,
    flags: ["-n", namespace, "--kubeconfig", kubeconfig],
    put: async (type, object) => {
      const { uid: _uid, resourceVersion: _version, ...metadata } = object.metadata;
      const stored = await client.create(type, { ...object, metadata: { ...metadata, namespace } });
      const { status } = object;
      return status === undefined ? stored : setStatus(type, stored.metadata.name ?? "", status);
    },
    setStatus,
    stop: async () => {
      await cluster.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
