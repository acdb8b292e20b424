// Acceptance scenarios of deployers.md §5 on two embedded clusters, with the test as Landscaper.
import { describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, labels, type UnstructuredObject } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { listInventory } from "@landscaper/deployer/testing";
import { useManifestBench } from "../test/manifest-bench.ts";
import { configMap, specOf } from "../test/manifests.ts";

const bench = useManifestBench("manifest");

async function exportsOf(item: string): Promise<unknown> {
  const key = { namespace: bench.n, name: `${item}-export` };
  const secret = await bench.fixture.hubClient.find(kubeResources.secret, key);
  const config = secret?.data?.["config"];
  return config === undefined ? undefined : JSON.parse(Buffer.from(config, "base64").toString());
}

async function sensitiveExportsOf(item: string): Promise<string | undefined> {
  const key = { namespace: bench.n, name: `${item}-export` };
  const found = await bench.fixture.hubClient.find(kubeResources.secret, key);
  return found?.metadata.annotations?.[annotations.sensitiveExports];
}

function secret(name: string): UnstructuredObject {
  const data = { key: Buffer.from("value").toString("base64") };
  return { apiVersion: "v1", kind: "Secret", metadata: { name, namespace: bench.n }, type: "Opaque", data };
}

const itemType = {
  group: "landscaper.gardener.cloud",
  version: "v1alpha1",
  kind: "DeployItem",
  plural: "deployitems",
  namespaced: true,
} as const;

