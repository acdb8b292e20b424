// Operation "plan" on embedded clusters: what prevents it, and what becomes of it when a process ends.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources, LandscaperError, resources, type DeployItem } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { never } from "../../test/never.ts";
import { replicaIdentity } from "../sharing/decide-claim.ts";
import { holdTargetNews } from "../../test/hold-target-news.ts";
import { answer, config, isAsked, planned, PreviewBench, restOf, spec } from "../../test/preview.ts";
import type { StartedDeployer } from "../../test/index.ts";

let bench: PreviewBench;

beforeAll(async () => {
  bench = await PreviewBench.create();
});
afterAll(() => bench.fixture.stop());
beforeEach(() => bench.open());
afterEach(() => bench.close());

describe("what prevents a plan", () => {
  it("of a deployer that cannot is said", async () => {
    const otherType = "landscaper.gardener.cloud/other";
    const other = { ...bench.deployerOf(), type: otherType, name: "other.deployer" };
    Reflect.deleteProperty(other, "preview");
    bench.started.push(bench.fixture.start({ deployer: other, clock: bench.clock }));
    await bench.createItem({ type: otherType });
    expect(planned(await bench.plan())).toMatchObject({
      status: "False",
      reason: "PlanNotSupported",
      message: `deployer other.deployer v1 cannot say in advance what a job of type ${otherType} would change`,
    });
  });

  it.each<readonly [string, Partial<DeployItem["spec"]>, string, string]>([
    ["a configuration", { config: { ...config, text: "unreadable" } }, "InvalidInput", "spec.config: text: unreadable"],
    [
      "a timeout",
      { timeout: "soon" },
      "InvalidTimeout",
      "spec.timeout: expected a duration such as 5m30s, or none, found another text",
    ],
  ])("%s that cannot be read is named", async (...[_name, changes, reason, message]) => {
    bench.preview = ({ config: read }) => Promise.resolve({ ...answer, summary: String(read.text) });
    const item = await bench.createItem();
    await bench.fixture.hubClient.update(resources.deployItem, { ...item, spec: { ...item.spec, ...changes } });
    expect(planned(await bench.plan())).toMatchObject({ status: "False", reason, message });
  });

  it("a target that is missing is named", async () => {
    const item = await bench.createItem();
    const target = { name: "absent", namespace: bench.scope.namespace };
    await bench.fixture.hubClient.update(resources.deployItem, { ...item, spec: { ...item.spec, target } });
    expect(planned(await bench.plan())).toMatchObject({
      status: "False",
      reason: "NoTargetFound",
      message: `Target ${bench.scope.namespace}/absent does not exist; create the Target or correct spec.target.name`,
    });
    expect(bench.calls).toEqual([]);
  });

  it("a target that has gone is named while no news of Targets come", async () => {
    await bench.scope.createTarget();
    await bench.createItem({ target: { name: "cluster" } });
    holdTargetNews(bench.fixture.hub);
    await bench.fixture.hubClient.delete(resources.target, { namespace: bench.scope.namespace, name: "cluster" });
    await bench.annotate("plan");
    // Until the watch of the items is there again.
    const gone = await waitFor(
      async () => {
        await bench.clock.advance(100);
        const item = await bench.scope.get("item");
        return isAsked(item) ? undefined : item;
      },
      { evenly: true },
    );
    expect(planned(gone)).toMatchObject({ status: "False", reason: "NoTargetFound" });
    expect(bench.calls).toEqual([]);
  });

  it("is tried again a few times, and then said; a later request starts anew", async () => {
    const before = await bench.createItem();
    bench.preview = () => Promise.reject(new LandscaperError({ message: "the target is down", reason: "Down" }));
    await bench.annotate("plan");
    expect(planned(await bench.untilPlanned("Unknown"))?.observedGeneration).toBe(1);
    await waitFor(async () => planned(await bench.scope.get("item"))?.reason === "Down");
    const after = await bench.untilGivenUp();
    expect(bench.calls).toEqual(["preview", "preview", "preview"]);
    expect(planned(after)).toMatchObject({ status: "False", reason: "Down", message: "the target is down" });
    expect(restOf(after)).toEqual(restOf(before));
    const { items } = await bench.fixture.hubClient.list(kubeResources.event, { namespace: bench.scope.namespace });
    expect(items.filter(({ reason }) => reason === "Down").map((event) => event.type)).toEqual(["Warning"]);
    bench.preview = () => Promise.resolve(answer);
    expect(planned(await bench.plan())?.status).toBe("True");
  });

  it("is overcome by another attempt", async () => {
    await bench.createItem();
    let attempts = 0;
    bench.preview = () => (++attempts < 3 ? Promise.reject(new Error("no 'top secret'")) : Promise.resolve(answer));
    await bench.annotate("plan");
    expect(planned(await bench.untilGivenUp())?.status).toBe("True");
    expect(bench.started.map(({ log }) => log.text).join("")).not.toContain("top secret");
  });

  it("is said at once when it lasts, and an error's own words without what they quote", async () => {
    await bench.createItem();
    bench.preview = () => Promise.reject(new LandscaperError({ message: "never", reason: "Never", retry: "never" }));
    expect(planned(await bench.plan())).toMatchObject({ status: "False", reason: "Never", message: "never" });
    bench.preview = () => Promise.reject(new TypeError("reading 'top secret'"));
    await bench.annotate("plan");
    const after = await bench.untilGivenUp();
    expect(planned(after)).toMatchObject({
      status: "False",
      reason: "InternalError",
      message: "internal error of the deployer: TypeError: reading [...]; its log has the place; please report it",
    });
    expect(bench.started[0]?.log.text).toContain("preview-failures.test.ts");
    expect(bench.started[0]?.log.text).not.toContain("top secret");
  });

  it("is an answer that is none", async () => {
    await bench.createItem();
    const unprintable = {
      toJSON: (): never => {
        throw new TypeError("not for JSON");
      },
    };
    for (const none of [undefined, { summary: "x", text: "x" }, { summary: "x", text: "x", changes: [unprintable] }]) {
      bench.preview = () => Promise.resolve(none as never);
      await bench.annotate("plan");
      expect(planned(await bench.untilGivenUp())).toMatchObject({ status: "False", reason: "InternalError" });
    }
  });

  it("is the time that is over", async () => {
    const before = await bench.createItem({ timeout: "1m" });
    bench.preview = ({ signal }) => never(signal);
    await bench.annotate("plan");
    await bench.untilPlanned("Unknown");
    await waitFor(() => bench.calls.length === 1);
    await bench.clock.advance(60_000);
    const after = await bench.untilAnswered();
    expect(planned(after)).toMatchObject({
      status: "False",
      reason: "ProgressingTimeout",
      message: 'timeout at: "work in progress"; the plan did not end within 1m0s',
      codes: ["ERR_TIMEOUT"],
    });
    expect(restOf(after)).toEqual(restOf(before));
  });

  it("is a Secret of somebody else, which stays as it is", async () => {
    await bench.createItem();
    const data = { theirs: "eA==" };
    const metadata = bench.keyOf("item-plan");
    await bench.fixture.hubClient.create(kubeResources.secret, { apiVersion: "v1", kind: "Secret", metadata, data });
    expect(planned(await bench.plan())).toMatchObject({
      status: "False",
      reason: "PlanSecretForeign",
      message: `Secret ${bench.scope.namespace}/item-plan exists, but does not belong to the deploy item; plans are written to a Secret of that name: rename or remove it`,
    });
    expect((await bench.findPlan())?.data).toEqual(data);
  });

  it("is a right that the deployer has not", async () => {
    await bench.createItem();
    bench.fixture.hub.setFault(({ verb, resource }) =>
      verb === "create" && resource === "secrets" ? { status: 403 } : undefined,
    );
    await bench.annotate("plan");
    expect(planned(await bench.untilGivenUp())).toMatchObject({ status: "False", reason: "RequestFailed" });
    expect(bench.calls).toHaveLength(3);
  });
});

