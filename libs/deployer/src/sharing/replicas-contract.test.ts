// Replicas that share items (design.md §5), each with a manager of its own, on embedded clusters.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources, resources, type ContinuousReconcile } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { replicaIdentity } from "./decide-claim.ts";
import type { DeployContext, Deployer, Outcome } from "../deployer-interface.ts";
import { ownerOfItem } from "./item-owner.ts";
import { never } from "../../test/never.ts";
import {
  createDeployerFixture,
  type DeployerFixture,
  type DeployerScope,
  type StartedDeployer,
} from "../../test/index.ts";

const type = "landscaper.gardener.cloud/test";
const spec = { type, config: { apiVersion: "test/v1", kind: "ProviderConfiguration" } };
const repeated = { type, config: { ...spec.config, continuousReconcile: { every: "1s" } } };
const identity = "shared";
/** So long that a busy machine is not taken for a dead one. */
const usualLeaseMs = 60_000;
/** Of replicas that are to be cut off. */
const shortLeaseMs = 5000;

interface Work {
  readonly pod: string;
  readonly item: string;
  readonly signal: AbortSignal;
}

type Pass = (context: DeployContext<Config>, pod: string) => Promise<Outcome>;

let fixture: DeployerFixture;
let scope: DeployerScope;
let scopes = 0;
let work: Work[];
let pass: Pass;
let replicas: Map<string, StartedDeployer>;
let offline: Set<string>;

interface Config {
  readonly continuousReconcile?: ContinuousReconcile;
}

function deployerOf(pod: string): Deployer<Config> {
  return {
    type,
    name: "test.deployer",
    version: "v1",
    parseConfig: (value) => value as Config,
    reconcile: async (context) => {
      const { metadata } = context.item;
      if (metadata.namespace !== scope.namespace) return { type: "succeeded" };
      work.push({ pod, item: metadata.name ?? "", signal: context.signal });
      return await pass(context, pod);
    },
    delete: () => Promise.resolve("done"),
    continuousReconcile: (config) => config.continuousReconcile,
    maintain: async (context) => {
      if (context.item.metadata.namespace !== scope.namespace) return { type: "succeeded" };
      work.push({ pod, item: `${context.item.metadata.name} between jobs`, signal: context.signal });
      return await pass(context, pod);
    },
  };
}

function start(pod: string, leaseDurationMs = usualLeaseMs): StartedDeployer {
  const started = fixture.start({ deployer: deployerOf(pod), identity, replica: { pod, leaseDurationMs } });
  replicas.set(pod, started);
  return started;
}

async function untilMembers(...pods: readonly string[]): Promise<void> {
  const wanted = `"members":${JSON.stringify(pods)}`;
  await waitFor(() =>
    pods.every((pod) =>
      (replicas.get(pod)?.log.text ?? "")
        .split("\n")
        .findLast((line) => line.includes("replicas that share"))
        ?.includes(wanted),
    ),
  );
}

const workOn = (item: string): string[] => work.filter((each) => each.item === item).map(({ pod }) => pod);
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `item-${index}`);

beforeAll(async () => {
  fixture = await createDeployerFixture();
});
afterAll(() => fixture.stop());

beforeEach(async () => {
  work = [];
  replicas = new Map();
  offline = new Set();
  pass = () => Promise.resolve({ type: "succeeded" });
  scope = await fixture.scope(`replicas-${++scopes}`);
  fixture.hub.setFault(({ userAgent }) => {
    const pod = userAgent.split("/")[1]?.split(" ")[0] ?? "";
    return offline.has(pod) ? "close" : undefined;
  });
});
afterEach(async () => {
  fixture.hub.setFault(undefined);
  await Promise.all([...replicas.values()].map((replica) => replica.stop()));
});

