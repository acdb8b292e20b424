// Policies and update strategies (deployers.md §3.4, A8-A13), with the test as Landscaper.
import { describe, expect, it } from "@jest/globals";
import type { ResourceType, UnstructuredObject } from "@landscaper/api";
import { annotations as annotationNames, kubeResources, labels } from "@landscaper/api";
import { listInventory } from "@landscaper/deployer/testing";
import type { ItemScope } from "../src/items/item-scope.ts";
import { itemConfig } from "../src/items/item-scope.ts";
import { useManifestDeployer } from "../src/items/item-suite.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";

const policies = ["manage", "fallback", "keep", "ignore", "immutable"];
const otherOwner = { metadata: { labels: { [labels.manifestDeployItem]: "somebody" } } };
const services: ResourceType<UnstructuredObject> = {
  group: "",
  version: "v1",
  kind: "Service",
  plural: "services",
  namespaced: true,
};
const claims: ResourceType<UnstructuredObject> = {
  group: "",
  version: "v1",
  kind: "PersistentVolumeClaim",
  plural: "persistentvolumeclaims",
  namespaced: true,
};

function deployment({ place: namespace }: ItemScope): UnstructuredObject {
  const labels = { app: "app" };
  const containers = [{ name: "main", image: "registry.example.test/main:1" }];
  const spec = {
    replicas: 0,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers } },
  };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "app", namespace }, spec };
}

function service({ place: namespace }: ItemScope, port: number): UnstructuredObject {
  const spec = { selector: { app: "web" }, ports: [{ port }] };
  return { apiVersion: "v1", kind: "Service", metadata: { name: "web", namespace }, spec };
}

function clusterIp(found: UnstructuredObject | undefined): unknown {
  const { clusterIP } = Object(found?.["spec"]) as Readonly<Record<string, unknown>>; // a Service's fields
  expect(clusterIP).toMatch(/^[0-9a-f.:]+$/);
  return clusterIP;
}

