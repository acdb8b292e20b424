// Operation "plan" on embedded clusters: what it makes, and how it gets on with jobs.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources, LandscaperError, resources } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { never } from "../../test/never.ts";
import { answer, config, decode, isAsked, operation, planned, PreviewBench, restOf, spec } from "../../test/preview.ts";

let bench: PreviewBench;

beforeAll(async () => {
  bench = await PreviewBench.create();
});
afterAll(() => bench.fixture.stop());
beforeEach(() => bench.open());
afterEach(() => bench.close());

describe("a plan", () => {
  it("is in a Secret of the item, its summary in a condition, and nothing of the job changes", async () => {
    bench.reconcile = ({ report }) => {
      report({ has: "state" });
      return Promise.resolve({ type: "succeeded", exports: { a: 1 } });
    };
    const before = await bench.createItem();
    const after = await bench.plan();
    expect(restOf(after)).toEqual(restOf(before));
    expect(bench.calls).toEqual(["preview"]);
    expect(planned(after)).toMatchObject({
      status: "True",
      reason: "Planned",
      message: "1 to create; see Secret item-plan",
      observedGeneration: 1,
    });
    const secret = await bench.findPlan();
    expect(secret?.metadata).toMatchObject({
      labels: { "landscaper.gardener.cloud/plan-of": "item" },
      ownerReferences: [{ kind: "DeployItem", name: "item", uid: before.metadata.uid }],
    });
    expect(decode(secret, "plan.txt")).toBe(answer.text);
    const time = new Date(bench.clock.now()).toISOString();
    const document: unknown = JSON.parse(decode(secret, "plan.json"));
    expect(document).toEqual({ generation: 1, time, summary: answer.summary, changes: answer.changes });
  });

  it("costs the condition at the beginning and at the end, the Secret, and the end of the request", async () => {
    await bench.createItem();
    const writes: string[] = [];
    bench.fixture.hub.setFault(({ verb, resource, subresource, userAgent }) => {
      const isCounted = userAgent.startsWith("test.deployer") && !["watch", "list"].includes(verb);
      if (isCounted && resource !== "events") writes.push(`${verb} ${resource}/${subresource}`);
      return undefined;
    });
    await bench.plan();
    expect(writes).toEqual([
      "update deployitems/status",
      "get secrets/",
      "create secrets/",
      "update deployitems/status",
      "patch deployitems/",
    ]);
  });

  it("is told by an event", async () => {
    await bench.createItem();
    await bench.plan();
    const event = await waitFor(async () => {
      const { items } = await bench.fixture.hubClient.list(kubeResources.event, { namespace: bench.scope.namespace });
      return items.find(({ reason }) => reason === "Planned");
    });
    expect([event.type, event.note]).toEqual(["Normal", "1 to create; see Secret item-plan"]);
  });

  it("of another operation is made only if the deployer knows the operation", async () => {
    await bench.createItem();
    const ask = async (value: string) => {
      await bench.annotate(value);
      return planned(await bench.untilAnswered());
    };
    expect(await ask("plan-helm-3")).toMatchObject({
      status: "False",
      reason: "PlanNotSupported",
      message: expect.stringContaining(
        'cannot answer the operation "plan-helm-3" of type landscaper.gardener.cloud/test',
      ),
    });
    bench.preview = async () => await Promise.resolve({ ...answer, details: { version: 4 } });
    expect(await ask("plan-helm-4")).toMatchObject({ status: "True" });
    const document: unknown = JSON.parse(decode(await bench.findPlan(), "plan.json"));
    expect(document).toMatchObject({ summary: answer.summary, details: { version: 4 } });
  });

  it("replaces the last one", async () => {
    await bench.createItem();
    await bench.plan();
    bench.preview = () => Promise.resolve({ summary: "nothing to do", text: "nothing to do\n", changes: [] });
    const after = await bench.plan();
    expect(planned(after)?.message).toBe("nothing to do; see Secret item-plan");
    expect(decode(await bench.findPlan(), "plan.txt")).toBe("nothing to do\n");
  });

  it("is made of a spec that no job has deployed, of one that failed, and of an item that never had a job", async () => {
    const item = await bench.createItem();
    bench.reconcile = () => Promise.reject(new LandscaperError({ message: "no", reason: "No", retry: "never" }));
    await bench.scope.trigger("item");
    const failed = await bench.scope.waitForEnd("item");
    expect(failed.status?.phase).toBe("Failed");
    const texts: (string | undefined)[] = [];
    bench.preview = (context) => {
      texts.push(context.config.text);
      return Promise.resolve(answer);
    };
    expect(restOf(await bench.plan())).toEqual(restOf(failed));
    const fresh = await bench.scope.get("item");
    const changed = { ...item.spec, config: { ...config, text: "new" } };
    await bench.fixture.hubClient.update(resources.deployItem, { ...fresh, spec: changed });
    expect(planned(await bench.plan())).toMatchObject({ status: "True", observedGeneration: 2 });
    const { apiVersion, kind } = item;
    const metadata = { name: "idle", namespace: bench.scope.namespace, annotations: { [operation]: "plan" } };
    await bench.fixture.hubClient.create(resources.deployItem, { apiVersion, kind, metadata, spec });
    const idle = await bench.untilAnswered("idle");
    expect([planned(idle)?.status, idle.status?.jobID, idle.status?.phase]).toEqual(["True", undefined, undefined]);
    expect(texts).toEqual([undefined, "new", undefined]);
  });

  it("goes with the next job, its Secret stays", async () => {
    await bench.createItem();
    await bench.plan();
    await bench.scope.trigger("item");
    expect(planned(await bench.scope.waitForEnd("item"))).toBe(undefined);
    expect(await bench.findPlan()).toBeDefined();
  });

  it("is made between the passes of what is repeated", async () => {
    const repeated = { ...config, continuousReconcile: { every: "1h" } };
    await bench.createItem({ config: repeated });
    await bench.plan();
    await bench.clock.advance(3_660_000);
    await waitFor(() => bench.calls.includes("maintain"));
    const after = await bench.plan();
    expect(bench.calls).toEqual(["preview", "maintain", "preview"]);
    expect(after.status?.conditions?.find((one) => one.type === "ContinuousReconcile")?.status).toBe("True");
  });
});

