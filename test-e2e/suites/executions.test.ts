import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { DeployItem } from "@landscaper/api";
import { kubeResources, resources } from "@landscaper/api";
import { isForbidden } from "@landscaper/controller-runtime";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { deployItems, inlineInstallation, mockItem } from "../src/installations/inline-installation.ts";
import { playedType, removeFinalizer, waitFor, waitForJob, writePhase } from "@landscaper/testkit";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

/** Long enough for a test that acts as the deployer, short enough to wait for. */
const pickupSeconds = 8;

function playedItem(name: string, dependsOn: readonly string[] = []): Record<string, unknown> {
  return { name, type: playedType, config: { apiVersion: "test/v1", kind: "Nothing" }, dependsOn };
}

async function nameOf(scope: TestNamespace, item: string): Promise<string> {
  const items = await scope.deployItems("root");
  return items.get(item)?.metadata.name ?? `no item ${item}`;
}

/** Which of the items have a job of their own that is open. */
async function openItems(scope: TestNamespace): Promise<string[]> {
  const items = await scope.deployItems("root");
  const isOpen = ({ status }: DeployItem): boolean => status?.jobID !== status?.jobIDFinished;
  return [...items].filter(([, item]) => isOpen(item)).map(([name]) => name);
}

const quotaWords =
  "exceeded quota: small, requested: count/deployitems=1, used: count/deployitems=0, limited: count/deployitems=0";

/** Makes the API server refuse new items of the namespace with the message of a quota. Returns a function that ends this. */
async function exhaustQuota({ name, environment: { client } }: TestNamespace): Promise<() => Promise<void>> {
  const { validatingAdmissionPolicy: policies, validatingAdmissionPolicyBinding: bindings } = kubeResources;
  const apiVersion = "admissionregistration.k8s.io/v1";
  const rule = {
    apiGroups: ["landscaper.gardener.cloud"],
    apiVersions: ["v1alpha1"],
    operations: ["CREATE" as const],
    resources: ["deployitems"],
  };
  await client.create(policies, {
    apiVersion,
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: {
      failurePolicy: "Fail",
      matchConstraints: { resourceRules: [rule] },
      matchConditions: [{ name: "here", expression: `object.metadata.namespace == "${name}"` }],
      validations: [{ expression: "false", message: quotaWords, reason: "Forbidden" }],
    },
  });
  await client.create(bindings, {
    apiVersion,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName: name, validationActions: ["Deny"] },
  });
  const probe: DeployItem = {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "DeployItem",
    metadata: { name: "probe", namespace: name },
    spec: { type: playedType },
  };
  await waitFor(async () => {
    const answer = await client.create(resources.deployItem, probe, { dryRun: true }).catch((error: unknown) => error);
    return isForbidden(answer);
  });
  return async () => {
    await client.delete(bindings, { name });
    await client.delete(policies, { name });
  };
}

