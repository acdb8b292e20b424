import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources, leaseTypeLabel, type Lease } from "@landscaper/api";
import { ApiError, type Client } from "@landscaper/controller-runtime";
import {
  createFakeClock,
  createTestLogger,
  waitFor,
  startEmbeddedCluster,
  type EmbeddedCluster,
} from "@landscaper/testkit";
import {
  createMembership,
  holderState,
  liveMembers,
  membershipLease,
  type Member,
  type Membership,
} from "./membership.ts";

const instance: Omit<Member, "pod"> = {
  type: "landscaper.gardener.cloud/test",
  deployerName: "test.deployer",
  identity: "blue",
  targetSelectors: [],
  namespace: "default",
};

function lease(pod: string, changes: Partial<Lease["spec"]> = {}, member: Partial<Member> = {}): Lease {
  const { leaseName: name, labels, annotations, identity } = membershipLease({ ...instance, ...member, pod }, 1);
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name, namespace: "default", labels: { ...labels }, annotations: { ...annotations?.() } },
    spec: { holderIdentity: identity, leaseDurationSeconds: 15, ...changes },
  };
}

const ended = { holderIdentity: "" };

describe("the Lease of a process", () => {
  it("has a name of its own, and the marks of type and replicas", () => {
    const one = membershipLease({ ...instance, pod: "Pod_1" }, 5000);
    expect(one).toMatchObject({
      namespace: "default",
      leaseName: "pod-1.test.deployer.4c9a82ce",
      identity: "blue/Pod_1",
      leaseDurationMs: 5000,
    });
    expect(one.annotations?.()).toEqual({ "deployer.landscaper.gardener.cloud/identity": "blue/Pod_1" });
    expect(membershipLease({ ...instance, pod: "pod-2" }, undefined).labels).toEqual(one.labels);
  });

  it("is one for all replicas that take turns, with marks that are read when it is taken", () => {
    let version = "v1";
    const shared = { name: "all", labels: { of: "env" }, annotations: () => ({ version }) };
    const [one, two] = ["pod-1", "pod-2"].map((pod) => membershipLease({ ...instance, pod, lease: shared }, 5000));
    version = "v2";
    expect(one).toMatchObject({ leaseName: "all", identity: "blue/pod-1", labels: { of: "env" } });
    expect(two).toMatchObject({ leaseName: "all", identity: "blue/pod-2", labels: one?.labels });
    expect(one?.annotations?.()).toEqual({
      version: "v2",
      "deployer.landscaper.gardener.cloud/identity": "blue/pod-1",
    });
  });

  it("keeps apart what does not share items, also pods of one name in other namespaces", () => {
    const own = lease("pod-1").metadata;
    const others = [
      lease("pod-1", {}, { identity: "green" }).metadata,
      lease("pod-1", {}, { deployerName: "other" }).metadata,
      lease("pod-1", {}, { targetSelectors: [{ targets: [{ name: "a" }] }] }).metadata,
    ];
    const group = "deployer.landscaper.gardener.cloud/replicas-of";
    for (const { labels } of others) expect(labels?.[group]).not.toBe(own.labels?.[group]);
    for (const { labels } of others) expect(labels?.[leaseTypeLabel]).toBe(own.labels?.[leaseTypeLabel]);
    expect(others.slice(0, 2).map(({ name }) => name)).not.toContain(own.name);
    const longest = lease("p".repeat(253)).metadata.name ?? "";
    expect(longest.length).toBeLessThan(253);
  });
});

describe("the live members", () => {
  it.each([
    ["none", [], []],
    ["sorted", [lease("b"), lease("a")], ["a", "b"]],
    ["without those that have given up, or were found dead", [lease("b"), lease("a", ended)], ["b"]],
    ["without other instances", [lease("b"), lease("a", {}, { identity: "green" })], ["b"]],
    ["without those with other selectors", [lease("b"), lease("a", {}, { targetSelectors: [{}] })], ["b"]],
  ])("%s", (_name, leases, expected) => {
    expect(liveMembers(leases, { ...instance, pod: "b" })).toEqual(expected);
  });
});