describe("what a preview gets", () => {
  it("reads the target, and can change nothing on it", async () => {
    await bench.scope.createTarget();
    await bench.createItem({ target: { name: "cluster", namespace: bench.scope.namespace } });
    const metadata = bench.keyOf("x");
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "1" } };
    await bench.fixture.targetClient.create(kubeResources.configMap, { ...object, metadata: bench.keyOf("there") });
    const seen: unknown[] = [];
    bench.preview = async (context) => {
      seen.push(["report", "persist", "memory"].filter((key) => key in context));
      for (const cluster of [await context.target.cluster(), await context.target.clusterOf("cluster")]) {
        const { client, written } = cluster;
        const there = await client.get(kubeResources.configMap, bench.keyOf("there"));
        await client.create(kubeResources.configMap, object);
        await client.update(kubeResources.configMap, { ...there, data: { a: "2" } }, { dryRun: false });
        const body = { data: { a: "3" } };
        await client.patch(kubeResources.configMap, bench.keyOf("there"), { type: "merge", body, dryRun: false });
        const refused = await client.delete(kubeResources.configMap, bench.keyOf("there")).catch(String);
        seen.push([there.data, written, refused]);
      }
      seen.push(await context.target.content().catch((error: unknown) => (error as LandscaperError).reason));
      return answer;
    };
    expect(planned(await bench.plan())?.status).toBe("True");
    const cluster = [{ a: "1" }, undefined, "Error: a dry run deletes nothing"];
    expect(seen).toEqual([[], cluster, cluster, "PlanWithoutAccess"]);
    const { items } = await bench.fixture.targetClient.list(kubeResources.configMap, {
      namespace: bench.scope.namespace,
    });
    const left = items.filter(({ metadata: { name } }) => name !== "kube-root-ca.crt");
    expect(left.map(({ data }) => data)).toEqual([{ a: "1" }]);
  });
});

