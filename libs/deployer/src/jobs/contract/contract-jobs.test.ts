// Jobs by the contract of seed-002 on embedded clusters: pickup, waiting, finish, and what others do to the item meanwhile.
import { isWrite, recordRequests } from "@landscaper/testkit";
import { describe, expect, it } from "@jest/globals";
import { finalizer, kubeResources, LandscaperError, resources, type DeployItem } from "@landscaper/api";
import { gate, spec, useContractBench } from "../../../test/contract-bench.ts";

const bench = useContractBench("contract-jobs");

describe("a job", () => {
  it("is picked up before the work starts, by a write that says when, by whom and what", async () => {
    const door = gate();
    bench.script.plan = () => ({ planned: ["a"] });
    bench.script.reconcile = async ({ signal }) => {
      await door.pass(signal);
      return { type: "succeeded" };
    };
    await bench.scope.create({ name: "item", spec });
    await door.entered;
    const { status } = await bench.scope.get("item");
    expect(status).toMatchObject({
      phase: "Progressing",
      observedGeneration: 1,
      deployer: { identity: "test-1/pod-0", name: "test.deployer", version: "v1" },
      providerStatus: { planned: ["a"] },
      lastReconcileTime: expect.any(String),
      transitionTimes: { initTime: expect.any(String) },
    });
    expect(status?.jobIDFinished).toBe(undefined);
    door.open();
    const done = await bench.scope.waitForEnd("item");
    expect(done.status).toMatchObject({ phase: "Succeeded", jobIDFinished: status?.jobID });
    expect(done.status?.transitionTimes?.finishedTime).toEqual(expect.any(String));
    expect(bench.calls).toEqual(["reconcile item"]);
  });

  it("takes two writes to the item: pickup and finish", async () => {
    const record = recordRequests(bench.fixture.hub, (request) => {
      const { resource, userAgent } = request;
      return userAgent.startsWith("test.deployer") && isWrite(request) && !["events", "leases"].includes(resource);
    });
    await bench.scope.create({ name: "item", spec });
    await bench.scope.waitForEnd("item");
    expect(record.lines).toEqual(["update deployitems/status", "update deployitems/status"]);
  });

  it("without a new id does nothing, also when the item changes or is deleted", async () => {
    await bench.scope.create({ name: "item", spec });
    const done = await bench.scope.waitForEnd("item");
    const changed = { ...done, spec: { ...spec, timeout: "1m" } };
    await bench.fixture.hubClient.update(resources.deployItem, changed);
    await bench.fixture.hubClient.delete(resources.deployItem, { namespace: bench.scope.namespace, name: "item" });
    // Another item's job shows that the deployer has had its chance.
    await bench.scope.create({ name: "other", spec });
    await bench.scope.waitForEnd("other");
    expect(bench.calls).toEqual(["reconcile item", "reconcile other"]);
    expect((await bench.scope.get("item")).metadata.deletionTimestamp).toEqual(expect.any(String));
  });

  it("with a new id runs again, and errors of the last one are forgotten", async () => {
    bench.script.reconcile = () => Promise.reject(new LandscaperError({ message: "no", reason: "No", retry: "never" }));
    await bench.scope.create({ name: "item", spec });
    const failed = await bench.scope.waitForEnd("item");
    expect(failed.status).toMatchObject({ phase: "Failed", lastError: { message: "no", reason: "No" } });
    bench.script.reconcile = () => Promise.resolve({ type: "succeeded" });
    await bench.scope.trigger("item");
    const { status } = await bench.scope.waitForEnd("item");
    expect(status?.phase).toBe("Succeeded");
    expect([status?.lastError, status?.firstError, status?.lastErrors]).toEqual([undefined, undefined, undefined]);
  });

  it("of another type, or of another deployer's annotation, is not touched", async () => {
    await bench.scope.create({ name: "other", spec: { ...spec, type: "landscaper.gardener.cloud/other" } });
    await bench.scope.create({
      name: "annotated",
      spec,
      annotations: { "landscaper.gardener.cloud/deployer-type": "other" },
    });
    const before = [await bench.scope.get("other"), await bench.scope.get("annotated")];
    await bench.scope.create({ name: "ours", spec });
    await bench.scope.waitForEnd("ours");
    expect([await bench.scope.get("other"), await bench.scope.get("annotated")]).toEqual(before);
  });

  it("gives an item its finalizer back", async () => {
    const item = await bench.fixture.hubClient.create(resources.deployItem, {
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "DeployItem",
      metadata: { name: "item", namespace: bench.scope.namespace },
      spec,
    });
    await bench.fixture.hubClient.updateStatus(resources.deployItem, {
      ...item,
      status: { observedGeneration: 0, jobID: "1" },
    });
    expect((await bench.scope.waitForEnd("item")).metadata.finalizers).toEqual([finalizer]);
  });

  it("reads what stands beside the item, and nothing else", async () => {
    const metadata = { name: "settings", namespace: bench.scope.namespace };
    await bench.fixture.hubClient.create(kubeResources.configMap, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata,
      data: { a: "1" },
    });
    const found: unknown[] = [];
    bench.script.reconcile = async ({ landscaper }) => {
      found.push((await landscaper.find(kubeResources.configMap, "settings"))?.data);
      found.push(await landscaper.find(kubeResources.configMap, "absent"));
      await landscaper.find(kubeResources.namespace, "default").catch((error: unknown) => found.push(String(error)));
      return { type: "succeeded" };
    };
    await bench.scope.create({ name: "item", spec });
    await bench.scope.waitForEnd("item");
    expect(found).toEqual([{ a: "1" }, undefined, "TypeError: Namespace: only kinds with namespaces can be read"]);
  });

  it("with a configuration that cannot be read fails before anything is done", async () => {
    await bench.scope.create({ name: "item", spec: { ...spec, config: { ...spec.config, broken: true } } });
    const { status } = await bench.scope.waitForEnd("item");
    expect(status).toMatchObject({
      phase: "Failed",
      lastError: { message: "spec.config: broken", codes: ["ERR_CONFIGURATION_PROBLEM"] },
    });
    expect([bench.calls, status?.lastReconcileTime]).toEqual([[], expect.any(String)]);
  });

  it("with a timeout that is none fails naming the field", async () => {
    await bench.scope.create({ name: "item", spec: { ...spec, timeout: "soon" } });
    const { status } = await bench.scope.waitForEnd("item");
    expect(status?.lastError?.message).toBe(
      "spec.timeout: expected a duration such as 5m30s, or none, found another text",
    );
  });

  it("whose configuration does not change is acknowledged where the item wants it", async () => {
    await bench.scope.create({ name: "item", spec: { ...spec, updateOnChangeOnly: true } });
    await bench.scope.waitForEnd("item");
    await bench.scope.trigger("item");
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    expect(bench.calls).toEqual(["reconcile item"]);
    await bench.scope.trigger("item", { timeout: "5m" });
    await bench.scope.waitForEnd("item");
    expect(bench.calls).toEqual(["reconcile item", "reconcile item"]);
  });
});

