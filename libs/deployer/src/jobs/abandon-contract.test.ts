// What becomes of work that its job does not wait for any more, on embedded clusters.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { annotations, LandscaperError, operations, resources } from "@landscaper/api";
import { type FakeClock, createFakeClock, waitFor } from "@landscaper/testkit";
import type { AbandonContext, DeleteOutcome, Deployer, Outcome } from "../deployer-interface.ts";
import { never } from "../../test/never.ts";
import {
  createDeployerFixture,
  type DeployerFixture,
  type DeployerScope,
  type StartedDeployer,
} from "../../test/index.ts";

const type = "landscaper.gardener.cloud/abandoned";
const waiting: Outcome = { type: "waiting", for: "a hook" };

let fixture: DeployerFixture;
let scope: DeployerScope;
let running: StartedDeployer;
let clock: FakeClock;
let passes: number;
/** What each call of `abandon` was told, and the phase of the item. */
let abandoned: string[];
let reconcile: (signal: AbortSignal) => Promise<Outcome>;
let remove: () => Promise<DeleteOutcome>;
let putRight: (context: AbandonContext<unknown>) => Promise<void>;
let scopes = 0;

const deployer: Deployer = {
  type,
  name: "abandoned.deployer",
  version: "v1",
  parseConfig: (value) => value,
  async reconcile({ item, memory, signal }) {
    // What the tests before have left.
    if (item.metadata.namespace !== scope.namespace) return { type: "succeeded" };
    memory(() => ({ passes: 0 })).passes++;
    passes++;
    return await reconcile(signal);
  },
  async delete() {
    passes++;
    return await remove();
  },
  async abandon(context) {
    const { item, memory, problem } = context;
    const { passes: remembered } = memory(() => ({ passes: 0 }));
    abandoned.push(`${problem} (${item.status?.phase}, ${remembered > 0 ? "remembered" : "forgotten"})`);
    await putRight(context);
  },
};

beforeAll(async () => {
  fixture = await createDeployerFixture();
}, 60_000);
afterAll(() => fixture.stop());

beforeEach(async () => {
  passes = 0;
  abandoned = [];
  reconcile = () => Promise.resolve(waiting);
  remove = () => Promise.resolve("done");
  putRight = () => Promise.resolve();
  scope = await fixture.scope(`abandoned-${++scopes}`);
  clock = createFakeClock(Date.now());
  running = start();
});
afterEach(async () => running.stop());

function start(): StartedDeployer {
  return fixture.start({ deployer, identity: "test", clock, random: () => 0 });
}

const config = { apiVersion: "test/v1", kind: "ProviderConfiguration" };
const spec = { type, config, timeout: "1m" };

async function untilPass(): Promise<void> {
  await waitFor(() => passes > 0);
}

/** Lets time go until it is so. */
async function passTime(stepMs: number, isEnough: () => Promise<boolean> | boolean): Promise<void> {
  await waitFor(
    async () => {
      await clock.advance(stepMs);
      return await isEnough();
    },
    { evenly: true },
  );
}

async function hasEnded(): Promise<boolean> {
  const { status } = await scope.get("item");
  return status?.jobID === status?.jobIDFinished;
}

