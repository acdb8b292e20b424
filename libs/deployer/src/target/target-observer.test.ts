import { describe, expect, it } from "@jest/globals";
import { resources, type DeployItem, type Target } from "@landscaper/api";
import type { Reader } from "@landscaper/controller-runtime";
import { createTargetObserver } from "./target-observer.ts";

const { signal } = new AbortController();

function targetOf(resourceVersion: string): Target {
  return {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "Target",
    metadata: { namespace: "ns", name: "cluster", uid: "uid", resourceVersion },
    spec: { type: "landscaper.gardener.cloud/kubernetes-cluster" },
  };
}

function itemOn(target: DeployItem["spec"]["target"]): DeployItem {
  return {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "DeployItem",
    metadata: { namespace: "ns", name: "item" },
    spec: { type: "landscaper.gardener.cloud/test", ...(target && { target }) },
  };
}

const item = itemOn({ name: "cluster" });
const missing = { state: "missing", name: "cluster" };

/** An observer, and what its cache and its API server have. */
function setUp(state: { cached?: Target | undefined; stored?: Target | undefined }) {
  const requests: unknown[] = [];
  const find = (type: unknown, key: unknown): Promise<Target | undefined> => {
    requests.push([type, key]);
    return Promise.resolve(state.stored);
  };
  const client = { find } as unknown as Pick<Reader, "find">;
  return { observer: createTargetObserver({ client, targets: { get: () => state.cached } }), requests };
}

describe("the observer of Targets", () => {
  it("takes a Target from the cache, and asks the API server before it says that there is none", async () => {
    const state: Parameters<typeof setUp>[0] = { cached: targetOf("1") };
    const { observer, requests } = setUp(state);
    expect(await observer.observe(item, signal)).toEqual({ state: "found", target: targetOf("1") });
    expect(requests).toEqual([]);
    state.cached = undefined;
    expect(await observer.observe(item, signal)).toEqual(missing);
    expect(requests).toEqual([[resources.target, { namespace: "ns", name: "cluster" }]]);
    state.stored = targetOf("2");
    expect(await observer.observe(item, signal)).toEqual({ state: "found", target: targetOf("2") });
  });

  it.each([
    ["nothing", undefined],
    ["an empty name", { name: "" }],
    ["a name that none can have", { name: "../cluster" }],
  ])("asks for no Target of an item that names %s", async (_, target) => {
    const { observer, requests } = setUp({ cached: undefined, stored: targetOf("1") });
    const expected = target?.name === "../cluster" ? { state: "missing", name: "../cluster" } : { state: "none" };
    expect(await observer.observe(itemOn(target), signal)).toEqual(expected);
    expect(await observer.confirm(itemOn(target), signal)).toEqual(expected);
    expect(requests).toEqual([]);
  });

  it.each([
    ["has changed", targetOf("2"), { state: "found", target: targetOf("2") }],
    ["has gone", undefined, missing],
  ])("does not fall back to a cache that has not heard that the Target %s", async (_, stored, expected) => {
    const state = { cached: targetOf("1"), stored };
    const { observer, requests } = setUp(state);
    expect(await observer.confirm(item, signal)).toEqual(expected);
    expect(await observer.observe(item, signal)).toEqual(expected);
    expect(requests).toHaveLength(1);
    state.cached = targetOf("3");
    expect(await observer.observe(item, signal)).toEqual({ state: "found", target: targetOf("3") });
    expect(requests).toHaveLength(1);
  });

  it("keeps the object of the cache while it is the one that is stored", async () => {
    const cached = targetOf("1");
    const { observer } = setUp({ cached, stored: targetOf("1") });
    const observed = await observer.confirm(item, signal);
    expect(observed.state === "found" && observed.target).toBe(cached);
  });
});
