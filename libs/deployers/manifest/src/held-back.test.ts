// Jobs that would take away more than a change of manifests usually means.
import { isWrite, recordRequests, type RequestRecord } from "@landscaper/testkit";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, resources, type DeployItem, type UnstructuredObject } from "@landscaper/api";
import { listInventory } from "@landscaper/deployer/testing";
import { createManifestDeployer } from "./index.ts";
import { useManifestBench } from "../test/manifest-bench.ts";
import { configMap, specOf } from "../test/manifests.ts";

const bench = useManifestBench("held");

/** What was written on the target. */
let writes: RequestRecord;
beforeEach(() => {
  writes = recordRequests(bench.fixture.target, (request) => isWrite(request) && request.resource !== "namespaces");
});

async function annotate(item: string, key: string, value: string): Promise<void> {
  const body = { metadata: { annotations: { [key]: value } } };
  const { hubClient } = bench.fixture;
  await hubClient.patch(resources.deployItem, { namespace: bench.n, name: item }, { type: "merge", body });
}

/** Another job, with other manifests. */
async function redeploy(...[manifests, config]: Parameters<typeof specOf>): Promise<DeployItem> {
  writes.forget();
  const { config: next = {} } = specOf(manifests, config);
  await bench.scope.trigger("item", { config: next });
  return await bench.scope.waitForEnd("item");
}

const failureOf = ({ status }: DeployItem): unknown => [
  status?.phase,
  status?.lastError?.reason,
  status?.lastError?.message?.split(/; to (?:keep|remove) /)[0],
];

const mapOf = (name: string, data?: Record<string, string>): UnstructuredObject =>
  configMap(`${bench.n}/${name}`, data);

const emptied = (names: string): unknown => [
  "Failed",
  "EmptyingHeldBack",
  `the job would leave no object of the deploy item: it would remove ${names}`,
];

const pruned = (names: string): unknown => [
  "Failed",
  "PruningHeldBack",
  `the job would remove ${names}, and what is in there`,
];

describe("a job that would leave nothing", () => {
  it.each([
    ["no manifests", []],
    ["manifests that are only looked at", ["ignore"]],
  ] as const)("fails before it writes anything, with what would go: %s", async (_case, policies) => {
    await bench.deploy("item", [mapOf("a"), mapOf("b")]);
    const manifests = policies.map((policy) => ({ policy, manifest: mapOf("other") }));
    const item = await redeploy(manifests);
    expect(failureOf(item)).toEqual(emptied(`ConfigMap ${bench.n}/a, ConfigMap ${bench.n}/b`));
    expect(item.status?.lastError?.codes).toEqual(["ERR_CONFIGURATION_PROBLEM"]);
    expect(writes.lines).toEqual([]);
    expect(listInventory(item)).toEqual([`ConfigMap ${bench.n}/a`, `ConfigMap ${bench.n}/b`]);
  });

  it("does so where the annotation allows it, and goes on where its manifests come back", async () => {
    await bench.deploy("item", [mapOf("a")]);
    expect(failureOf(await redeploy([]))).toEqual(emptied(`ConfigMap ${bench.n}/a`));
    expect((await redeploy([mapOf("a", { x: "1" })])).status?.phase).toBe("Succeeded");
    expect((await bench.find("a"))?.data).toEqual({ x: "1" });
    await annotate("item", annotations.allowEmpty, "yes");
    expect(failureOf(await redeploy([]))).toEqual(emptied(`ConfigMap ${bench.n}/a`));
    await annotate("item", annotations.allowEmpty, "true");
    expect((await redeploy([])).status?.phase).toBe("Succeeded");
    expect(await bench.find("a")).toBe(undefined);
  });

  it("is none when it replaces everything, keeps what goes, or had nothing", async () => {
    await bench.deploy("item", []);
    expect((await redeploy([mapOf("a")])).status?.phase).toBe("Succeeded");
    expect((await redeploy([mapOf("b")])).status?.phase).toBe("Succeeded");
    expect((await redeploy([{ policy: "keep", manifest: mapOf("b") }])).status?.phase).toBe("Succeeded");
    expect((await redeploy([])).status?.phase).toBe("Succeeded");
    expect([await bench.find("a"), (await bench.find("b"))?.metadata.name]).toEqual([undefined, "b"]);
  });

  it("is none when the item goes", async () => {
    await bench.deploy("item", [mapOf("a")]);
    await bench.scope.remove("item");
    await bench.scope.waitUntilGone("item");
    expect(await bench.find("a")).toBe(undefined);
  });
});