describe("a process that ends in the middle", () => {
  it("leaves the plan to the next one", async () => {
    await bench.createItem();
    bench.preview = ({ signal }) => never(signal);
    await bench.annotate("plan");
    await bench.untilPlanned("Unknown");
    await bench.stop(bench.started.pop());
    bench.preview = () => Promise.resolve(answer);
    bench.started.push(bench.fixture.start({ deployer: bench.deployerOf(), clock: bench.clock }));
    expect(planned(await bench.untilAnswered())?.status).toBe("True");
    expect(bench.calls).toEqual(["preview", "preview"]);
  });

  it("after any of its writes leaves a plan that is made again or answered", async () => {
    await bench.createItem();
    for (let at = 1; at <= 4; at++) {
      let writes = 0;
      await bench.stop(bench.started.pop());
      bench.calls = [];
      bench.fixture.hub.setFault(({ verb, resource, userAgent }) => {
        const isWrite = ["create", "update", "patch"].includes(verb) && ["deployitems", "secrets"].includes(resource);
        if (!userAgent.startsWith("test.deployer") || !isWrite) return undefined;
        // What comes after the last write that counts never arrives.
        return ++writes > at ? "close" : undefined;
      });
      await bench.annotate("plan");
      bench.started.push(bench.fixture.start({ deployer: bench.deployerOf(), clock: bench.clock }));
      await waitFor(() => writes > at || bench.calls.length > 0);
      await waitFor(async () => writes > at || !isAsked(await bench.scope.get("item")));
      await bench.stop(bench.started.pop());
      bench.fixture.hub.setFault(undefined);
      bench.started.push(bench.fixture.start({ deployer: bench.deployerOf(), clock: bench.clock }));
      expect(planned(await bench.untilAnswered())?.status).toBe("True");
    }
  });
});