describe("jobs and plans", () => {
  it("a job that is open goes first", async () => {
    let isReady = false;
    bench.reconcile = () => Promise.resolve(isReady ? { type: "succeeded" } : { type: "waiting", for: "it" });
    await bench.scope.create({ name: "item", spec });
    await bench.scope.waitFor("item", ({ phase }) => phase === "Progressing");
    await bench.annotate("plan");
    await waitFor(
      async () => {
        await bench.clock.advance(1000);
        return bench.calls.length > 3;
      },
      { evenly: true },
    );
    expect(bench.calls).not.toContain("preview");
    isReady = true;
    await waitFor(
      async () => {
        await bench.clock.advance(1000);
        return bench.calls.includes("preview");
      },
      { evenly: true },
    );
    expect(bench.calls.indexOf("preview")).toBe(bench.calls.length - 1);
    expect((await bench.untilAnswered()).status?.phase).toBe("Succeeded");
  });

  it("a job that comes ends the plan, which is made after it", async () => {
    await bench.createItem();
    let isCancelled = false;
    bench.preview = async ({ signal }) => {
      signal.addEventListener("abort", () => (isCancelled = true));
      return await never(signal);
    };
    await bench.annotate("plan");
    await bench.untilPlanned("Unknown");
    let isReady = false;
    bench.reconcile = () => Promise.resolve(isReady ? { type: "succeeded" } : { type: "waiting", for: "it" });
    const { status } = await bench.scope.trigger("item");
    const working = await bench.scope.waitFor("item", ({ phase }) => phase === "Progressing");
    expect([isCancelled, isAsked(working), planned(working)]).toEqual([true, true, undefined]);
    bench.preview = () => Promise.resolve(answer);
    isReady = true;
    const after = await waitFor(
      async () => {
        await bench.clock.advance(1000);
        const item = await bench.scope.get("item");
        return isAsked(item) ? undefined : item;
      },
      { evenly: true },
    );
    expect([after.status?.jobIDFinished, after.status?.phase]).toEqual([status?.jobID, "Succeeded"]);
    expect(planned(after)?.status).toBe("True");
    expect(bench.calls.filter((call) => call === "preview")).toHaveLength(2);
  });

  it("a plan that has not heard of the job writes nothing any more", async () => {
    await bench.createItem();
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    bench.preview = async () => {
      await opened;
      return answer;
    };
    await bench.annotate("plan");
    await bench.untilPlanned("Unknown");
    bench.reconcile = () => Promise.resolve({ type: "waiting", for: "it" });
    await bench.scope.trigger("item");
    open();
    const working = await bench.scope.waitFor("item", ({ phase }) => phase === "Progressing");
    expect([planned(working), isAsked(working)]).toEqual([undefined, true]);
  });

  it("a deletion ends it", async () => {
    await bench.createItem();
    bench.preview = ({ signal }) => never(signal);
    await bench.annotate("plan");
    await bench.untilPlanned("Unknown");
    await bench.scope.remove("item");
    await bench.scope.waitUntilGone("item");
    expect(bench.calls).toEqual(["preview", "delete"]);
  });

  it("a request that is taken back ends it", async () => {
    const before = await bench.createItem();
    let isCancelled = false;
    bench.preview = async ({ signal }) => {
      signal.addEventListener("abort", () => (isCancelled = true));
      return await never(signal);
    };
    await bench.annotate("plan");
    await bench.untilPlanned("Unknown");
    await bench.annotate(null);
    expect(restOf(await bench.untilPlanned(undefined))).toEqual(restOf(before));
    expect(isCancelled).toBe(true);
    expect(await bench.findPlan()).toBe(undefined);
  });

  it("a spec that changes meanwhile is planned as well", async () => {
    await bench.createItem();
    const texts: (string | undefined)[] = [];
    bench.preview = async ({ config: { text } }) => {
      texts.push(text);
      if (text === undefined) {
        const fresh = await bench.scope.get("item");
        const changed = { ...fresh.spec, config: { ...config, text: "new" } };
        await bench.fixture.hubClient.update(resources.deployItem, { ...fresh, spec: changed });
      }
      return { ...answer, summary: text ?? "old" };
    };
    const after = await bench.plan();
    expect(texts).toEqual([undefined, "new"]);
    expect(planned(after)).toMatchObject({ message: "new; see Secret item-plan", observedGeneration: 2 });
  });
});
