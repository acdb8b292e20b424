// Deployers of one type whose selectors overlap, or that know nothing of each other: each job is one deployer's.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, resources, type DeployItem, type DeployItemStatus } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import type { DeployContext, Deployer, Outcome } from "../deployer-interface.ts";
import { never } from "../../test/never.ts";
import {
  createDeployerFixture,
  type DeployerFixture,
  type DeployerScope,
  type StartedDeployer,
} from "../../test/index.ts";

const type = "landscaper.gardener.cloud/overlap";
const spec = { type, config: { apiVersion: "test/v1", kind: "ProviderConfiguration" } };
const count = 50;
const usualLeaseMs = 60_000;

let fixture: DeployerFixture;
let scope: DeployerScope;
let scopes = 0;
let started: StartedDeployer[];
/** "instance item", one for each pass. */
let work: string[];
let pass: (context: DeployContext<unknown>, instance: string) => Promise<Outcome>;

function deployerOf(instance: string): Deployer {
  return {
    type,
    name: "overlap.deployer",
    version: "v1",
    parseConfig: (value) => value,
    reconcile: async (context) => {
      if (context.item.metadata.namespace !== scope.namespace) return { type: "succeeded" };
      work.push(`${instance} ${context.item.metadata.name}`);
      return await pass(context, instance);
    },
    delete: () => Promise.resolve("done"),
    continuousReconcile: () => undefined,
    preview: (context) => {
      work.push(`${instance} plan of ${context.item.metadata.name}`);
      return Promise.resolve({ summary: "nothing to do", text: "", changes: [] });
    },
  };
}

function start(identity: string, leaseDurationMs = usualLeaseMs): StartedDeployer {
  const replica = { pod: "pod-0", leaseDurationMs };
  const deployer = fixture.start({ deployer: deployerOf(identity), identity, replica });
  started.push(deployer);
  return deployer;
}

const hasMembers = ({ log }: StartedDeployer): boolean => log.text.includes('"members":["pod-0"]');

async function events(name: string): Promise<string[]> {
  const { items } = await fixture.hubClient.list(kubeResources.event, { namespace: scope.namespace });
  const own = items.filter(({ regarding }) => regarding?.name === name);
  return own.filter(({ reason }) => reason === "SteppedBack").map(({ note }) => note ?? "");
}

beforeAll(async () => {
  fixture = await createDeployerFixture();
});
afterAll(() => fixture.stop());
beforeEach(async () => {
  started = [];
  work = [];
  pass = () => Promise.resolve({ type: "succeeded" });
  scope = await fixture.scope(`overlap-${++scopes}`);
});
afterEach(async () => {
  await Promise.all(started.map((deployer) => deployer.stop()));
});

