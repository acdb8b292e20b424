// Jobs that fail, and jobs that have to stop, by the contract of seed-002 on embedded clusters.
import { describe, expect, it } from "@jest/globals";
import { kubeResources, LandscaperError, resources } from "@landscaper/api";
import { createSystemClock, type Clock } from "@landscaper/controller-runtime";
import { createFakeClock, waitFor } from "@landscaper/testkit";
import { never } from "../../../test/never.ts";
import { gate, spec, useContractBench } from "../../../test/contract-bench.ts";

const bench = useContractBench("contract-failures");

describe("failures", () => {
  it("are reported while the job goes on, and the job ends when they are overcome", async () => {
    const problems = ["first", "second"];
    bench.script.reconcile = () => {
      const message = problems.shift();
      if (message === undefined) return Promise.resolve({ type: "succeeded" });
      return Promise.reject(new LandscaperError({ message, reason: "Down" }));
    };
    await bench.scope.create({ name: "item", spec });
    const failing = await bench.scope.waitFor("item", ({ lastError }) => lastError?.message === "first");
    expect([failing.status?.phase, failing.status?.lastError?.operation]).toEqual(["Progressing", "Reconcile"]);
    const { status } = await bench.scope.waitForEnd("item");
    expect(status?.phase).toBe("Succeeded");
    expect(status?.lastError).toBe(undefined);
    expect(status?.firstError?.message).toBe("first");
    expect(status?.lastErrors?.map(({ message }) => message)).toEqual(["first", "second"]);
  });

  it("are tried again after a pause, although our own status writes raise events", async () => {
    await bench.running.stop();
    const clock = createFakeClock(Date.now());
    bench.restart({ clock, random: () => 0 });
    bench.script.reconcile = ({ item }) => {
      if (item.metadata.name !== "item") return Promise.resolve({ type: "succeeded" });
      return Promise.reject(new LandscaperError({ message: `failure ${bench.calls.length}`, reason: "Down" }));
    };
    const attempts = (): number => bench.calls.filter((call) => call === "reconcile item").length;
    const reported = (count: number) =>
      bench.scope.waitFor("item", ({ lastErrors = [] }) => lastErrors.length === count && attempts() === count);
    await bench.scope.create({ name: "item", spec });
    // With `random` at 0: half of one, two and four seconds.
    for (const [index, pauseMs] of [500, 1000, 2000].entries()) {
      await reported(index + 1);
      // The job of another item shows that the deployer has had its chance.
      await bench.scope.create({ name: `other-${index}`, spec });
      await bench.scope.waitForEnd(`other-${index}`);
      await clock.advance(pauseMs - 1);
      expect(attempts()).toBe(index + 1);
      await clock.advance(1);
    }
    await reported(4);
    bench.script.reconcile = () => Promise.resolve({ type: "succeeded" });
    await clock.advance(4000);
    await bench.scope.waitForEnd("item");
  });

  it("end their pause when the item changes", async () => {
    bench.script.reconcile = ({ item }) =>
      item.spec.updateOnChangeOnly === true
        ? Promise.resolve({ type: "succeeded" })
        : Promise.resolve({ type: "waiting", for: "a change", requeueAfterMs: 600_000 });
    await bench.scope.create({ name: "item", spec });
    const waiting = await bench.scope.waitFor(
      "item",
      ({ conditions = [] }) => conditions[0]?.message === "waiting for a change",
    );
    await bench.fixture.hubClient.update(resources.deployItem, {
      ...waiting,
      spec: { ...spec, updateOnChangeOnly: true },
    });
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    expect(bench.calls).toEqual(["reconcile item", "reconcile item"]);
  });

  it("with a final code end the job at once", async () => {
    bench.script.reconcile = ({ report }) => {
      report({ done: "half" });
      return Promise.reject(new LandscaperError({ message: "who are you", reason: "X", codes: ["ERR_UNAUTHORIZED"] }));
    };
    await bench.scope.create({ name: "item", spec });
    const { status } = await bench.scope.waitForEnd("item");
    expect(status).toMatchObject({ phase: "Failed", providerStatus: { done: "half" } });
    expect(bench.calls).toEqual(["reconcile item"]);
  });

  it("of the deployer's own code are told by class and message, without values, and their stack is in the log", async () => {
    bench.script.reconcile = () => Promise.reject(new TypeError("config-secret of 'sentinel-value' is not a function"));
    const config = { apiVersion: "test/v1", kind: "Test", password: "config-secret" };
    await bench.scope.create({ name: "item", spec: { ...spec, config } });
    await bench.scope.waitFor("item", ({ firstError }) => firstError !== undefined);
    const { status } = await bench.timeOut();
    expect(status?.firstError?.message).toBe(
      "internal error of the deployer: TypeError: [...] of [...] is not a function; its log has the place; please report it",
    );
    expect(JSON.stringify(status)).not.toMatch(/sentinel-value|config-secret/);
    const logged = bench.running.log.lines.find(({ msg }) => msg === "internal error of the deployer");
    expect(JSON.stringify(logged)).toContain("contract-failures.test.ts");
    expect(bench.running.log.text).not.toMatch(/sentinel-value|config-secret/);
  });

  it("that last until the deadline keep reason, message and hint", async () => {
    bench.script.reconcile = () =>
      Promise.reject(new LandscaperError({ message: "the target is down", reason: "Down", hint: "start it" }));
    await bench.scope.create({ name: "item", spec });
    await bench.scope.waitFor("item", ({ lastError }) => lastError !== undefined);
    const { status } = await bench.timeOut();
    expect(status?.lastError).toMatchObject({
      reason: "Down",
      message: "the target is down; start it; the job did not end within 10m0s",
      codes: ["ERR_TIMEOUT"],
    });
    expect(status?.firstError?.message).toBe("the target is down; start it");
  });

  it("become one Warning event each, the end one event", async () => {
    bench.script.reconcile = () => Promise.reject(new LandscaperError({ message: "no", reason: "No", retry: "never" }));
    await bench.scope.create({ name: "item", spec });
    await bench.scope.waitForEnd("item");
    const events = await waitFor(async () => {
      const { items } = await bench.fixture.hubClient.list(kubeResources.event, { namespace: bench.scope.namespace });
      return items.length > 0 ? items : undefined;
    });
    expect(events.map(({ type: kind, reason, note }) => [kind, reason, note])).toEqual([["Warning", "No", "no"]]);
  });
});

