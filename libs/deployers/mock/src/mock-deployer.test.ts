import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources, resources, type DeployItemSpec } from "@landscaper/api";
import { createDeployerFixture, type DeployerFixture, type DeployerScope } from "@landscaper/deployer/testing";
import { createMockDeployer, mockDeployItemType } from "./index.ts";

let fixture: DeployerFixture;
let scope: DeployerScope;
let scopes = 0;

beforeAll(async () => {
  fixture = await createDeployerFixture();
  fixture.start({ deployer: createMockDeployer("v0.0.0-test") });
});
afterAll(() => fixture.stop());

beforeEach(async () => {
  scope = await fixture.scope(`mock-${++scopes}`);
});

afterEach(() => fixture.hub.setFault(undefined));

/** Writes of the deployer to the status of items, from now on. */
function countStatusWrites(): () => number {
  let writes = 0;
  fixture.hub.setFault(({ verb, subresource, userAgent }) => {
    if (verb === "update" && subresource === "status" && userAgent.startsWith("mock")) writes++;
    return undefined;
  });
  return () => writes;
}

function specOf(config: Readonly<Record<string, unknown>> = {}, timeout = "1s"): DeployItemSpec {
  const apiVersion = "mock.deployer.landscaper.gardener.cloud/v1alpha1";
  return { type: mockDeployItemType, timeout, config: { apiVersion, kind: "ProviderConfiguration", ...config } };
}

describe("a mock item", () => {
  it("succeeds when its configuration says nothing, and goes when it is deleted", async () => {
    await scope.create({ name: "item", spec: specOf() });
    const { status } = await scope.waitForEnd("item");
    expect([status?.phase, status?.exportRef, status?.providerStatus]).toEqual(["Succeeded", undefined, undefined]);
    await scope.remove("item");
    await scope.waitUntilGone("item");
  });

  it("exports and reports what its configuration says", async () => {
    const spec = specOf({ export: { a: { b: 1 } }, providerStatus: { kind: "Anything", x: [1] } });
    await scope.create({ name: "item", spec });
    const { status } = await scope.waitForEnd("item");
    expect(status?.providerStatus).toEqual({ kind: "Anything", x: [1] });
    const secret = await fixture.hubClient.get(kubeResources.secret, {
      namespace: scope.namespace,
      name: "item-export",
    });
    expect(Buffer.from(secret.data?.["config"] ?? "", "base64").toString()).toBe('{"a":{"b":1}}');
  });

  it("exports nothing for export: null, and removes an earlier export", async () => {
    await scope.create({ name: "item", spec: specOf({ export: { a: 1 } }) });
    expect((await scope.waitForEnd("item")).status?.exportRef).toEqual({
      namespace: scope.namespace,
      name: "item-export",
    });
    await scope.trigger("item", specOf({ export: null }));
    const { status } = await scope.waitForEnd("item");
    expect([status?.phase, status?.exportRef]).toEqual(["Succeeded", undefined]);
    const key = { namespace: scope.namespace, name: "item-export" };
    expect(await fixture.hubClient.find(kubeResources.secret, key)).toBeUndefined();
  });

  it("fails when its configuration says so", async () => {
    await scope.create({ name: "item", spec: specOf({ phase: "Failed" }) });
    expect((await scope.waitForEnd("item")).status).toMatchObject({
      phase: "Failed",
      lastError: { reason: "PhaseRequested", message: "spec.config asks for phase Failed" },
    });
  });

  it("stays in another phase until its time is up", async () => {
    await scope.create({ name: "item", spec: specOf({ phase: "Progressing" }) });
    expect((await scope.waitForEnd("item")).status?.lastError?.message).toBe(
      'timeout at: "the configured phase Progressing to change"; the job did not end within 1s',
    );
  });

  it("leaves the phase of the beginning by itself", async () => {
    const writes = countStatusWrites();
    await scope.create({ name: "item", spec: specOf({ initialPhase: "Progressing" }, "10s") });
    expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    // Pickup, the wait, finish.
    expect(writes()).toBe(3);
  });

  it("fails at the beginning of its job only if it says so", async () => {
    await scope.create({ name: "item", spec: specOf({ initialPhase: "Failed" }) });
    expect((await scope.waitForEnd("item")).status?.phase).toBe("Failed");
  });

  it("takes its time", async () => {
    const writes = countStatusWrites();
    const startedAt = performance.now();
    await scope.create({ name: "item", spec: specOf({ delay: "300ms" }, "10s") });
    expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(300);
    expect(writes()).toBe(3);
  });

  it.each([
    [{ phase: 7 }, "not a valid ProviderConfiguration: phase: expected a string, found a number"],
    [{ delay: "soon" }, "delay: expected a duration such as 5m30s, or none, found another text"],
  ])("with the configuration %j fails naming the field", async (config, problem) => {
    await scope.create({ name: "item", spec: specOf(config) });
    expect((await scope.waitForEnd("item")).status?.lastError?.message).toBe(`spec.config: ${problem}`);
  });
});

describe("the plan of a mock item", () => {
  /** What the plan says. */
  async function plan(config: Readonly<Record<string, unknown>>): Promise<string> {
    const key = { namespace: scope.namespace, name: "item" };
    const operation = "landscaper.gardener.cloud/operation";
    const item = await scope.get("item");
    const annotations = { ...item.metadata.annotations, [operation]: "plan" };
    const metadata = { ...item.metadata, annotations };
    await fixture.hubClient.update(resources.deployItem, { ...item, metadata, spec: specOf(config) });
    const planned = ({ conditions }: NonNullable<typeof item.status>) =>
      conditions?.find(({ type, observedGeneration }) => type === "Planned" && observedGeneration !== undefined);
    await scope.waitFor("item", (status) => planned(status)?.status === "True");
    const secret = await fixture.hubClient.get(kubeResources.secret, { ...key, name: "item-plan" });
    return Buffer.from(secret.data?.["plan.txt"] ?? "", "base64").toString();
  }

  it.each<readonly [string, object, object, string]>([
    ["nothing", {}, {}, "nothing to do\n"],
    ["nothing new", { providerStatus: { a: 1 }, export: { b: 1 } }, { providerStatus: { a: 1 } }, "delete exports\n"],
    [
      "all new",
      {},
      { providerStatus: { a: 1 }, export: { b: 1, c: 2 } },
      "create providerStatus a\ncreate exports b, c\n",
    ],
    [
      "all others",
      { providerStatus: { a: 1 }, export: { b: 1 } },
      { providerStatus: { a: 2 }, export: { b: 2 } },
      "update providerStatus a\nupdate exports b\n",
    ],
    ["a failure", {}, { phase: "Failed" }, "blocked phase Failed\n"],
    ["a failure at the beginning", {}, { initialPhase: "Failed" }, "blocked phase Failed\n"],
  ])("says %s", async (...[_name, before, after, text]) => {
    await scope.create({ name: "item", spec: specOf({ ...before }) });
    await scope.waitForEnd("item");
    expect(await plan({ ...after })).toBe(text);
  });

  it("says nothing where the job has done it", async () => {
    const config = { providerStatus: { a: 1 }, export: { b: 1 } };
    await scope.create({ name: "item", spec: specOf(config) });
    await scope.waitForEnd("item");
    expect(await plan(config)).toBe("nothing to do\n");
  });
});
