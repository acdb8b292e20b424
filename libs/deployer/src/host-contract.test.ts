// What a deployer gets beside the target: the cluster that its process runs in, the raw target, conditions of its own, work beside the jobs.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { keyOf, kubeResources, LandscaperError, type ConditionUpdate, type DeployItem } from "@landscaper/api";
import { createFakeClock, startEmbeddedCluster, waitFor, type EmbeddedCluster } from "@landscaper/testkit";
import type { BackgroundContext, DeployContext, Deployer, Outcome, Preview } from "./deployer-interface.ts";
import {
  createDeployerFixture,
  type DeployerFixture,
  type DeployerScope,
  type StartedDeployer,
} from "../test/index.ts";
import { never } from "../test/never.ts";

const type = "landscaper.gardener.cloud/host-test";
const spec = { type, config: { apiVersion: "test/v1", kind: "ProviderConfiguration" } };
const awaited = { apiVersion: "v1", kind: "ConfigMap", name: "flag" };

let fixture: DeployerFixture;
let host: EmbeddedCluster;
let scope: DeployerScope;
let scopes = 0;
beforeAll(async () => {
  [fixture, host] = await Promise.all([createDeployerFixture(), startEmbeddedCluster()]);
});
afterAll(async () => {
  await fixture.stop();
  await host.stop();
});
const started: StartedDeployer[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((each) => each.stop()));
});
beforeEach(async () => {
  scope = await fixture.scope(`host-${++scopes}`);
  await host.createNamespace(scope.namespace);
});

function start(options: Parameters<DeployerFixture["start"]>[0]): StartedDeployer {
  const running = fixture.start(options);
  started.push(running);
  return running;
}

type Reconcile = (context: DeployContext<unknown>) => Promise<Outcome>;

function deployerOf(reconcile: Reconcile, more: Partial<Deployer> = {}): Deployer {
  return {
    type,
    name: "host-test.deployer",
    version: "v1",
    parseConfig: (value) => value,
    reconcile: async (context) =>
      context.item.metadata.namespace === scope.namespace ? await reconcile(context) : { type: "succeeded" },
    delete: () => Promise.resolve("done"),
    ...more,
  };
}

function createFlag(client: EmbeddedCluster["client"]): Promise<unknown> {
  const metadata = { name: "flag", namespace: scope.namespace };
  return client.create(kubeResources.configMap, { apiVersion: "v1", kind: "ConfigMap", metadata });
}

const conditionOf = (item: DeployItem, wanted: string) =>
  item.status?.conditions?.find((condition) => condition.type === wanted);

describe("the cluster that the process runs in", () => {
  /** Waits for a ConfigMap there. */
  const waitForFlag: Reconcile = async ({ host: cluster, signal }) => {
    const { namespace } = scope;
    const found = await cluster.client.find(kubeResources.configMap, { namespace, name: "flag" }, { signal });
    if (found !== undefined) return { type: "succeeded" };
    return { type: "waiting", for: "the flag", wakeOn: [{ cluster, namespace, ...awaited }] };
  };

  it("is the landscaper cluster where no other is given", async () => {
    const running = start({ deployer: deployerOf(waitForFlag) });
    await scope.create({ name: "item", spec });
    await waitFor(() => running.watches.size > 0);
    await createFlag(fixture.hubClient);
    expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
  });

  it("is watched for what a pass waits for: the next one comes when it has changed", async () => {
    let passes = 0;
    const deployer = deployerOf(async (context) => {
      passes++;
      return await waitForFlag(context);
    });
    const clock = createFakeClock(Date.now());
    start({ deployer, host: host.client, clock });
    await scope.create({ name: "item", spec });
    await scope.waitFor("item", ({ conditions }) => JSON.stringify(conditions).includes("waiting for the flag"));
    // Once the watch is open, the next pass comes after 25 s.
    await waitFor(
      async () => {
        if (passes >= 2 && clock.dueTimes.some((dueMs) => dueMs - clock.now() > 20_000)) return true;
        await clock.advance(50);
        return false;
      },
      { evenly: true },
    );
    const before = passes;
    const createdAtMs = clock.now();
    await createFlag(host.client);
    // Within 5 s of this clock, only the watch can start a pass.
    await waitFor(
      async () => {
        if (passes > before) return true;
        if (clock.now() - createdAtMs < 5_000) await clock.advance(50);
        return false;
      },
      { evenly: true },
    );
    expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
  });

  it("cannot be changed by a plan", async () => {
    const preview = async ({ host: cluster }: { readonly host: DeployContext<unknown>["host"] }): Promise<Preview> => {
      await createFlag(cluster.client);
      return { summary: "planned", text: "planned\n", changes: [] };
    };
    const succeed = (): Promise<Outcome> => Promise.resolve({ type: "succeeded" });
    start({ deployer: deployerOf(succeed, { preview }), host: host.client });
    const annotations = { "landscaper.gardener.cloud/operation": "plan" };
    await scope.create({ name: "item", spec, annotations });
    await scope.waitFor("item", ({ conditions }) => JSON.stringify(conditions).includes('"message":"planned'));
    expect(
      await host.client.find(kubeResources.configMap, { namespace: scope.namespace, name: "flag" }),
    ).toBeUndefined();
  });
});

