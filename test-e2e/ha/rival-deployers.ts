// Manifest deployers behind a proxy each, and one before their target: what each of them has sent, and when.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finalizer, isJobOpen, resources, type DeployItem } from "@landscaper/api";
import { waitFor, type ApiProxy, startApiProxy } from "@landscaper/testkit";
import { tailOf } from "../cluster/child.ts";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { grantInNamespace } from "../src/clusters/service-accounts.ts";
import type { ObjectHistory } from "../src/kits/object-history.ts";
import { recordHistory } from "../src/kits/object-history.ts";
import { runInParallel } from "../src/kits/run-in-parallel.ts";
import type { ClusterName } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import type { ItemRequest } from "./audit-replicas.ts";
import type { CoreReplica } from "./core-replica.ts";
import { startCoreReplica } from "./core-replica.ts";

export interface RivalOptions {
  /** Of its requests in the records, and of its pod. */
  readonly pod: string;
  readonly leaseSeconds: number;
  /** Absent: it is started without any configuration, and without the name of its pod. */
  readonly identity?: string;
}

export interface RivalDeployers {
  readonly environment: Environment;
  readonly scope: TestNamespace;
  /** Every version of the items. */
  readonly items: ObjectHistory<DeployItem>;
  /** Requests about ConfigMaps of items that the target has answered; `pod` is what the user agent says. */
  readonly targetRequests: readonly ItemRequest[];
  /** Before the target. */
  readonly targetProxy: ApiProxy;
  start(options: RivalOptions): Promise<CoreReplica>;
  /** Creates items with their first jobs, with so many ConfigMaps each. */
  createItems(names: readonly string[], configMaps?: number): Promise<void>;
  untilFinished(names: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

export async function startRivalDeployers(cluster: ClusterName): Promise<RivalDeployers> {
  const folder = mkdtempSync(join(tmpdir(), "landscaper-rivals-"));
  const environment = await startEnvironment({ cluster, services: [] });
  const { client, hub, target } = environment;
  const scope = await environment.namespace("rivals");
  await grantInNamespace(client, scope.name);
  const targetRequests: ItemRequest[] = [];
  const targetProxy = await startApiProxy({
    upstream: { url: target.url, ca: target.ca },
    token: target.token,
    onAnswer: ({ method, path, body, userAgent }) => {
      // The path of a creation has no name, its answer has.
      const item = /\/configmaps/.test(path) ? /"name":"(item-\d+)/.exec(`${path}"${body}`)?.[1] : undefined;
      const pod = /^\S+\/(\S+)/.exec(userAgent)?.[1] ?? userAgent;
      if (item !== undefined) targetRequests.push({ pod, item, isWrite: method !== "GET", atMs: performance.now() });
    },
  });
  await scope.apply({
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "Target",
    metadata: { name: "cluster" },
    spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", config: { kubeconfig: targetProxy.kubeconfig } },
  });
  const items = await recordHistory(client, resources.deployItem, scope.name);
  const replicas: CoreReplica[] = [];
  const isFinished = (name: string): boolean => {
    const { status } = items.current.get(name) ?? {};
    return status?.jobID !== undefined && !isJobOpen(status);
  };
  return {
    environment,
    scope,
    items,
    targetRequests,
    targetProxy,
    start: async ({ pod, leaseSeconds, identity }) => {
      const replica = await startCoreReplica(
        {
          hub,
          folder,
          podNamespace: scope.name,
          leaseSeconds,
          service: {
            name: "manifest-deployer",
            args: [`--lease-duration=${leaseSeconds}s`],
            ...(identity === undefined ? { isUnnamed: true } : { config: { identity } }),
          },
        },
        pod,
      );
      replicas.push(replica);
      return replica;
    },
    createItems: (names, configMaps = 1) =>
      runInParallel(names.length, 16, (index) => createItem({ client, scope }, names[index] ?? "", configMaps)),
    untilFinished: async (names) => {
      await waitFor(() => names.every(isFinished), { timeoutMs: 120_000 }).catch(() => {
        const logs = replicas.map(({ pod, service }) => `--- ${pod}\n${tailOf(service.logFile, 12)}`).join("\n");
        throw new Error(`not finished: ${names.filter((name) => !isFinished(name)).join()}\n${logs}`);
      });
    },
    stop: async () => {
      await items.stop();
      await Promise.all(replicas.map((replica) => replica.stop()));
      await targetProxy.stop();
      await environment.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Place = Pick<Environment, "client"> & { readonly scope: TestNamespace };

async function createItem({ client, scope }: Place, name: string, configMaps: number): Promise<void> {
  const manifests = Array.from({ length: configMaps }, (_, index) => ({
    policy: "manage",
    manifest: {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: index === 0 ? name : `${name}-${index}`, namespace: scope.targetNamespace },
      data: { a: "b" },
    },
  }));
  const item = await client.create(resources.deployItem, {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "DeployItem",
    metadata: { name, namespace: scope.name, finalizers: [finalizer] },
    spec: {
      type: "landscaper.gardener.cloud/kubernetes-manifest",
      target: { name: "cluster", namespace: scope.name },
      config: {
        apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha2",
        kind: "ProviderConfiguration",
        manifests,
      },
    },
  });
  const jobIDGenerationTime = `${new Date().toISOString().slice(0, 19)}Z`;
  await client.updateStatus(resources.deployItem, {
    ...item,
    status: { observedGeneration: 0, jobID: "job-1", jobIDGenerationTime },
  });
}
