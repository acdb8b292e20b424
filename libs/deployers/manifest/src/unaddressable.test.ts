// Manifests that name no object: they fail their job, and neither a later job nor the deletion.
import { describe, expect, it } from "@jest/globals";
import { conditionTypes, resources, type DeployItem } from "@landscaper/api";
import { useManifestBench } from "../test/manifest-bench.ts";
import { configMap, specOf } from "../test/manifests.ts";
import { readInventory } from "./index.ts";

const bench = useManifestBench("unaddressable");

/** A ConfigMap with this metadata. */
const withMetadata = (metadata: object) => ({ apiVersion: "v1", kind: "ConfigMap", metadata, data: {} });
const forgotten = withMetadata({ name: "forgotten" });

const recorded = ({ status }: DeployItem): readonly string[] =>
  readInventory(status?.providerStatus).map(({ resource: { kind, name } }) => `${kind} ${name}`);

const warningsOf = ({ status }: DeployItem) => status?.conditions?.find(({ type }) => type === conditionTypes.warnings);

describe("an object without the namespace that its kind needs", () => {
  it.each<[string, object]>([
    ["absent", {}],
    ["empty", { namespace: "" }],
    ["null", { namespace: null }],
  ])("fails the job when it is %s, and is not recorded", async (_, metadata) => {
    const good = configMap(`${bench.n}/good`);
    const failed = await bench.deploy("item", [good, withMetadata({ name: "forgotten", ...metadata })]);
    expect(failed.status).toMatchObject({
      phase: "Failed",
      lastError: {
        message: expect.stringMatching(
          /^ConfigMap forgotten: metadata\.namespace is missing, but kind ConfigMap is namespaced.*"namespace: default"$/,
        ),
        codes: ["ERR_CONFIGURATION_PROBLEM"],
      },
    });
    expect(recorded(failed)).toEqual(["ConfigMap good"]);

    const corrected = specOf([good, configMap(`${bench.n}/forgotten`)]);
    await bench.scope.trigger("item", { config: corrected.config ?? {} });
    const done = await bench.scope.waitForEnd("item");
    expect([done.status?.phase, recorded(done)]).toEqual(["Succeeded", ["ConfigMap forgotten", "ConfigMap good"]]);
  });

  it("does not stop a deletion", async () => {
    await bench.deploy("item", [configMap(`${bench.n}/good`), forgotten]);
    await bench.scope.remove("item");
    await bench.scope.waitUntilGone("item");
    expect(await bench.find("good")).toBeUndefined();
  });
});

describe("an inventory of an earlier release", () => {
  /** Adds entries to the inventory of an item whose job has succeeded. */
  async function spoil(...entries: readonly object[]): Promise<void> {
    await bench.deploy("item", [configMap(`${bench.n}/good`)]);
    const key = { namespace: bench.n, name: "item" };
    const { hubClient: client } = bench.fixture;
    const item = await client.get(resources.deployItem, key);
    const { managedResources, ...rest } = Object(item.status?.providerStatus) as { managedResources: object[] };
    const added = entries.map((resource) => ({ policy: "manage", resource }));
    const providerStatus = { ...rest, managedResources: [...managedResources, ...added] };
    await client.updateStatus(resources.deployItem, { ...item, status: { ...item.status, providerStatus } });
  }
  const entries: readonly (readonly [string, object])[] = [
    ["no namespace", { apiVersion: "v1", kind: "ConfigMap", name: "a" }],
    ["an empty namespace", { apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: "" }],
    ["no namespace of a kind whose removal is checked", { apiVersion: "v1", kind: "PersistentVolumeClaim", name: "a" }],
    ["no name", { apiVersion: "v1", kind: "ConfigMap", name: "", namespace: "n" }],
    ["a name with a slash", { apiVersion: "v1", kind: "Namespace", name: "a/b" }],
    ["a kind that is not served", { apiVersion: "none.example.org/v1", kind: "None", name: "a" }],
    ["a version that no group has", { apiVersion: "a/b/c", kind: "None", name: "a" }],
    ["no version", { kind: "ConfigMap", name: "a" }],
  ];

  it.each(entries)("with %s is repaired by the next job", async (_, entry) => {
    await spoil(entry);
    await bench.scope.trigger("item");
    const done = await bench.scope.waitForEnd("item");
    expect([done.status?.phase, recorded(done)]).toEqual(["Succeeded", ["ConfigMap good"]]);
  });

  it.each(entries)("with %s does not hinder the deletion", async (_, entry) => {
    await spoil(entry);
    await bench.scope.remove("item");
    await bench.scope.waitUntilGone("item");
    expect(await bench.find("good")).toBeUndefined();
  });

  it("is repaired with a warning", async () => {
    await spoil({ apiVersion: "v1", kind: "ConfigMap", name: "a" });
    await bench.scope.trigger("item");
    expect(warningsOf(await bench.scope.waitForEnd("item"))).toMatchObject({ reason: "InventoryEntrySkipped" });
  });

  it("asks for many entries without a namespace in no other namespace", async () => {
    const names = ["a", "b", "c", "d", "e"];
    await spoil(...names.map((name) => ({ apiVersion: "v1", kind: "ConfigMap", name, uid: name })));
    await bench.scope.remove("item");
    await bench.scope.waitUntilGone("item");
  });
});

it.each([
  ["metadata.name", { name: "a/b", namespace: "n" }],
  ["metadata.name", { name: "..", namespace: "n" }],
  ["metadata.namespace", { name: "a", namespace: "n/../m" }],
])("a manifest whose %s no object can have fails before anything is done", async (field, metadata) => {
  const { status } = await bench.deploy("item", [configMap(`${bench.n}/good`), withMetadata(metadata)]);
  expect(status).toMatchObject({
    phase: "Failed",
    lastError: {
      message: expect.stringContaining(`manifests[1].manifest.${field}: expected a name without /`),
    },
  });
  expect(await bench.find("good")).toBeUndefined();
});
