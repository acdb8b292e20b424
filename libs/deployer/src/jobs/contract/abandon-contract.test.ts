// What becomes of work that its job does not wait for any more, on embedded clusters.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { annotations, LandscaperError, operations, resources, type DeployItem } from "@landscaper/api";
import { type FakeClock, createFakeClock, waitFor } from "@landscaper/testkit";
import type { AbandonContext, DeleteOutcome, Deployer, Outcome } from "../../deployer-interface.ts";
import { never } from "../../../test/never.ts";
import {
  createDeployerFixture,
  type DeployerFixture,
  type DeployerScope,
  type StartedDeployer,
} from "../../../test/index.ts";

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
let isLeft: (status: DeployItem["status"]) => boolean;
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
  async delete({ memory }) {
    memory(() => ({ passes: 0 })).passes++;
    passes++;
    return await remove();
  },
  isLeft: ({ status }) => isLeft(status),
  async abandon(context) {
    const { item, memory, problem, work, reportConditions } = context;
    const { passes: remembered } = memory(() => ({ passes: 0 }));
    abandoned.push(`${problem} (${item.status?.phase}, ${remembered > 0 ? "remembered" : "forgotten"})`);
    reportConditions([{ type: "Run", status: "False", reason: "Ended", message: `${work}: ${problem}` }]);
    await putRight(context);
  },
};

beforeAll(async () => {
  fixture = await createDeployerFixture();
});
afterAll(() => fixture.stop());

beforeEach(async () => {
  passes = 0;
  abandoned = [];
  reconcile = () => Promise.resolve(waiting);
  remove = () => Promise.resolve("done");
  putRight = () => Promise.resolve();
  isLeft = () => false;
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

/** What the deployer has said of the end of its work. */
async function endOf(name: string): Promise<string | undefined> {
  const { conditions } = (await scope.get(name)).status ?? {};
  return conditions?.find((condition) => condition.type === "Run")?.message;
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
    await waitFor(async () => (await endOf("item")) !== undefined);
    const { status } = await scope.get("item");
    expect([status?.phase, status?.lastError?.reason]).toEqual(["Failed", "InterruptOperation"]);
    expect(await endOf("item")).toBe(`reconcile: the job was ended from outside at: "${place}"`);
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
    expect(await endOf("item")).toBe(`reconcile: timeout at: "${place}"`);
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
    await waitFor(async () => (await endOf("item")) === 'reconcile: timeout at: "a hook"');
  });

  it("when the time was up before the process began", async () => {
    await scope.create({ name: "item", spec });
    await untilPass();
    await scope.waitFor("item", ({ conditions = [] }) => JSON.stringify(conditions).includes("a hook"));
    await running.stop();
    expect(abandoned).toEqual([]);
    // The last process would have written this a moment later.
    const body = { status: { workedSeconds: 60 } };
    const key = { namespace: scope.namespace, name: "item" };
    await fixture.hubClient.patch(resources.deployItem, key, { type: "merge", subresource: "status", body });
    running = start();
    await waitFor(hasEnded);
    expect([...new Set(abandoned)]).toEqual(['timeout at: "work in progress" (Progressing, forgotten)']);
  });
});

describe("a job that is interrupted while no process runs", () => {
  const isUnsaid = (status: DeployItem["status"]): boolean =>
    status?.conditions?.some(({ type: found }) => found === "Run") !== true;

  async function interruptAlone(): Promise<void> {
    await scope.create({ name: "item", spec });
    await scope.waitFor("item", ({ conditions = [] }) => JSON.stringify(conditions).includes("a hook"));
    await running.stop();
    await scope.interrupt("item");
    running = start();
  }

  it("is abandoned by the next one where the deployer sees that it has left something, once", async () => {
    isLeft = isUnsaid;
    await interruptAlone();
    await waitFor(async () => (await endOf("item")) !== undefined);
    const problem = "the job was ended from outside while no deployer worked on it";
    expect(await endOf("item")).toBe(`reconcile: ${problem}`);
    await running.stop();
    running = start();
    await scope.create({ name: "next", spec: { ...spec, timeout: "none" } });
    await scope.waitFor("next", ({ phase }) => phase === "Progressing");
    expect([...new Set(abandoned)]).toEqual([`${problem} (Failed, forgotten)`]);
  });

  it("is not where the deployer sees nothing", async () => {
    await interruptAlone();
    reconcile = () => Promise.resolve({ type: "succeeded" });
    await scope.create({ name: "good", spec });
    await scope.waitForEnd("good");
    expect(abandoned).toEqual([]);
  });
});

describe("a deletion that ends without the deployer is abandoned like a job", () => {
  beforeEach(async () => {
    reconcile = () => Promise.resolve({ type: "succeeded" });
    await scope.create({ name: "item", spec });
    await scope.waitForEnd("item");
    remove = () => Promise.resolve({ type: "waiting", for: "a last hook" });
    passes = 0;
    await scope.remove("item");
    await untilPass();
  });

  it("when it is interrupted", async () => {
    await scope.waitFor("item", ({ conditions }) => JSON.stringify(conditions).includes("a last hook"));
    await scope.interrupt("item");
    await waitFor(async () => (await endOf("item")) !== undefined);
    expect((await scope.get("item")).status?.lastError?.reason).toBe("InterruptOperation");
    expect(await endOf("item")).toBe('delete: the job was ended from outside at: "a last hook"');
  });

  it("when its time is up", async () => {
    await passTime(10_000, hasEnded);
    expect((await scope.get("item")).status?.phase).toBe("DeleteFailed");
    expect([...new Set(abandoned)]).toEqual(['timeout at: "a last hook" (Deleting, remembered)']);
    expect(await endOf("item")).toBe('delete: timeout at: "a last hook"');
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
    expect(await endOf("item")).toBe('reconcile: timeout at: "a hook"');
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
});
