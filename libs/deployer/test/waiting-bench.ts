// A deployer whose items wait for ConfigMaps of an embedded target, with a clock that stands still.
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "@jest/globals";
import { isJobOpen, kubeResources, type ConfigMap } from "@landscaper/api";
import { type FakeClock, createFakeClock, waitFor } from "@landscaper/testkit";
import type { AwaitedObjects } from "@landscaper/resources";
import type { DeployContext, Deployer, DeleteOutcome, Outcome } from "../src/deployer-interface.ts";
import { createDeployerFixture, type DeployerFixture, type DeployerScope, type StartedDeployer } from "./index.ts";

interface Config {
  /** The ConfigMap that the item waits for. Default: the item's own name. */
  readonly name?: string;
  readonly schedule?: string;
}

type Context = DeployContext<Config>;
const type = "landscaper.gardener.cloud/waiting";
const agent = "waiting.deployer";

/** Of a rest while watches stand, with `random` at 0. */
export const restMs = 25_000;
export const lingerMs = 10_000;
export let fixture: DeployerFixture;
export let scope: DeployerScope;
export let running: StartedDeployer;
export let clock: FakeClock;
export let passes: string[];
export let watches: string[];

interface Conduct {
  /** What the deployer does with what it has found. */
  judge(found: ConfigMap | undefined, context: Context, awaited: AwaitedObjects): Promise<Outcome> | Outcome;
}

/** Waits until the object is there; a test may change that for itself. */
const waits: Conduct = {
  judge: (found, _context, awaited) =>
    found === undefined ? { type: "waiting", for: "it", wakeOn: [awaited] } : { type: "succeeded" },
};
export const conduct: Conduct = { ...waits };
let scopes = 0;

async function look(context: Context): Promise<Outcome> {
  const { item, config, target, signal } = context;
  // What the tests before have left.
  if (item.metadata.namespace !== scope.namespace) return { type: "succeeded" };
  const cluster = await target.cluster();
  const key = { namespace: scope.namespace, name: config.name ?? item.metadata.name ?? "" };
  const found = await cluster.client.find(kubeResources.configMap, key, { signal });
  passes.push(item.metadata.name ?? "");
  return await conduct.judge(found, context, { cluster, apiVersion: "v1", kind: "ConfigMap", ...key });
}

export const deployer: Deployer<Config> = {
  type,
  name: agent,
  version: "v1",
  parseConfig: (value) => Object(value) as Config,
  reconcile: look,
  delete: async (context): Promise<DeleteOutcome> => {
    const outcome = await look(context);
    return outcome.type === "succeeded" ? "done" : outcome;
  },
  continuousReconcile: ({ schedule }) => (schedule === undefined ? undefined : { every: schedule }),
};

/** For each test file: it calls this once. */
export function useWaitingBench(): void {
  beforeAll(async () => {
    fixture = await createDeployerFixture();
  }, 60_000);
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    passes = [];
    watches = [];
    Object.assign(conduct, waits);
    observe();
    scope = await fixture.scope(`waiting-${++scopes}`);
    await scope.createTarget();
    clock = createFakeClock(Date.now());
    running = fixture.start({ deployer, identity: "test", clock, random: () => 0, newJobId: () => "test-job" });
  });
  afterEach(async () => {
    fixture.target.setFault(undefined);
    await running.stop();
  });
}

/** Notes the deployer's watches on the target; `fault` answers them. */
export function observe(fault?: (namespace: string) => { readonly status: number } | undefined): void {
  fixture.target.setFault(({ verb, resource, namespace, userAgent }) => {
    if (verb !== "watch" || !userAgent.startsWith(agent)) return undefined;
    watches.push(`${resource} ${namespace === "" ? "everywhere" : "here"}`);
    return fault?.(namespace);
  });
}

export const specOf = (config: Config = {}) => ({
  type,
  target: { name: "cluster" },
  config: { apiVersion: "test/v1", kind: "ProviderConfiguration", ...config },
});
export const create = (name: string, config?: Config) => scope.create({ name, spec: specOf(config) });
export const count = (name: string): number => passes.filter((pass) => pass === name).length;

export const configMap = (name: string, labels?: Record<string, string>): ConfigMap => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: scope.namespace, ...(labels === undefined ? {} : { labels }) },
});
export const makeReady = (name: string) => fixture.targetClient.create(kubeResources.configMap, configMap(name));

/** Lets the time go on in small steps until it holds. */
export async function until(check: () => boolean, stepMs = 50): Promise<void> {
  await waitFor(
    async () => {
      if (check()) return true;
      await clock.advance(stepMs);
      return false;
    },
    { evenly: true },
  );
}

/** Until the next pass of the item is one that only a lost event would need. */
export async function untilResting(name: string, forMs = restMs): Promise<void> {
  const isRest = (ms: number): boolean => ms <= forMs && ms > forMs - 2000;
  await until(() => count(name) >= 2 && clock.dueTimes.some((dueMs) => isRest(dueMs - clock.now())));
}

/** The job of another item shows that the deployer has had its chance. */
export async function breathe(): Promise<void> {
  const name = `other-${passes.length}`;
  await scope.create({ name, spec: { ...specOf({ name: "kube-root-ca.crt" }) } });
  await waitFor(() => count(name) > 0);
}

/** The phase of the item when its job is over, which must be long before the end of a rest. */
export async function ended(name: string): Promise<string | undefined> {
  const began = clock.now();
  const item = await waitFor(
    async () => {
      await clock.advance(20);
      const found = await scope.get(name);
      return isJobOpen(found.status) ? undefined : found;
    },
    { evenly: true },
  );
  expect(clock.now() - began).toBeLessThan(restMs / 2);
  return item.status?.phase;
}

export function setPasses(value: string[]): void {
  passes = value;
}

export function setRunning(value: StartedDeployer): void {
  running = value;
}
