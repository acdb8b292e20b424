// Many objects of one kind and namespace: one list tells which of them have to be written.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources, type UpdateStrategy } from "@landscaper/api";
import type { ApplyResult } from "../apply/apply-manifests.ts";
import { confirmInventory } from "../manifests/inventory.ts";
import type { ManagedResource, Manifest } from "../manifests/manifest.ts";
import { createTargetCluster } from "./target-cluster.ts";
import { configMap, ownerKey, TargetFixture } from "../../test/target-fixture.ts";

const count = 12;
const serverSide = { managers: { manager: "landscaper/n/item", former: ["landscaper"] }, force: false };

let target: TargetFixture;
let requests: Record<string, number> = {};
let inventory: readonly ManagedResource[] = [];
let prefix = "";
let runs = 0;

beforeAll(async () => {
  target = await TargetFixture.start();
});
afterAll(() => target.stop());
beforeEach(() => {
  prefix = `run-${++runs}`;
  inventory = [];
});
afterEach(() => target.server.setFault(undefined));

function manifests(data: Record<string, string>, ofFirst = data): Manifest[] {
  return Array.from({ length: count }, (_, index) => ({
    policy: "manage",
    manifest: configMap(`${prefix}-${index}`, index === 0 ? ofFirst : data),
  }));
}

type Refusal = ReturnType<Parameters<TargetFixture["server"]["setFault"]>[0] & object>;

/** One job; `refuse` by verb. */
async function apply(
  strategy: UpdateStrategy,
  wanted: readonly Manifest[],
  { refuse = {}, cluster = target.cluster }: { refuse?: Record<string, Refusal>; cluster?: typeof target.cluster } = {},
): Promise<ApplyResult> {
  requests = {};
  target.server.setFault(({ verb, resource }) => {
    if (resource !== "configmaps") return undefined;
    requests[verb] = (requests[verb] ?? 0) + 1;
    return refuse[verb];
  });
  const result = await target.apply(prefix, wanted, { strategy, inventory, serverSide, cluster });
  if (result.failures.length === 0) inventory = confirmInventory([], result.applied);
  return result;
}

const first = (): string => `${prefix}-0`;
const firstKey = (): { namespace: string; name: string } => ({ namespace: "n", name: first() });

describe.each(["update", "apply"] as const)("by %s", (strategy) => {
  const [create, write] = strategy === "update" ? ["create", "update"] : ["patch", "patch"];
  beforeEach(async () => {
    await apply(strategy, manifests({ a: "1" }));
    if (requests[create] !== count) throw new Error(`unexpected requests: ${JSON.stringify(requests)}`);
  });

  it("what is unchanged is listed and not written", async () => {
    const { applied, failures } = await apply(strategy, manifests({ a: "1" }));
    expect([requests, failures, applied.size]).toEqual([{ list: 1 }, [], count]);
    expect([...applied.values()].every(({ entry, live }) => entry?.resource.uid === live?.metadata.uid)).toBe(true);
  });

  it("what has changed is written without another look", async () => {
    await apply(strategy, manifests({ a: "1" }, { a: "2" }));
    expect(requests).toEqual({ list: 1, [write]: 1 });
    expect(await target.find(first())).toMatchObject({ data: { a: "2" } });
  });

  it("what somebody has touched is written", async () => {
    const body = { data: { a: "theirs" } };
    await target.client.patch(kubeResources.configMap, firstKey(), { type: "merge", body, fieldManager: "landscaper" });
    const { failures } = await apply(strategy, manifests({ a: "1" }));
    // An apply that meets an update under one of our names is made again, with force.
    const writes = strategy === "apply" ? 2 : 1;
    expect([requests, failures]).toEqual([{ list: 1, [write]: writes }, []]);
    expect(await target.find(first())).toMatchObject({ data: { a: "1" } });
  });

  it("what has lost our label gets it again", async () => {
    const body = { metadata: { labels: { [ownerKey]: null } } };
    await target.client.patch(kubeResources.configMap, firstKey(), { type: "merge", body });
    await apply(strategy, manifests({ a: "1" }));
    const look = strategy === "update" ? { get: 1 } : {};
    expect(requests).toEqual({ list: 1, ...look, [write]: 1 });
    expect((await target.find(first()))?.metadata.labels).toEqual({ [ownerKey]: prefix });
  });

  it("what is gone is made anew", async () => {
    await target.client.delete(kubeResources.configMap, firstKey());
    const { failures } = await apply(strategy, manifests({ a: "1" }));
    expect([failures, await target.find(first())]).toMatchObject([[], { data: { a: "1" } }]);
  });

  it("a refused list is replaced by single requests", async () => {
    const { failures } = await apply(strategy, manifests({ a: "1" }), { refuse: { list: { status: 403 } } });
    expect([requests, failures]).toEqual([{ list: 1, [strategy === "update" ? "get" : "patch"]: count }, []]);
  });

  it("a new process needs one request at most for each object", async () => {
    const cluster = createTargetCluster(target.client);
    await apply(strategy, manifests({ a: "1" }), { cluster });
    expect(requests).toEqual(strategy === "update" ? { list: 1 } : { patch: count });
  });
});

it("a target that does not answer is told once", async () => {
  await apply("update", manifests({ a: "1" }));
  const { failures } = await apply("update", manifests({ a: "2" }), { refuse: { list: "close", get: "close" } });
  expect(failures.map(({ reason, message }) => [reason, message])).toEqual([
    ["TargetUnreachable", expect.stringMatching(/^list ConfigMap n\/\*: /)],
  ]);
  expect([requests["get"], requests["update"]]).toEqual([undefined, undefined]);
});