describe("waiting", () => {
  it("takes no worker, says what for and ends when it is over", async () => {
    await bench.running.stop();
    bench.restart({ workers: 1 });
    const ready = new Set<string>();
    bench.script.reconcile = ({ item }) => {
      const name = item.metadata.name ?? "";
      return Promise.resolve(
        ready.has(name) ? { type: "succeeded" } : { type: "waiting", for: "the sun to rise", requeueAfterMs: 20 },
      );
    };
    for (const name of ["a", "b", "c"]) await bench.scope.create({ name, spec });
    for (const name of ["a", "b", "c"]) {
      const item = await bench.scope.waitFor(name, ({ conditions = [] }) =>
        conditions.some(({ message }) => message === "waiting for the sun to rise"),
      );
      expect([item.status?.phase, item.status?.lastError]).toEqual(["Progressing", undefined]);
    }
    for (const name of ["c", "a", "b"]) {
      ready.add(name);
      expect((await bench.scope.waitForEnd(name)).status?.phase).toBe("Succeeded");
    }
  });

  it("keeps what the deployer remembers of the job, and forgets it with the job", async () => {
    bench.script.reconcile = ({ memory, report }) => {
      const state = memory(() => ({ passes: 0 }));
      state.passes++;
      report({ passes: state.passes });
      return Promise.resolve(
        state.passes === 3 ? { type: "succeeded" } : { type: "waiting", for: "more", requeueAfterMs: 1 },
      );
    };
    await bench.scope.create({ name: "item", spec });
    expect((await bench.scope.waitForEnd("item")).status?.providerStatus).toEqual({ passes: 3 });
    await bench.scope.trigger("item");
    expect((await bench.scope.waitForEnd("item")).status?.providerStatus).toEqual({ passes: 3 });
    expect(bench.calls).toHaveLength(6);
  });

  it("that takes too long ends with what it waited for", async () => {
    bench.script.reconcile = () => Promise.resolve({ type: "waiting", for: "the sun to rise" });
    await bench.scope.create({ name: "item", spec });
    await bench.scope.waitFor("item", ({ conditions }) => JSON.stringify(conditions ?? []).includes("the sun to rise"));
    const { status } = await bench.timeOut();
    expect(status).toMatchObject({
      phase: "Failed",
      lastError: {
        reason: "ProgressingTimeout",
        codes: ["ERR_TIMEOUT"],
        message: 'timeout at: "the sun to rise"; the job did not end within 10m0s',
      },
    });
  });
});

