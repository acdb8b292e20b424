// Custom resources whose operator has not written a status yet, with level kstatus.
import { describe, expect, it } from "@jest/globals";
import { annotations, conditionTypes, type DeployItem, type UnstructuredObject } from "@landscaper/api";
import { useManifestBench } from "../test/manifest-bench.ts";
import { specOf } from "../test/manifests.ts";

const bench = useManifestBench("no-status");
const kstatus = { level: "kstatus" };

const groupOf = (): string => `${bench.n}.example.org`;

function definition(): UnstructuredObject {
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const names = { kind: "Shop", plural: "shops", singular: "shop", listKind: "ShopList" };
  const versions = [{ name: "v1", served: true, storage: true, subresources: { status: {} }, schema }];
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `shops.${groupOf()}` },
    spec: { group: groupOf(), scope: "Namespaced", names, versions },
  };
}

function shop(size = 1): UnstructuredObject {
  const metadata = { name: "shop", namespace: bench.n };
  return { apiVersion: `${groupOf()}/v1`, kind: "Shop", metadata, spec: { size } };
}

/** The item says that nothing of its configuration is secret, so that messages may name it. */
async function create(readinessChecks: object): Promise<void> {
  const spec = specOf([definition(), shop()], { readinessChecks });
  await bench.scope.create({ name: "item", spec, annotations: { [annotations.sensitiveConfig]: "[]" } });
}

async function begin(size: number, readinessChecks: object): Promise<void> {
  const { config } = specOf([definition(), shop(size)], { readinessChecks });
  await bench.scope.trigger("item", config === undefined ? {} : { config });
}

async function untilWaiting(): Promise<void> {
  const words = `Shop ${bench.n}/shop: has no status yet`;
  await bench.scope.waitFor("item", ({ conditions = [] }) => conditions.some(({ message }) => message.includes(words)));
}

function warningOf({ status }: DeployItem): string | undefined {
  return status?.conditions?.find(({ type }) => type === conditionTypes.warnings)?.message;
}

const warning = (): string =>
  `Shop ${bench.n}/shop counts as ready without a status: no controller has written one in time; is its operator running?`;

async function waitInVain(ms: number): Promise<string | undefined> {
  await untilWaiting();
  bench.leap(ms - 1000);
  await untilWaiting();
  bench.leap(1000);
  const done = await bench.scope.waitForEnd("item");
  expect(done.status?.phase).toBe("Succeeded");
  return warningOf(done);
}

async function writeStatus(): Promise<void> {
  const type = { group: groupOf(), version: "v1", kind: "Shop", plural: "shops", namespaced: true };
  const body = { status: { conditions: [{ type: "Ready", status: "True" }] } };
  const key = { namespace: bench.n, name: "shop" };
  await bench.fixture.targetClient.patch(type, key, { type: "merge", body, subresource: "status" });
}

describe("a custom resource without a status", () => {
  it("is waited for when it is created and when its spec changes, and then is ready with a warning", async () => {
    await create(kstatus);
    expect(await waitInVain(15_000)).toContain(warning());
    await begin(1, kstatus);
    const unchanged = await bench.scope.waitForEnd("item");
    expect([unchanged.status?.phase, warningOf(unchanged)]).toEqual(["Succeeded", undefined]);
    await begin(2, kstatus);
    expect(await waitInVain(15_000)).toContain(warning());
    expect(JSON.stringify((await bench.scope.get("item")).status?.providerStatus)).toContain('"readyWithoutStatus":2');
  });

  it("is ready without a warning when its operator writes the status", async () => {
    await create(kstatus);
    await untilWaiting();
    await writeStatus();
    const done = await bench.scope.waitForEnd("item");
    expect([done.status?.phase, warningOf(done)]).toEqual(["Succeeded", undefined]);
  });

  it("is waited for as long as the configuration says for its kind", async () => {
    const emptyStatusWaitByKind = [{ apiVersion: `${groupOf()}/v1`, kind: "Shop", wait: "1m" }];
    const readinessChecks = { ...kstatus, emptyStatusWait: "5s", emptyStatusWaitByKind };
    await create(readinessChecks);
    expect(await waitInVain(60_000)).toContain(warning());
  });

  it("is ready at once with another level", async () => {
    const done = await bench.deploy("item", [definition(), shop()], {});
    expect([done.status?.phase, warningOf(done)]).toEqual(["Succeeded", undefined]);
  });
});