describe("the target as it was read", () => {
  it("is given with its content as text, and is nothing for an item without a target", async () => {
    const found: unknown[] = [];
    const deployer = deployerOf(async ({ target }) => {
      const raw = await target.raw();
      found.push(raw === undefined ? raw : [raw.target.kind, raw.target.metadata.name, raw.content]);
      return { type: "succeeded" };
    });
    start({ deployer });
    const { namespace } = scope;
    const data = { key: Buffer.from("not: [YAML").toString("base64") };
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "access", namespace }, data };
    await fixture.hubClient.create(kubeResources.secret, secret);
    const targetSpec = { type: "example.org/any", secretRef: { name: "access", key: "key" } };
    await scope.createTarget({ metadata: { name: "any" }, spec: targetSpec });
    await scope.create({ name: "with", spec: { ...spec, target: { name: "any" } } });
    await scope.waitForEnd("with");
    await scope.create({ name: "without", spec });
    await scope.waitForEnd("without");
    expect(found).toEqual([["Target", "any", "not: [YAML"], undefined]);
  });
});

describe("conditions that a deployer reports", () => {
  const update = (status: ConditionUpdate["status"], message: string): ConditionUpdate => ({
    type: "Step",
    status,
    reason: "Testing",
    message,
  });

  it("are written with the wait, with what is persisted, and with the failure that ends the job", async () => {
    let passes = 0;
    const persisted: unknown[] = [];
    const deployer = deployerOf(async (context) => {
      passes++;
      if (passes === 1) {
        context.reportConditions([update("Progressing", "first")]);
        return { type: "waiting", for: "more", requeueAfterMs: 300 };
      }
      context.report({ step: 2 });
      context.reportConditions([update("Progressing", "second")]);
      await context.persist();
      persisted.push(conditionOf(await scope.get("item"), "Step")?.message);
      context.reportConditions([update("Unknown", "is replaced")]);
      context.reportConditions([update("False", "third")]);
      throw new LandscaperError({ message: "it is over", reason: "PhaseRequested", retry: "never" });
    });
    start({ deployer });
    await scope.create({ name: "item", spec });
    const waiting = await scope.waitFor("item", ({ conditions }) => JSON.stringify(conditions).includes('"Step"'));
    expect(conditionOf(waiting, "Step")).toMatchObject({ status: "Progressing", message: "first" });
    const ended = await scope.waitForEnd("item");
    expect(persisted).toEqual(["second"]);
    expect(conditionOf(ended, "Step")).toMatchObject({ status: "False", message: "third" });
    expect(ended.status?.lastError?.message).toBe("it is over");
  });
});

describe("work beside the jobs", () => {
  it("knows the items and the cluster of the process, and ends with it", async () => {
    let given: BackgroundContext | undefined;
    let ended: unknown;
    const background = async (context: BackgroundContext): Promise<void> => {
      given = context;
      ended = await never(context.signal).catch((error: unknown) => error);
    };
    await scope.create({ name: "item", spec });
    const succeed = (): Promise<Outcome> => Promise.resolve({ type: "succeeded" });
    const running = start({ deployer: deployerOf(succeed, { background }), host: host.client });
    await scope.waitForEnd("item");
    const context = await waitFor(() => given ?? Promise.reject(new Error("it has not begun")));
    const key = { namespace: scope.namespace, name: "item" };
    expect(context.items.get(key)?.spec.type).toBe(type);
    expect((await context.confirm(key))?.metadata.name).toBe("item");
    expect(await context.confirm({ ...key, name: "none" })).toBeUndefined();
    await createFlag(context.host.client);
    expect(await host.client.find(kubeResources.configMap, { ...key, name: "flag" })).toBeDefined();
    expect(ended).toBeUndefined();
    await running.stop();
    await waitFor(() => ended !== undefined);
  });

  it("ends when the process loses its Lease", async () => {
    let isAtWork = false;
    let ended: unknown;
    const background = async ({ signal }: BackgroundContext): Promise<void> => {
      isAtWork = true;
      ended = await never(signal).catch((error: unknown) => error);
    };
    const succeed = (): Promise<Outcome> => Promise.resolve({ type: "succeeded" });
    const replica = { pod: "pod-1", leaseDurationMs: 3000 };
    start({ deployer: deployerOf(succeed, { background }), replica });
    await waitFor(() => isAtWork);
    const { items } = await fixture.hubClient.list(kubeResources.lease, { namespace: "default" });
    const [lease] = items.filter(({ spec: own }) => own?.holderIdentity === "test-deployer/pod-1");
    if (lease === undefined) throw new Error("the process holds no Lease");
    // Whatever it renews in between, somebody else has the Lease in the end.
    const body = { spec: { holderIdentity: "somebody-else" } };
    await fixture.hubClient.patch(kubeResources.lease, keyOf(lease), { type: "merge", body });
    await waitFor(() => ended !== undefined);
  });
});