describe("test-reconcile", () => {
  it("runs an item without the Landscaper, whatever updateOnChangeOnly says, once", async () => {
    await bench.scope.create({ name: "item", spec: { ...spec, updateOnChangeOnly: true } });
    const done = await bench.scope.waitForEnd("item");
    const annotations = { "landscaper.gardener.cloud/operation": "test-reconcile" };
    await bench.fixture.hubClient.update(resources.deployItem, {
      ...done,
      metadata: { ...done.metadata, annotations },
    });
    const tested = await bench.scope.waitFor("item", ({ jobIDFinished }) => jobIDFinished === "test-job");
    expect([tested.status?.phase, tested.status?.jobID]).toEqual(["Succeeded", "test-job"]);
    expect(tested.metadata.annotations?.["landscaper.gardener.cloud/operation"]).toBe(undefined);
    expect(bench.calls).toEqual(["reconcile item", "reconcile item"]);
  });
});

describe("races and refusals of the API server", () => {
  it("a lost race over the status is read and decided again", async () => {
    const door = gate();
    bench.script.reconcile = async ({ signal }) => {
      await door.pass(signal);
      return { type: "succeeded" };
    };
    await bench.scope.create({ name: "item", spec });
    await door.entered;
    const touched: DeployItem = await bench.scope.get("item");
    const annotations = { touched: "yes" };
    await bench.fixture.hubClient.update(resources.deployItem, {
      ...touched,
      metadata: { ...touched.metadata, annotations },
    });
    door.open();
    const { status, metadata } = await bench.scope.waitForEnd("item");
    expect([status?.phase, metadata.annotations]).toEqual(["Succeeded", annotations]);
  });

  it.each([["drop-answer" as const], ["close" as const], [{ status: 500 }]])(
    "a status write that meets %j is repeated until it is done",
    async (fault) => {
      let remaining = 3;
      bench.fixture.hub.setFault(({ verb, resource, subresource, userAgent }) => {
        const isOurs = userAgent.startsWith("test.deployer") && verb === "update" && resource === "deployitems";
        return isOurs && subresource === "status" && remaining-- > 0 ? fault : undefined;
      });
      await bench.scope.create({ name: "item", spec });
      expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    },
  );
});
