// Targets and exports of jobs by the contract of seed-002 on embedded clusters.
import { beforeEach, describe, expect, it } from "@jest/globals";
import { waitFor } from "@landscaper/testkit";
import { kubeResources, resources, type KubeObject, type ObjectKey } from "@landscaper/api";
import { holdTargetNews } from "../../../test/hold-target-news.ts";
import { spec, useContractBench } from "../../../test/contract-bench.ts";

const bench = useContractBench("contract-targets");

describe("targets", () => {
  const onTarget = { ...spec, target: { name: "cluster" } };

  it("are opened when the deployer asks", async () => {
    bench.script.reconcile = async ({ target, report }) => {
      const { client } = await target.cluster();
      const { items } = await client.list(kubeResources.namespace);
      report({ namespaces: items.map(({ metadata }) => metadata.name) });
      return { type: "succeeded" };
    };
    await bench.scope.createTarget();
    await bench.scope.create({ name: "item", spec: onTarget });
    const { status } = await bench.scope.waitForEnd("item");
    expect(status?.providerStatus?.["namespaces"]).toContain(bench.scope.namespace);
  });

  it("that do not exist fail the job, and a deletion, by their name", async () => {
    await bench.scope.createTarget();
    await bench.scope.create({ name: "item", spec: onTarget });
    await bench.scope.waitForEnd("item");
    await bench.fixture.hubClient.delete(resources.target, { namespace: bench.scope.namespace, name: "cluster" });
    await bench.scope.trigger("item");
    const failed = await bench.scope.waitForEnd("item");
    expect(failed.status).toMatchObject({
      phase: "Failed",
      lastError: {
        reason: "NoTargetFound",
        message: `Target ${bench.scope.namespace}/cluster does not exist; create the Target or correct spec.target.name`,
      },
    });
    await bench.scope.remove("item");
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("DeleteFailed");
    await bench.scope.createTarget();
    await bench.scope.trigger("item");
    await bench.scope.waitUntilGone("item");
  });

  describe("while no news of them come", () => {
    beforeEach(async () => {
      bench.script.reconcile = async ({ target, report }) => {
        report({ content: await target.content() });
        return { type: "succeeded" };
      };
      await bench.scope.createTarget({ spec: { type: "example.org/cloud", config: { account: "a" } } });
      await bench.scope.create({ name: "item", spec: onTarget });
      await bench.scope.waitForEnd("item");
      holdTargetNews(bench.fixture.hub);
    });

    const key = (): ObjectKey => ({ namespace: bench.scope.namespace, name: "cluster" });

    it("a new job uses them as they are", async () => {
      const body = { spec: { config: { account: "b" } } };
      await bench.fixture.hubClient.patch(resources.target, key(), { type: "merge", body });
      await bench.scope.trigger("item");
      expect((await bench.scope.waitForEnd("item")).status?.providerStatus).toEqual({ content: { account: "b" } });
    });

    it("a deletion fails when they have gone", async () => {
      await bench.fixture.hubClient.delete(resources.target, key());
      await bench.scope.remove("item");
      expect((await bench.scope.waitForEnd("item")).status).toMatchObject({
        phase: "DeleteFailed",
        lastError: { reason: "NoTargetFound" },
      });
      expect(bench.calls).toEqual(["reconcile item"]);
    });
  });

  it.each(["other/cluster", "../../other/targets/cluster", ".."])(
    "with a name that none can have, %s, do not exist",
    async (name) => {
      await bench.scope.create({ name: "item", spec: { ...spec, target: { name } } });
      expect((await bench.scope.waitForEnd("item")).status?.lastError?.message).toBe(
        `Target ${bench.scope.namespace}/${name} does not exist; create the Target or correct spec.target.name`,
      );
      expect(bench.calls).toEqual([]);
    },
  );

  it("that never existed keep no item", async () => {
    await bench.scope.create({ name: "item", spec: onTarget });
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Failed");
    await bench.scope.remove("item");
    await bench.scope.waitUntilGone("item");
    expect(bench.calls).toEqual([]);
  });

  it("of other instances are left to them, also once they appear", async () => {
    await bench.running.stop();
    const targetSelectors = [{ labels: [{ key: "environment", operator: "==", values: ["blue"] }] }];
    bench.restart({ targetSelectors });
    await bench.scope.create({ name: "green", spec: { ...spec, target: { name: "green" } } });
    await bench.scope.create({ name: "blue", spec: { ...spec, target: { name: "blue" } } });
    await bench.scope.createTarget({ metadata: { name: "green", labels: { environment: "green" } } });
    await bench.scope.createTarget({ metadata: { name: "blue", labels: { environment: "blue" } } });
    expect((await bench.scope.waitForEnd("blue")).status?.phase).toBe("Succeeded");
    expect(bench.calls).toEqual(["reconcile blue"]);
    expect((await bench.scope.get("green")).status?.phase).toBe(undefined);
  });

  it("whose access data are wrong are named in lastError while the job goes on", async () => {
    bench.script.reconcile = async ({ target }) => {
      await target.cluster();
      return { type: "succeeded" };
    };
    await bench.scope.createTarget({
      spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", secretRef: { name: "access", key: "kubeconfig" } },
    });
    await bench.scope.create({ name: "item", spec: onTarget });
    const waiting = await bench.scope.waitFor("item", ({ lastError }) => lastError !== undefined);
    expect(waiting.status).toMatchObject({
      phase: "Progressing",
      lastError: {
        reason: "TargetSecretMissing",
        message: `Target ${bench.scope.namespace}/cluster: its Secret ${bench.scope.namespace}/access does not exist; create the Secret, or correct spec.secretRef of the Target`,
      },
    });
    const kubeconfig = Buffer.from(bench.fixture.target.kubeconfig).toString("base64");
    const metadata = { name: "access", namespace: bench.scope.namespace };
    await bench.fixture.hubClient.create(kubeResources.secret, {
      apiVersion: "v1",
      kind: "Secret",
      metadata,
      data: { kubeconfig },
    });
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
  });

  /** A deployer that opens the target, and hardly waits for its Secret. */
  async function restartImpatient(): Promise<void> {
    await bench.running.stop();
    bench.restart({ targetWaitMs: 1 });
    bench.script.reconcile = async ({ target }) => {
      await target.cluster();
      return { type: "succeeded" };
    };
    bench.script.delete = async ({ target }) => {
      await target.cluster();
      return "done";
    };
  }

  it.each([
    ["that does not exist", undefined, "does not exist"],
    ["without the key", { other: "" }, 'has no key "kubeconfig"'],
  ])("with a Secret %s fail the job after targetWait, and the item can be deleted", async (_name, data, problem) => {
    await restartImpatient();
    const { namespace } = bench.scope;
    if (data !== undefined) {
      const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "access", namespace }, data };
      await bench.fixture.hubClient.create(kubeResources.secret, secret);
    }
    await bench.scope.createTarget({
      spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", secretRef: { name: "access", key: "kubeconfig" } },
    });
    await bench.scope.create({ name: "item", spec: onTarget });
    const { status } = await bench.scope.waitForEnd("item");
    expect([status?.phase, status?.lastError?.reason]).toEqual(["Failed", "TargetSecretMissing"]);
    expect(status?.lastError?.codes).toEqual(["ERR_CONFIGURATION_PROBLEM"]);
    expect(status?.lastError?.message).toContain(problem);
    await bench.scope.remove("item");
    await bench.scope.waitUntilGone("item");
  });

  it("whose Secret is gone fail the deletion of an item that was deployed", async () => {
    await restartImpatient();
    await bench.scope.createTarget();
    await bench.scope.create({ name: "item", spec: onTarget });
    await bench.scope.waitForEnd("item");
    const body = { spec: { config: null, secretRef: { name: "access", key: "kubeconfig" } } };
    const key = { namespace: bench.scope.namespace, name: "cluster" };
    await bench.fixture.hubClient.patch(resources.target, key, { type: "merge", body });
    await bench.scope.trigger("item");
    expect((await bench.scope.waitForEnd("item")).status?.lastError?.reason).toBe("TargetSecretMissing");
    await bench.scope.remove("item");
    const { status } = await bench.scope.waitForEnd("item");
    expect([status?.phase, status?.lastError?.reason]).toEqual(["DeleteFailed", "TargetSecretMissing"]);
    await bench.fixture.hubClient.delete(resources.target, key);
    await bench.scope.createTarget();
    await bench.scope.trigger("item");
    await bench.scope.waitUntilGone("item");
  });

  it("with a kubeconfig that names files fail the job", async () => {
    bench.script.reconcile = async ({ target }) => {
      await target.cluster();
      return { type: "succeeded" };
    };
    const kubeconfig = bench.fixture.target.kubeconfig.replace(
      /certificate-authority-data: .*/,
      "certificate-authority: /etc/ca",
    );
    await bench.scope.createTarget({
      spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", config: { kubeconfig } },
    });
    await bench.scope.create({ name: "item", spec: onTarget });
    const { status } = await bench.scope.waitForEnd("item");
    expect(status?.phase).toBe("Failed");
    expect(status?.lastError?.message).toMatch(
      /^Target .*: kubeconfig: clusters\[.*\]\.cluster\.certificate-authority is not allowed/,
    );
  });

  it("of an item that has none are named", async () => {
    bench.script.reconcile = async ({ target }) => {
      await target.cluster();
      return { type: "succeeded" };
    };
    await bench.scope.create({ name: "item", spec });
    expect((await bench.scope.waitForEnd("item")).status?.lastError).toMatchObject({
      reason: "NoTarget",
      message: "spec.target is missing: items of this type need a target",
    });
  });

  it("may be others of the same namespace, and no clusters", async () => {
    bench.script.reconcile = async ({ target, report }) => {
      const second = await target.clusterOf("second");
      expect(await target.clusterOf("second")).toBe(second);
      report({ content: await target.content() });
      return { type: "succeeded" };
    };
    await bench.scope.createTarget({ spec: { type: "example.org/cloud", config: { account: "a" } } });
    await bench.scope.createTarget({ metadata: { name: "second" } });
    await bench.scope.create({ name: "item", spec: onTarget });
    expect((await bench.scope.waitForEnd("item")).status?.providerStatus).toEqual({ content: { account: "a" } });
  });
});