describe.each(clustersUnderTest())("executions on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    const core = {
      apiVersion: "config.landscaper.gardener.cloud/v1alpha1",
      kind: "LandscaperConfiguration",
      deployItemTimeouts: { pickup: `${pickupSeconds}s`, progressing: `${pickupSeconds}s`, grace: "1s" },
    };
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core", "mock-deployer"],
      configs: { "landscaper-core": core },
    });
  });
  afterAll(async () => environment.stop());

  describe("scenario 18: dependsOn", () => {
    const blueprint = {
      deployExecutions: deployItems(playedItem("c", ["b"]), playedItem("a"), playedItem("b", ["a"])),
    };

    it("hands out the next item when the one before has finished, and deletes in reverse order", async () => {
      const scope = await environment.namespace("depends-on");
      await scope.apply(inlineInstallation({ name: "root", blueprint }));
      await scope.until(resources.execution, "root", (found) => found?.status?.phase === "Progressing");
      for (const name of ["a", "b", "c"]) {
        const item = await nameOf(scope, name);
        await waitForJob(scope, item);
        expect(await openItems(scope)).toEqual([name]);
        await writePhase(scope, item, "Progressing");
        await writePhase(scope, item, "Succeeded");
      }
      await scope.waitForPhase("root", "Succeeded");

      await scope.delete(resources.installation, "root");
      for (const name of ["c", "b", "a"]) {
        const item = await nameOf(scope, name);
        await waitForJob(scope, item);
        expect(await openItems(scope)).toEqual([name]);
        await writePhase(scope, item, "Deleting");
        await removeFinalizer(scope, item);
        await scope.untilGone(resources.deployItem, item);
      }
      await scope.untilGone(resources.installation, "root");
    });

    it("does not start what depends on a failed item", async () => {
      const scope = await environment.namespace("dependency-fails");
      await scope.apply(inlineInstallation({ name: "root", blueprint }));
      await scope.until(resources.execution, "root", (found) => found?.status?.phase === "Progressing");
      for (const name of ["a", "b", "c"]) {
        const item = await nameOf(scope, name);
        await waitForJob(scope, item);
        await writePhase(scope, item, "Succeeded");
      }
      const { jobID } = (await scope.waitForPhase("root", "Succeeded")).status ?? {};

      await scope.trigger("root");
      const first = await nameOf(scope, "a");
      await waitForJob(scope, first);
      await writePhase(scope, first, "Failed");
      const failed = await scope.waitForPhase("root", "Failed");
      const items = await scope.deployItems("root");
      const of = (name: string) => [items.get(name)?.status?.jobID, items.get(name)?.status?.phase];
      // What was not started keeps the old job and its phase.
      expect([of("b"), of("c")]).toEqual([
        [jobID, "Succeeded"],
        [jobID, "Succeeded"],
      ]);
      expect((await scope.execution("root")).status?.phase).toBe("Failed");
      expect(failed.status?.jobIDFinished).toBe(failed.status?.jobID);
      expect(failed.status?.jobID).not.toBe(jobID);
    });

    it("fails the job of a cycle and prints the ring", async () => {
      const scope = await environment.namespace("cycle");
      const ring = {
        deployExecutions: deployItems(mockItem("a", {}, { dependsOn: ["b"] }), mockItem("b", {}, { dependsOn: ["a"] })),
      };
      await scope.apply(inlineInstallation({ name: "root", blueprint: ring }));
      const failed = await scope.waitForPhase("root", "Failed");
      expect(failed.status?.lastError?.message).toMatch(/a => b => a|b => a => b/);
      expect(await scope.list(resources.deployItem)).toEqual([]);

      const fixed = { deployExecutions: deployItems(mockItem("a"), mockItem("b", {}, { dependsOn: ["a"] })) };
      await scope.apply(inlineInstallation({ name: "root", blueprint: fixed }));
      await scope.waitForPhase("root", "Succeeded");
    });
  });

  describe("scenario 17: an item that nobody picks up (deployers A1)", () => {
    it("fails with PickupTimeout while the item beside it succeeds", async () => {
      const scope = await environment.namespace("pickup");
      const blueprint = { deployExecutions: deployItems(playedItem("unknown"), mockItem("mock")) };
      await scope.apply(inlineInstallation({ name: "root", blueprint }));
      const failed = await scope.waitForPhase("root", "Failed");
      const items = await scope.deployItems("root");
      const unknown = items.get("unknown")?.status;
      expect(unknown).toMatchObject({
        phase: "Failed",
        lastError: {
          operation: "WaitingForPickup",
          reason: "PickupTimeout",
          codes: ["ERR_TIMEOUT"],
          message:
            `no deployer has reconciled this deployitem within ${pickupSeconds} seconds; ` +
            `install a deployer for type "${playedType}", or correct the type of the item`,
        },
      });
      expect(unknown?.jobIDFinished).toBe(unknown?.jobID);
      expect(items.get("mock")?.status?.phase).toBe("Succeeded");
      expect(failed.status?.lastError?.message).toContain(
        'Execution is failed: deploy item "unknown": no deployer has reconciled this deployitem',
      );
    });

    it("is told that its Target may not be there", async () => {
      const scope = await environment.namespace("pickup-target");
      await scope.apply({
        apiVersion: "landscaper.gardener.cloud/v1alpha1",
        kind: "DeployItem",
        metadata: { name: "lost" },
        spec: { type: playedType, target: { name: "absent", namespace: scope.name } },
      });
      const item = await scope.get(resources.deployItem, "lost");
      const jobID = "11111111-2222-4333-8444-555555555555";
      const status = { observedGeneration: 0, ...item.status, jobID, jobIDGenerationTime: new Date().toISOString() };
      await environment.client.updateStatus(resources.deployItem, { ...item, status });
      const failed = await scope.until(resources.deployItem, "lost", (found) => found?.status?.jobIDFinished === jobID);
      expect(failed?.status?.lastError?.message).toBe(
        `no deployer has reconciled this deployitem within ${pickupSeconds} seconds, ` +
          "probably because the referenced Target does not exist",
      );
    });
  });

  it("a job waits for a quota of its namespace that is used up, and says so", async () => {
    const scope = await environment.namespace("quota");
    const allow = await exhaustQuota(scope);
    const blueprint = { deployExecutions: deployItems(mockItem("only")) };
    await scope.apply(inlineInstallation({ name: "root", blueprint }));
    const told = await scope.until(
      resources.execution,
      "root",
      (found) => found?.status?.lastError?.reason === "QuotaExceeded",
    );
    expect([told?.status?.phase, told?.status?.lastError?.message]).toEqual([
      "Init",
      expect.stringContaining(quotaWords),
    ]);
    await allow();
    await scope.waitForPhase("root", "Succeeded");
  });

  it("an item whose deployer does not come to an end is failed, but for timeout none (core.md §1.3 no. 68)", async () => {
    const scope = await environment.namespace("progressing");
    const timed = (name: string, timeout?: string) => ({
      ...playedItem(name),
      ...(timeout === undefined ? {} : { timeout }),
    });
    const blueprint = { deployExecutions: deployItems(timed("own", "2s"), timed("default"), timed("endless", "none")) };
    await scope.apply(inlineInstallation({ name: "root", blueprint }));
    await scope.until(resources.execution, "root", (found) => found?.status?.phase === "Progressing");
    const endless = await nameOf(scope, "endless");
    for (const item of ["own", "default", "endless"]) {
      const name = await nameOf(scope, item);
      await waitForJob(scope, name);
      await writePhase(scope, name, "Progressing");
    }
    for (const [item, seconds] of [
      ["own", 2],
      ["default", pickupSeconds],
    ] as const) {
      const name = await nameOf(scope, item);
      const failed = await scope.until(resources.deployItem, name, (found) => found?.status?.phase === "Failed");
      expect(failed?.status).toMatchObject({
        jobIDFinished: failed?.status?.jobID,
        lastError: {
          operation: "Progressing",
          reason: "ProgressingTimeout",
          codes: ["ERR_TIMEOUT"],
          message: `the deployer has not finished this deployitem within ${seconds} seconds`,
        },
      });
    }
    expect((await scope.get(resources.deployItem, endless)).status?.phase).toBe("Progressing");
    await writePhase(scope, endless, "Succeeded");
    const failed = await scope.waitForPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toContain("the deployer has not finished this deployitem");
  });
});
