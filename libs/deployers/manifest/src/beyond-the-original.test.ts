// What the original does not have (deployers.md §6): server-side apply, kstatus, fail-fast, adoption, plan, drift.
import { describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, resources, type DeployItem, type UnstructuredObject } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { listInventory } from "@landscaper/deployer/testing";
import { createTargetCluster } from "@landscaper/resources";
import { checkManifestDrift, planManifests, type Inspection } from "./index.ts";
import { parseManifestConfig } from "./parse-manifest-config.ts";
import { useManifestBench } from "../test/manifest-bench.ts";
import { configMap, specOf } from "../test/manifests.ts";

const bench = useManifestBench("beyond");

async function redeploy(name: string, ...[manifests, config]: Parameters<typeof specOf>): Promise<DeployItem> {
  const spec = specOf(manifests, config);
  await bench.scope.trigger(name, spec.config === undefined ? {} : { config: spec.config });
  return await bench.scope.waitForEnd(name);
}

describe("strategy apply (B1, B2)", () => {
  const apply = { updateStrategy: "apply" };

  it("leaves fields of others alone, and prunes its own", async () => {
    expect((await bench.deploy("item", [configMap(`${bench.n}/a`, { x: "1", y: "1" })], apply)).status?.phase).toBe(
      "Succeeded",
    );
    await bench.edit("a", { data: { z: "theirs" } });
    const done = await redeploy("item", [configMap(`${bench.n}/a`, { x: "2" })], apply);
    expect(done.status?.phase).toBe("Succeeded");
    expect((await bench.find("a"))?.data).toEqual({ x: "2", z: "theirs" });
    expect(done.status?.providerStatus).toMatchObject({
      managedResources: [{ fieldManager: `landscaper/${bench.n}/item` }],
    });
  });

  it("ends a job at a conflict, which names manager and field, and goes on with force", async () => {
    await bench.deploy("item", [configMap(`${bench.n}/a`, { x: "1" })], apply);
    await bench.edit("a", { data: { x: "theirs" } });
    const failed = await redeploy("item", [configMap(`${bench.n}/a`, { x: "2" })], apply);
    expect(failed.status).toMatchObject({
      phase: "Failed",
      lastError: {
        reason: "FieldConflict",
        message: expect.stringContaining(`apply ConfigMap ${bench.n}/a: kubectl-edit manages .data.x; `),
      },
    });
    expect(listInventory(failed)).toEqual([`ConfigMap ${bench.n}/a`]);
    const force = { ...apply, serverSideApply: { force: true } };
    expect((await redeploy("item", [configMap(`${bench.n}/a`, { x: "2" })], force)).status?.phase).toBe("Succeeded");
    expect((await bench.find("a"))?.data).toEqual({ x: "2" });
  });

  it.each(["update", "patch", "merge", "mergeOverwrite"])(
    "comes after %s without leftovers",
    async (updateStrategy) => {
      await bench.deploy("item", [configMap(`${bench.n}/a`, { x: "1", y: "1" })], { updateStrategy });
      await redeploy("item", [configMap(`${bench.n}/a`, { x: "1", y: "2" })], { updateStrategy });
      expect((await redeploy("item", [configMap(`${bench.n}/a`, { x: "1" })], apply)).status?.phase).toBe("Succeeded");
      expect((await bench.find("a"))?.data).toEqual({ x: "1" });
    },
  );

  it("takes over what the tool before it wrote, when it is named", async () => {
    await bench.fixture.targetClient.create(kubeResources.configMap, configMap(`${bench.n}/a`, { x: "0", y: "1" }), {
      fieldManager: "former-tool",
    });
    const config = { ...apply, serverSideApply: { takeOver: ["former-tool"] } };
    expect((await bench.deploy("item", [configMap(`${bench.n}/a`, { x: "1" })], config)).status?.phase).toBe(
      "Succeeded",
    );
    expect((await bench.find("a"))?.data).toEqual({ x: "1" });
  });

  it("works with patches after the deployment, job for job", async () => {
    const entry = {
      manifest: configMap(`${bench.n}/a`, { x: "1" }),
      patchAfterDeployment: { data: { x: "patched", y: "1" } },
    };
    expect((await bench.deploy("item", [entry], apply)).status?.phase).toBe("Succeeded");
    expect((await redeploy("item", [entry], apply)).status?.phase).toBe("Succeeded");
    expect((await bench.find("a"))?.data).toEqual({ x: "patched", y: "1" });
  });

  it("removes its objects", async () => {
    await bench.deploy("item", [configMap(`${bench.n}/a`)], apply);
    await bench.scope.remove("item");
    await bench.scope.waitUntilGone("item");
    expect(await bench.find("a")).toBe(undefined);
  });
});

