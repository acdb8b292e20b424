import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources, type Lease } from "@landscaper/api";
import { createClient, connectionFromKubeconfig, type Client } from "@landscaper/controller-runtime";
import { createFakeClock, createTestLogger, waitFor } from "@landscaper/controller-runtime/testing";
import { startLocalCluster, type LocalCluster } from "@landscaper/local-cluster";
import { createMembership, expiryOf, liveMembers, membershipLease, type Membership } from "./membership.ts";

function lease(holder: string, changes: Partial<Lease["spec"]> = {}): Lease {
  const labels = membershipLease(instance, { pod: holder, namespace: "default", client: undefined as never }, 1).labels;
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name: `${holder}.test.deployer`, namespace: "default", labels: { ...labels } },
    spec: { holderIdentity: holder, leaseDurationSeconds: 15, ...changes },
  };
}

const instance = { deployerName: "test.deployer", identity: "blue" };

describe("the Lease of a replica", () => {
  it("has a name of its own and the mark of the instance", () => {
    const options = { namespace: "n", client: undefined as never };
    const one = membershipLease(instance, { pod: "Pod_1", ...options }, 5000);
    expect(one).toMatchObject({
      namespace: "n",
      leaseName: "pod-1.test.deployer",
      identity: "Pod_1",
      leaseDurationMs: 5000,
    });
    const others = [
      membershipLease({ ...instance, identity: "green" }, { pod: "pod-1", ...options }, undefined),
      membershipLease({ ...instance, deployerName: "other" }, { pod: "pod-1", ...options }, undefined),
    ];
    for (const { labels } of others) expect(labels).not.toEqual(one.labels);
    expect(membershipLease(instance, { pod: "pod-2", ...options }, undefined).labels).toEqual(one.labels);
  });
});

describe("the live members", () => {
  it.each([
    ["none", [], []],
    ["sorted", [lease("b"), lease("a")], ["a", "b"]],
    ["without those that have given up", [lease("b"), lease("a", { holderIdentity: "" })], ["b"]],
  ])("%s", (_name, leases, expected) => {
    expect(liveMembers(leases.map((each) => ({ lease: each, observedMs: 0, isConfirmedDead: false })))).toEqual(
      expected,
    );
  });

  it("without those whose end is confirmed", () => {
    const members = [
      { lease: lease("a"), observedMs: 0, isConfirmedDead: true },
      { lease: lease("b"), observedMs: 0, isConfirmedDead: false },
    ];
    expect(liveMembers(members)).toEqual(["b"]);
  });

  it("end when they were not seen renewed for the duration, by our clock", () => {
    expect(expiryOf({ lease: lease("a", { leaseDurationSeconds: 7 }), observedMs: 1000 })).toBe(8000);
  });
});

describe("a membership", () => {
  let cluster: LocalCluster;
  let client: Client;
  let clock: ReturnType<typeof createFakeClock>;
  let membership: Membership;
  let changes: (readonly string[])[];
  let stop: () => Promise<void>;

  beforeAll(async () => {
    cluster = await startLocalCluster();
    client = createClient({ connection: connectionFromKubeconfig(cluster.kubeconfig), userAgent: "members" });
  }, 60_000);
  afterAll(async () => {
    await client.close();
    await cluster.stop();
  });

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
      namespace: "default",
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

  it("takes one for dead when its Lease was not renewed, and removes the Lease later", async () => {
    await client.create(kubeResources.lease, lease("a", { leaseDurationSeconds: 1000 }));
    await client.create(kubeResources.lease, lease("b"));
    start();
    await until(["a", "b"]);
    await clock.advance(14_999);
    expect(membership.members).toEqual(["a", "b"]);
    await clock.advance(1);
    await until(["a"]);
    await clock.advance(60_000);
    const name = lease("b").metadata.name ?? "";
    await waitFor(async () => (await client.find(kubeResources.lease, { namespace: "default", name })) === undefined);
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