describe("a holder", () => {
  it.each([
    ["has a Lease", [lease("a")], "blue/a", "live"],
    ["has a Lease, of another instance", [lease("a", {}, { identity: "green" })], "green/a", "live"],
    ["has given it up", [lease("a", ended)], "blue/a", "ended"],
    ["has none", [lease("b")], "blue/a", "unknown"],
    [
      "has left one behind, and lives on under another",
      [lease("a", ended), lease("c", { holderIdentity: "blue/a" })],
      "blue/a",
      "live",
    ],
  ])("%s", (...[, leases, holder, expected]) => {
    expect(holderState(leases, holder)).toBe(expected);
  });
});

describe("a membership", () => {
  let embedded: EmbeddedCluster;
  let client: Client;
  let clock: ReturnType<typeof createFakeClock>;
  let membership: Membership;
  let changes: (readonly string[])[];
  let stop: () => Promise<void>;

  beforeAll(async () => {
    embedded = await startEmbeddedCluster({ userAgent: "members" });
    ({ client } = embedded);
  });
  afterAll(() => embedded.stop());

  beforeEach(async () => {
    const { items } = await client.list(kubeResources.lease, { namespace: "default" });
    for (const { metadata } of items) {
      await client.delete(kubeResources.lease, { namespace: "default", name: metadata.name ?? "" });
    }
    clock = createFakeClock();
    changes = [];
  });

  function start(through: Client = client): void {
    membership = createMembership({
      ...instance,
      pod: "a",
      client: through,
      clock,
      log: createTestLogger(),
      onChange: () => changes.push(membership.members ?? []),
    });
    const stopping = new AbortController();
    const running = membership.run(stopping.signal).catch(() => undefined);
    stop = async () => {
      stopping.abort(new Error("the test ends"));
      await running;
    };
  }

  const until = (expected: readonly string[]) =>
    waitFor(() => JSON.stringify(membership.members) === JSON.stringify(expected));

  it("tells who comes and who gives up", async () => {
    await client.create(kubeResources.lease, lease("a"));
    start();
    expect(membership.members).toBe(undefined);
    await until(["a"]);
    const other = await client.create(kubeResources.lease, lease("b"));
    await client.create(kubeResources.lease, { ...lease("z"), metadata: { name: "z", namespace: "default" } });
    await until(["a", "b"]);
    await client.update(kubeResources.lease, { ...other, spec: { ...other.spec, holderIdentity: "" } });
    await until(["a"]);
    expect(changes).toEqual([["a"], ["a", "b"], ["a"]]);
    await stop();
  });

  it("tells of other instances, too, without counting them as replicas", async () => {
    await client.create(kubeResources.lease, lease("a"));
    const other = await client.create(kubeResources.lease, lease("x", {}, { identity: "green" }));
    start();
    await until(["a"]);
    expect(membership.stateOf("green/x")).toBe("live");
    await client.update(kubeResources.lease, { ...other, spec: { ...other.spec, holderIdentity: "" } });
    await waitFor(() => changes.length === 2);
    expect([membership.stateOf("green/x"), membership.members]).toEqual(["ended", ["a"]]);
    await stop();
  });

  it("takes the Lease away from one that was not renewed, before it counts as dead, and removes it later", async () => {
    await client.create(kubeResources.lease, lease("a", { leaseDurationSeconds: 1000 }));
    await client.create(kubeResources.lease, lease("b"));
    start();
    await until(["a", "b"]);
    await clock.advance(14_999);
    expect(membership.members).toEqual(["a", "b"]);
    await clock.advance(1);
    await until(["a"]);
    const name = lease("b").metadata.name ?? "";
    // It cannot renew it any more, whatever its clocks say.
    expect((await client.get(kubeResources.lease, { namespace: "default", name })).spec?.holderIdentity).toBe("");
    expect(membership.stateOf("blue/b")).toBe("ended");
    await clock.advance(60_000);
    await waitFor(async () => (await client.find(kubeResources.lease, { namespace: "default", name })) === undefined);
    await stop();
  });

  it("leaves an expired Lease that it may not end alone, and asks again once a minute", async () => {
    await client.create(kubeResources.lease, lease("a", { leaseDurationSeconds: 1000 }));
    await client.create(kubeResources.lease, lease("x", {}, { identity: "green" }));
    let attempts = 0;
    const update: Client["update"] = () => {
      attempts += 1;
      return Promise.reject(new ApiError({ method: "PUT", path: "/" }, { status: 403, statusObject: {} }));
    };
    start({ ...client, update });
    await until(["a"]);
    await clock.advance(15_000);
    await waitFor(() => attempts === 1);
    await clock.advance(59_999);
    expect([attempts, membership.stateOf("green/x")]).toEqual([1, "live"]);
    await clock.advance(1);
    await waitFor(() => attempts === 2);
    await stop();
  });

  it("asks once a minute about all Leases of an instance that it may not end, however many there are", async () => {
    await client.create(kubeResources.lease, lease("a", { leaseDurationSeconds: 1000 }));
    for (let pod = 0; pod < 20; pod += 1) {
      await client.create(kubeResources.lease, lease(`x${pod}`, {}, { identity: "green" }));
    }
    await client.create(kubeResources.lease, lease("b"));
    const asked: string[] = [];
    const update: Client["update"] = async (type, object, options) => {
      const holder = object.metadata.annotations?.["deployer.landscaper.gardener.cloud/identity"] ?? "";
      asked.push(holder.split("/")[0] ?? "");
      if (holder.startsWith("blue/")) return await client.update(type, object, options);
      throw new ApiError({ method: "PUT", path: "/" }, { status: 403, statusObject: {} });
    };
    start({ ...client, update });
    await until(["a", "b"]);
    await waitFor(() => membership.stateOf("green/x19") === "live");
    await clock.advance(15_000);
    await until(["a"]);
    await waitFor(() => asked.length === 2);
    await clock.advance(59_999);
    expect(asked.toSorted()).toEqual(["blue", "green"]);
    await clock.advance(1);
    await waitFor(() => asked.length === 3);
    await clock.advance(59_999);
    expect(asked).toHaveLength(3);
    await stop();
  });

  it("asks once a minute to remove the Leases of an instance that it may not remove", async () => {
    await client.create(kubeResources.lease, lease("a", { leaseDurationSeconds: 1000 }));
    for (let pod = 0; pod < 20; pod += 1) {
      await client.create(kubeResources.lease, lease(`x${pod}`, ended, { identity: "green" }));
    }
    let asked = 0;
    const remove: Client["delete"] = () => {
      asked += 1;
      return Promise.reject(new ApiError({ method: "DELETE", path: "/" }, { status: 403, statusObject: {} }));
    };
    start({ ...client, delete: remove });
    await until(["a"]);
    await clock.advance(60_000);
    await waitFor(() => asked === 1);
    await clock.advance(60_000);
    expect(asked).toBe(1);
    await stop();
  });

  it("asks about each Lease of its own instance, even after a refusal", async () => {
    await client.create(kubeResources.lease, lease("a", { leaseDurationSeconds: 1000 }));
    await client.create(kubeResources.lease, lease("b", {}, { deployerName: "refused" }));
    await client.create(kubeResources.lease, lease("c"));
    const refusedName = lease("b", {}, { deployerName: "refused" }).metadata.name;
    const update: Client["update"] = async (type, object, options) => {
      if (object.metadata.name !== refusedName) return await client.update(type, object, options);
      throw new ApiError({ method: "PUT", path: "/" }, { status: 403, statusObject: {} });
    };
    start({ ...client, update });
    await until(["a", "c"]);
    await clock.advance(15_000);
    await until(["a"]);
    await stop();
  });

  it("asks the API server before it takes one for dead, because the watch may stand still", async () => {
    await client.create(kubeResources.lease, lease("a", { leaseDurationSeconds: 1000 }));
    const before = await client.create(kubeResources.lease, lease("b"));
    let isAsked = false;
    // The watch stands still: what it brings of b's renewal is not let through.
    const heard = client;
    const deaf: Client = {
      ...heard,
      async *watch(type, options) {
        for await (const event of heard.watch(type, options)) {
          const isNews = event.type === "MODIFIED" && event.object.metadata.name === before.metadata.name;
          if (!isNews) yield event;
        }
      },
      find: async (type, key, options) => {
        const found = await heard.find(type, key, options);
        isAsked = true;
        return found;
      },
    };
    start(deaf);
    await until(["a", "b"]);
    await client.update(kubeResources.lease, { ...before, spec: { ...before.spec, leaseTransitions: 7 } });
    await clock.advance(15_000);
    await waitFor(() => isAsked);
    await clock.advance(14_000);
    expect(changes).toEqual([["a", "b"]]);
    await clock.advance(1000);
    await until(["a"]);
    await stop();
  });
});
