// The contract of seed-002 on embedded clusters: the test plays the Landscaper, a deployer made of functions is under test.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { finalizer, kubeResources, LandscaperError, resources, type DeployItem } from "@landscaper/api";
import { createSystemClock, type Clock } from "@landscaper/controller-runtime";
import { createFakeClock, waitFor } from "@landscaper/controller-runtime/testing";
import type { DeployContext, Deployer, DeleteOutcome, Outcome } from "./deployer-interface.ts";
import { createDeployerFixture, type DeployerFixture, type DeployerScope, type StartedDeployer } from "./testing.ts";

interface Config {
  readonly text?: string;
}

type Context = DeployContext<Config>;

/** What the deployer under test does; each test writes its own. */
interface Script {
  plan: Deployer<Config>["plan"];
  reconcile: (context: Context) => Promise<Outcome>;
  delete: (context: Context) => Promise<DeleteOutcome>;
}

const type = "landscaper.gardener.cloud/test";
let script: Script;
let calls: string[];

const deployer: Deployer<Config> = {
  type,
  name: "test.deployer",
  version: "v1",
  parseConfig: (value, where) => {
    if (typeof value === "object" && value !== null && !("broken" in value)) return value;
    throw new LandscaperError({
      message: `${where}: broken`,
      reason: "InvalidInput",
      codes: ["ERR_CONFIGURATION_PROBLEM"],
      retry: "never",
    });
  },
  plan: (input) => script.plan?.(input),
  reconcile: (context) => {
    calls.push(`reconcile ${context.item.metadata.name}`);
    return script.reconcile(context);
  },
  delete: (context) => {
    calls.push(`delete ${context.item.metadata.name}`);
    return script.delete(context);
  },
};

let fixture: DeployerFixture;
let scope: DeployerScope;
let running: StartedDeployer;
let scopes = 0;

beforeAll(async () => {
  fixture = await createDeployerFixture();
}, 60_000);
afterAll(() => fixture.stop());

beforeEach(async () => {
  calls = [];
  script = {
    plan: undefined,
    reconcile: () => Promise.resolve({ type: "succeeded" }),
    delete: () => Promise.resolve("done"),
  };
  scope = await fixture.scope(`contract-${++scopes}`);
  running = fixture.start({ deployer, identity: "test-1", newJobId: () => "test-job", random: () => 0 });
});
afterEach(async () => {
  fixture.hub.setFault(undefined);
  await running.stop();
});

const spec = { type, config: { apiVersion: "test/v1", kind: "ProviderConfiguration" } };