describe("three replicas", () => {
  it("share the items by their UIDs, each job is done once, and says by whom", async () => {
    for (const pod of ["a", "b", "c"]) start(pod);
    await untilMembers("a", "b", "c");
    const items = names(30);
    const created = await Promise.all(items.map((name) => scope.create({ name, spec })));
    for (const [index, name] of items.entries()) {
      const { status } = await scope.waitForEnd(name);
      const owner = ownerOfItem(created[index]?.metadata.uid ?? "", ["a", "b", "c"]) ?? "";
      expect([status?.phase, status?.deployer?.identity]).toEqual(["Succeeded", replicaIdentity(identity, owner)]);
      expect(workOn(name)).toEqual([owner]);
    }
    expect(new Set(work.map(({ pod }) => pod)).size).toBe(3);
  });

  it("cost no request more per item than one alone", async () => {
    start("a");
    await untilMembers("a");
    const writes: string[] = [];
    fixture.hub.setFault(({ verb, resource, subresource, userAgent }) => {
      const isCounted = !["events", "leases"].includes(resource) && verb !== "watch";
      if (userAgent.startsWith("test.deployer/a") && isCounted) writes.push(`${verb} ${resource}/${subresource}`);
      return undefined;
    });
    await scope.create({ name: "item", spec });
    await scope.waitForEnd("item");
    expect(writes).toEqual(["update deployitems/status", "update deployitems/status"]);
  });

  it("leave an item in work where it is when another one comes", async () => {
    start("a");
    await untilMembers("a");
    let isReady = false;
    pass = () => Promise.resolve(isReady ? { type: "succeeded" } : { type: "waiting", for: "it", requeueAfterMs: 20 });
    const items = names(16);
    for (const name of items) await scope.create({ name, spec });
    for (const name of items) await scope.waitFor(name, ({ phase }) => phase === "Progressing");
    start("b");
    await untilMembers("a", "b");
    isReady = true;
    for (const name of items) {
      const { status } = await scope.waitForEnd(name);
      expect(status?.deployer?.identity).toBe("shared/a");
    }
    expect(work.filter(({ pod }) => pod === "b")).toEqual([]);
    // Their next jobs are for both.
    for (const name of items) await scope.trigger(name);
    for (const name of items) await scope.waitForEnd(name);
    expect(new Set(work.map(({ pod }) => pod))).toEqual(new Set(["a", "b"]));
  });

  it("take over at once what one that is told to end had in work", async () => {
    const a = start("a");
    start("b");
    await untilMembers("a", "b");
    let isReady = false;
    pass = () => Promise.resolve(isReady ? { type: "succeeded" } : { type: "waiting", for: "it", requeueAfterMs: 20 });
    const items = names(16);
    for (const name of items) await scope.create({ name, spec });
    for (const name of items) await scope.waitFor(name, ({ phase }) => phase === "Progressing");
    const before = await Promise.all(items.map((name) => scope.get(name)));
    expect(new Set(before.map(({ status }) => status?.deployer?.identity))).toEqual(new Set(["shared/a", "shared/b"]));
    await a.stop();
    isReady = true;
    for (const [index, name] of items.entries()) {
      const { status } = await scope.waitForEnd(name);
      expect(status).toMatchObject({
        phase: "Succeeded",
        deployer: { identity: "shared/b" },
        // The job is the same, and so is its deadline.
        transitionTimes: { initTime: before[index]?.status?.transitionTimes?.initTime },
      });
    }
  });
});