describe("a job that would prune what holds data", () => {
  const claim = (name: string): UnstructuredObject => ({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name, namespace: bench.n },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  });
  const namespaceObject = (): UnstructuredObject => ({
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: `${bench.n}-more` },
  });

  it("fails before it writes anything, with the list", async () => {
    await bench.deploy("item", [mapOf("a"), claim("data"), namespaceObject()]);
    const item = await redeploy([mapOf("b")]);
    expect(failureOf(item)).toEqual(pruned(`PersistentVolumeClaim ${bench.n}/data, Namespace ${bench.n}-more`));
    expect(writes.lines).toEqual([]);
    await annotate("item", annotations.allowPrune, "true");
    expect((await redeploy([mapOf("b")])).status?.phase).toBe("Succeeded");
    expect(listInventory(await bench.scope.get("item"))).toEqual([`ConfigMap ${bench.n}/b`]);
  });

  it("goes on when they are gone, handed to somebody else, or kept", async () => {
    await bench.deploy("item", [
      mapOf("a"),
      claim("gone"),
      claim("other"),
      { policy: "keep", manifest: claim("kept") },
    ]);
    const type = {
      group: "",
      version: "v1",
      kind: "PersistentVolumeClaim",
      plural: "persistentvolumeclaims",
      namespaced: true,
    };
    const { targetClient } = bench.fixture;
    await targetClient.delete(type, { namespace: bench.n, name: "gone" });
    const body = { metadata: { labels: null, annotations: null } };
    await targetClient.patch(type, { namespace: bench.n, name: "other" }, { type: "merge", body });
    expect((await redeploy([mapOf("a")])).status?.phase).toBe("Succeeded");
    const { items } = await targetClient.list(type, { namespace: bench.n });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(["kept", "other"]);
  });

  it("holds back a definition as long as it has instances that stay", async () => {
    const group = `${bench.n}.example.org`;
    const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    const definition: UnstructuredObject = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `things.${group}` },
      spec: {
        group,
        names: { kind: "Thing", plural: "things" },
        scope: "Namespaced",
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    };
    const thing = (name: string): UnstructuredObject => ({
      apiVersion: `${group}/v1`,
      kind: "Thing",
      metadata: { name, namespace: bench.n },
    });
    const type = { group, version: "v1", kind: "Thing", plural: "things", namespaced: true };
    await bench.deploy("item", [mapOf("a"), definition, thing("own")]);
    await bench.fixture.targetClient.create(type, thing("theirs"));
    expect(failureOf(await redeploy([mapOf("a")]))).toEqual(
      pruned(`CustomResourceDefinition things.${group} with instances`),
    );
    expect(writes.lines).toEqual([]);
    await bench.fixture.targetClient.delete(type, { namespace: bench.n, name: "theirs" });
    expect((await redeploy([mapOf("a")])).status?.phase).toBe("Succeeded");
  });
});

describe("without protection", () => {
  it("everything goes, as with the original", async () => {
    await bench.running.stop();
    const deployer = createManifestDeployer("v0.0.0-test");
    const unprotected = bench.fixture.start({ deployer, emptyProtection: "off" });
    try {
      await bench.deploy("item", [mapOf("a")]);
      expect((await redeploy([])).status?.phase).toBe("Succeeded");
      expect(await bench.fixture.targetClient.find(kubeResources.configMap, { namespace: bench.n, name: "a" })).toBe(
        undefined,
      );
    } finally {
      await unprotected.stop();
      bench.startDeployer({ isClockMoved: false });
    }
  });
});