function never(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

/** A promise that the test settles, and the moment when the deployer waits for it. */
function gate(): {
  readonly entered: Promise<void>;
  readonly open: () => void;
  pass(signal: AbortSignal): Promise<void>;
} {
  let enter = (): void => {};
  let open = (): void => {};
  const entered = new Promise<void>((resolve) => (enter = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {
    entered,
    open,
    pass: (signal) => {
      enter();
      return Promise.race([opened, never(signal)]);
    },
  };
}

describe("a job", () => {
  it("is picked up before the work starts, by a write that says when, by whom and what", async () => {
    const door = gate();
    script.plan = () => ({ planned: ["a"] });
    script.reconcile = async ({ signal }) => {
      await door.pass(signal);
      return { type: "succeeded" };
    };
    await scope.create({ name: "item", spec });
    await door.entered;
    const { status } = await scope.get("item");
    expect(status).toMatchObject({
      phase: "Progressing",
      observedGeneration: 1,
      deployer: { identity: "test-1", name: "test.deployer", version: "v1" },
      providerStatus: { planned: ["a"] },
      lastReconcileTime: expect.any(String),
      transitionTimes: { initTime: expect.any(String) },
    });
    expect(status?.jobIDFinished).toBe(undefined);
    door.open();
    const done = await scope.waitForEnd("item");
    expect(done.status).toMatchObject({ phase: "Succeeded", jobIDFinished: status?.jobID });
    expect(done.status?.transitionTimes?.finishedTime).toEqual(expect.any(String));
    expect(calls).toEqual(["reconcile item"]);
  });

  it("takes two writes to the item: pickup and finish", async () => {
    const writes: string[] = [];
    fixture.hub.setFault(({ verb, resource, subresource, userAgent }) => {
      if (
        userAgent.startsWith("test.deployer") &&
        ["create", "update", "patch"].includes(verb) &&
        resource !== "events"
      ) {
        writes.push(`${verb} ${resource}/${subresource}`);
      }
      return undefined;
    });
    await scope.create({ name: "item", spec });
    await scope.waitForEnd("item");
    expect(writes).toEqual(["update deployitems/status", "update deployitems/status"]);
  });

  it("without a new id does nothing, also when the item changes or is deleted", async () => {
    await scope.create({ name: "item", spec });
    const done = await scope.waitForEnd("item");
    const changed = { ...done, spec: { ...spec, timeout: "1m" } };
    await fixture.hubClient.update(resources.deployItem, changed);
    await fixture.hubClient.delete(resources.deployItem, { namespace: scope.namespace, name: "item" });
    // Another item's job shows that the deployer has had its chance.
    await scope.create({ name: "other", spec });
    await scope.waitForEnd("other");
    expect(calls).toEqual(["reconcile item", "reconcile other"]);
    expect((await scope.get("item")).metadata.deletionTimestamp).toEqual(expect.any(String));
  });

  it("with a new id runs again, and errors of the last one are forgotten", async () => {
    script.reconcile = () => Promise.reject(new LandscaperError({ message: "no", reason: "No", retry: "never" }));
    await scope.create({ name: "item", spec });
    const failed = await scope.waitForEnd("item");
    expect(failed.status).toMatchObject({ phase: "Failed", lastError: { message: "no", reason: "No" } });
    script.reconcile = () => Promise.resolve({ type: "succeeded" });
    await scope.trigger("item");
    const { status } = await scope.waitForEnd("item");
    expect(status?.phase).toBe("Succeeded");
    expect([status?.lastError, status?.firstError, status?.lastErrors]).toEqual([undefined, undefined, undefined]);
  });

  it("of another type, or of another deployer's annotation, is not touched", async () => {
    await scope.create({ name: "other", spec: { ...spec, type: "landscaper.gardener.cloud/other" } });
    await scope.create({
      name: "annotated",
      spec,
      annotations: { "landscaper.gardener.cloud/deployer-type": "other" },
    });
    const before = [await scope.get("other"), await scope.get("annotated")];
    await scope.create({ name: "ours", spec });
    await scope.waitForEnd("ours");
    expect([await scope.get("other"), await scope.get("annotated")]).toEqual(before);
  });

  it("gives an item its finalizer back", async () => {
    const item = await fixture.hubClient.create(resources.deployItem, {
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "DeployItem",
      metadata: { name: "item", namespace: scope.namespace },
      spec,
    });
    await fixture.hubClient.updateStatus(resources.deployItem, { ...item, status: { jobID: "1" } });
    expect((await scope.waitForEnd("item")).metadata.finalizers).toEqual([finalizer]);
  });

  it("reads what stands beside the item, and nothing else", async () => {
    const metadata = { name: "settings", namespace: scope.namespace };
    await fixture.hubClient.create(kubeResources.configMap, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata,
      data: { a: "1" },
    });
    const found: unknown[] = [];
    script.reconcile = async ({ landscaper }) => {
      found.push((await landscaper.find(kubeResources.configMap, "settings"))?.data);
      found.push(await landscaper.find(kubeResources.configMap, "absent"));
      await landscaper.find(kubeResources.namespace, "default").catch((error: unknown) => found.push(String(error)));
      return { type: "succeeded" };
    };
    await scope.create({ name: "item", spec });
    await scope.waitForEnd("item");
    expect(found).toEqual([{ a: "1" }, undefined, "TypeError: Namespace: only kinds with namespaces can be read"]);
  });

  it("with a configuration that cannot be read fails before anything is done", async () => {
    await scope.create({ name: "item", spec: { ...spec, config: { ...spec.config, broken: true } } });
    const { status } = await scope.waitForEnd("item");
    expect(status).toMatchObject({
      phase: "Failed",
      lastError: { message: "spec.config: broken", codes: ["ERR_CONFIGURATION_PROBLEM"] },
    });
    expect([calls, status?.lastReconcileTime]).toEqual([[], undefined]);
  });

  it("with a timeout that is none fails naming the field", async () => {
    await scope.create({ name: "item", spec: { ...spec, timeout: "soon" } });
    const { status } = await scope.waitForEnd("item");
    expect(status?.lastError?.message).toBe(
      'spec.timeout: not a duration: expected a Go duration such as "1h30m" or "90s", or "none"',
    );
  });

  it("whose configuration does not change is acknowledged where the item wants it", async () => {
    await scope.create({ name: "item", spec: { ...spec, updateOnChangeOnly: true } });
    await scope.waitForEnd("item");
    await scope.trigger("item");
    expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    expect(calls).toEqual(["reconcile item"]);
    await scope.trigger("item", { timeout: "5m" });
    await scope.waitForEnd("item");
    expect(calls).toEqual(["reconcile item", "reconcile item"]);
  });
});

describe("waiting", () => {
  it("takes no worker, says what for and ends when it is over", async () => {
    await running.stop();
    running = fixture.start({ deployer, workers: 1 });
    const ready = new Set<string>();
    script.reconcile = ({ item }) => {
      const name = item.metadata.name ?? "";
      return Promise.resolve(
        ready.has(name) ? { type: "succeeded" } : { type: "waiting", for: "the sun to rise", requeueAfterMs: 20 },
      );
    };
    for (const name of ["a", "b", "c"]) await scope.create({ name, spec });
    for (const name of ["a", "b", "c"]) {
      const item = await scope.waitFor(name, ({ conditions = [] }) =>
        conditions.some(({ message }) => message === "waiting for the sun to rise"),
      );
      expect([item.status?.phase, item.status?.lastError]).toEqual(["Progressing", undefined]);
    }
    for (const name of ["c", "a", "b"]) {
      ready.add(name);
      expect((await scope.waitForEnd(name)).status?.phase).toBe("Succeeded");
    }
  });

  it("keeps what the deployer remembers of the job, and forgets it with the job", async () => {
    script.reconcile = ({ memory, report }) => {
      const state = memory(() => ({ passes: 0 }));
      state.passes++;
      report({ passes: state.passes });
      return Promise.resolve(
        state.passes === 3 ? { type: "succeeded" } : { type: "waiting", for: "more", requeueAfterMs: 1 },
      );
    };
    await scope.create({ name: "item", spec });
    expect((await scope.waitForEnd("item")).status?.providerStatus).toEqual({ passes: 3 });
    await scope.trigger("item");
    expect((await scope.waitForEnd("item")).status?.providerStatus).toEqual({ passes: 3 });
    expect(calls).toHaveLength(6);
  });

  it("that takes too long ends with what it waited for", async () => {
    script.reconcile = () => Promise.resolve({ type: "waiting", for: "the sun to rise" });
    await scope.create({ name: "item", spec: { ...spec, timeout: "1s" } });
    const { status } = await scope.waitForEnd("item");
    expect(status).toMatchObject({
      phase: "Failed",
      lastError: {
        reason: "ProgressingTimeout",
        codes: ["ERR_TIMEOUT"],
        message: 'timeout at: "the sun to rise"; the job did not end within 1s',
      },
    });
  });
});

describe("failures", () => {
  it("are reported while the job goes on, and the job ends when they are overcome", async () => {
    const problems = ["first", "second"];
    script.reconcile = () => {
      const message = problems.shift();
      if (message === undefined) return Promise.resolve({ type: "succeeded" });
      return Promise.reject(new LandscaperError({ message, reason: "Down" }));
    };
    await scope.create({ name: "item", spec });
    const failing = await scope.waitFor("item", ({ lastError }) => lastError?.message === "first");
    expect([failing.status?.phase, failing.status?.lastError?.operation]).toEqual(["Progressing", "Reconcile"]);
    const { status } = await scope.waitForEnd("item");
    expect(status?.phase).toBe("Succeeded");
    expect(status?.lastError).toBe(undefined);
    expect(status?.firstError?.message).toBe("first");
    expect(status?.lastErrors?.map(({ message }) => message)).toEqual(["first", "second"]);
  });

  it("are tried again after a pause, although our own status writes raise events", async () => {
    await running.stop();
    const clock = createFakeClock(Date.now());
    running = fixture.start({ deployer, clock, random: () => 0 });
    script.reconcile = ({ item }) => {
      if (item.metadata.name !== "item") return Promise.resolve({ type: "succeeded" });
      return Promise.reject(new LandscaperError({ message: `failure ${calls.length}`, reason: "Down" }));
    };
    const attempts = (): number => calls.filter((call) => call === "reconcile item").length;
    const reported = (count: number) =>
      scope.waitFor("item", ({ lastErrors = [] }) => lastErrors.length === count && attempts() === count);
    await scope.create({ name: "item", spec });
    // With `random` at 0: half of one, two and four seconds.
    for (const [index, pauseMs] of [500, 1000, 2000].entries()) {
      await reported(index + 1);
      // The job of another item shows that the deployer has had its chance.
      await scope.create({ name: `other-${index}`, spec });
      await scope.waitForEnd(`other-${index}`);
      await clock.advance(pauseMs - 1);
      expect(attempts()).toBe(index + 1);
      await clock.advance(1);
    }
    await reported(4);
    script.reconcile = () => Promise.resolve({ type: "succeeded" });
    await clock.advance(4000);
    await scope.waitForEnd("item");
  });

  it("end their pause when the item changes", async () => {
    script.reconcile = ({ item }) =>
      item.spec.updateOnChangeOnly === true
        ? Promise.resolve({ type: "succeeded" })
        : Promise.resolve({ type: "waiting", for: "a change", requeueAfterMs: 600_000 });
    await scope.create({ name: "item", spec });
    const waiting = await scope.waitFor(
      "item",
      ({ conditions = [] }) => conditions[0]?.message === "waiting for a change",
    );
    await fixture.hubClient.update(resources.deployItem, { ...waiting, spec: { ...spec, updateOnChangeOnly: true } });
    expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    expect(calls).toEqual(["reconcile item", "reconcile item"]);
  });

  it("with a final code end the job at once", async () => {
    script.reconcile = ({ report }) => {
      report({ done: "half" });
      return Promise.reject(new LandscaperError({ message: "who are you", reason: "X", codes: ["ERR_UNAUTHORIZED"] }));
    };
    await scope.create({ name: "item", spec });
    const { status } = await scope.waitForEnd("item");
    expect(status).toMatchObject({ phase: "Failed", providerStatus: { done: "half" } });
    expect(calls).toEqual(["reconcile item"]);
  });

  it("of the deployer's own code are not told to the world", async () => {
    script.reconcile = () => Promise.reject(new TypeError("sentinel-value is not a function"));
    await scope.create({ name: "item", spec: { ...spec, timeout: "1s" } });
    const { status } = await scope.waitForEnd("item");
    expect(status?.firstError?.message).toBe("internal error of the deployer (TypeError); its log has the place");
    expect(JSON.stringify(status)).not.toContain("sentinel-value");
    expect(running.log.text).toContain("contract.test.ts");
    expect(running.log.text).not.toContain("sentinel-value");
  });

  it("that last until the deadline are named by the timeout", async () => {
    script.reconcile = () => Promise.reject(new LandscaperError({ message: "the target is down", reason: "Down" }));
    await scope.create({ name: "item", spec: { ...spec, timeout: "1s" } });
    const { status } = await scope.waitForEnd("item");
    expect(status?.lastError?.message).toBe('timeout at: "the target is down"; the job did not end within 1s');
    expect(status?.firstError?.message).toBe("the target is down");
  });

  it("become one Warning event each, the end one event", async () => {
    script.reconcile = () => Promise.reject(new LandscaperError({ message: "no", reason: "No", retry: "never" }));
    await scope.create({ name: "item", spec });
    await scope.waitForEnd("item");
    const events = await waitFor(async () => {
      const { items } = await fixture.hubClient.list(kubeResources.event, { namespace: scope.namespace });
      return items.length > 0 ? items : undefined;
    });
    expect(events.map(({ type: kind, reason, note }) => [kind, reason, note])).toEqual([["Warning", "No", "no"]]);
    expect(running.published.map(({ data }) => [data.phase, data.error?.message])).toEqual([
      ["Progressing", undefined],
      ["Failed", "no"],
    ]);
  });
});

describe("work that has to stop", () => {
  it("is cancelled at the deadline", async () => {
    script.reconcile = ({ signal }) => never(signal);
    await scope.create({ name: "item", spec: { ...spec, timeout: "1s" } });
    const { status } = await scope.waitForEnd("item");
    expect(status?.lastError).toMatchObject({
      message: 'timeout at: "work in progress"; the job did not end within 1s',
      codes: ["ERR_TIMEOUT"],
    });
  });

  it("is cancelled although the timer fires a moment before the clock reads the deadline", async () => {
    await running.stop();
    const clock = createSystemClock();
    const schedule: Clock["schedule"] = (delayMs, callback) => clock.schedule(Math.max(0, delayMs - 30), callback);
    running = fixture.start({ deployer, clock: { ...clock, schedule } });
    script.reconcile = ({ signal }) => never(signal);
    await scope.create({ name: "item", spec: { ...spec, timeout: "1s" } });
    const { status } = await scope.waitForEnd("item");
    expect(status?.lastError?.message).toBe('timeout at: "work in progress"; the job did not end within 1s');
  });

  it("is not cancelled when there is no timeout", async () => {
    const door = gate();
    script.reconcile = async ({ signal }) => {
      await door.pass(signal);
      return { type: "succeeded" };
    };
    await scope.create({ name: "item", spec: { ...spec, timeout: "none" } });
    await door.entered;
    door.open();
    expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
  });

  it("is cancelled by an interrupt, whose result is not overwritten", async () => {
    const door = gate();
    let reason: unknown;
    script.reconcile = async ({ signal }) => {
      await door.pass(signal).catch((error: unknown) => {
        reason = error;
        throw error;
      });
      return { type: "succeeded" };
    };
    await scope.create({ name: "item", spec });
    await door.entered;
    await scope.interrupt("item");
    await waitFor(() => reason !== undefined);
    expect(String(reason)).toBe("JobEndedError: the job was interrupted or ended by somebody else");
    await scope.create({ name: "other", spec: { ...spec, updateOnChangeOnly: true } });
    const { status } = await scope.get("item");
    expect(status).toMatchObject({ phase: "Failed", lastError: { reason: "InterruptOperation" } });
  });

  it("does not overwrite an end that came from outside while it was at work", async () => {
    const door = gate();
    script.reconcile = async () => {
      await door.pass(new AbortController().signal);
      return { type: "succeeded" };
    };
    await scope.create({ name: "item", spec });
    await door.entered;
    await scope.interrupt("item");
    door.open();
    script.reconcile = () => Promise.resolve({ type: "succeeded" });
    await scope.create({ name: "other", spec });
    await scope.waitForEnd("other");
    expect((await scope.get("item")).status).toMatchObject({
      phase: "Failed",
      lastError: { reason: "InterruptOperation" },
    });
  });

  it("goes on in the next process after the last one ended in the middle", async () => {
    const door = gate();
    script.reconcile = async ({ signal }) => {
      await door.pass(signal);
      return { type: "succeeded" };
    };
    await scope.create({ name: "item", spec });
    await door.entered;
    await running.stop();
    const before = (await scope.get("item")).status;
    expect(before?.phase).toBe("Progressing");
    script.reconcile = () => Promise.resolve({ type: "succeeded" });
    running = fixture.start({ deployer });
    const { status } = await scope.waitForEnd("item");
    expect(status).toMatchObject({
      phase: "Succeeded",
      transitionTimes: { initTime: before?.transitionTimes?.initTime },
    });
  }, 20_000);
});

describe("deletion", () => {
  it("starts with a job, removes the finalizer when it is done, and the item goes", async () => {
    let left = 2;
    script.delete = ({ report }) => {
      left--;
      report({ left });
      return Promise.resolve(left > 0 ? "pending" : "done");
    };
    await scope.create({ name: "item", spec });
    await scope.waitForEnd("item");
    await scope.remove("item");
    await scope.waitUntilGone("item");
    expect(calls).toEqual(["reconcile item", "delete item", "delete item"]);
    expect(running.published.map(({ data }) => data.phase)).toEqual([
      "Progressing",
      "Succeeded",
      "Deleting",
      "Deleted",
    ]);
  });

  it("that fails for good ends as DeleteFailed and keeps the item", async () => {
    script.delete = () => Promise.reject(new LandscaperError({ message: "no", reason: "No", retry: "never" }));
    await scope.create({ name: "item", spec });
    await scope.waitForEnd("item");
    await scope.remove("item");
    const { status, metadata } = await scope.waitForEnd("item");
    expect(status).toMatchObject({ phase: "DeleteFailed", lastError: { message: "no", operation: "Delete" } });
    expect(metadata.finalizers).toEqual([finalizer]);
    script.delete = () => Promise.resolve("done");
    await scope.trigger("item");
    await scope.waitUntilGone("item");
  });

  it("that takes too long ends as DeleteFailed", async () => {
    script.delete = () => Promise.resolve({ type: "waiting", for: "Namespace x to go" });
    await scope.create({ name: "item", spec: { ...spec, timeout: "1s" } });
    await scope.waitForEnd("item");
    await scope.remove("item");
    const { status } = await scope.waitForEnd("item");
    expect(status).toMatchObject({
      phase: "DeleteFailed",
      lastError: { message: 'timeout at: "Namespace x to go"; the job did not end within 1s' },
    });
  });

  it("without uninstall does not call the deployer", async () => {
    const annotations = { "landscaper.gardener.cloud/delete-without-uninstall": "true" };
    await scope.create({ name: "item", spec, annotations });
    await scope.waitForEnd("item");
    await scope.remove("item");
    await scope.waitUntilGone("item");
    expect(calls).toEqual(["reconcile item"]);
  });

  it("ends its job when others keep the object", async () => {
    await scope.create({ name: "item", spec });
    const item = await scope.waitForEnd("item");
    const finalizers = [...(item.metadata.finalizers ?? []), "example.org/other"];
    await fixture.hubClient.update(resources.deployItem, { ...item, metadata: { ...item.metadata, finalizers } });
    await scope.remove("item");
    const { status, metadata } = await scope.waitForEnd("item");
    expect([status?.phase, metadata.finalizers]).toEqual(["Succeeded", ["example.org/other"]]);
    await fixture.hubClient.update(resources.deployItem, {
      ...(await scope.get("item")),
      metadata: { ...metadata, finalizers: [] },
    });
    await scope.waitUntilGone("item");
  });

  it("of an item whose configuration cannot be read fails only if the deployer needs it", async () => {
    await scope.create({ name: "item", spec });
    await scope.waitForEnd("item");
    script.delete = ({ config }) => Promise.resolve(config.text === undefined ? "done" : "pending");
    const broken = { ...spec.config, broken: true };
    await fixture.hubClient.update(resources.deployItem, {
      ...(await scope.get("item")),
      spec: { ...spec, config: broken },
    });
    await scope.remove("item");
    expect((await scope.waitForEnd("item")).status).toMatchObject({
      phase: "DeleteFailed",
      lastError: { message: "spec.config: broken" },
    });
    script.delete = () => Promise.resolve("done");
    await scope.trigger("item");
    await scope.waitUntilGone("item");
  });
});

describe("targets", () => {
  const onTarget = { ...spec, target: { name: "cluster" } };

  it("are opened when the deployer asks", async () => {
    script.reconcile = async ({ target, report }) => {
      const { client } = await target.cluster();
      const { items } = await client.list(kubeResources.namespace);
      report({ namespaces: items.map(({ metadata }) => metadata.name) });
      return { type: "succeeded" };
    };
    await scope.createTarget();
    await scope.create({ name: "item", spec: onTarget });
    const { status } = await scope.waitForEnd("item");
    expect(status?.providerStatus?.["namespaces"]).toContain(scope.namespace);
  });

  it("that do not exist fail the job, and a deletion, by their name", async () => {
    await scope.createTarget();
    await scope.create({ name: "item", spec: onTarget });
    await scope.waitForEnd("item");
    await fixture.hubClient.delete(resources.target, { namespace: scope.namespace, name: "cluster" });
    await scope.trigger("item");
    const failed = await scope.waitForEnd("item");
    expect(failed.status).toMatchObject({
      phase: "Failed",
      lastError: {
        reason: "NoTargetFound",
        message: `Target ${scope.namespace}/cluster does not exist; create the Target or correct spec.target.name`,
      },
    });
    await scope.remove("item");
    expect((await scope.waitForEnd("item")).status?.phase).toBe("DeleteFailed");
    await scope.createTarget();
    await scope.trigger("item");
    await scope.waitUntilGone("item");
  });

  it("that never existed keep no item", async () => {
    await scope.create({ name: "item", spec: onTarget });
    expect((await scope.waitForEnd("item")).status?.phase).toBe("Failed");
    await scope.remove("item");
    await scope.waitUntilGone("item");
    expect(calls).toEqual([]);
  });

  it("of other instances are left to them, also once they appear", async () => {
    await running.stop();
    const targetSelectors = [{ labels: [{ key: "environment", operator: "==", values: ["blue"] }] }];
    running = fixture.start({ deployer, targetSelectors });
    await scope.create({ name: "green", spec: { ...spec, target: { name: "green" } } });
    await scope.create({ name: "blue", spec: { ...spec, target: { name: "blue" } } });
    await scope.createTarget({ metadata: { name: "green", labels: { environment: "green" } } });
    await scope.createTarget({ metadata: { name: "blue", labels: { environment: "blue" } } });
    expect((await scope.waitForEnd("blue")).status?.phase).toBe("Succeeded");
    expect(calls).toEqual(["reconcile blue"]);
    expect((await scope.get("green")).status?.phase).toBe(undefined);
  });

  it("whose access data are wrong are named in lastError while the job goes on", async () => {
    script.reconcile = async ({ target }) => {
      await target.cluster();
      return { type: "succeeded" };
    };
    await scope.createTarget({
      spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", secretRef: { name: "access", key: "kubeconfig" } },
    });
    await scope.create({ name: "item", spec: onTarget });
    const waiting = await scope.waitFor("item", ({ lastError }) => lastError !== undefined);
    expect(waiting.status).toMatchObject({
      phase: "Progressing",
      lastError: {
        reason: "InvalidTarget",
        message: `Target ${scope.namespace}/cluster: its Secret ${scope.namespace}/access does not exist`,
      },
    });
    const kubeconfig = Buffer.from(fixture.target.kubeconfig).toString("base64");
    const metadata = { name: "access", namespace: scope.namespace };
    await fixture.hubClient.create(kubeResources.secret, {
      apiVersion: "v1",
      kind: "Secret",
      metadata,
      data: { kubeconfig },
    });
    expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
  });

  it("with a kubeconfig that names files fail the job", async () => {
    script.reconcile = async ({ target }) => {
      await target.cluster();
      return { type: "succeeded" };
    };
    const kubeconfig = fixture.target.kubeconfig.replace(
      /certificate-authority-data: .*/,
      "certificate-authority: /etc/ca",
    );
    await scope.createTarget({
      spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", config: { kubeconfig } },
    });
    await scope.create({ name: "item", spec: onTarget });
    const { status } = await scope.waitForEnd("item");
    expect(status?.phase).toBe("Failed");
    expect(status?.lastError?.message).toMatch(
      /^Target .*: kubeconfig: clusters\[.*\]\.cluster\.certificate-authority is not allowed/,
    );
  });

  it("of an item that has none are named", async () => {
    script.reconcile = async ({ target }) => {
      await target.cluster();
      return { type: "succeeded" };
    };
    await scope.create({ name: "item", spec });
    expect((await scope.waitForEnd("item")).status?.lastError?.message).toBe(
      "spec.target is missing: items of this type need a target",
    );
  });

  it("may be others of the same namespace, and no clusters", async () => {
    script.reconcile = async ({ target, report }) => {
      const second = await target.clusterOf("second");
      expect(await target.clusterOf("second")).toBe(second);
      report({ content: await target.content() });
      return { type: "succeeded" };
    };
    await scope.createTarget({ spec: { type: "example.org/cloud", config: { account: "a" } } });
    await scope.createTarget({ metadata: { name: "second" } });
    await scope.create({ name: "item", spec: onTarget });
    expect((await scope.waitForEnd("item")).status?.providerStatus).toEqual({ content: { account: "a" } });
  });
});

describe("exports", () => {
  async function exported(): Promise<unknown> {
    const key = { namespace: scope.namespace, name: "item-export" };
    const secret = await fixture.hubClient.find(kubeResources.secret, key);
    const config = secret?.data?.["config"];
    return config === undefined ? undefined : JSON.parse(Buffer.from(config, "base64").toString());
  }
  const exportRef = (): object => ({ name: "item-export", namespace: scope.namespace });

  it("stand in a Secret that the item owns, are updated and removed", async () => {
    script.reconcile = () => Promise.resolve({ type: "succeeded", exports: { a: { b: 1 } } });
    await scope.create({ name: "item", spec });
    const item = await scope.waitForEnd("item");
    expect(item.status?.exportRef).toEqual(exportRef());
    expect(await exported()).toEqual({ a: { b: 1 } });
    const secret = await fixture.hubClient.get(kubeResources.secret, {
      namespace: scope.namespace,
      name: "item-export",
    });
    expect(secret.metadata.ownerReferences).toEqual([
      { apiVersion: item.apiVersion, kind: "DeployItem", name: "item", uid: item.metadata.uid },
    ]);
    script.reconcile = () => Promise.resolve({ type: "succeeded", exports: { a: 2 } });
    await scope.trigger("item");
    await scope.waitForEnd("item");
    expect(await exported()).toEqual({ a: 2 });
    script.reconcile = () => Promise.resolve({ type: "succeeded" });
    await scope.trigger("item");
    expect((await scope.waitForEnd("item")).status?.exportRef).toBe(undefined);
    expect(await exported()).toBe(undefined);
  });

  it("do not overwrite a Secret of somebody else", async () => {
    const metadata = { name: "item-export", namespace: scope.namespace };
    const foreign = { apiVersion: "v1", kind: "Secret", metadata, data: { theirs: "eA==" } };
    await fixture.hubClient.create(kubeResources.secret, foreign);
    script.reconcile = () => Promise.resolve({ type: "succeeded", exports: { a: 1 } });
    await scope.create({ name: "item", spec });
    const failing = await scope.waitFor("item", ({ lastError }) => lastError !== undefined);
    expect(failing.status?.lastError).toMatchObject({
      reason: "ExportSecretForeign",
      message:
        `Secret ${scope.namespace}/item-export exists, but does not belong to the deploy item; ` +
        "exports are written to a Secret of that name: rename or remove it",
    });
    await fixture.hubClient.delete(kubeResources.secret, metadata);
    await scope.waitForEnd("item");
    expect(await exported()).toEqual({ a: 1 });
  });
});

describe("test-reconcile", () => {
  it("runs an item without the Landscaper, whatever updateOnChangeOnly says, once", async () => {
    await scope.create({ name: "item", spec: { ...spec, updateOnChangeOnly: true } });
    const done = await scope.waitForEnd("item");
    const annotations = { "landscaper.gardener.cloud/operation": "test-reconcile" };
    await fixture.hubClient.update(resources.deployItem, { ...done, metadata: { ...done.metadata, annotations } });
    const tested = await scope.waitFor("item", ({ jobIDFinished }) => jobIDFinished === "test-job");
    expect([tested.status?.phase, tested.status?.jobID]).toEqual(["Succeeded", "test-job"]);
    expect(tested.metadata.annotations?.["landscaper.gardener.cloud/operation"]).toBe(undefined);
    expect(calls).toEqual(["reconcile item", "reconcile item"]);
  });
});

describe("races and refusals of the API server", () => {
  it("a lost race over the status is read and decided again", async () => {
    const door = gate();
    script.reconcile = async ({ signal }) => {
      await door.pass(signal);
      return { type: "succeeded" };
    };
    await scope.create({ name: "item", spec });
    await door.entered;
    const touched: DeployItem = await scope.get("item");
    const annotations = { touched: "yes" };
    await fixture.hubClient.update(resources.deployItem, {
      ...touched,
      metadata: { ...touched.metadata, annotations },
    });
    door.open();
    const { status, metadata } = await scope.waitForEnd("item");
    expect([status?.phase, metadata.annotations]).toEqual(["Succeeded", annotations]);
  });

  it.each([["drop-answer" as const], ["close" as const], [{ status: 500 }]])(
    "a status write that meets %j is repeated until it is done",
    async (fault) => {
      let remaining = 3;
      fixture.hub.setFault(({ verb, resource, subresource, userAgent }) => {
        const isOurs = userAgent.startsWith("test.deployer") && verb === "update" && resource === "deployitems";
        return isOurs && subresource === "status" && remaining-- > 0 ? fault : undefined;
      });
      await scope.create({ name: "item", spec });
      expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    },
  );
});
