// What is repeated between jobs, on embedded clusters: the test plays the Landscaper, a deployer made of functions is under test.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources, LandscaperError, resources, type ContinuousReconcile, type DeployItem } from "@landscaper/api";
import { createFakeClock, waitFor } from "@landscaper/testkit";
import { holdTargetNews } from "../../test/hold-target-news.ts";
import type { DeployContext, Deployer, Outcome } from "../deployer-interface.ts";
import { never } from "../../test/never.ts";
import {
  createDeployerFixture,
  type DeployerFixture,
  type DeployerScope,
  type StartedDeployer,
} from "../../test/index.ts";

interface Config {
  readonly continuousReconcile?: ContinuousReconcile;
}

const type = "landscaper.gardener.cloud/test";
const spec = {
  type,
  config: { apiVersion: "test/v1", kind: "ProviderConfiguration", continuousReconcile: { every: "1h" } },
};
/** An hour and the longest delay of an item. */
const dueMs = 3_660_000;

type Pass = (context: DeployContext<Config>) => Promise<Outcome>;

let maintain: Pass;
let calls: string[];
const deployer: Deployer<Config> = {
  type,
  name: "test.deployer",
  version: "v1",
  parseConfig: (value) => value as Config,
  reconcile: () => {
    calls.push("reconcile");
    return Promise.resolve({ type: "succeeded", exports: { job: calls.length } });
  },
  delete: () => {
    calls.push("delete");
    return Promise.resolve("done");
  },
  continuousReconcile: (config) => config.continuousReconcile,
  maintain: (context) => {
    // Items of earlier tests are repeated, too.
    if (context.item.metadata.namespace !== scope.namespace) return Promise.resolve({ type: "succeeded" });
    calls.push("maintain");
    return maintain(context);
  },
};

let fixture: DeployerFixture;
let scope: DeployerScope;
let running: StartedDeployer;
let clock: ReturnType<typeof createFakeClock>;
let scopes = 0;

beforeAll(async () => {
  fixture = await createDeployerFixture();
});
afterAll(() => fixture.stop());

beforeEach(async () => {
  calls = [];
  maintain = () => Promise.resolve({ type: "succeeded" });
  scope = await fixture.scope(`continuous-${++scopes}`);
  clock = createFakeClock(Date.now());
  running = fixture.start({ deployer, clock, random: () => 0 });
});
afterEach(async () => {
  fixture.hub.setFault(undefined);
  await running.stop();
});

type Condition = NonNullable<NonNullable<DeployItem["status"]>["conditions"]>[number];

function conditionOf({ status }: DeployItem): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === "ContinuousReconcile");
}

/** Waits until the condition has this status. */
async function untilCondition(status: string, name = "item"): Promise<DeployItem> {
  return await waitFor(async () => {
    const item = await scope.get(name);
    return conditionOf(item)?.status === status ? item : undefined;
  });
}

/** Waits until a run says more than that it is in work. */
async function untilNews(): Promise<DeployItem> {
  return await waitFor(async () => {
    const item = await untilCondition("Unknown");
    return conditionOf(item)?.message.endsWith("is at work between jobs") === true ? undefined : item;
  });
}

/** Another item's job shows that the deployer has had its chance. */
async function passTime(ms: number): Promise<void> {
  await clock.advance(ms);
  const name = `other-${calls.length}-${clock.now()}`;
  await scope.create({ name, spec: { ...spec, config: { apiVersion: "test/v1", kind: "ProviderConfiguration" } } });
  await scope.waitForEnd(name);
  calls.pop();
}

async function createItem(changes: Partial<DeployItem["spec"]> = {}): Promise<DeployItem> {
  await scope.create({ name: "item", spec: { ...spec, ...changes } });
  const item = await scope.waitForEnd("item");
  calls = [];
  return item;
}

/** What belongs to the job: nothing between jobs may change it. */
function jobOf({ status }: DeployItem): unknown {
  const { conditions: _conditions, providerStatus: _state, exportRef: _ref, ...job } = status ?? {};
  return job;
}