describe("an object of another item (B12, B13)", () => {
  it("is taken over once that item has given it up", async () => {
    await bench.deploy("first", [configMap(`${bench.n}/a`, { by: "first" })]);
    await bench.scope.create({ name: "second", spec: specOf([configMap(`${bench.n}/a`, { by: "second" })]) });
    const waiting = await bench.scope.waitFor("second", ({ lastError }) => lastError !== undefined);
    expect(waiting.status).toMatchObject({ phase: "Progressing", lastError: { reason: "TargetOwnedByOther" } });
    await redeploy("first", [configMap(`${bench.n}/other`)]);
    expect((await bench.scope.waitForEnd("second")).status?.phase).toBe("Succeeded");
    expect((await bench.find("a"))?.data).toEqual({ by: "second" });
  });

  it("survives that item when it was adopted", async () => {
    await bench.deploy("first", [configMap(`${bench.n}/a`, { by: "first" })]);
    const entry = { manifest: configMap(`${bench.n}/a`, { by: "second" }), adopt: true };
    expect((await bench.deploy("second", [entry])).status?.phase).toBe("Succeeded");
    await bench.scope.remove("first");
    await bench.scope.waitUntilGone("first");
    expect((await bench.find("a"))?.data).toEqual({ by: "second" });
  });
});

describe("an item whose configuration cannot be read any more", () => {
  async function ruin(): Promise<void> {
    const item = await bench.scope.get("item");
    const spec = {
      ...item.spec,
      config: { apiVersion: "manifest.deployer.landscaper.gardener.cloud/v7", kind: "None" },
    };
    await bench.fixture.hubClient.update(resources.deployItem, { ...item, spec });
  }

  it("is deleted by its inventory", async () => {
    await bench.deploy("item", [configMap(`${bench.n}/a`)]);
    await ruin();
    await bench.scope.remove("item");
    await bench.scope.waitUntilGone("item");
    expect(await bench.find("a")).toBe(undefined);
  });

  it("leaves what its deletion groups did not select", async () => {
    const deletionGroups = [
      { customResourceGroup: { resources: [{ apiVersion: "v1", kind: "ConfigMap", names: ["a"] }] } },
    ];
    await bench.deploy("item", [configMap(`${bench.n}/a`), configMap(`${bench.n}/b`)], { deletionGroups });
    await ruin();
    await bench.scope.remove("item");
    await bench.scope.waitUntilGone("item");
    expect([await bench.find("a"), (await bench.find("b"))?.metadata.name]).toEqual([undefined, "b"]);
  });
});