describe("two instances whose selectors overlap", () => {
  it(`run each of ${count} jobs once, with one pickup and one write to the target`, async () => {
    for (const instance of ["blue", "green"]) start(instance);
    await waitFor(() => started.every(hasMembers));
    await scope.createTarget();
    pass = async ({ item, target }) => {
      const { client } = await target.cluster();
      const metadata = { name: item.metadata.name ?? "", namespace: scope.namespace };
      await client.create(kubeResources.configMap, { apiVersion: "v1", kind: "ConfigMap", metadata });
      return { type: "succeeded" };
    };
    const pickups = new Map<string, Set<string>>();
    const watching = new AbortController();
    const seeing = seePickups(pickups, watching.signal);
    const names = Array.from({ length: count }, (_, index) => `item-${index}`);
    const target = { name: "cluster", namespace: scope.namespace };
    await Promise.all(names.map((name) => scope.create({ name, spec: { ...spec, target } })));
    for (const name of names) expect((await scope.waitForEnd(name)).status?.phase).toBe("Succeeded");
    watching.abort(new Error("all jobs have ended"));
    await seeing;
    expect(work.map((line) => line.split(" ")[1] ?? "").toSorted()).toEqual(names.toSorted());
    const both = [...pickups].filter(([, holders]) => holders.size !== 1).map(([name]) => name);
    expect([pickups.size, both]).toEqual([count, []]);
  });

  it("one steps back from what the other has in work, and says so once in its log and an Event", async () => {
    start("blue");
    let isReady = false;
    pass = () => Promise.resolve(isReady ? { type: "succeeded" } : { type: "waiting", for: "it", requeueAfterMs: 50 });
    await scope.create({ name: "item", spec });
    await scope.waitFor("item", ({ phase }) => phase === "Progressing");
    const green = start("green");
    await waitFor(() => green.log.text.includes("stepped back"));
    // Every change is looked at anew, and nothing is said again.
    for (const label of ["a", "b", "c"]) {
      const body = { metadata: { labels: { label } } };
      await fixture.hubClient.patch(
        resources.deployItem,
        { namespace: scope.namespace, name: "item" },
        { type: "merge", body },
      );
    }
    isReady = true;
    const { status } = await scope.waitForEnd("item");
    expect(status?.deployer?.identity).toBe("blue/pod-0");
    expect(work.filter((line) => line.startsWith("green"))).toEqual([]);
    await waitFor(async () => (await events("item")).length > 0);
    expect(await events("item")).toEqual([
      "deployer green/pod-0 steps back: blue/pod-0 works on this item, and the target selectors of both select it",
    ]);
    expect(green.log.text.match(/stepped back/g)).toHaveLength(1);
  });

  it("make one plan of each item, keep its answer, and delete it once", async () => {
    for (const instance of ["blue", "green"]) start(instance);
    await waitFor(() => started.every(hasMembers));
    const names = Array.from({ length: 20 }, (_, index) => `item-${index}`);
    await Promise.all(names.map((name) => scope.create({ name, spec })));
    for (const name of names) await scope.waitForEnd(name);
    const body = { metadata: { annotations: { [annotations.operation]: "plan" } } };
    const ask = (name: string): Promise<DeployItem> =>
      fixture.hubClient.patch(resources.deployItem, { namespace: scope.namespace, name }, { type: "merge", body });
    await Promise.all(names.map(ask));
    for (const name of names) {
      const answered = await waitFor(async () => {
        const item = await scope.get(name);
        return annotations.operation in (item.metadata.annotations ?? {}) ? undefined : item;
      });
      const planned = answered.status?.conditions?.find((condition) => condition.type === "Planned");
      expect([name, planned?.status]).toEqual([name, "True"]);
    }
    const plans = work.filter((line) => line.includes(" plan of ")).map((line) => line.split(" ").at(-1) ?? "");
    expect(plans.toSorted()).toEqual(names.toSorted());
    await Promise.all(names.map((name) => scope.remove(name)));
    for (const name of names) await scope.waitUntilGone(name);
  });

  it("one follows when the other is told to end", async () => {
    start("blue", 5000);
    pass = ({ signal }, instance) => (instance === "blue" ? never(signal) : Promise.resolve({ type: "succeeded" }));
    await scope.create({ name: "item", spec });
    await waitFor(() => work.length === 1);
    start("green");
    await started[0]?.stop();
    const { status } = await scope.waitForEnd("item");
    expect([status?.phase, status?.deployer?.identity]).toEqual(["Succeeded", "green/pod-0"]);
    expect(work).toEqual(["blue item", "green item"]);
  });
});

describe("an item that another deployer has taken", () => {
  it("is left before anything more is written, and is taken over when nobody writes for it any more", async () => {
    start("blue", 5000);
    const ends: unknown[] = [];
    pass = async ({ signal }) => {
      if (ends.length > 0) return { type: "succeeded" };
      return await never(signal).finally(() => ends.push(signal.reason));
    };
    await scope.create({ name: "item", spec });
    await waitFor(() => work.length === 1);
    const taken = await take("item", "original");
    await waitFor(() => ends.length === 1);
    expect((await scope.get("item")).metadata.resourceVersion).toBe(taken.metadata.resourceVersion);
    const { status } = await scope.waitForEnd("item");
    expect([status?.phase, status?.deployer?.identity]).toEqual(["Succeeded", "blue/pod-0"]);
    expect(work).toEqual(["blue item", "blue item"]);
  });
});

/** What a deployer of another implementation writes. */
async function take(name: string, identity: string): Promise<DeployItem> {
  return await waitFor(async () => {
    const item = await scope.get(name);
    const status: DeployItemStatus = { ...item.status, deployer: { identity, name: "other", version: "v0" } };
    return await fixture.hubClient.updateStatus(resources.deployItem, { ...item, status });
  });
}

/** Who has picked up each item, as the API server has it. */
async function seePickups(pickups: Map<string, Set<string>>, signal: AbortSignal): Promise<void> {
  const { namespace } = scope;
  try {
    for await (const event of fixture.hubClient.watch(resources.deployItem, {
      namespace,
      resourceVersion: "0",
      signal,
    })) {
      if (event.type !== "ADDED" && event.type !== "MODIFIED") continue;
      const { metadata, status } = event.object;
      if (status?.phase !== "Progressing") continue;
      const holders = pickups.get(metadata.name ?? "") ?? new Set();
      pickups.set(metadata.name ?? "", holders.add(`${status.deployer?.identity} ${status.transitionTimes?.initTime}`));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