describe("an item that is to be repeated", () => {
  it("is, at its times, and nothing of its job changes", async () => {
    const before = await createItem();
    maintain = ({ report, providerStatus }) => {
      report({ runs: Number(providerStatus?.["runs"] ?? 0) + 1 });
      return Promise.resolve({
        type: "succeeded",
        conditions: [{ type: "Drifted", status: "False", reason: "AsDeployed", message: "as deployed" }],
      });
    };
    await passTime(3_500_000);
    expect(calls).toEqual([]);
    await clock.advance(dueMs - 3_500_000);
    const after = await untilCondition("True");
    expect(jobOf(after)).toEqual(jobOf(before));
    expect(after.status?.providerStatus).toEqual({ runs: 1 });
    expect(conditionOf(after)).toMatchObject({ status: "True", reason: "Succeeded", observedGeneration: 1 });
    expect(after.status?.conditions?.find((condition) => condition.type === "Drifted")?.status).toBe("False");
    await clock.advance(dueMs);
    const again = await waitFor(async () => {
      const item = await scope.get("item");
      return item.status?.providerStatus?.["runs"] === 2 ? item : undefined;
    });
    expect(jobOf(again)).toEqual(jobOf(before));
    expect(conditionOf(again)?.lastUpdateTime).not.toBe(conditionOf(after)?.lastUpdateTime);
    expect(calls).toEqual(["maintain", "maintain"]);
  });

  it("takes two writes for a run: the claim and its end", async () => {
    await createItem();
    const writes: string[] = [];
    fixture.hub.setFault(({ verb, resource, subresource, userAgent }) => {
      const isWrite = ["create", "update", "patch", "delete"].includes(verb) && resource !== "events";
      if (userAgent.startsWith("test.deployer") && isWrite) writes.push(`${verb} ${resource}/${subresource}`);
      return undefined;
    });
    maintain = () => Promise.resolve({ type: "succeeded", exports: { job: 1 } });
    await clock.advance(dueMs);
    await untilCondition("True");
    // The export is looked at, and is there already.
    expect(writes).toEqual(["update deployitems/status", "update deployitems/status"]);
  });

  it("exports what a run yields", async () => {
    const { status } = await createItem();
    maintain = () => Promise.resolve({ type: "succeeded", exports: { run: "later" } });
    await clock.advance(dueMs);
    await untilCondition("True");
    const key = { namespace: scope.namespace, name: status?.exportRef?.name ?? "" };
    const secret = await fixture.hubClient.get(kubeResources.secret, key);
    expect(Buffer.from(secret.data?.["config"] ?? "", "base64").toString()).toBe('{"run":"later"}');
  });

  it("is muted by an annotation, and goes on without it", async () => {
    const item = await createItem();
    const mute = "continuousreconcile.extensions.landscaper.gardener.cloud/active";
    const annotate = async (value: string | null): Promise<void> => {
      const body = { metadata: { annotations: { [mute]: value } } };
      const key = { namespace: scope.namespace, name: item.metadata.name ?? "" };
      await fixture.hubClient.patch(resources.deployItem, key, { type: "merge", body });
    };
    await annotate("false");
    await passTime(0);
    await passTime(2 * dueMs);
    expect(calls).toEqual([]);
    await annotate(null);
    await untilCondition("True");
  });

  it("is not while its spec is another one than that of the last job", async () => {
    const item = await createItem();
    await fixture.hubClient.update(resources.deployItem, { ...item, spec: { ...item.spec, timeout: "1m" } });
    await passTime(0);
    await passTime(2 * dueMs);
    expect(calls).toEqual([]);
  });

  it("is where another process has left a run behind", async () => {
    await createItem();
    maintain = ({ signal }) => never(signal);
    await running.stop();
    const item = await scope.get("item");
    const now = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
    const left = {
      type: "ContinuousReconcile",
      status: "Unknown",
      reason: "Running",
      message: "",
      lastUpdateTime: now,
    };
    const conditions = [...(item.status?.conditions ?? []), { ...left, lastTransitionTime: now }];
    await fixture.hubClient.updateStatus(resources.deployItem, { ...item, status: { ...item.status, conditions } });
    maintain = () => Promise.resolve({ type: "succeeded" });
    running = fixture.start({ deployer, clock });
    await untilCondition("True");
    expect(calls).toEqual(["maintain"]);
  });

  it("with a schedule that says nothing fails its job", async () => {
    const config = { ...spec.config, continuousReconcile: { cron: "never" } };
    await scope.create({ name: "item", spec: { ...spec, config } });
    const { status } = await scope.waitForEnd("item");
    expect(status?.phase).toBe("Failed");
    expect(status?.lastError?.message).toContain("spec.config.continuousReconcile.cron: not a cron specification");
    expect(calls).toEqual([]);
  });
});

