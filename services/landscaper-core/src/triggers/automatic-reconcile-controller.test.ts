import { describe, expect, it } from "@jest/globals";
import { annotations, isJobOpen, resources, type AutomaticReconcile, type Installation } from "@landscaper/api";
import { createFakeClock, type TestNamespace } from "@landscaper/testkit";
import { dataObject, deployItems, installation, stringParameter, trigger } from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";

const clock = createFakeClock(Date.UTC(2026, 0, 1, 0, 10));
const setUp = setUpCore({ clock });
const minute = 60_000;
const hour = 60 * minute;

async function create(
  namespace: TestNamespace,
  automaticReconcile: AutomaticReconcile,
  result: "Failed" | "Succeeded",
) {
  const blueprint = { deploy: deployItems({ name: "item", result }) };
  await namespace.create(resources.installation, installation({ name: "root", blueprint, automaticReconcile }));
}

/** Waits until so many jobs have ended and the count is that; there are no more of them then. */
async function untilCounted(namespace: TestNamespace, jobs: number, count: number | undefined): Promise<Installation> {
  const found = await namespace.until(
    resources.installation,
    "root",
    (root) =>
      root?.status?.jobID !== undefined &&
      !isJobOpen(root.status) &&
      root.status.automaticReconcileStatus?.numberOfReconciles === count &&
      setUp.deployer.jobsOf(namespace.name).length >= jobs,
  );
  expect(setUp.deployer.jobsOf(namespace.name)).toHaveLength(jobs);
  return found as Installation;
}

/** Lets time pass in which nothing is to happen to the root; another Installation shows that the core goes on working. */
async function passWithoutJob(namespace: TestNamespace, ms: number, marker: string): Promise<void> {
  const before = await namespace.get(resources.installation, "root");
  await clock.advance(ms);
  await namespace.create(resources.installation, installation({ name: marker, blueprint: {} }));
  await namespace.untilPhase(marker, "Succeeded");
  expect((await namespace.get(resources.installation, "root")).status).toEqual(before.status);
}