describe("replicas", () => {
  const identity = "shared";
  const start = (pod: string): StartedDeployer => {
    const replica = bench.fixture.start({
      deployer: bench.deployerOf(pod),
      identity,
      // Long, so that no Lease expires on a busy machine. This test does not need a takeover.
      replica: { pod, leaseDurationMs: 3_600_000 },
    });
    bench.started.push(replica);
    return replica;
  };
  const untilMembers = async (replica: StartedDeployer, ...pods: readonly string[]): Promise<void> => {
    const wanted = `"members":${JSON.stringify(pods)}`;
    await waitFor(
      () =>
        replica.log.text
          .split("\n")
          .findLast((line) => line.includes("replicas that share"))
          ?.includes(wanted),
      {},
    );
  };

  it("make each plan once, and the next one goes on when one is gone", async () => {
    await bench.stop(bench.started.pop());
    const a = start("a");
    await untilMembers(a, "a");
    const names = Array.from({ length: 8 }, (_, index) => `item-${index}`);
    for (const name of names) {
      await bench.scope.create({ name, spec });
      await bench.scope.waitForEnd(name);
    }
    bench.calls = [];
    bench.preview = ({ signal }) => never(signal);
    await Promise.all(names.map((name) => bench.annotate("plan", name)));
    await waitFor(() => bench.calls.length === names.length);
    const b = start("b");
    await untilMembers(b, "a", "b");
    await untilMembers(a, "a", "b");
    // What is in work stays where it is, also when its share would be another's.
    for (const name of names) {
      expect((await bench.untilPlanned("Unknown", name)).status?.deployer?.identity).toBe(
        replicaIdentity(identity, "a"),
      );
    }
    expect(new Set(bench.calls)).toEqual(new Set(["preview by a"]));
    bench.preview = () => Promise.resolve(answer);
    await a.stop();
    for (const name of names) {
      const item = await bench.untilAnswered(name);
      expect([planned(item)?.status, item.status?.deployer?.identity]).toEqual([
        "True",
        replicaIdentity(identity, "b"),
      ]);
    }
    expect(bench.calls.slice(names.length)).toEqual(names.map(() => "preview by b"));
  });
});
