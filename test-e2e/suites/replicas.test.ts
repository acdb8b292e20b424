// Three manifest deployers share items, one is killed: who worked on what.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { finalizer, isJobOpen, kubeResources, resources, type DeployItem } from "@landscaper/api";
import { waitFor, type ApiProxy, startApiProxy } from "@landscaper/testkit";
import { tailOf } from "../cluster/child.ts";
import { findJobFaults } from "../ha/audit-jobs.ts";
import type { ItemRequest } from "../ha/audit-replicas.ts";
import { findHeldItems, findSharedWork, podOf } from "../ha/audit-replicas.ts";
import type { CoreReplica } from "../ha/core-replica.ts";
import { startCoreReplica } from "../ha/core-replica.ts";
import { grantInNamespace } from "../src/clusters/service-accounts.ts";
import type { ObjectHistory } from "../src/kits/object-history.ts";
import { recordHistory } from "../src/kits/object-history.ts";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { clustersUnderTest, isWholeRun } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

/** `npm test` takes a fifth of the items. */
const count = isWholeRun("replicas") ? 500 : 100;
/** The default: with a shorter one, a machine that does everything else as well may be taken for a dead one. */
const leaseSeconds = 15;
/** Every so manieth item waits for a ConfigMap that comes after the kill: those are in work all the time. */
const waitsEvery = 5;
const identity = "shared-manifest-deployer";
const gate = "gate";
const itemName = (index: number): string => `item-${String(index).padStart(3, "0")}`;

