import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources } from "@landscaper/api";
import { createFakeClock, startEmbeddedCluster, type EmbeddedCluster } from "@landscaper/testkit";
import { startTestCore, type TestCore } from "../../test/core.ts";
import { startSync, startTestSource, untilSynced, type TestSource } from "../../test/target-sync-source.ts";

let cluster: EmbeddedCluster;
let source: TestSource;
let core: TestCore;
const clock = createFakeClock(Date.parse("2026-06-01T00:00:00Z"));
beforeAll(async () => {
  [cluster, source] = await Promise.all([startEmbeddedCluster({ crds: true }), startTestSource()]);
  core = startTestCore(cluster.connect("core"), { parts: ["central"], clock });
});
afterAll(async () => {
  await core.stop();
  await Promise.all([cluster.stop(), source.stop()]);
});

describe("a TargetSync whose source changes", () => {
  it("notices after five minutes at the latest, and rests until then", async () => {
    const hub = await cluster.createNamespace("resync");
    const from = await source.open();
    await from.putSecret("one", "config-one");
    const lists: string[] = [];
    source.server.setFault(({ method, path }) => {
      if (method === "GET" && path.endsWith(`/${from.name}/secrets`)) lists.push(path);
      return undefined;
    });
    const fields = { secretNameExpression: "*", sourceNamespace: from.name };
    await startSync(hub, { kubeconfig: source.server.kubeconfig, ...fields });
    await untilSynced(
      hub,
      ({ lastErrors, lastUpdateTime }) => lastUpdateTime !== undefined && lastErrors === undefined,
    );
    expect(lists).toHaveLength(1);
    await from.putSecret("two", "config-two");
    await clock.advance(299_000);
    // An event that changes nothing: another TargetSync, which comes after it in the queue, is through.
    await hub.annotate(resources.targetSync, "sync", { note: "looked at" });
    const other = await cluster.createNamespace("resync-other");
    await startSync(other, { kubeconfig: source.server.kubeconfig, sourceNamespace: from.name });
    await untilSynced(other, ({ lastUpdateTime }) => lastUpdateTime !== undefined);
    expect(lists).toHaveLength(1);
    expect(await hub.find(kubeResources.secret, "two")).toBeUndefined();

    await clock.advance(1_000);
    await hub.until(kubeResources.secret, "two", (found) => found !== undefined);
    source.server.setFault(undefined);
  });
});