describe("a run that does not end at once", () => {
  it("waits like a job, and says what for", async () => {
    const before = await createItem();
    let passes = 0;
    maintain = () => Promise.resolve(++passes < 3 ? { type: "waiting", for: "the moon" } : { type: "succeeded" });
    await clock.advance(dueMs);
    const waiting = await untilNews();
    expect(conditionOf(waiting)).toMatchObject({ reason: "Running", message: "waiting for the moon" });
    await waitFor(
      async () => {
        await clock.advance(500);
        return passes === 3;
      },
      { evenly: true },
    );
    expect(jobOf(await untilCondition("True"))).toEqual(jobOf(before));
  });

  it("tries again after errors, and reports them in the condition alone", async () => {
    const before = await createItem();
    let passes = 0;
    maintain = () =>
      ++passes < 2
        ? Promise.reject(new LandscaperError({ message: "the target is down", reason: "Down" }))
        : Promise.resolve({ type: "succeeded" });
    await clock.advance(dueMs);
    const failing = await untilNews();
    expect(conditionOf(failing)).toMatchObject({ reason: "Down", message: "the target is down" });
    expect(jobOf(failing)).toEqual(jobOf(before));
    await clock.advance(500);
    expect(jobOf(await untilCondition("True"))).toEqual(jobOf(before));
  });

  it("ends with an error that lasts, until its next time", async () => {
    const before = await createItem();
    maintain = () => Promise.reject(new LandscaperError({ message: "no", reason: "No", retry: "never" }));
    await clock.advance(dueMs);
    const failed = await untilCondition("False");
    expect(conditionOf(failed)).toMatchObject({ reason: "No", message: "no" });
    expect(jobOf(failed)).toEqual(jobOf(before));
    maintain = () => Promise.resolve({ type: "succeeded" });
    await clock.advance(dueMs);
    await untilCondition("True");
    expect(calls).toEqual(["maintain", "maintain"]);
  });

  it("is over when the item's timeout is", async () => {
    await createItem({ timeout: "1m" });
    maintain = ({ signal }) => never(signal);
    await clock.advance(dueMs);
    await waitFor(() => calls.length === 1);
    await clock.advance(60_000);
    expect(conditionOf(await untilCondition("False"))).toMatchObject({
      reason: "ProgressingTimeout",
      message: 'timeout at: "work in progress"; the job did not end within 1m0s',
    });
  });

  it("is cancelled by a job, which is done at once", async () => {
    await createItem();
    let cancelled = false;
    maintain = async ({ signal }) => {
      signal.addEventListener("abort", () => (cancelled = true));
      return await never(signal);
    };
    await clock.advance(dueMs);
    await waitFor(() => calls.length === 1);
    await scope.trigger("item");
    const after = await scope.waitForEnd("item");
    expect([cancelled, calls]).toEqual([true, ["maintain", "reconcile"]]);
    expect(after.status?.phase).toBe("Succeeded");
    expect(conditionOf(after)).toBe(undefined);
  });

  it("is cancelled by a job although it has not heard of it: its report is refused", async () => {
    await createItem();
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    maintain = async ({ report }) => {
      await opened;
      report({ from: "the run" });
      return { type: "succeeded" };
    };
    await clock.advance(dueMs);
    await waitFor(() => calls.length === 1);
    const item = await scope.trigger("item");
    open();
    const after = await scope.waitForEnd("item");
    expect(after.status?.jobIDFinished).toBe(item.status?.jobID);
    expect(after.status?.providerStatus).toBe(undefined);
  });

  it("is cancelled when the item is deleted", async () => {
    await createItem();
    maintain = ({ signal }) => never(signal);
    await clock.advance(dueMs);
    await waitFor(() => calls.length === 1);
    await scope.remove("item");
    await scope.waitUntilGone("item");
    expect(calls).toEqual(["maintain", "delete"]);
  });

  it.each([
    ["", () => {}],
    [", also while no news of Targets come", () => holdTargetNews(fixture.hub)],
  ])("fails where the target is gone%s", async (_, prepare) => {
    await scope.createTarget();
    await createItem({ target: { name: "cluster", namespace: scope.namespace } });
    prepare();
    const key = { namespace: scope.namespace, name: "cluster" };
    await fixture.hubClient.delete(resources.target, key);
    await clock.advance(dueMs);
    expect(conditionOf(await untilCondition("False"))).toMatchObject({
      reason: "NoTargetFound",
      message: `Target ${scope.namespace}/cluster does not exist; create the Target or correct spec.target.name`,
    });
    expect(calls).toEqual([]);
  });
});
