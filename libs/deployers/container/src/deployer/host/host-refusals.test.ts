// Refusals of a host cluster, by quotas, pod security and missing namespaces, on embedded clusters. A test double plays the Pods.
import { describe, expect, it } from "@jest/globals";
import { kubeResources, type DeployItem } from "@landscaper/api";
import { createFakeClock, waitFor, type FakeClock } from "@landscaper/testkit";
import { specOf, useContainerBench } from "../../../test/container-bench.ts";

const bench = useContainerBench("host-refusals");
const message = 'violates PodSecurity "restricted:latest": host ports';

/** Makes the host refuse Pods of this namespace, with 403 and this message. Returns a function that ends this. */
async function refusePods(words = message): Promise<() => Promise<void>> {
  const name = `no-pods-${bench.namespace}`;
  const apiVersion = "admissionregistration.k8s.io/v1";
  const { validatingAdmissionPolicy: policies, validatingAdmissionPolicyBinding: bindings } = kubeResources;
  await bench.host.create(policies, {
    apiVersion,
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: {
      failurePolicy: "Fail",
      matchConstraints: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
      },
      matchConditions: [{ name: "here", expression: `object.metadata.namespace == "${bench.namespace}"` }],
      validations: [{ expression: "false", message: words, reason: "Forbidden" }],
    },
  });
  await bench.host.create(bindings, {
    apiVersion,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName: name, validationActions: ["Deny"] },
  });
  return async () => void (await bench.host.delete(bindings, { name }));
}

/** Advances the clock until the job of the item has failed. Returns the status of the item. */
async function advanceUntilFailed(clock: FakeClock): Promise<NonNullable<DeployItem["status"]>> {
  return await waitFor(
    async () => {
      await clock.advance(5000);
      const { status } = await bench.scope.get("item");
      return status?.phase === "Failed" && status;
    },
    { evenly: true },
  );
}

describe("a Pod that the host refuses", () => {
  it("is reported with the message of the API server, and retried until the host accepts it", async () => {
    const takeAgain = await refusePods();
    bench.start();
    await bench.scope.create({ name: "item", spec: specOf() });
    const item = await bench.scope.waitFor("item", ({ lastError }) => lastError !== undefined);
    expect([item.status?.phase, item.status?.lastError?.reason]).toEqual(["Progressing", "PodRefused"]);
    expect(item.status?.lastError?.message).toMatch(
      /^the host cluster refuses Pod item-\w{8}: POST \/api\/v1\/namespaces\/host-refusals-\d+\/pods: 403 pods "item-\w{8}" is forbidden: ValidatingAdmissionPolicy .* denied request: violates PodSecurity "restricted:latest": host ports$/,
    );
    await takeAgain();
    await bench.finish(await waitFor(async () => bench.untilPod()));
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
  });

  it("fails the job when the host keeps refusing it", async () => {
    await refusePods();
    const clock = createFakeClock(Date.now());
    bench.start({}, { clock });
    await bench.scope.create({ name: "item", spec: specOf({}, { timeout: "none" }) });
    const { lastError } = await advanceUntilFailed(clock);
    expect([lastError?.reason, lastError?.codes]).toEqual(["PodRefused", ["ERR_CONFIGURATION_PROBLEM"]]);
    expect(lastError?.message).toContain(message);
    expect(await bench.pods()).toEqual([]);
  });
});

describe("a Pod that a quota refuses", () => {
  const words = "exceeded quota: small, requested: pods=1, used: pods=3, limited: pods=3";

  it("is created as soon as the quota permits it", async () => {
    const takeAgain = await refusePods(words);
    const clock = createFakeClock(Date.now());
    bench.start({}, { clock });
    await bench.scope.create({ name: "item", spec: specOf({}, { timeout: "1h" }) });
    for (let minutes = 0; minutes < 30; minutes++) {
      await clock.advance(60_000);
      await bench.pods();
    }
    const { status } = await bench.scope.waitFor("item", ({ lastError }) => lastError !== undefined);
    expect([status?.phase, status?.lastError?.reason]).toEqual(["Progressing", "QuotaExceeded"]);
    expect(status?.lastError?.message).toContain(words);
    await takeAgain();
    const pod = await waitFor(
      async () => {
        await clock.advance(5000);
        const [found] = await bench.pods();
        return found ?? false;
      },
      { evenly: true },
    );
    expect(pod.metadata.name).toMatch(/^item-/);
  });

  it("fails the job at its timeout with the message of the quota", async () => {
    await refusePods(words);
    bench.start();
    await bench.scope.create({ name: "item", spec: specOf({}, { timeout: "2s" }) });
    const { status } = await bench.scope.waitForEnd("item");
    expect(status?.lastError?.message).toContain(words);
  });

  it("fails the job with a hint on the settings when the quota requires other resources", async () => {
    await refusePods("failed quota: cpu: must specify limits.cpu for: main");
    const clock = createFakeClock(Date.now());
    bench.start({}, { clock });
    await bench.scope.create({ name: "item", spec: specOf({}, { timeout: "none" }) });
    const { lastError } = await advanceUntilFailed(clock);
    expect(lastError?.reason).toBe("PodRefused");
    expect(lastError?.message).toMatch(
      /must specify limits\.cpu for: main; set `resources` of the item; the operator can set `pod\.resources`/,
    );
  });
});

describe("a host without the namespace of the programs", () => {
  it("is reported with its name and its setting, and the program runs once the namespace exists", async () => {
    const namespace = `${bench.namespace}-programs`;
    bench.start({ namespace });
    await bench.scope.create({ name: "item", spec: specOf() });
    const item = await bench.scope.waitFor("item", ({ lastError }) => lastError !== undefined);
    expect(item.status?.lastError).toMatchObject({
      reason: "PodRefused",
      message: `the host cluster has no namespace "${namespace}", in which the deployer runs programs: Secret ${bench.namespace}-item-target cannot be created; create the namespace, or ask the operator to correct \`namespace\` in the configuration of the deployer`,
    });
    const metadata = { name: namespace };
    await bench.host.create(kubeResources.namespace, { apiVersion: "v1", kind: "Namespace", metadata });
    const pods = await waitFor(async () => {
      const { items } = await bench.host.list(kubeResources.pod, { namespace });
      return items.length > 0 && items;
    });
    expect(pods).toHaveLength(1);
  });
});