describe("readiness of every kind (B7, B9)", () => {
  const kstatus = { readinessChecks: { level: "kstatus" } };

  function job(name: string): UnstructuredObject {
    const containers = [{ name: "main", image: "registry.example.test/main:1" }];
    const template = { spec: { restartPolicy: "Never", containers } };
    return { apiVersion: "batch/v1", kind: "Job", metadata: { name, namespace: bench.n }, spec: { template } };
  }

  /** As soon as the Job is there. */
  async function setStatus(name: string, status: object): Promise<void> {
    const patch = { type: "merge", body: { status }, subresource: "status" } as const;
    const jobs = { group: "batch", version: "v1", kind: "Job", plural: "jobs", namespaced: true };
    await waitFor(async () => await bench.fixture.targetClient.patch(jobs, { namespace: bench.n, name }, patch));
  }

  it("waits for a Job to complete", async () => {
    await bench.scope.create({ name: "item", spec: specOf([job("migrate")], kstatus) });
    const waiting = await bench.scope.waitFor("item", ({ phase }) => phase === "Progressing");
    expect(waiting.status?.jobIDFinished).toBe(undefined);
    const time = "2026-01-01T00:00:00Z";
    const conditions = ["SuccessCriteriaMet", "Complete"].map((type) => ({
      type,
      status: "True",
      lastTransitionTime: time,
    }));
    await setStatus("migrate", { startTime: time, completionTime: time, succeeded: 1, conditions });
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
  });

  it("ends at once when a Job has failed", async () => {
    await bench.scope.create({ name: "item", spec: { ...specOf([job("migrate")], kstatus), timeout: "10m" } });
    await bench.scope.waitFor("item", ({ phase }) => phase === "Progressing");
    const time = "2026-01-01T00:00:00Z";
    const conditions = ["FailureTarget", "Failed"].map((type) => ({
      type,
      status: "True",
      reason: "BackoffLimitExceeded",
      lastTransitionTime: time,
    }));
    await setStatus("migrate", { startTime: time, failed: 1, conditions });
    expect((await bench.scope.waitForEnd("item")).status).toMatchObject({
      phase: "Failed",
      lastError: { reason: "ResourceFailed", message: `Job ${bench.n}/migrate: has failed (BackoffLimitExceeded)` },
    });
  });

  it.each([
    [403, "TargetForbidden"],
    [500, "TargetUnavailable"],
  ])("tells an answer %i from not ready", async (status, reason) => {
    bench.fixture.target.setFault(({ verb, resource }) =>
      verb === "get" && resource === "configmaps" ? { status } : undefined,
    );
    const check = {
      name: "check",
      resourceSelector: [{ apiVersion: "v1", kind: "ConfigMap", namespace: bench.n, name: "other" }],
      requirements: [{ jsonPath: ".data.x", operator: "exists" }],
    };
    const spec = specOf([configMap(`${bench.n}/a`)], { readinessChecks: { custom: [check] } });
    await bench.scope.create({ name: "item", spec });
    const waiting = await bench.scope.waitFor("item", ({ lastError }) => lastError !== undefined);
    expect(waiting.status?.lastError?.reason).toBe(reason);
    bench.fixture.target.setFault(undefined);
  });
});

describe("a look at the target (B3, B4, B5)", () => {
  async function inspect(item: DeployItem): Promise<Inspection> {
    return {
      item,
      config: parseManifestConfig(item.spec.config, "spec.config"),
      providerStatus: item.status?.providerStatus,
      cluster: createTargetCluster(bench.fixture.targetClient),
      signal: new AbortController().signal,
    };
  }

  it("foresees what a job will do", async () => {
    const item = await bench.deploy("item", [configMap(`${bench.n}/a`, { x: "1" }), configMap(`${bench.n}/b`)]);
    const metadata = { ...item.metadata, annotations: { [annotations.sensitiveConfig]: "[]" } };
    const next = { ...item, metadata, spec: specOf([configMap(`${bench.n}/a`, { x: "2" })]) };
    expect(await planManifests(await inspect(next))).toMatchObject({
      summary: "1 to update, 1 to delete",
      text: `update ConfigMap ${bench.n}/a\n  ~ .data.x: "1" -> "2"\ndelete ConfigMap ${bench.n}/b\n1 to update, 1 to delete\n`,
    });
    expect((await bench.find("a"))?.data).toEqual({ x: "1" });
  });

  it.each([
    ["off", [], "everything is as it was deployed", false, { x: "edited" }],
    ["warn", ["a"], "ConfigMap NAMESPACE/a: .data.x", false, { x: "edited" }],
    ["correct", ["a"], "ConfigMap NAMESPACE/a: .data.x", true, { x: "1" }],
  ])("finds drift with mode %s", async (...[driftDetection, names, message, isCorrected, data]) => {
    const item = await bench.deploy("item", [configMap(`${bench.n}/a`, { x: "1" })], { driftDetection });
    await bench.edit("a", { data: { x: "edited" } });
    const drift = await checkManifestDrift(await inspect(item));
    expect(drift.drifts.map(({ resource }) => resource.name)).toEqual(names);
    expect([drift.message.replace(bench.n, "NAMESPACE"), drift.isCorrected]).toEqual([message, isCorrected]);
    expect((await bench.find("a"))?.data).toEqual(data);
  });

  it("leaves the fields that others may change", async () => {
    const driftIgnore = [{ kind: "ConfigMap", jsonPointers: ["/data/x"] }];
    const item = await bench.deploy("item", [configMap(`${bench.n}/a`, { x: "1" })], {
      driftDetection: "correct",
      driftIgnore,
    });
    await bench.edit("a", { data: { x: "edited" } });
    expect(await checkManifestDrift(await inspect(item))).toMatchObject({ drifts: [], isCorrected: false });
    expect((await bench.find("a"))?.data).toEqual({ x: "edited" });
  });
});