describe("a replica that cannot reach the API server", () => {
  it("stops its work before another one takes it over", async () => {
    const a = start("a", shortLeaseMs);
    const b = start("b");
    await untilMembers("a", "b");
    // Of two live ones: when each began and ended.
    const log: string[] = [];
    pass = async ({ item, signal }, pod) => {
      const { name = "" } = item.metadata;
      log.push(`${pod} begins ${name}`);
      if (!offline.has("a")) {
        try {
          await never(signal);
        } finally {
          log.push(`${pod} ends ${name}`);
        }
      }
      return { type: "succeeded" };
    };
    const items = names(16);
    for (const name of items) await scope.create({ name, spec });
    await waitFor(() => work.length === items.length);
    const ofA = work.filter(({ pod }) => pod === "a").map(({ item }) => item);
    expect(ofA.length).toBeGreaterThan(0);
    offline.add("a");
    for (const name of ofA) {
      const { status } = await scope.waitForEnd(name);
      expect([status?.phase, status?.deployer?.identity]).toEqual(["Succeeded", "shared/b"]);
      expect(workOn(name)).toEqual(["a", "b"]);
      const own = log.filter((line) => line.endsWith(` ${name}`));
      expect(own).toEqual([`a begins ${name}`, `a ends ${name}`, `b begins ${name}`]);
    }
    // What b held has not run again.
    for (const name of items.filter((each) => !ofA.includes(each))) expect(workOn(name)).toEqual(["b"]);
    expect(String(await a.ended)).toMatch(/the lease a\.test\.deployer\.\w+ is lost/);
    expect(b.log.text).toContain('"members":["b"]');
  });

  it("sends no write to a target any more", async () => {
    const a = start("a", shortLeaseMs);
    await untilMembers("a");
    await scope.createTarget();
    let refused: unknown;
    let isStarted = false;
    pass = async ({ target }) => {
      const { client } = await target.cluster();
      isStarted = true;
      await waitFor(() => a.log.text.includes("could not be renewed"));
      await Promise.race([a.ended, new Promise((resolve) => setTimeout(resolve, shortLeaseMs))]);
      const metadata = { name: "late", namespace: scope.namespace };
      const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata };
      // Without the signal of the pass: the gate alone holds it back.
      refused = await client.create(kubeResources.configMap, configMap).catch((error: unknown) => error);
      return { type: "succeeded" };
    };
    await scope.create({ name: "item", spec: { ...spec, target: { name: "cluster", namespace: scope.namespace } } });
    await waitFor(() => isStarted);
    offline.add("a");
    await waitFor(() => refused !== undefined);
    expect(String(refused)).toContain("is lost");
    const key = { namespace: scope.namespace, name: "late" };
    expect(await fixture.targetClient.find(kubeResources.configMap, key)).toBe(undefined);
  });
});

describe("work between jobs", () => {
  it("is claimed: a job that comes goes to who is at work, though another one owns the item", async () => {
    start("a");
    await untilMembers("a");
    pass = async ({ signal, item }) => {
      if (item.status?.jobID === item.status?.jobIDFinished) return await never(signal);
      return { type: "succeeded" };
    };
    const items = names(16);
    for (const name of items) await scope.create({ name, spec: repeated });
    const running = await Promise.all(
      items.map((name) =>
        scope.waitFor(name, ({ conditions = [] }) =>
          conditions.some((each) => each.type === "ContinuousReconcile" && each.status === "Unknown"),
        ),
      ),
    );
    expect(running.map(({ status }) => status?.deployer?.identity)).toEqual(items.map(() => "shared/a"));
    start("b");
    await untilMembers("a", "b");
    const ofB = running.filter(({ metadata }) => ownerOfItem(metadata.uid ?? "", ["a", "b"]) === "b");
    expect(ofB.length).toBeGreaterThan(0);
    for (const { metadata } of ofB) {
      const name = metadata.name ?? "";
      await scope.trigger(name);
      await scope.waitForEnd(name);
      expect(workOn(name)).toEqual(["a", "a"]);
    }
  });

  it("is made up for when its replica is gone", async () => {
    // Long enough for a busy machine: a replica that loses its Lease before it is offline has no items.
    start("a", 3 * shortLeaseMs);
    start("b");
    await untilMembers("a", "b");
    const done = new Set<string>();
    pass = async ({ signal, item }, pod) => {
      if (item.status?.jobID !== item.status?.jobIDFinished) return { type: "succeeded" };
      if (!offline.has("a")) await never(signal);
      done.add(`${item.metadata.name} by ${pod}`);
      return { type: "succeeded" };
    };
    const items = names(16);
    for (const name of items) await scope.create({ name, spec: repeated });
    await waitFor(() => items.every((name) => workOn(`${name} between jobs`).length === 1));
    const ofA = items.filter((name) => workOn(`${name} between jobs`)[0] === "a");
    expect(ofA.length).toBeGreaterThan(0);
    offline.add("a");
    await waitFor(() => ofA.every((name) => done.has(`${name} by b`)));
    const item = await fixture.hubClient.get(resources.deployItem, {
      namespace: scope.namespace,
      name: ofA[0] ?? "",
    });
    expect(item.status?.deployer?.identity).toBe("shared/b");
  });
});
