// Drift detection between jobs, on embedded clusters and a clock that the test moves.
import { afterEach, describe, expect, it } from "@jest/globals";
import { kubeResources, type DeployItem } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { useManifestBench } from "../test/manifest-bench.ts";
import { configMap, specOf } from "../test/manifests.ts";

/** The schedule's ten minutes, and the longest delay of an item. */
const dueMs = 11 * 60_000;

const bench = useManifestBench("drift", { isClockMoved: true });
// Items of earlier tests would be looked at, too.
afterEach(() => bench.scope.remove("item").catch(() => undefined));

type Condition = NonNullable<NonNullable<DeployItem["status"]>["conditions"]>[number];

function drifted({ status }: DeployItem): Pick<Condition, "status" | "reason" | "message"> | undefined {
  const found = status?.conditions?.find(({ type }) => type === "Drifted");
  return found === undefined ? undefined : { status: found.status, reason: found.reason, message: found.message };
}

async function deploy(config: object): Promise<DeployItem> {
  const fromResource = { apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: bench.n };
  const exports = { exports: [{ key: "x", jsonPath: ".data.x", fromResource }] };
  await bench.scope.create({
    name: "item",
    spec: specOf([configMap(`${bench.n}/a`, { x: "1" })], { exports, ...config }),
  });
  return await bench.scope.waitForEnd("item");
}

/** When the last look ended. */
function lookedAt({ status }: DeployItem): string | undefined {
  const found = status?.conditions?.find(({ type }) => type === "ContinuousReconcile");
  return found?.status === "True" ? found.lastUpdateTime : undefined;
}

/** Lets the next look come, and waits until it has ended; the condition must have this reason then. */
async function look(reason: string): Promise<DeployItem> {
  const before = lookedAt(await bench.scope.get("item"));
  await bench.clock.advance(dueMs);
  const item = await waitFor(async () => {
    const found = await bench.scope.get("item");
    const time = lookedAt(found);
    return time !== undefined && time !== before ? found : undefined;
  });
  expect(drifted(item)?.reason).toBe(reason);
  return item;
}

/** What belongs to the job, and its exports. */
function jobOf({ status }: DeployItem): unknown {
  const { conditions: _conditions, providerStatus: _providerStatus, ...job } = status ?? {};
  return job;
}

describe("drift detection", () => {
  it("warns of what was changed, and of its end, and touches neither job nor target", async () => {
    const deployed = await deploy({ driftDetection: "warn" });
    expect(drifted(deployed)).toMatchObject({ status: "False", reason: "Deployed" });
    await bench.edit("a", { data: { x: "sentinel-value" } });
    const found = await look("Drifted");
    expect(drifted(found)).toEqual({ status: "True", reason: "Drifted", message: `ConfigMap ${bench.n}/a: .data.x` });
    expect(JSON.stringify(found.status)).not.toContain("sentinel-value");
    expect(jobOf(found)).toEqual(jobOf(deployed));
    expect((await bench.find("a"))?.data).toEqual({ x: "sentinel-value" });
    await bench.edit("a", { data: { x: "1" } });
    expect(drifted(await look("InSync"))).toMatchObject({ status: "False" });
  });

  it("corrects what was changed and what was deleted, and knows the new object", async () => {
    const deployed = await deploy({ driftDetection: "correct" });
    await bench.edit("a", { data: { x: "edited" } });
    const corrected = await look("Corrected");
    expect(drifted(corrected)?.message).toBe(`corrected ConfigMap ${bench.n}/a: .data.x`);
    expect((await bench.find("a"))?.data).toEqual({ x: "1" });
    await look("InSync");
    await bench.fixture.targetClient.delete(kubeResources.configMap, { namespace: bench.n, name: "a" });
    const again = await look("Corrected");
    expect(drifted(again)?.message).toBe(`corrected ConfigMap ${bench.n}/a does not exist`);
    const live = await bench.find("a");
    expect(again.status?.providerStatus).toMatchObject({
      managedResources: [{ resource: { uid: live?.metadata.uid } }],
    });
    expect(jobOf(again)).toEqual(jobOf(deployed));
  });

  it("says when nobody looks any more", async () => {
    await deploy({ driftDetection: "warn" });
    const { config } = specOf([configMap(`${bench.n}/a`, { x: "1" })]);
    await bench.scope.trigger("item", config === undefined ? {} : { config });
    expect(drifted(await bench.scope.waitForEnd("item"))).toMatchObject({ status: "Unknown", reason: "Off" });
  });

  it("is off when nobody asks for it", async () => {
    expect(drifted(await deploy({}))).toBe(undefined);
  });
});
