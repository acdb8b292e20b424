// Exports and secondary targets (deployers.md §3.7, A14, items 40-42, 56).
import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { kubeResources } from "@landscaper/api";
import { referenceOf } from "../src/items/item-scope.ts";
import { useManifestDeployer } from "../src/items/item-suite.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";

interface Entry {
  readonly key: string;
  readonly jsonPath: string;
  readonly fromResource?: object;
  readonly fromObjectRef?: object;
  readonly targetName?: string;
}

const exporting = (...exports: readonly Entry[]) => ({ exports: { exports } });

describe.each(clustersUnderTest())("exports on %s", (cluster) => {
  const suite = useManifestDeployer({ cluster });

  it("are waited for, also behind a reference (A14)", async () => {
    const scope = await suite.open("late");
    const account = {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: "robot", namespace: scope.place },
    };
    const token = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: {
        name: "robot-token",
        namespace: scope.place,
        annotations: { "kubernetes.io/service-account.name": "robot" },
      },
      type: "kubernetes.io/service-account-token",
    };
    const fromRobot = { jsonPath: ".secrets[0]", fromResource: referenceOf(account) };
    const secretName = { apiVersion: "v1", kind: "Secret", jsonPath: ".metadata.name" };
    const config = exporting(
      // The control plane fills it in.
      { key: "token", jsonPath: ".data.token", fromResource: referenceOf(token) },
      { key: "late.name", ...fromRobot, fromObjectRef: secretName },
    );
    await scope.start("item", [account, token], { config });
    await scope.waitForMessage(
      "item",
      `waiting for export of key late.name: ServiceAccount ${scope.place}/robot has no .secrets[0]`,
    );
    expect(await scope.exportsOf("item")).toBe(undefined);
    const { targetClient } = suite.environment;
    const key = { namespace: scope.place, name: "robot" };
    const body = { secrets: [{ name: "robot-token" }] };
    await targetClient.patch(kubeResources.serviceAccount, key, { type: "merge", body });
    expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    const minted = await targetClient.get(kubeResources.secret, { namespace: scope.place, name: "robot-token" });
    // Data of Secrets stays base64.
    expect(await scope.exportsOf("item")).toEqual({
      token: minted.data?.["token"],
      late: { name: "robot-token" },
    });
  });

  it.each([
    ["no field", ".data.never", "has no .data.never"],
    ["a filter without matches", ".metadata.finalizers[?(@=='x')]", "has no .metadata.finalizers"],
  ])("that never come end the job with their key: %s (A14)", async (_name, jsonPath, problem) => {
    const scope = await suite.open("never");
    const manifest = scope.configMap("a", {}, { finalizers: ["example.org/hold"] });
    const config = exporting({ key: "the.key", jsonPath, fromResource: referenceOf(manifest) });
    const failed = await scope.deploy("item", [manifest], { config, timeout: "1s" });
    expect(failed.status).toMatchObject({ phase: "Failed", lastError: { codes: ["ERR_TIMEOUT"] } });
    const message = failed.status?.lastError?.message ?? "";
    expect(message).toContain(`timeout at: "export of key the.key: ConfigMap ${scope.place}/a ${problem}`);
    expect(message).toContain("the job did not end within 1s");
    expect(failed.status?.exportRef).toBe(undefined);
  });

  it("are nested by the dots of their keys, later ones win, and one without resource is no one", async () => {
    const scope = await suite.open("nested");
    const manifest = scope.configMap("a", { one: "1", two: "2", "with.dot": "3" });
    const fromResource = referenceOf(manifest);
    const config = exporting(
      { key: "skipped", jsonPath: ".data.one" },
      { key: "a.b", jsonPath: ".data.one", fromResource },
      { key: "a.c", jsonPath: ".data['with\\.dot']", fromResource },
      { key: "all", jsonPath: ".data", fromResource },
      { key: "all.one", jsonPath: ".data.two", fromResource },
      { key: "a.b", jsonPath: ".data.two", fromResource },
    );
    await scope.deploy("item", [manifest], { config });
    expect(await scope.exportsOf("item")).toEqual({
      a: { b: "2", c: "3" },
      all: { one: "2", two: "2", "with.dot": "3" },
    });
  });

  it("stand in a Secret of the item, change with it, and go with what is exported (56)", async () => {
    const scope = await suite.open("secret");
    const manifest = (x: string) => scope.configMap("a", { x });
    const config = exporting({ key: "x", jsonPath: ".data.x", fromResource: referenceOf(manifest("")) });
    const done = await scope.deploy("item", [manifest("1")], { config });
    const name = "item-export";
    expect(done.status?.exportRef).toEqual({ name, namespace: scope.namespace });
    const hub = suite.environment.client;
    const secret = await hub.get(kubeResources.secret, { namespace: scope.namespace, name });
    expect(secret.metadata.ownerReferences).toMatchObject([{ kind: "DeployItem", uid: done.metadata.uid }]);
    await scope.redeploy("item", [manifest("2")], config);
    expect(await scope.exportsOf("item")).toEqual({ x: "2" });
    const without = await scope.redeploy("item", [manifest("2")]);
    expect(without.status?.exportRef).toBe(undefined);
    expect(await hub.find(kubeResources.secret, { namespace: scope.namespace, name })).toBe(undefined);
  });

  it("do not overwrite a Secret of somebody else", async () => {
    const scope = await suite.open("foreign");
    const hub = suite.environment.client;
    const data = { config: Buffer.from('{"theirs":1}').toString("base64") };
    const metadata = { name: "item-export", namespace: scope.namespace };
    await hub.create(kubeResources.secret, { apiVersion: "v1", kind: "Secret", metadata, data });
    const manifest = scope.configMap("a", { x: "1" });
    const config = exporting({ key: "x", jsonPath: ".data.x", fromResource: referenceOf(manifest) });
    await scope.start("item", [manifest], { config, timeout: "2s" });
    expect((await scope.waitForError("item")).message).toContain(`${scope.namespace}/item-export`);
    expect((await hub.get(kubeResources.secret, metadata)).data).toEqual(data);
  });

  describe("a secondary target", () => {
    /** A second Target of the item's namespace, by another kubeconfig to the same place. */
    async function withSecond(name: string) {
      const scope = await suite.open(name);
      await scope.createTarget({ metadata: { name: "second" } });
      return scope;
    }

    it("serves exports, checks and groups that name it (42)", async () => {
      const scope = await withSecond("secondary");
      const { targetClient } = suite.environment;
      const other: UnstructuredObject = scope.configMap("other", { ready: "yes", x: "1" });
      await targetClient.create(kubeResources.configMap, other);
      const resource = referenceOf(other);
      const targetName = "second";
      const custom = [
        {
          name: "other",
          targetName,
          resourceSelector: [resource],
          requirements: [{ jsonPath: ".data.ready", operator: "==", values: [{ value: "yes" }] }],
        },
      ];
      const selected = { apiVersion: "v1", kind: "ConfigMap", names: ["other"], namespaces: [scope.place] };
      const deletionGroups = [
        { customResourceGroup: { targetName, deleteAllResources: true, resources: [selected] } },
        { predefinedResourceGroup: { type: "namespaced-resources" } },
      ];
      const config = {
        ...exporting({ key: "x", jsonPath: ".data.x", fromResource: resource, targetName }),
        readinessChecks: { custom },
        deletionGroups,
      };
      const done = await scope.deploy("item", [scope.configMap("own", { x: "own" })], { config });
      expect([done.status?.phase, await scope.exportsOf("item")]).toEqual(["Succeeded", { x: "1" }]);
      await scope.undeploy("item");
      expect([await scope.data("other"), await scope.data("own")]).toEqual([undefined, undefined]);
    });

    it("that is not there is named, and found as soon as it is", async () => {
      const scope = await suite.open("no-second");
      const manifest = scope.configMap("a", { x: "1" });
      const entry = { key: "x", jsonPath: ".data.x", fromResource: referenceOf(manifest), targetName: "second" };
      await scope.start("item", [manifest], { config: exporting(entry) });
      expect(await scope.waitForError("item")).toMatchObject({
        reason: "NoTargetFound",
        message: `Target ${scope.namespace}/second does not exist; create the Target or correct targetName`,
      });
      await scope.createTarget({ metadata: { name: "second" } });
      expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
      expect(await scope.exportsOf("item")).toEqual({ x: "1" });
    });
  });
});
