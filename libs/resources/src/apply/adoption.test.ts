// Objects that several deploy items, or a deploy item and somebody else, want to have.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { confirmInventory } from "../manifests/inventory.ts";
import type { ManagedResource, Manifest } from "../manifests/manifest.ts";
import { configMap, ownerKey, TargetFixture } from "../../test/target-fixture.ts";

let target: TargetFixture;
beforeAll(async () => {
  target = await TargetFixture.start();
});
afterAll(() => target.stop());

function entry(name: string, data: Record<string, string>, rest: Partial<Manifest> = {}): Manifest {
  return { policy: "manage", manifest: configMap(name, data), ...rest };
}

/** Applies and returns the inventory. */
async function deploy(item: string, ...manifests: readonly Manifest[]): Promise<ManagedResource[]> {
  const { applied, failures } = await target.apply(item, manifests);
  expect(failures).toEqual([]);
  return confirmInventory([], applied);
}

const done = { remaining: [], waitingFor: [], awaited: [], failures: [], left: [], problems: [] };

describe("an object of another item", () => {
  it("is not taken without a word", async () => {
    await deploy("first", entry("taken", { by: "first" }));
    const { applied, failures } = await target.apply("second", [entry("taken", { by: "second" }), entry("free", {})]);
    expect(failures.map(({ message, reason, retry }) => [message, reason, retry])).toEqual([
      [
        `ConfigMap n/taken belongs to deploy item first, by its annotation landscaper.gardener.cloud/owned-by`,
        "TargetOwnedByOther",
        "backoff",
      ],
    ]);
    expect([...applied.keys()]).toEqual(["/ConfigMap/n/free"]);
    expect((await target.find("taken"))?.data).toEqual({ by: "first" });
  });

  it("is not deleted by an item that could not have it", async () => {
    const inventory = await deploy("first", entry("wanted", {}));
    const planned = [{ resource: { apiVersion: "v1", kind: "ConfigMap", namespace: "n", name: "wanted" } }];
    expect(await target.remove("second", planned)).toEqual({ ...done, left: ["ConfigMap n/wanted"] });
    expect(await target.find("wanted")).toBeDefined();
    expect(await target.remove("first", inventory)).toEqual(done);
    expect(await target.find("wanted")).toBe(undefined);
  });

  it.each(["update", "patch", "merge", "mergeOverwrite"] as const)(
    "is handed over by %s where told so",
    async (strategy) => {
      const name = `handed-${strategy.toLowerCase()}`;
      const former = await deploy("first", entry(name, {}));
      const manifests = [entry(name, { by: "second" }, { adopt: true })];
      const { applied, failures } = await target.apply("second", manifests, { strategy });
      expect(failures).toEqual([]);
      const metadata = {
        labels: { [ownerKey]: "second" },
        annotations: { "landscaper.gardener.cloud/adopted-from": "first" },
      };
      expect(await target.find(name)).toMatchObject({ metadata, data: { by: "second" } });
      // Another job of the new owner does not forget.
      const inventory = confirmInventory([], applied);
      await target.apply("second", manifests, { strategy, inventory });
      expect(await target.find(name)).toMatchObject({ metadata });
      expect(await target.remove("first", former)).toEqual({ ...done, left: [`ConfigMap n/${name}`] });
      expect(await target.find(name)).toBeDefined();
      expect(await target.remove("second", inventory)).toEqual(done);
      expect(await target.find(name)).toBe(undefined);
    },
  );

  it("is free once that item has given it up", async () => {
    const former = await deploy("first", entry("kept", { by: "first" }, { policy: "keep" }));
    expect(await target.remove("first", former)).toEqual(done);
    expect((await target.find("kept"))?.metadata.labels ?? {}).toEqual({});
    await deploy("second", entry("kept", { by: "second" }));
    expect(await target.find("kept")).toMatchObject({ metadata: { labels: { [ownerKey]: "second" } } });
  });

  it("is told of when it cannot be given up", async () => {
    const former = await deploy("first", entry("stuck", {}, { policy: "keep" }));
    target.server.setFault(({ verb }) => (verb === "patch" ? { status: 403 } : undefined));
    try {
      const result = await target.remove("first", former);
      expect(result).toEqual({
        ...done,
        problems: [{ reason: "NotDisowned", message: expect.stringContaining("patch ConfigMap n/stuck: ") }],
      });
    } finally {
      target.server.setFault(undefined);
    }
    expect((await target.find("stuck"))?.metadata.labels).toEqual({ [ownerKey]: "first" });
  });

  it("is left alone by an item that keeps it although it is no longer its own", async () => {
    const former = await deploy("first", entry("moved", {}, { policy: "keep" }));
    await deploy("second", entry("moved", { by: "second" }, { adopt: true }));
    expect(await target.remove("first", former)).toEqual(done);
    expect(await target.find("moved")).toMatchObject({ metadata: { labels: { [ownerKey]: "second" } } });
  });
});

it("an object that several items keep serves them all, and stays", async () => {
  const entries = [entry("shared", {}, { policy: "keep" })];
  const [first, second] = [await deploy("first", ...entries), await deploy("second", ...entries)];
  await target.apply("first", entries, { inventory: first });
  expect(await target.remove("first", first)).toEqual(done);
  expect(await target.remove("second", second)).toEqual(done);
  expect(await target.find("shared")).toBeDefined();
});

it("an object of nobody is taken, as ever", async () => {
  await target.client.create(kubeResources.configMap, configMap("nobodys", { by: "hand" }));
  await deploy("first", entry("nobodys", { by: "first" }));
  expect(await target.find("nobodys")).toMatchObject({
    metadata: { labels: { [ownerKey]: "first" } },
    data: { by: "first" },
  });
});

it("an object whose label somebody has changed is still ours (A11)", async () => {
  const inventory = await deploy("first", entry("relabelled", {}));
  const body = { metadata: { labels: { [ownerKey]: "strange" } } };
  await target.client.patch(kubeResources.configMap, { namespace: "n", name: "relabelled" }, { type: "merge", body });
  const { failures } = await target.apply("first", [entry("relabelled", {})], { inventory });
  expect(failures).toEqual([]);
  expect(await target.find("relabelled")).toMatchObject({ metadata: { labels: { [ownerKey]: "first" } } });
});
