// The contract of a deployer (seed-002, deployers.md §1.1, §3.1): jobs, timeouts, interrupts, selectors, errors (A1, A19, B25, B26).
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import type { DeployItem } from "@landscaper/api";
import { annotations, finalizer, isJobOpen, kubeResources, operations, resources } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { itemConfig, referenceOf } from "../src/items/item-scope.ts";
import { useManifestDeployer } from "../src/items/item-suite.ts";
import { recordHistory } from "../src/kits/object-history.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";

/** Never fulfilled: the job waits. */
const waiting = {
  readinessChecks: {
    custom: [
      {
        name: "never",
        resourceSelector: [{ apiVersion: "v1", kind: "ConfigMap", name: "never", namespace: "default" }],
        requirements: [{ jsonPath: ".data.x", operator: "exists" }],
      },
    ],
  },
};

describe.each(clustersUnderTest())("jobs on %s", (cluster) => {
  const suite = useManifestDeployer({
    cluster,
    configs: {
      "manifest-deployer": {
        apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha1",
        kind: "Configuration",
        identity: "e2e-instance",
        // Everything but what another instance has.
        targetSelector: [{ labels: [{ key: "environment", operator: "!=", values: ["other"] }] }],
      },
    },
  });
  const keyOf = (namespace: string) => ({ namespace, name: "item" });

  it("are picked up before the work, and end in one write (2, 3)", async () => {
    const scope = await suite.open("history");
    const history = await recordHistory(suite.environment.client, resources.deployItem, scope.namespace);
    const done = await scope.deploy("item", [scope.configMap("a")]);
    await waitFor(() => history.current.get("item")?.metadata.resourceVersion === done.metadata.resourceVersion);
    await history.stop();
    const seen = history.seen.map(({ object: { status } }) => ({ phase: status?.phase, isOpen: isJobOpen(status) }));
    expect(seen.filter(({ phase }) => phase !== undefined)).toEqual([
      { phase: "Progressing", isOpen: true },
      { phase: "Succeeded", isOpen: false },
    ]);
    expect(done.status).toMatchObject({
      observedGeneration: 1,
      deployer: { identity: "e2e-instance/manifest-deployer-0", name: "manifest.deployer.landscaper.gardener.cloud" },
      lastReconcileTime: expect.any(String),
    });
  });

  it("give an item its finalizer back", async () => {
    const scope = await suite.open("finalizer");
    await scope.deploy("item", [scope.configMap("a")]);
    const body = { metadata: { finalizers: null } };
    await suite.environment.client.patch(resources.deployItem, keyOf(scope.namespace), { type: "merge", body });
    await scope.trigger("item");
    expect((await scope.waitForEnd("item")).metadata.finalizers).toEqual([finalizer]);
  });

  it("of other types and other instances are not touched", async () => {
    const scope = await suite.open("others");
    await scope.createTarget({ metadata: { name: "theirs", labels: { environment: "other" } } });
    const config = itemConfig([scope.configMap("a")]);
    const type = "landscaper.gardener.cloud/kubernetes-manifest";
    const target = { name: "cluster", namespace: scope.namespace };
    await scope.create({ name: "type", spec: { type: "landscaper.gardener.cloud/other", target, config } });
    await scope.create({ name: "selector", spec: { type, target: { ...target, name: "theirs" }, config } });
    await scope.deploy("ours", [scope.configMap("b")]);
    for (const name of ["type", "selector"]) expect((await scope.get(name)).status?.phase).toBe(undefined);
    expect(await scope.find(kubeResources.configMap, "a")).toBe(undefined);
    for (const name of ["type", "selector"]) await scope.remove(name);
  });

  it("whose configuration does not change are acknowledged where the item wants it", async () => {
    const scope = await suite.open("unchanged");
    await scope.deploy("item", [scope.configMap("a", { x: "1" })], { updateOnChangeOnly: true });
    await scope.edit("a", { data: { x: "edited" } });
    await scope.trigger("item");
    expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    expect(await scope.data("a")).toEqual({ x: "edited" });
    await scope.redeploy("item", [scope.configMap("a", { x: "2" })]);
    expect(await scope.data("a")).toEqual({ x: "2" });
  });

  it("of test-reconcile run without the Landscaper, once, whatever updateOnChangeOnly says", async () => {
    const scope = await suite.open("test-reconcile");
    const { status } = await scope.deploy("item", [scope.configMap("a", { x: "1" })], { updateOnChangeOnly: true });
    await scope.edit("a", { data: { x: "edited" } });
    const body = { metadata: { annotations: { [annotations.operation]: operations.testReconcile } } };
    await suite.environment.client.patch(resources.deployItem, keyOf(scope.namespace), { type: "merge", body });
    const isNew = (now: DeployItem["status"]) => now?.jobID !== status?.jobID && !isJobOpen(now);
    const done = await scope.waitFor("item", isNew);
    expect(done.metadata.annotations?.[annotations.operation]).toBe(undefined);
    expect(await scope.data("a")).toEqual({ x: "1" });
    await sleep(300);
    expect((await scope.get("item")).status?.jobID).toBe(done.status?.jobID);
  });

  describe("with a timeout", () => {
    it("end with what they waited for; retries do not move the deadline (8)", async () => {
      const scope = await suite.open("timeout");
      // With a deadline that moves, the job would not end.
      const failed = await scope.deploy("item", [scope.configMap("a")], { config: waiting, timeout: "2s" });
      expect(failed.status).toMatchObject({
        phase: "Failed",
        lastError: { reason: "ProgressingTimeout", codes: ["ERR_TIMEOUT"] },
      });
      const message = failed.status?.lastError?.message ?? "";
      expect(message).toMatch(/^timeout at: ".*ConfigMap default\/never.*; the job did not end within 2s$/);
    });

    it.each(["none", "0s"])("of %s go on (7)", async (timeout) => {
      const scope = await suite.open("no-timeout");
      await scope.start("item", [scope.configMap("a")], { config: waiting, timeout });
      await sleep(1500);
      expect((await scope.get("item")).status).toMatchObject({ phase: "Progressing" });
      await scope.interrupt("item");
      await scope.undeploy("item");
    });

    it("that is none fail naming the field", async () => {
      const scope = await suite.open("wrong-timeout");
      const failed = await scope.deploy("item", [], { timeout: "soon" }).catch((error: unknown) => error);
      // The API's own policies may refuse it first.
      const text = failed instanceof Error ? failed.message : JSON.stringify(failed);
      expect(text).toContain("spec.timeout");
    });
  });

  it("that are interrupted stop, and their end is not overwritten (A19, 10)", async () => {
    const scope = await suite.open("interrupted");
    await scope.start("item", [scope.configMap("a")], { config: waiting });
    await scope.waitForMessage("item", "never");
    await scope.interrupt("item");
    await sleep(1500);
    expect((await scope.get("item")).status).toMatchObject({
      phase: "Failed",
      lastError: { reason: "InterruptOperation" },
    });
    const done = await scope.redeploy("item", [scope.configMap("a")]);
    expect([done.status?.phase, done.status?.lastError]).toEqual(["Succeeded", undefined]);
  });

  it("remember the first error and five of the last, and forget them with the next job", async () => {
    const scope = await suite.open("errors");
    await scope.start("item", [{ ...scope.configMap("a"), metadata: { name: "a", namespace: "absent-one" } }]);
    const first = await scope.waitForError("item");
    const body = {
      spec: { config: itemConfig([{ ...scope.configMap("a"), metadata: { name: "a", namespace: "absent-two" } }]) },
    };
    await suite.environment.client.patch(resources.deployItem, keyOf(scope.namespace), { type: "merge", body });
    const both = await scope.waitFor("item", ({ lastError }) => lastError?.message.includes("absent-two") === true);
    expect(both.status?.firstError).toMatchObject({ message: first.message });
    expect(both.status?.lastErrors?.map(({ message }) => message)).toEqual([
      expect.stringContaining("absent-one"),
      expect.stringContaining("absent-two"),
    ]);
    const { items: events } = await suite.environment.client.list(kubeResources.event, { namespace: scope.namespace });
    expect(events.filter(({ type }) => type === "Warning").map(({ note }) => note)).toContainEqual(
      expect.stringContaining("absent-one"),
    );
    await scope.interrupt("item");
    const done = await scope.redeploy("item", [scope.configMap("a")]);
    expect([done.status?.phase, done.status?.firstError, done.status?.lastErrors ?? []]).toEqual([
      "Succeeded",
      undefined,
      [],
    ]);
  });

  it("that fail are tried again with growing pauses (B25, 9)", async () => {
    const scope = await suite.open("backoff");
    const { targetClient } = suite.environment;
    const namespace = `${scope.place}-late`;
    const manifest = { ...scope.configMap("a"), metadata: { name: "a", namespace } };
    await scope.start("item", [manifest]);
    await scope.waitForError("item");
    await sleep(1000);
    await targetClient.create(kubeResources.namespace, {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: namespace },
    });
    expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    const log = suite.environment.service("manifest-deployer").logFile;
    const delays = readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line.includes(`${scope.namespace}/item`) && line.includes("will be tried again"))
      .map((line) => Number(/"delayMs":(\d+)/.exec(line)?.[1]));
    expect(delays.length).toBeGreaterThan(0);
    for (const [attempt, delay] of delays.entries()) {
      expect(delay).toBeGreaterThanOrEqual(500 * 2 ** attempt);
      expect(delay).toBeLessThanOrEqual(1000 * 2 ** attempt);
    }
  });

  it("whose configuration changes meanwhile bring the new one", async () => {
    const scope = await suite.open("changed");
    const requirement = { jsonPath: ".data.x", operator: "exists" };
    const resourceSelector = [referenceOf(scope.configMap("b"))];
    const readinessChecks = { custom: [{ name: "b", resourceSelector, requirements: [requirement] }] };
    await scope.start("item", [scope.configMap("a")], { config: { readinessChecks } });
    await scope.waitForMessage("item", `ConfigMap ${scope.place}/b`);
    const config = itemConfig([scope.configMap("a"), scope.configMap("b", { x: "1" })], { readinessChecks });
    const patch = { type: "merge", body: { spec: { config } } } as const;
    await suite.environment.client.patch(resources.deployItem, keyOf(scope.namespace), patch);
    const done = await scope.waitForEnd("item");
    // It was picked up with the generation before the change.
    expect([done.status?.phase, done.status?.observedGeneration]).toEqual(["Succeeded", 1]);
  });
});