describe("work that has to stop", () => {
  it("is cancelled at the deadline", async () => {
    bench.script.reconcile = ({ signal }) => never(signal);
    await bench.scope.create({ name: "item", spec });
    await waitFor(() => bench.calls.length > 0);
    const { status } = await bench.timeOut();
    expect(status?.lastError).toMatchObject({
      message: 'timeout at: "work in progress"; the job did not end within 10m0s',
      codes: ["ERR_TIMEOUT"],
    });
  });

  it("is named by the error if the deployer has named it", async () => {
    bench.script.reconcile = async ({ noteWork, signal }) => {
      noteWork("a download that has ended");
      noteWork(undefined);
      noteWork("an answer for chart.ref of example.com");
      return await never(signal);
    };
    await bench.scope.create({ name: "item", spec });
    await waitFor(() => bench.calls.length > 0);
    const { status } = await bench.timeOut();
    expect(status?.lastError?.message).toBe(
      'timeout at: "an answer for chart.ref of example.com"; the job did not end within 10m0s',
    );
  });

  it("is cancelled although the timer fires a moment before the clock reads the deadline", async () => {
    await bench.running.stop();
    const clock = createSystemClock();
    const schedule: Clock["schedule"] = (delayMs, callback) => clock.schedule(Math.max(0, delayMs - 30), callback);
    bench.restart({ clock: { ...clock, schedule } });
    bench.script.reconcile = ({ signal }) => never(signal);
    await bench.scope.create({ name: "item", spec: { ...spec, timeout: "1s" } });
    const { status } = await bench.scope.waitForEnd("item");
    expect(status?.lastError?.message).toBe('timeout at: "work in progress"; the job did not end within 1s');
  });

  it("is not cancelled when there is no timeout", async () => {
    const door = gate();
    bench.script.reconcile = async ({ signal }) => {
      await door.pass(signal);
      return { type: "succeeded" };
    };
    await bench.scope.create({ name: "item", spec: { ...spec, timeout: "none" } });
    await door.entered;
    door.open();
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
  });

  it("is cancelled by an interrupt, whose result is not overwritten", async () => {
    const door = gate();
    let reason: unknown;
    bench.script.reconcile = async ({ signal }) => {
      await door.pass(signal).catch((error: unknown) => {
        reason = error;
        throw error;
      });
      return { type: "succeeded" };
    };
    await bench.scope.create({ name: "item", spec });
    await door.entered;
    await bench.scope.interrupt("item");
    await waitFor(() => reason !== undefined);
    expect(String(reason)).toBe("JobEndedError: the job was interrupted or ended by somebody else");
    await bench.scope.create({ name: "other", spec: { ...spec, updateOnChangeOnly: true } });
    const { status } = await bench.scope.get("item");
    expect(status).toMatchObject({ phase: "Failed", lastError: { reason: "InterruptOperation" } });
  });

  it("does not overwrite an end that came from outside while it was at work", async () => {
    const door = gate();
    bench.script.reconcile = async () => {
      await door.pass(new AbortController().signal);
      return { type: "succeeded" };
    };
    await bench.scope.create({ name: "item", spec });
    await door.entered;
    await bench.scope.interrupt("item");
    door.open();
    bench.script.reconcile = () => Promise.resolve({ type: "succeeded" });
    await bench.scope.create({ name: "other", spec });
    await bench.scope.waitForEnd("other");
    expect((await bench.scope.get("item")).status).toMatchObject({
      phase: "Failed",
      lastError: { reason: "InterruptOperation" },
    });
  });

  it("goes on in the next process after the last one ended in the middle", async () => {
    const door = gate();
    bench.script.reconcile = async ({ signal }) => {
      await door.pass(signal);
      return { type: "succeeded" };
    };
    await bench.scope.create({ name: "item", spec });
    await door.entered;
    await bench.running.stop();
    const before = (await bench.scope.get("item")).status;
    expect(before?.phase).toBe("Progressing");
    bench.script.reconcile = () => Promise.resolve({ type: "succeeded" });
    bench.restart();
    const { status } = await bench.scope.waitForEnd("item");
    expect(status).toMatchObject({
      phase: "Succeeded",
      transitionTimes: { initTime: before?.transitionTimes?.initTime },
    });
  });
});