describe("the deployer puts right what it has left", () => {
  const works: readonly [string, () => (signal: AbortSignal) => Promise<Outcome>, string][] = [
    ["waits between passes", () => () => Promise.resolve(waiting), "a hook"],
    ["is at work", () => never, "work in progress"],
  ];

  it.each(works)("when the job is interrupted while it %s", async (_name, work, place) => {
    reconcile = work();
    await scope.create({ name: "item", spec });
    await scope.waitFor("item", ({ phase }) => phase === "Progressing");
    await untilPass();
    if (place === "a hook")
      await scope.waitFor("item", ({ conditions = [] }) => JSON.stringify(conditions).includes(place));
    await scope.interrupt("item");
    await waitFor(() => abandoned.length > 0);
    const { status } = await scope.get("item");
    expect(status?.lastError?.reason).toBe("InterruptOperation");
    reconcile = () => Promise.resolve(waiting);
    await scope.trigger("item");
    await waitFor(async () => (await scope.get("item")).status?.phase === "Progressing");
    expect(abandoned).toEqual([`the job was ended from outside at: "${place}" (Failed, remembered)`]);
  });

  it.each(works)("when the time is up while it %s, and then the job ends", async (_name, work, place) => {
    reconcile = work();
    await scope.create({ name: "item", spec });
    await untilPass();
    await passTime(10_000, hasEnded);
    // Once more where the watch is behind.
    expect([...new Set(abandoned)]).toEqual([`timeout at: "${place}" (Progressing, remembered)`]);
    expect((await scope.get("item")).status?.lastError?.message).toContain(`timeout at: "${place}"`);
  });

  it("when the time of a run between jobs is up", async () => {
    reconcile = () => Promise.resolve({ type: "succeeded" });
    await scope.create({ name: "item", spec });
    await scope.waitForEnd("item");
    reconcile = () => Promise.resolve(waiting);
    const body = { metadata: { annotations: { [annotations.operation]: operations.refresh } } };
    const key = { namespace: scope.namespace, name: "item" };
    await fixture.hubClient.patch(resources.deployItem, key, { type: "merge", body });
    await passTime(10_000, () => abandoned.length > 0);
    expect([...new Set(abandoned)]).toEqual(['timeout at: "a hook" (Succeeded, remembered)']);
  });

  it("when the time is up while no process runs", async () => {
    await scope.create({ name: "item", spec });
    await untilPass();
    await scope.waitFor("item", ({ conditions = [] }) => JSON.stringify(conditions).includes("a hook"));
    await running.stop();
    expect(abandoned).toEqual([]);
    await clock.advance(120_000);
    running = start();
    await waitFor(hasEnded);
    expect([...new Set(abandoned)]).toEqual(['timeout at: "work in progress" (Progressing, forgotten)']);
  });
});

describe("the job ends without it", () => {
  it("when it takes more than some seconds, whatever it does with the signal", async () => {
    putRight = () => new Promise(() => {});
    await scope.create({ name: "item", spec });
    await untilPass();
    await clock.advance(60_000);
    await waitFor(() => abandoned.length > 0);
    expect(await hasEnded()).toBe(false);
    await clock.advance(5000);
    await waitFor(hasEnded);
    expect(running.log.text).toContain("could not put right what the job has left");
  });

  it("when it fails", async () => {
    putRight = () => Promise.reject(new Error("no"));
    await scope.create({ name: "item", spec });
    await untilPass();
    await passTime(10_000, hasEnded);
    expect(abandoned).not.toEqual([]);
  });
});

describe("it is not called", () => {
  const ends: readonly [string, () => Promise<Outcome>][] = [
    ["succeeded", () => Promise.resolve({ type: "succeeded" })],
    ["failed", () => Promise.reject(new LandscaperError({ message: "no", reason: "HookFailed", retry: "never" }))],
  ];

  it.each(ends)("for a pass that has %s", async (_name, end) => {
    reconcile = end;
    await scope.create({ name: "item", spec: { ...spec, timeout: "none" } });
    await untilPass();
    await passTime(10_000, hasEnded);
    expect(abandoned).toEqual([]);
  });

  it("for a deletion", async () => {
    reconcile = () => Promise.resolve({ type: "succeeded" });
    await scope.create({ name: "item", spec });
    await scope.waitForEnd("item");
    remove = () => Promise.resolve("pending");
    passes = 0;
    await scope.remove("item");
    await untilPass();
    await passTime(10_000, hasEnded);
    expect((await scope.get("item")).status?.phase).toBe("DeleteFailed");
    expect(abandoned).toEqual([]);
  });
});