describe("automaticReconcile (core.md §5.22, §4.38)", () => {
  it("retries at once, then by the interval, as often as it may; a user's trigger counts anew (§4.39)", async () => {
    const namespace = await setUp.namespace("interval");
    await create(namespace, { failedReconcile: { interval: "1h", numberOfReconciles: 3 } }, "Failed");
    await untilCounted(namespace, 2, 1);
    await passWithoutJob(namespace, 30 * minute, "after-30-minutes");
    await clock.advance(31 * minute);
    await untilCounted(namespace, 3, 2);
    await clock.advance(61 * minute);
    await untilCounted(namespace, 4, 3);
    await passWithoutJob(namespace, 48 * hour, "after-two-days");
    await namespace.annotate(resources.installation, "root", trigger);
    const again = await untilCounted(namespace, 6, 1);
    expect(again.status?.automaticReconcileStatus).toEqual({
      generation: again.metadata.generation,
      numberOfReconciles: 1,
      lastReconcileTime: new Date(clock.now()).toISOString().replace(".000Z", "Z"),
      onFailed: true,
    });
  });

  it("is not asked again after a user's trigger that succeeds (§4.39 fixed)", async () => {
    const namespace = await setUp.namespace("mended");
    const deploy = deployItems({ name: "item", result: "Succeeded" });
    const blueprint = { imports: [stringParameter("value")], deploy };
    const imports = { data: [{ name: "value", dataRef: "value" }] };
    const automaticReconcile = { failedReconcile: { interval: "1h" } };
    await namespace.create(
      resources.installation,
      installation({ name: "root", blueprint, imports, automaticReconcile }),
    );
    await namespace.until(
      resources.installation,
      "root",
      (root) => !isJobOpen(root?.status) && root?.status?.automaticReconcileStatus?.numberOfReconciles === 1,
    );
    await namespace.create(resources.dataObject, dataObject("value", "x"));
    await namespace.annotate(resources.installation, "root", trigger);
    const mended = await namespace.untilPhase("root", "Succeeded");
    expect(mended.metadata.annotations).toBeUndefined();
    await passWithoutJob(namespace, 3 * hour, "after-the-success");
    expect(setUp.deployer.jobsOf(namespace.name)).toEqual([mended.status?.jobID]);
  });

  it("retries by cron", async () => {
    const namespace = await setUp.namespace("cron");
    await create(namespace, { failedReconcile: { cronSpec: "0 * * * *", numberOfReconciles: 3 } }, "Failed");
    await untilCounted(namespace, 2, 1);
    const toFullHour = hour - (clock.now() % hour);
    await passWithoutJob(namespace, toFullHour - minute, "before-the-hour");
    await clock.advance(minute);
    await untilCounted(namespace, 3, 2);
    await clock.advance(hour);
    await untilCounted(namespace, 4, 3);
    await passWithoutJob(namespace, 5 * hour, "after-the-last");
  });

  it("repeats success every 24 hours, counted from where it was seen first", async () => {
    const namespace = await setUp.namespace("daily");
    await create(namespace, { succeededReconcile: {} }, "Succeeded");
    await untilCounted(namespace, 1, 0);
    await passWithoutJob(namespace, 24 * hour - minute, "before-the-day");
    await clock.advance(minute);
    await untilCounted(namespace, 2, 1);
    await clock.advance(24 * hour);
    await untilCounted(namespace, 3, 2);
  });

  it("goes on counting when the trigger is a retry, as another core sets it", async () => {
    const namespace = await setUp.namespace("retry");
    await create(namespace, { failedReconcile: { interval: "1h" } }, "Failed");
    await untilCounted(namespace, 2, 1);
    await namespace.annotate(resources.installation, "root", { ...trigger, [annotations.reconcileReason]: "retry" });
    const root = await untilCounted(namespace, 3, 1);
    expect(root.metadata.annotations).toBeUndefined();
  });

  it("forgets the count with a new spec, and starts nothing for it", async () => {
    const namespace = await setUp.namespace("spec");
    await create(namespace, { failedReconcile: { interval: "1h" } }, "Failed");
    const { metadata, spec } = await untilCounted(namespace, 2, 1);
    const body = { spec: { automaticReconcile: { failedReconcile: { interval: "2h" } } } };
    await namespace.client.patch(
      resources.installation,
      { namespace: namespace.name, name: "root" },
      { type: "merge", body },
    );
    await namespace.until(
      resources.installation,
      "root",
      (root) => root?.status?.conditions?.find(({ type }) => type === "Ready")?.reason === "WaitingForTrigger",
    );
    await passWithoutJob(namespace, 3 * hour, "after-the-change");
    await namespace.annotate(resources.installation, "root", trigger);
    const root = await untilCounted(namespace, 4, 1);
    expect(spec.automaticReconcile).not.toEqual(root.spec.automaticReconcile);
    expect(root.status?.automaticReconcileStatus?.generation).toBe((metadata.generation ?? 0) + 1);
  });

  it("says what is wrong with a cron specification, as an error of the job", async () => {
    const namespace = await setUp.namespace("invalid");
    await create(namespace, { succeededReconcile: { cronSpec: "0 0 * * * *" } }, "Succeeded");
    const root = await namespace.untilPhase("root", "Failed");
    expect(root.status?.lastError).toMatchObject({
      reason: "InvalidCronSpec",
      codes: ["ERR_CONFIGURATION_PROBLEM"],
      message: expect.stringContaining(
        'spec.automaticReconcile.succeededReconcile.cronSpec: not a cron specification: expected 5 fields, found 6, found "0 0 * * * *"',
      ),
    });
    expect(setUp.deployer.jobsOf(namespace.name)).toEqual([]);
  });
});
