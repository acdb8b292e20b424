import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, operations, resources } from "@landscaper/api";
import { startEmbeddedCluster, type EmbeddedCluster } from "@landscaper/testkit";
import { startTestCore, type TestCore } from "../../test/core.ts";
import {
  base64,
  namesOfMade,
  startSync,
  startTestSource,
  untilSynced,
  type TestSource,
} from "../../test/target-sync-source.ts";

let cluster: EmbeddedCluster;
let core: TestCore;
let source: TestSource;
beforeAll(async () => {
  [cluster, source] = await Promise.all([startEmbeddedCluster({ crds: true }), startTestSource()]);
  core = startTestCore(cluster.connect("core"), { parts: ["central"] });
});
afterAll(async () => {
  await core.stop();
  await Promise.all([cluster.stop(), source.stop()]);
});

/** Of a whole life: finalizer, two Secrets, two Targets, status, annotation; four deletes, finalizer. */
const writesOfALife = 12;

describe("a TargetSync whose write gets no answer", () => {
  it("reaches the same end, whichever write it is", async () => {
    const counts = new Map<string, number>();
    cluster.server.setFault(({ userAgent, method, path }) => {
      const [, namespace] = /\/namespaces\/(lost-\d+)\/(?:targets|targetsyncs|secrets)/.exec(path) ?? [];
      if (!userAgent.startsWith("core") || method === "GET" || namespace === undefined) return undefined;
      const count = (counts.get(namespace) ?? 0) + 1;
      counts.set(namespace, count);
      return namespace === `lost-${count}` ? "drop-answer" : undefined;
    });
    const from = await source.open();
    await from.putSecret("one", "config-one");
    await from.putSecret("two", "config-two");
    const live = async (name: string): Promise<void> => {
      const hub = await cluster.createNamespace(name);
      const fields = {
        secretNameExpression: "*",
        sourceNamespace: from.name,
        annotations: { [annotations.operation]: operations.reconcile },
      };
      await startSync(hub, { kubeconfig: source.server.kubeconfig, ...fields });
      await untilSynced(hub, (status) => status.lastUpdateTime !== undefined && status.lastErrors === undefined);
      await hub.until(
        resources.targetSync,
        "sync",
        (object) => object?.metadata.annotations?.[annotations.operation] === undefined,
      );
      expect(await namesOfMade(hub)).toEqual({ targets: ["one", "two"], secrets: ["one", "two"] });
      expect((await hub.get(kubeResources.secret, "two")).data).toEqual({ kubeconfig: base64("config-two") });
      await hub.delete(resources.targetSync, "sync");
      await hub.untilGone(resources.targetSync, "sync");
      expect(await namesOfMade(hub)).toEqual({ targets: [], secrets: [] });
    };
    const names = Array.from({ length: writesOfALife }, (_, index) => `lost-${index + 1}`);
    await Promise.all([...names, "lost-0"].map(live));
    cluster.server.setFault(undefined);
    // Without a loss it takes just these writes: every one of them was lost once.
    expect(counts.get("lost-0")).toBe(writesOfALife);
  });
});
