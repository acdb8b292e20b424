// Timeouts and pauses of jobs beside clocks that are wrong, or are set meanwhile, on embedded clusters.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
import { type FakeClock, createFakeClock, waitFor } from "@landscaper/testkit";
import type { Deployer, Outcome } from "../../deployer-interface.ts";
import {
  createDeployerFixture,
  type DeployerFixture,
  type DeployerScope,
  type StartedDeployer,
} from "../../../test/index.ts";

const type = "landscaper.gardener.cloud/clocks";
const spec = { type, config: { apiVersion: "test/v1", kind: "ProviderConfiguration" }, timeout: "1m" };
const hourMs = 3_600_000;
const hours = [
  ["is right", 0],
  ["is set back by an hour", -hourMs],
  ["is set forward by an hour", hourMs],
] as const;

let fixture: DeployerFixture;
let scope: DeployerScope;
let running: StartedDeployer | undefined;
let clock: FakeClock;
let passes: number;
/** When the deadline has ended a pass, in ms of `elapsed`. */
let endedMs: number | undefined;
let reconcile: (signal: AbortSignal) => Promise<Outcome>;
let scopes = 0;

const deployer: Deployer = {
  type,
  name: "clocks.deployer",
  version: "v1",
  parseConfig: (value) => value,
  async reconcile({ item, signal }) {
    // What the tests before have left.
    if (item.metadata.namespace !== scope.namespace) return { type: "succeeded" };
    passes++;
    return await reconcile(signal);
  },
  delete: () => Promise.resolve("done"),
};

/** Works until the deadline. */
async function workOn(signal: AbortSignal): Promise<Outcome> {
  return await new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => {
      endedMs = clock.elapsed();
      reject(new Error("cut off"));
    });
  });
}

beforeAll(async () => {
  fixture = await createDeployerFixture();
});
afterAll(() => fixture.stop());
beforeEach(async () => {
  passes = 0;
  endedMs = undefined;
  reconcile = workOn;
  scope = await fixture.scope(`clocks-${++scopes}`);
});
afterEach(async () => running?.stop());

function start(startMs = Date.now()): void {
  clock = createFakeClock(startMs);
  running = fixture.start({ deployer, identity: "test", clock, random: () => 0 });
}

async function begin(): Promise<void> {
  await scope.create({ name: "item", spec });
  await waitFor(() => passes > 0);
}

describe("a job ends at its deadline", () => {
  it.each(hours)("when the clock %s", async (_name, byMs) => {
    start();
    await begin();
    clock.setTimeOfDay(byMs);
    await clock.advance(90_000);
    expect(endedMs).toBe(60_000);
    const { phase, lastError } = (await scope.waitForEnd("item")).status ?? {};
    expect([phase, lastError?.reason]).toEqual(["Failed", "ProgressingTimeout"]);
  });

  it.each(hours)("when another process goes on whose clock %s", async (_name, byMs) => {
    start();
    reconcile = () => Promise.resolve({ type: "waiting", for: `step ${passes}`, requeueAfterMs: 40_000 });
    await begin();
    await scope.waitFor("item", ({ conditions }) => JSON.stringify(conditions).includes("step 1"));
    await clock.advance(40_000);
    await scope.waitFor("item", ({ workedSeconds }) => workedSeconds === 40);
    await running?.stop();
    reconcile = workOn;
    passes = 0;
    start(Date.now() + byMs);
    await waitFor(() => passes > 0);
    await clock.advance(90_000);
    expect(endedMs).toBe(20_000);
    const { phase, workedSeconds } = (await scope.waitForEnd("item")).status ?? {};
    expect([phase, workedSeconds]).toEqual(["Failed", undefined]);
  });
});

describe("a job is tried again after the same pause", () => {
  it.each(hours)("when the clock %s", async (_name, byMs) => {
    start();
    reconcile = () => Promise.reject(new LandscaperError({ message: "not yet", reason: "NotYet" }));
    await begin();
    await scope.waitFor("item", ({ lastError }) => lastError?.reason === "NotYet");
    clock.setTimeOfDay(byMs);
    reconcile = () => Promise.resolve({ type: "succeeded" });
    await clock.advance(500);
    expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
  });
});