function account({ place: namespace }: ItemScope, text: string): UnstructuredObject {
  return { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot", namespace, annotations: { text } } };
}

function job({ place: namespace }: ItemScope, text: string): UnstructuredObject {
  const containers = [{ name: "main", image: "registry.example.test/main:1" }];
  const template = { spec: { restartPolicy: "Never", containers } };
  const metadata = { name: "task", namespace, annotations: { text } };
  return { apiVersion: "batch/v1", kind: "Job", metadata, spec: { suspend: true, template } };
}

function claim({ place: namespace }: ItemScope, text: string): UnstructuredObject {
  const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
  const metadata = { name: "disk", namespace, annotations: { text } };
  return { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata, spec };
}

describe.each(clustersUnderTest())("policies and strategies on %s", (cluster) => {
  const suite = useManifestDeployer({ cluster });

  const entries = (scope: ItemScope, value: string, names: readonly string[] = policies) =>
    names.map((policy) => ({ policy, manifest: scope.configMap(policy, { value }) }));
  const values = async (scope: ItemScope) =>
    Promise.all(policies.map(async (name) => (await scope.data(name))?.["value"]));

  it.each(["update", "apply"])("an object lives as its policy says, with strategy %s (A10)", async (updateStrategy) => {
    const scope = await suite.open("policies");
    const config = { updateStrategy };
    await scope.deploy("item", entries(scope, "1"), { config });
    expect(await values(scope)).toEqual(["1", "1", "1", undefined, "1"]);
    for (const name of ["manage", "fallback", "keep", "immutable"]) await scope.edit(name, otherOwner);
    const updated = await scope.redeploy("item", entries(scope, "2"), config);
    expect([updated.status?.phase, updated.status?.lastError]).toEqual(["Succeeded", undefined]);
    expect(await values(scope)).toEqual(["2", "1", "2", undefined, "1"]);
    expect(listInventory(updated)).toEqual(
      ["immutable", "keep", "manage"].map((name) => `ConfigMap ${scope.place}/${name}`),
    );
    await scope.undeploy("item");
    expect(await values(scope)).toEqual([undefined, "1", "2", undefined, undefined]);
    const kept = await scope.find(kubeResources.configMap, "keep");
    expect(kept?.metadata.labels?.[labels.manifestDeployItem]).toBe(undefined);
  });

  it("what an update no longer has goes by the policy that was recorded (27)", async () => {
    const scope = await suite.open("recorded");
    await scope.deploy("item", entries(scope, "1"));
    const replaced = await scope.redeploy("item", [scope.configMap("other")]);
    expect(await values(scope)).toEqual([undefined, undefined, "1", undefined, undefined]);
    expect(listInventory(replaced)).toEqual([`ConfigMap ${scope.place}/other`]);
  });

  it("objects of nobody are taken and removed with the item, but immutable leaves what it has not written (28)", async () => {
    const scope = await suite.open("foreign");
    const names = ["manage", "immutable", "fallback", "ignore"];
    for (const name of names) {
      await suite.environment.targetClient.create(kubeResources.configMap, scope.configMap(name, { value: "theirs" }));
    }
    await scope.deploy("item", entries(scope, "ours", names));
    expect(await values(scope)).toEqual(["ours", "theirs", undefined, "theirs", "theirs"]);
    await scope.undeploy("item");
    expect(await values(scope)).toEqual([undefined, "theirs", undefined, "theirs", "theirs"]);
  });

  it("a fallback is left alone as soon as its label is another one, also when it is an orphan or deleted", async () => {
    const scope = await suite.open("fallback");
    await scope.deploy("item", entries(scope, "1", ["fallback", "manage"]));
    await scope.edit("fallback", otherOwner);
    await scope.redeploy("item", entries(scope, "2", ["manage"]));
    expect(await scope.data("fallback")).toEqual({ value: "1" });
  });

  it("the label of an item with a long name fits (29)", async () => {
    const scope = await suite.open("long-name");
    const name = `item-${"x".repeat(100)}`;
    expect((await scope.deploy(name, [scope.configMap("a")])).status?.phase).toBe("Succeeded");
    const label = (await scope.find(kubeResources.configMap, "a"))?.metadata.labels?.[labels.manifestDeployItem];
    expect(label).toMatch(/^item-x+-[0-9a-f]{8}$/);
    await scope.undeploy(name);
    expect(await scope.data("a")).toBe(undefined);
  });

  describe("strategy", () => {
    it.each([
      ["update", { key: "new" }, {}],
      ["patch", { key: "new" }, {}],
      ["merge", { key: "old", theirs: "yes" }, { theirs: "yes" }],
      ["mergeOverwrite", { key: "new", theirs: "yes" }, { theirs: "yes" }],
      ["apply", { key: "new", theirs: "yes" }, { theirs: "yes" }],
    ])("%s decides what becomes of the fields of others (A11, 30)", async (updateStrategy, data, annotations) => {
      const scope = await suite.open("strategy");
      const config = { updateStrategy };
      await scope.deploy("item", [scope.configMap("a", { key: "old" })], { config });
      await scope.edit("a", { data: { theirs: "yes" }, metadata: { annotations: { theirs: "yes" } } });
      await scope.edit("a", otherOwner);
      const done = await scope.redeploy("item", [scope.configMap("a", { key: "new" })], config);
      const live = await scope.find(kubeResources.configMap, "a");
      const owned = { ...annotations, [annotationNames.ownedBy]: `${scope.namespace}/item/${done.metadata.uid ?? ""}` };
      expect([done.status?.phase, live?.data, live?.metadata.annotations]).toEqual(["Succeeded", data, owned]);
      expect(live?.metadata.labels).toEqual({ [labels.manifestDeployItem]: "item" });
    });

    it("merge fills what is empty, mergeOverwrite leaves what the manifest has empty (31)", async () => {
      const scope = await suite.open("empty");
      const data = { full: "old", empty: "" };
      const config = { updateStrategy: "merge" };
      await scope.deploy("item", [scope.configMap("a", data)], { config });
      await scope.redeploy("item", [scope.configMap("a", { full: "new", empty: "filled" })], config);
      expect(await scope.data("a")).toEqual({ full: "old", empty: "filled" });
      await scope.redeploy("item", [scope.configMap("a", { full: "", empty: "again" })], {
        updateStrategy: "mergeOverwrite",
      });
      expect(await scope.data("a")).toEqual({ full: "old", empty: "again" });
    });

    it.each(["update", "patch", "merge", "mergeOverwrite", "apply"])(
      "%s writes nothing when nothing is new (9)",
      async (updateStrategy) => {
        const scope = await suite.open("same");
        const config = { updateStrategy };
        // No claim: controllers of the target write to it.
        const manifests = [scope.configMap("a", { x: "1" }), service(scope, 80)];
        await scope.deploy("item", manifests, { config });
        const versions = async () =>
          Promise.all([scope.find(kubeResources.configMap, "a"), scope.find(services, "web")]).then((found) =>
            found.map((object) => object?.metadata.resourceVersion),
          );
        const before = await versions();
        expect((await scope.redeploy("item", manifests, config)).status?.phase).toBe("Succeeded");
        expect(await versions()).toEqual(before);
      },
    );

    it.each(["update", "patch"])(
      "%s leaves what controllers have written, and raises no generation",
      async (strategy) => {
        const scope = await suite.open("revision");
        const config = { updateStrategy: strategy, readinessChecks: { disableDefault: true } };
        const manifests = [deployment(scope), claim(scope, "1")];
        await scope.deploy("item", manifests, { config });
        // As the controllers of a cluster do, which need not run here.
        const { targetClient } = suite.environment;
        const annotate = async (type: ResourceType, name: string, annotations: object): Promise<void> => {
          const body = { metadata: { annotations } };
          await targetClient.patch(type, { namespace: scope.place, name }, { type: "merge", body });
        };
        await annotate(kubeResources.deployment, "app", { "deployment.kubernetes.io/revision": "1" });
        await annotate(claims, "disk", { "volume.kubernetes.io/selected-node": "one" });
        const found = async () => {
          const [app, disk] = await Promise.all([
            scope.find(kubeResources.deployment, "app"),
            scope.find(claims, "disk"),
          ]);
          return [
            app?.metadata.generation,
            app?.metadata.annotations,
            disk?.metadata.annotations,
            disk?.metadata.finalizers,
          ];
        };
        const before = await found();
        expect(before).toMatchObject([
          expect.any(Number),
          { "deployment.kubernetes.io/revision": "1" },
          {},
          expect.anything(),
        ]);
        expect((await scope.redeploy("item", manifests, config)).status?.phase).toBe("Succeeded");
        expect(await found()).toEqual(before);
        await annotate(kubeResources.deployment, "app", { "example.org/by-others": "1" });
        expect((await scope.redeploy("item", manifests, config)).status?.phase).toBe("Succeeded");
        const [, annotations] = await found();
        expect(annotations).toEqual(before[1]);
      },
    );

    it.each(["update", "patch"])("%s carries over what may not change (32)", async (updateStrategy) => {
      const scope = await suite.open("required");
      const config = { updateStrategy };
      const manifests = (text: string, port: number) => [
        service(scope, port),
        account(scope, text),
        job(scope, text),
        claim(scope, text),
      ];
      await scope.deploy("item", manifests("1", 80), { config });
      const { targetClient } = suite.environment;
      const key = { namespace: scope.place, name: "robot" };
      const body = { secrets: [{ name: "by-others" }] };
      await targetClient.patch(kubeResources.serviceAccount, key, { type: "merge", body });
      const before = await scope.find(services, "web");
      const done = await scope.redeploy("item", manifests("2", 81), config);
      expect([done.status?.phase, done.status?.lastError]).toEqual(["Succeeded", undefined]);
      const after = await scope.find(services, "web");
      expect(after).toMatchObject({ spec: { clusterIP: clusterIp(before), ports: [{ port: 81 }] } });
      expect(await scope.find(kubeResources.serviceAccount, "robot")).toMatchObject({
        metadata: { annotations: { text: "2" } },
        ...body,
      });
      expect(await scope.find(kubeResources.job, "task")).toMatchObject({ metadata: { annotations: { text: "2" } } });
      expect(await scope.find(claims, "disk")).toMatchObject({ metadata: { annotations: { text: "2" } } });
    });
  });

  it("what is done before and after is done in its time (A12)", async () => {
    const scope = await suite.open("hooks");
    const entry = (name: string, x: string) => ({
      policy: "manage",
      manifest: scope.configMap(name, { x }, { finalizers: ["example.org/hold"] }),
      annotateBeforeCreate: { created: "yes" },
      annotateBeforeDelete: { going: "yes" },
      patchAfterDeployment: { data: { after: "deployment" } },
      patchBeforeDelete: { data: { before: "delete" } },
    });
    const deployed = await scope.deploy("item", [entry("a", "1"), entry("orphan", "1")]);
    const mark = { [annotationNames.ownedBy]: `${scope.namespace}/item/${deployed.metadata.uid ?? ""}` };
    const created = await scope.find(kubeResources.configMap, "a");
    expect([created?.data, created?.metadata.annotations]).toEqual([
      { x: "1", after: "deployment" },
      { ...mark, created: "yes" },
    ]);
    await scope.trigger("item", { config: itemConfig([entry("a", "2")]) });
    const isGoing = (found: { metadata: { deletionTimestamp?: string | undefined } } | undefined) =>
      found?.metadata.deletionTimestamp !== undefined;
    const orphan = await scope.waitForConfigMap("orphan", isGoing);
    expect([orphan?.data, orphan?.metadata.annotations]).toEqual([
      { x: "1", after: "deployment", before: "delete" },
      { ...mark, created: "yes", going: "yes" },
    ]);
    // Not before the orphan is gone: only then all is as the configuration says.
    expect(await scope.data("a")).toEqual({ x: "2" });
    await scope.edit("orphan", { metadata: { finalizers: null } });
    await scope.waitForEnd("item");
    const updated = await scope.find(kubeResources.configMap, "a");
    expect([updated?.data, updated?.metadata.annotations]).toEqual([{ x: "2", after: "deployment" }, mark]);
    await scope.remove("item");
    const going = await scope.waitForConfigMap("a", isGoing);
    expect([going?.data, going?.metadata.annotations]).toEqual([
      { x: "2", after: "deployment", before: "delete" },
      { ...mark, going: "yes" },
    ]);
    await scope.waitForMessage("item", `waiting for the deletion of ConfigMap ${scope.place}/a`);
    await scope.edit("a", { metadata: { finalizers: null } });
    await scope.waitUntilGone("item");
  });

  it("Lists are expanded with policy and patches, and an empty one is nothing (A13)", async () => {
    const scope = await suite.open("lists");
    const manifest = {
      apiVersion: "v1",
      kind: "ConfigMapList",
      items: [scope.configMap("a"), scope.configMap("b")],
    };
    const patchAfterDeployment = { data: { after: "yes" } };
    const done = await scope.deploy("item", [{ policy: "keep", manifest, patchAfterDeployment }]);
    expect(listInventory(done)).toEqual(["a", "b"].map((name) => `ConfigMap ${scope.place}/${name}`));
    await scope.undeploy("item");
    expect([await scope.data("a"), await scope.data("b")]).toEqual([{ after: "yes" }, { after: "yes" }]);
    const empty = await scope.deploy("empty", [{ ...manifest, items: [] }]);
    expect([empty.status?.phase, listInventory(empty)]).toEqual(["Succeeded", []]);
  });

  it("an object that fails stops no other one, and orphans stay until all is applied (33)", async () => {
    const scope = await suite.open("partial");
    await scope.deploy("item", [scope.configMap("orphan", { x: "1" })]);
    const denied = { ...scope.configMap("broken"), data: { "not a key": "x" } };
    const manifests = [denied, scope.configMap("good", { x: "1" })];
    await scope.trigger("item", { config: itemConfig(manifests) });
    const { message } = await scope.waitForError("item");
    expect(message).toContain(`create ConfigMap ${scope.place}/broken: `);
    expect([await scope.data("good"), await scope.data("orphan")]).toEqual([{ x: "1" }, { x: "1" }]);
    const inventory = ["broken ?", "good", "orphan"].map((name) => `ConfigMap ${scope.place}/${name}`);
    expect(listInventory(await scope.get("item"))).toEqual(inventory);
    await scope.trigger("item", { config: itemConfig([scope.configMap("good")]) });
    expect(listInventory(await scope.waitForEnd("item"))).toEqual([`ConfigMap ${scope.place}/good`]);
    expect(await scope.data("orphan")).toBe(undefined);
  });
});
