// Releases that somebody else has left, or is at work on: what the job says, and how soon it goes on.
import { expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { ReleaseStore, type ReleaseStatus } from "@landscaper/helm-release";
import { mapChart, useHelmBench } from "../../test/helm-bench.ts";
import { rawChart } from "../../test/index.ts";

const bench = useHelmBench();
/** By default: longer than any wait of a test. */
const abandonedAfterMs = 5 * 60_000;
const { signal } = new AbortController();

function openStore(): ReleaseStore {
  const { namespace, fixture } = bench;
  return new ReleaseStore({ client: fixture.targetClient, namespace, name: "app", now: Date.now });
}

/** As if somebody else had made the next revision and had come so far. */
async function leave(status: ReleaseStatus): Promise<void> {
  const store = openStore();
  const newest = (await store.history({ signal })).at(-1);
  if (newest === undefined) throw new Error("there is no revision");
  // By a clock that is ahead: the wait begins when a job sees the record.
  const ahead = new Date(Date.now() + 3_600_000).toISOString();
  const info = { ...newest.info, status, last_deployed: ahead, deleted: status === "uninstalling" ? ahead : "" };
  await store.create({ ...newest, version: newest.version + 1, info }, { signal });
}

it.each(["pending-upgrade", "uninstalling"] as const)(
  "a release that somebody has left %s is gone on with when it is old enough (A16)",
  async (status) => {
    await bench.deploy({ chart: await rawChart(mapChart) });
    await leave(status);
    const done = bench.redeploy({ chart: await rawChart(mapChart), values: { key: "next" } });
    await bench.waitForWords(
      `somebody else's operation on release ${bench.namespace}/app to end (revision 2 is ${status})`,
    );
    bench.clock.leap(abandonedAfterMs);
    expect((await done).status?.phase).toBe("Succeeded");
    expect(await bench.data()).toMatchObject({ key: "next" });
    const expected =
      status === "uninstalling" ? ["app.v1 deployed"] : ["app.v1 superseded", "app.v2 failed", "app.v3 deployed"];
    expect(await bench.revisions()).toEqual(expected);
  },
);

it("a record that is pending, and cannot be read, is no obstacle (A16)", async () => {
  const { namespace } = bench;
  const labels = { name: "app", owner: "helm", status: "pending-install", version: "1" };
  const metadata = { name: "sh.helm.release.v1.app.v1", namespace, labels };
  const secret = { apiVersion: "v1", kind: "Secret", type: "helm.sh/release.v1", metadata, data: { release: "" } };
  await bench.fixture.targetClient.create(kubeResources.secret, secret);
  const done = await bench.deploy({ chart: await rawChart(mapChart) });
  expect([done.status?.phase, done.status?.lastError?.message]).toEqual(["Succeeded", undefined]);
  expect(await bench.revisions()).toEqual(["app.v1 failed", "app.v2 deployed"]);
  expect(await bench.data()).toMatchObject({ upgrade: "false", revision: "2" });
  await bench.remove();
  expect([await bench.data(), await bench.revisions()]).toEqual([undefined, []]);
});

it("an object of another release is named, with its owner and the way out", async () => {
  const chart = await rawChart(mapChart);
  await bench.deploy({ chart });
  const owned = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "app-map" } };
  const second = await rawChart({ "templates/map.yaml": JSON.stringify(owned) });
  const done = await bench.redeploy({ chart: second, name: "other" });
  expect(done.status).toMatchObject({
    phase: "Failed",
    lastError: {
      reason: "ReleaseOwnership",
      message:
        `ConfigMap ${bench.namespace}/app-map exists and does not belong to release ${bench.namespace}/other: ` +
        'annotation meta.helm.sh/release-name: expected "other", found "app"; ' +
        "delete it, rename it in the chart, or set takeOwnership",
    },
  });
  expect(await bench.revisions()).toEqual(["app.v1 deployed"]);
});
