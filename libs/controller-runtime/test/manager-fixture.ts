// Managers of a test, on one embedded cluster for each file and in a namespace for each test.
import { kubeResources, type ConfigMap, type KubeObject } from "@landscaper/api";
import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";
import type { LocalCluster } from "@landscaper/local-cluster";
import { startEmbeddedCluster, type EmbeddedCluster, createTestLogger, type TestLogger } from "@landscaper/testkit";
import type { Client } from "../src/client/client-interface.ts";
import type { Manager, Reconcile } from "../src/controller-interface.ts";
import { createManager, type ManagerOptions } from "../src/create-manager.ts";

export const { configMap, secret, namespace: namespaceType } = kubeResources;
let embedded: EmbeddedCluster;
export let cluster: LocalCluster;
export let client: Client;
export let log: TestLogger;
export let stop: AbortController;
export let running: Promise<void>[];
export let namespace: string;
let count = 0;

/** For each test file: it calls this once. */
export function useManagerFixture(): void {
  beforeAll(async () => {
    embedded = await startEmbeddedCluster();
    ({ server: cluster, client } = embedded);
  });
  afterAll(() => embedded.stop());
  beforeEach(async () => {
    log = createTestLogger();
    stop = new AbortController();
    running = [];
    namespace = `manager-${++count}`;
    await client.create(namespaceType, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  });
  afterEach(async () => {
    cluster.setFault(undefined);
    stop.abort(new Error("the test is over"));
    await Promise.allSettled(running);
  });
}

export function newManager(options: Partial<ManagerOptions> = {}): Manager {
  return createManager({ name: "test", client, log, random: () => 0, ...options });
}

export function start(manager: Manager): Promise<void> {
  const run = manager.start(stop.signal);
  running.push(run);
  return run;
}

export function newConfigMap(name: string, more: Partial<ConfigMap["metadata"]> = {}): ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name, ...more } };
}

/** Every namespace has a ConfigMap of its own, too. */
export function isOfThisTest({ metadata }: KubeObject): boolean {
  return metadata.namespace === namespace && metadata.name !== "kube-root-ca.crt";
}

/** A controller of the test's namespace that notes its keys and does what `work` says. */
export function addNotingController(manager: Manager, work: Reconcile = () => Promise.resolve(undefined)): string[] {
  const keys: string[] = [];
  manager.addController({
    name: "noting",
    for: configMap,
    predicate: isOfThisTest,
    reconcile: (key, signal, slot) => {
      keys.push(key.name);
      return work(key, signal, slot);
    },
  });
  return keys;
}

export function setLog(value: TestLogger): void {
  log = value;
}

export function setStop(value: AbortController): void {
  stop = value;
}