describe("exports", () => {
  async function exported(): Promise<unknown> {
    const key = { namespace: bench.scope.namespace, name: "item-export" };
    const secret = await bench.fixture.hubClient.find(kubeResources.secret, key);
    const config = secret?.data?.["config"];
    return config === undefined ? undefined : JSON.parse(Buffer.from(config, "base64").toString());
  }
  const exportRef = (): object => ({ name: "item-export", namespace: bench.scope.namespace });

  it("stand in a Secret that the item owns, are updated and removed", async () => {
    bench.script.reconcile = () => Promise.resolve({ type: "succeeded", exports: { a: { b: 1 } } });
    await bench.scope.create({ name: "item", spec });
    const item = await bench.scope.waitForEnd("item");
    expect(item.status?.exportRef).toEqual(exportRef());
    expect(await exported()).toEqual({ a: { b: 1 } });
    const secret = await bench.fixture.hubClient.get(kubeResources.secret, {
      namespace: bench.scope.namespace,
      name: "item-export",
    });
    expect(secret.metadata.ownerReferences).toEqual([
      { apiVersion: item.apiVersion, kind: "DeployItem", name: "item", uid: item.metadata.uid },
    ]);
    bench.script.reconcile = () => Promise.resolve({ type: "succeeded", exports: { a: 2 } });
    await bench.scope.trigger("item");
    await bench.scope.waitForEnd("item");
    expect(await exported()).toEqual({ a: 2 });
    bench.script.reconcile = () => Promise.resolve({ type: "succeeded" });
    await bench.scope.trigger("item");
    expect((await bench.scope.waitForEnd("item")).status?.exportRef).toBe(undefined);
    expect(await exported()).toBe(undefined);
  });

  it("are written beside what the deployer settles; the job ends after both, and is tried again when that fails", async () => {
    let tries = 0;
    let jobWhileSettling: string | undefined;
    const settle = async (): Promise<void> => {
      await waitFor(async () => (await exported()) !== undefined);
      tries += 1;
      if (tries === 1) throw new Error("not yet");
      jobWhileSettling = (await bench.scope.get("item")).status?.jobIDFinished;
    };
    bench.script.reconcile = () => Promise.resolve({ type: "succeeded", exports: { a: 1 }, settle });
    await bench.scope.create({ name: "item", spec });
    const item = await bench.scope.waitForEnd("item");
    expect([tries, jobWhileSettling, item.status?.phase]).toEqual([2, undefined, "Succeeded"]);
  });

  it("do not overwrite a Secret of somebody else", async () => {
    const metadata = { name: "item-export", namespace: bench.scope.namespace };
    const foreign = { apiVersion: "v1", kind: "Secret", metadata, data: { theirs: "eA==" } };
    await bench.fixture.hubClient.create(kubeResources.secret, foreign);
    bench.script.reconcile = () => Promise.resolve({ type: "succeeded", exports: { a: 1 } });
    await bench.scope.create({ name: "item", spec });
    const failing = await bench.scope.waitFor("item", ({ lastError }) => lastError !== undefined);
    expect(failing.status?.lastError).toMatchObject({
      reason: "ExportSecretForeign",
      message:
        `Secret ${bench.scope.namespace}/item-export exists, but does not belong to the deploy item; ` +
        "exports are written to a Secret of that name: rename or remove it",
    });
    await bench.fixture.hubClient.delete(kubeResources.secret, metadata);
    await bench.scope.waitForEnd("item");
    expect(await exported()).toEqual({ a: 1 });
  });

  it.each<readonly [string, (items: readonly KubeObject[]) => KubeObject | undefined]>([
    ["nothing", () => undefined],
    ["another item", ([other]) => other],
    ["an object of another kind with the name of the item", ([, named]) => named],
  ])("that end leave a Secret of %s, whatever the status of the item names", async (_, ownerOf) => {
    const { namespace } = bench.scope;
    const { hubClient } = bench.fixture;
    const other = await bench.scope.create({ name: "other", spec });
    const map: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "item", namespace } };
    const owner = ownerOf([other, await hubClient.create(kubeResources.configMap, map)]);
    const metadata = { name: "theirs", namespace };
    const { apiVersion = "", kind = "", metadata: { name = "", uid = "" } = {} } = owner ?? {};
    const ownerReferences = owner === undefined ? [] : [{ apiVersion, kind, name, uid }];
    const foreign = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { ...metadata, ownerReferences },
      data: { theirs: "eA==" },
    };
    await hubClient.create(kubeResources.secret, foreign);
    await bench.scope.create({ name: "item", spec });
    const item = await bench.scope.waitForEnd("item");
    const status = { ...item.status, exportRef: metadata };
    await hubClient.updateStatus(resources.deployItem, { ...item, status });
    await bench.scope.trigger("item");
    expect((await bench.scope.waitForEnd("item")).status?.exportRef).toBe(undefined);
    expect((await hubClient.get(kubeResources.secret, metadata)).data).toEqual(foreign.data);
  });
});