describe.each(clustersUnderTest())(`three manifest deployers and ${count} items on %s`, (cluster) => {
  let environment: Environment;
  let scope: TestNamespace;
  let folder: string;
  let targetProxy: ApiProxy;
  let items: ObjectHistory<DeployItem>;
  let killed: CoreReplica | undefined;
  let killedAtMs = 0;
  let held: ReadonlySet<string> = new Set();
  const replicas: CoreReplica[] = [];
  /** On the target, by the user agent. */
  const targetRequests: ItemRequest[] = [];

  async function addReplica(pod: string): Promise<void> {
    replicas.push(
      await startCoreReplica(
        {
          hub: environment.hub,
          folder,
          podNamespace: scope.name,
          leaseSeconds,
          service: {
            name: "manifest-deployer",
            args: [`--lease-duration=${leaseSeconds}s`],
            config: { identity, hpa: { maxReplicas: 3 } },
          },
        },
        pod,
      ),
    );
  }

  function configOf(index: number): NonNullable<DeployItem["spec"]["config"]> {
    const metadata = { name: itemName(index), namespace: scope.targetNamespace };
    const check = {
      name: "gate",
      resourceSelector: [{ apiVersion: "v1", kind: "ConfigMap", name: gate, namespace: scope.targetNamespace }],
      requirements: [{ jsonPath: ".data.open", operator: "==", values: [{ value: "yes" }] }],
    };
    return {
      apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha2",
      kind: "ProviderConfiguration",
      manifests: [{ policy: "manage", manifest: { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "b" } } }],
      ...(index % waitsEvery === 0 ? { readinessChecks: { custom: [check] } } : {}),
    };
  }

  async function createItem(index: number): Promise<void> {
    const { client } = environment;
    const item = await client.create(resources.deployItem, {
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "DeployItem",
      metadata: { name: itemName(index), namespace: scope.name, finalizers: [finalizer] },
      spec: {
        type: "landscaper.gardener.cloud/kubernetes-manifest",
        target: { name: "cluster", namespace: scope.name },
        config: configOf(index),
      },
    });
    const jobIDGenerationTime = `${new Date().toISOString().slice(0, 19)}Z`;
    await client.updateStatus(resources.deployItem, {
      ...item,
      status: { observedGeneration: 0, jobID: `job-${index}`, jobIDGenerationTime },
    });
  }

  async function createItems(from: number, to: number): Promise<void> {
    let next = from;
    const work = async (): Promise<void> => {
      while (next < to) await createItem(next++);
    };
    await Promise.all(Array.from({ length: 16 }, work));
  }

  const finished = (): number =>
    [...items.current.values()].filter(({ status }) => status?.jobID !== undefined && !isJobOpen(status)).length;

  async function until(what: string, isMet: () => boolean, timeoutMs = 120_000): Promise<void> {
    const hasLost = (): boolean => replicas.some((each) => each !== killed && each.service.crashes.length > 0);
    await waitFor(() => isMet() || hasLost(), { timeoutMs }).catch(() => undefined);
    if (!isMet()) {
      const logs = replicas.map(({ pod, service }) => `--- ${pod}\n${tailOf(service.logFile, 12)}`).join("\n");
      throw new Error(`${what}: not yet; ${finished()} of ${count} have finished\n${logs}`);
    }
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "landscaper-replicas-"));
    environment = await startEnvironment({ cluster, services: [] });
    scope = await environment.namespace("replicas");
    const { target, client } = environment;
    targetProxy = await startApiProxy({
      upstream: { url: target.url, ca: target.ca },
      token: target.token,
      onAnswer: ({ method, path, body, userAgent }) => {
        // The path of a creation has no name, its answer has.
        const item = /\/configmaps/.test(path) ? /"name":"(item-\d+)"/.exec(`${path}"${body}`)?.[1] : undefined;
        const pod = /^\S+\/(\S+)/.exec(userAgent)?.[1] ?? userAgent;
        if (item !== undefined) {
          targetRequests.push({ pod, item, isWrite: method !== "GET", atMs: performance.now() });
        }
      },
    });
    await scope.apply({
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "Target",
      metadata: { name: "cluster" },
      spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", config: { kubeconfig: targetProxy.kubeconfig } },
    });
    await grantInNamespace(client, scope.name);
    items = await recordHistory(client, resources.deployItem, scope.name);
    await Promise.all(["pod-0", "pod-1", "pod-2"].map((pod) => addReplica(pod)));
    await until("all know each other", () =>
      replicas.every(({ service }) => tailOf(service.logFile, 200).includes('"members":["pod-0","pod-1","pod-2"]')),
    );
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await targetProxy.stop();
    await environment.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("one is killed in the middle, and all items succeed", async () => {
    const creating = createItems(0, count);
    await until("a third of the items", () => finished() >= count / 3);
    const waiting = [...items.current.values()].filter(({ status }) => isJobOpen(status)).map(podOf);
    const found = replicas.find(({ pod }) => waiting.includes(pod));
    if (found === undefined) throw new Error("nobody has an item in work");
    killed = found;
    await found.service.kill();
    killedAtMs = performance.now();
    await creating;
    await environment.targetClient.create(kubeResources.configMap, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: gate, namespace: scope.targetNamespace },
      data: { open: "yes" },
    });
    await until("all items", () => finished() === count);
    held = findHeldItems(
      items.seen.map(({ object }) => object),
      found.pod,
    );
    expect(held.size).toBeGreaterThan(0);
    expect(held.size).toBeLessThan(count);
    const tookMs = performance.now() - killedAtMs;
    process.stderr.write(
      `replicas on ${cluster}: ${found.pod} held ${held.size} of ${count} items; all had finished ${(tookMs / 1000).toFixed(1)} s after its end\n`,
    );
    const all = [...items.current.values()];
    expect(all.filter(({ status }) => status?.phase !== "Succeeded").map(({ metadata }) => metadata.name)).toEqual([]);
    expect(replicas.filter(({ writes }) => writes.some(({ resource }) => resource === "deployitems")).length).toBe(3);
  });

  it("each job was finished once", () => {
    expect(findJobFaults(items.seen, 1)).toEqual([]);
  });

  it("no two live replicas wrote for one item, and only what the killed one held ran again", async () => {
    const dead = killed?.pod ?? "";
    const death = { pod: dead, atMs: killedAtMs, held };
    const hubWrites = replicas.flatMap(({ pod, writes }) =>
      writes
        .filter(({ resource }) => resource === "deployitems")
        .map(({ path, atMs }): ItemRequest => ({ pod, item: path.split("/")[7] ?? "", isWrite: true, atMs })),
    );
    expect(new Set(hubWrites.map(({ item }) => item)).size).toBe(count);
    expect(findSharedWork(hubWrites, death)).toEqual([]);
    expect(new Set(targetRequests.map(({ item }) => item)).size).toBe(count);
    expect(findSharedWork(targetRequests, death)).toEqual([]);
    // All that it held was taken over.
    const after = hubWrites.filter(({ pod, item }) => pod !== dead && held.has(item));
    expect(new Set(after.map(({ item }) => item))).toEqual(held);
    await items.stop();
  });
});