describe("a manifest item", () => {
  it.each(["v1alpha1", "v1alpha2"])("of version %s comes and goes (A7)", async (version) => {
    const spec = specOf([secret("s")]);
    const manifests = version === "v1alpha1" ? [secret("s")] : spec.config?.["manifests"];
    const apiVersion = `manifest.deployer.landscaper.gardener.cloud/${version}`;
    await bench.scope.create({ name: "item", spec: { ...spec, config: { ...spec.config, apiVersion, manifests } } });
    const done = await bench.scope.waitForEnd("item");
    expect([done.status?.phase, listInventory(done)]).toEqual(["Succeeded", [`Secret ${bench.n}/s`]]);
    const key = { namespace: bench.n, name: "s" };
    expect((await bench.fixture.targetClient.get(kubeResources.secret, key)).metadata.labels).toEqual({
      [labels.manifestDeployItem]: "item",
    });
    await bench.scope.remove("item");
    await bench.scope.waitUntilGone("item");
    expect(await bench.fixture.targetClient.find(kubeResources.secret, key)).toBe(undefined);
  });

  it("without one of its manifests loses that object and keeps the rest up to date (A8)", async () => {
    await bench.scope.create({
      name: "item",
      spec: specOf([configMap(`${bench.n}/a`, { x: "1" }), configMap(`${bench.n}/b`)]),
    });
    const before = await bench.scope.waitForEnd("item");
    const { config } = specOf([configMap(`${bench.n}/a`, { x: "2" })]);
    await bench.scope.trigger("item", config === undefined ? {} : { config });
    const after = await bench.scope.waitForEnd("item");
    expect(await bench.find("b")).toBe(undefined);
    expect((await bench.find("a"))?.data).toEqual({ x: "2" });
    const managed = before.status?.providerStatus?.["managedResources"] as unknown[];
    expect(after.status?.providerStatus).toEqual({
      apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha2",
      kind: "ProviderStatus",
      managedResources: managed.slice(0, 1),
    });
  });

  it("in a namespace that does not exist tries until its time is up, its objects listed as planned (A9)", async () => {
    await bench.scope.create({ name: "item", spec: specOf([configMap("absent-namespace/a")]) });
    const trying = await bench.scope.waitFor("item", ({ lastError }) => lastError !== undefined);
    const problem = 'create ConfigMap absent-namespace/a: namespaces "absent-namespace" not found';
    expect([trying.status?.phase, trying.status?.jobIDFinished]).toEqual(["Progressing", undefined]);
    const hint = "create namespace absent-namespace, or add its manifest to the item";
    expect(trying.status?.lastError?.message).toBe(`${problem}; ${hint}`);
    expect(listInventory(trying)).toEqual(["ConfigMap absent-namespace/a ?"]);
    const failed = await bench.timeOut("item");
    expect(failed.status).toMatchObject({
      phase: "Failed",
      lastError: {
        codes: ["ERR_TIMEOUT"],
        reason: "TargetNamespaceMissing",
        message: `${problem}; ${hint}; the job did not end within 10m0s`,
      },
    });
    expect(listInventory(failed)).toEqual(["ConfigMap absent-namespace/a ?"]);
    await bench.scope.remove("item");
    await bench.scope.waitUntilGone("item");
  });

  it("that planned an object which somebody else then made leaves it in peace (A9)", async () => {
    const namespace = `${bench.n}-late`;
    await bench.scope.create({ name: "item", spec: specOf([configMap(`${namespace}/a`)]) });
    await bench.scope.waitFor("item", ({ lastError }) => lastError !== undefined);
    expect((await bench.timeOut("item")).status?.phase).toBe("Failed");
    await bench.fixture.targetClient.create(kubeResources.namespace, {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: namespace },
    });
    await bench.fixture.targetClient.create(kubeResources.configMap, configMap(`${namespace}/a`, { theirs: "yes" }));
    await bench.scope.remove("item");
    await bench.scope.waitUntilGone("item");
    expect((await bench.fixture.targetClient.get(kubeResources.configMap, { namespace, name: "a" })).data).toEqual({
      theirs: "yes",
    });
  });

  it("handles its objects by their policies (A10)", async () => {
    const policies = ["manage", "fallback", "keep", "ignore", "immutable"];
    const entries = (value: string) =>
      policies.map((policy) => ({ policy, manifest: configMap(`${bench.n}/${policy}`, { value }) }));
    const values = () => Promise.all(policies.map(async (name) => (await bench.find(name))?.data?.["value"]));
    await bench.scope.create({ name: "item", spec: specOf(entries("1")) });
    await bench.scope.waitForEnd("item");
    expect(await values()).toEqual(["1", "1", "1", undefined, "1"]);
    for (const name of ["manage", "fallback", "keep", "immutable"]) {
      await bench.edit(name, { metadata: { labels: { [labels.manifestDeployItem]: "other" } } });
    }
    await bench.scope.trigger("item", specOf(entries("2")));
    const updated = await bench.scope.waitForEnd("item");
    expect(await values()).toEqual(["2", "1", "2", undefined, "1"]);
    expect(listInventory(updated)).toEqual([
      `ConfigMap ${bench.n}/immutable`,
      `ConfigMap ${bench.n}/keep`,
      `ConfigMap ${bench.n}/manage`,
    ]);
    await bench.scope.remove("item");
    await bench.scope.waitUntilGone("item");
    expect(await values()).toEqual([undefined, "1", "2", undefined, undefined]);
  });

  it.each([
    ["update", { key: "new" }],
    ["patch", { key: "new" }],
    ["merge", { key: "old", foreign: "yes" }],
    ["mergeOverwrite", { key: "new", foreign: "yes" }],
  ])("is updated by strategy %s (A11)", async (updateStrategy, data) => {
    await bench.scope.create({
      name: "item",
      spec: specOf([configMap(`${bench.n}/a`, { key: "old" })], { updateStrategy }),
    });
    await bench.scope.waitForEnd("item");
    await bench.edit("a", {
      data: { foreign: "yes" },
      metadata: { labels: { [labels.manifestDeployItem]: "other" } },
    });
    await bench.scope.trigger("item", specOf([configMap(`${bench.n}/a`, { key: "new" })], { updateStrategy }));
    await bench.scope.waitForEnd("item");
    const live = await bench.find("a");
    expect([live?.data, live?.metadata.labels]).toEqual([data, { [labels.manifestDeployItem]: "item" }]);
  });

  it("annotates and patches its objects before and after (A12)", async () => {
    const entry = (manifest: object) => ({
      policy: "manage",
      manifest,
      annotateBeforeCreate: { created: "yes" },
      annotateBeforeDelete: { going: "yes" },
      patchAfterDeployment: { data: { after: "deployment" } },
      patchBeforeDelete: { data: { before: "delete" } },
    });
    const held = { finalizers: ["example.org/hold"] };
    await bench.scope.create({ name: "item", spec: specOf([entry(configMap(`${bench.n}/a`, { x: "1" }, held))]) });
    await bench.scope.waitForEnd("item");
    const created = await bench.find("a");
    const { uid } = (await bench.scope.get("item")).metadata;
    const mark = { "landscaper.gardener.cloud/owned-by": `${bench.n}/item/${uid}` };
    expect([created?.data, created?.metadata.annotations]).toEqual([
      { x: "1", after: "deployment" },
      { created: "yes", ...mark },
    ]);
    await bench.scope.trigger("item", specOf([entry(configMap(`${bench.n}/a`, { x: "2" }, held))]));
    await bench.scope.waitForEnd("item");
    const updated = await bench.find("a");
    expect([updated?.data, updated?.metadata.annotations]).toEqual([{ x: "2", after: "deployment" }, mark]);
    await bench.scope.remove("item");
    const terminating = await waitFor(async () => {
      const live = await bench.find("a");
      return live?.metadata.deletionTimestamp === undefined ? undefined : live;
    });
    expect([terminating.data, terminating.metadata.annotations]).toEqual([
      { x: "2", after: "deployment", before: "delete" },
      { going: "yes", ...mark },
    ]);
    const waiting = await bench.scope.waitFor("item", ({ conditions = [] }) =>
      conditions.some(({ message }) => message.startsWith("waiting")),
    );
    expect(waiting.status?.conditions?.[0]?.message).toBe(`waiting for the deletion of ConfigMap ${bench.n}/a`);
    await bench.edit("a", { metadata: { finalizers: null } });
    await bench.scope.waitUntilGone("item");
  });

  it("remembers what it has pruned when the status that says so is refused", async () => {
    await bench.scope.create({ name: "item", spec: specOf([configMap(`${bench.n}/a`), configMap(`${bench.n}/b`)]) });
    await bench.scope.waitForEnd("item");
    let refused = 0;
    bench.fixture.hub.setFault(({ namespace, subresource, userAgent }) => {
      const isStatusWrite = namespace === bench.n && subresource === "status" && userAgent.startsWith("manifest");
      // The first is the pickup.
      return isStatusWrite && ++refused === 2 ? { status: 500 } : undefined;
    });
    const { config } = specOf([configMap(`${bench.n}/a`, { x: "2" })]);
    await bench.scope.trigger("item", config === undefined ? {} : { config });
    const done = await bench.scope.waitForEnd("item");
    expect([done.status?.phase, listInventory(done)]).toEqual(["Succeeded", [`ConfigMap ${bench.n}/a`]]);
    expect(refused).toBeGreaterThan(2);
  });

  it("expands Lists (A13)", async () => {
    const list = {
      apiVersion: "v1",
      kind: "ConfigMapList",
      items: [configMap(`${bench.n}/a`), configMap(`${bench.n}/b`)],
    };
    await bench.scope.create({ name: "item", spec: specOf([list]) });
    expect(listInventory(await bench.scope.waitForEnd("item"))).toEqual([
      `ConfigMap ${bench.n}/a`,
      `ConfigMap ${bench.n}/b`,
    ]);
    await bench.scope.create({ name: "empty", spec: specOf([{ ...list, items: [] }]) });
    const empty = await bench.scope.waitForEnd("empty");
    expect([empty.status?.phase, listInventory(empty)]).toEqual(["Succeeded", []]);
  });

  it("waits for exports that come later, also behind a reference (A14)", async () => {
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "sa", namespace: bench.n } };
    const token = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "sa-token", namespace: bench.n, annotations: { "kubernetes.io/service-account.name": "sa" } },
      type: "kubernetes.io/service-account-token",
    };
    const exports = [
      {
        key: "token",
        jsonPath: ".data.token",
        fromResource: { apiVersion: "v1", kind: "Secret", name: "sa-token", namespace: bench.n },
      },
      {
        key: "late.name",
        jsonPath: ".secrets[0]",
        fromResource: { apiVersion: "v1", kind: "ServiceAccount", name: "sa", namespace: bench.n },
        fromObjectRef: { apiVersion: "v1", kind: "Secret", jsonPath: ".metadata.name" },
      },
    ];
    await bench.scope.create({ name: "item", spec: specOf([account, token], { exports: { exports } }) });
    const waiting = await bench.scope.waitFor("item", ({ conditions = [] }) =>
      conditions.some(({ message }) => message.includes("late.name")),
    );
    expect(waiting.status?.conditions?.[0]?.message).toBe(
      `waiting for export of key late.name: ServiceAccount ${bench.n}/sa has no .secrets[0]`,
    );
    const body = { secrets: [{ name: "sa-token" }] };
    await bench.fixture.targetClient.patch(
      kubeResources.serviceAccount,
      { namespace: bench.n, name: "sa" },
      { type: "merge", body },
    );
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    expect(await exportsOf("item")).toEqual({ token: expect.any(String), late: { name: "sa-token" } });
    expect(await sensitiveExportsOf("item")).toBe('["/token","/late/name"]');
  });

  it("says which exports are secret: those of Secrets, and those that hold what the configuration has from one", async () => {
    const data = { plain: "visible", secret: "correct-horse" };
    const exportOf = (name: string, key: string) => ({
      key: `${name}.${key}`,
      jsonPath: `.data.${key}`,
      fromResource: { apiVersion: "v1", kind: name === "s" ? "Secret" : "ConfigMap", name, namespace: bench.n },
    });
    const exports = [exportOf("s", "key"), exportOf("map", "plain"), exportOf("map", "secret")];
    const spec = specOf([secret("s"), configMap(`${bench.n}/map`, data)], { exports: { exports } });
    const sensitive = JSON.stringify(["/manifests/1/manifest/data/secret"]);
    await bench.scope.create({ name: "item", spec, annotations: { [annotations.sensitiveConfig]: sensitive } });
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    expect(await sensitiveExportsOf("item")).toBe('["/s/key","/map/secret"]');
  });

  it("makes an object anew that somebody removes while its export is waited for", async () => {
    const fromResource = { apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: bench.n };
    const exports = { exports: [{ key: "late", jsonPath: ".data.late", fromResource }] };
    await bench.scope.create({ name: "item", spec: specOf([configMap(`${bench.n}/a`, { own: "1" })], { exports }) });
    await bench.scope.waitFor("item", ({ conditions = [] }) =>
      conditions.some(({ message }) => message.includes("late")),
    );
    const removed = await bench.find("a");
    await bench.fixture.targetClient.delete(kubeResources.configMap, { namespace: bench.n, name: "a" });
    const remade = await waitFor(() => bench.find("a"));
    expect(remade.metadata.uid).not.toBe(removed?.metadata.uid);
    await bench.edit("a", { data: { late: "x" } });
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    expect(await exportsOf("item")).toEqual({ late: "x" });
  });

  it("names the key of an export that never comes (A14)", async () => {
    const fromResource = { apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: bench.n };
    const exports = { exports: [{ key: "the.key", jsonPath: ".data.never", fromResource }] };
    await bench.scope.create({ name: "item", spec: specOf([configMap(`${bench.n}/a`)], { exports }) });
    await bench.scope.waitFor("item", ({ conditions }) => JSON.stringify(conditions ?? []).includes("the.key"));
    expect((await bench.timeOut("item")).status?.lastError).toMatchObject({
      codes: ["ERR_TIMEOUT"],
      message: `timeout at: "export of key the.key: ConfigMap ${bench.n}/a has no .data.never"; the job did not end within 10m0s`,
    });
  });

  it("waits for workloads and custom checks, and its object is not applied again meanwhile", async () => {
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p", namespace: bench.n },
      spec: { containers: [{ name: "c", image: "i" }] },
    };
    const check = {
      name: "flag",
      resourceSelector: [{ apiVersion: "v1", kind: "ConfigMap", name: "flag", namespace: bench.n }],
      requirements: [{ jsonPath: ".data.ready", operator: "==", values: [{ value: "yes" }] }],
    };
    const writes: string[] = [];
    bench.fixture.target.setFault(({ verb, resource, namespace, userAgent }) => {
      const isWrite = ["create", "update", "patch", "delete"].includes(verb);
      if (isWrite && namespace === bench.n && userAgent.startsWith("manifest")) writes.push(`${verb} ${resource}`);
      return undefined;
    });
    await bench.scope.create({ name: "item", spec: specOf([pod], { readinessChecks: { custom: [check] } }) });
    const message = (text: string) =>
      bench.scope.waitFor("item", ({ conditions = [] }) => conditions[0]?.message === text);
    await message(`waiting for readiness of Pod ${bench.n}/p: has no Ready condition yet`);
    const live = await bench.fixture.targetClient.get(kubeResources.pod, { namespace: bench.n, name: "p" });
    const conditions = [{ type: "Ready", status: "True" }];
    await bench.fixture.targetClient.updateStatus(kubeResources.pod, {
      ...live,
      status: { ...live.status, conditions },
    });
    await bench.fixture.targetClient.create(kubeResources.configMap, configMap(`${bench.n}/flag`, { ready: "yes" }));
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    expect(writes).toEqual(["create pods"]);
  });

  it("deletes in the order of its groups, and keeps what no group has (A15)", async () => {
    const groups = [
      { customResourceGroup: { resources: [{ apiVersion: "v1", kind: "Secret" }] } },
      {
        customResourceGroup: {
          resources: [{ apiVersion: "v1", kind: "ConfigMap", names: ["first"] }],
          forceDelete: true,
        },
      },
    ];
    const held = { finalizers: ["example.org/hold"] };
    const manifests = [secret("s"), configMap(`${bench.n}/first`, {}, held), configMap(`${bench.n}/stays`)];
    const deletes: string[] = [];
    bench.fixture.target.setFault(({ verb, name, namespace }) => {
      if (verb === "delete" && namespace === bench.n) deletes.push(name);
      return undefined;
    });
    await bench.scope.create({ name: "item", spec: specOf(manifests, { deletionGroups: groups }) });
    await bench.scope.waitForEnd("item");
    await bench.scope.remove("item");
    await bench.scope.waitUntilGone("item");
    expect(deletes).toEqual(["s", "first"]);
    expect((await bench.find("stays"))?.metadata.name).toBe("stays");
  });

  it("reacts to a configuration that changes during its job", async () => {
    const check = {
      name: "flag",
      resourceSelector: [{ apiVersion: "v1", kind: "ConfigMap", name: "b", namespace: bench.n }],
      requirements: [{ jsonPath: ".data", operator: "exists" }],
    };
    const readinessChecks = { custom: [check] };
    await bench.scope.create({ name: "item", spec: specOf([configMap(`${bench.n}/a`)], { readinessChecks }) });
    const waiting = await bench.scope.waitFor(
      "item",
      ({ conditions = [] }) => conditions[0]?.message.startsWith("waiting") === true,
    );
    const spec = specOf([configMap(`${bench.n}/a`), configMap(`${bench.n}/b`, { x: "1" })], { readinessChecks });
    await waitFor(async () =>
      bench.fixture.hubClient.update({ ...itemType }, { ...(await bench.scope.get("item")), spec }),
    );
    const done = await bench.scope.waitForEnd("item");
    expect(done.metadata.uid).toBe(waiting.metadata.uid);
    expect(listInventory(done)).toEqual([`ConfigMap ${bench.n}/a`, `ConfigMap ${bench.n}/b`]);
    // It was picked up with the generation before the change.
    expect(done.status?.observedGeneration).toBe(1);
  });
});
