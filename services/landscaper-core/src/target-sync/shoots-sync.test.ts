import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, resources } from "@landscaper/api";
import {
  startGardenerApi,
  type GardenerApi,
  startEmbeddedCluster,
  type EmbeddedCluster,
  type TestNamespace,
} from "@landscaper/testkit";
import { startTestCore, type TestCore } from "../../test/core.ts";
import { base64, namesOfMade, startSync, syncNow, untilSynced } from "../../test/target-sync-source.ts";

let cluster: EmbeddedCluster;
let core: TestCore;
let gardener: GardenerApi;
beforeAll(async () => {
  [cluster, gardener] = await Promise.all([startEmbeddedCluster({ crds: true }), startGardenerApi()]);
  core = startTestCore(cluster.connect("core"), { parts: ["central"] });
});
afterAll(async () => {
  await core.stop();
  await Promise.all([cluster.stop(), gardener.stop()]);
});

/** Each test has a project of its own. */
function shootsOf(project: string, shoots: Readonly<Record<string, string | undefined>>): void {
  gardener.setShoots(Object.entries(shoots).map(([name, kubeconfig]) => ({ namespace: project, name, kubeconfig })));
}

async function start(project: string): Promise<TestNamespace> {
  const hub = await cluster.createNamespace(project);
  const fields = { shootNameExpression: "^cluster-", sourceNamespace: project };
  await startSync(hub, { kubeconfig: gardener.kubeconfig, ...fields });
  await untilSynced(hub, ({ lastUpdateTime }) => lastUpdateTime !== undefined);
  return hub;
}

const requestsFor = (project: string): readonly string[] =>
  gardener.requests.filter((line) => line.includes(`/${project}/`) && line.startsWith("POST"));

const both = { targets: ["cluster-a", "cluster-b"], secrets: ["cluster-a", "cluster-b"] };

describe("a TargetSync in shoot mode (core.md §3.9)", () => {
  it("fetches a kubeconfig for a day of each shoot", async () => {
    shootsOf("garden-one", { "cluster-a": "config-a", "cluster-b": "config-b", other: "config-other" });
    const startedAt = Math.floor(Date.now() / 1000) * 1000;
    const hub = await start("garden-one");
    expect(await namesOfMade(hub)).toEqual(both);
    expect((await hub.get(kubeResources.secret, "cluster-a")).data).toEqual({ kubeconfig: base64("config-a") });
    const target = await hub.get(resources.target, "cluster-a");
    expect(target.spec.secretRef).toEqual({ name: "cluster-a", key: "kubeconfig" });
    const syncedAt = Date.parse(target.metadata.annotations?.[annotations.lastTargetSync] ?? "");
    expect([syncedAt >= startedAt, syncedAt <= Date.now()]).toEqual([true, true]);
    const path = "/apis/core.gardener.cloud/v1beta1/namespaces/garden-one/shoots/cluster-a/adminkubeconfig";
    const body = {
      apiVersion: "authentication.gardener.cloud/v1alpha1",
      kind: "AdminKubeconfigRequest",
      spec: { expirationSeconds: 86_400 },
    };
    expect(requestsFor("garden-one").toSorted()[0]).toBe(`POST ${path} ${JSON.stringify(body)}`);
  });

  it("fetches it again after twelve hours, and not before", async () => {
    shootsOf("garden-two", { "cluster-a": "config-a" });
    const hub = await start("garden-two");
    shootsOf("garden-two", { "cluster-a": "config-new" });
    await syncNow(hub);
    expect(requestsFor("garden-two")).toHaveLength(1);
    expect((await hub.get(kubeResources.secret, "cluster-a")).data).toEqual({ kubeconfig: base64("config-a") });

    const old = new Date(Date.now() - 12.1 * 3_600_000).toISOString();
    await hub.annotate(resources.target, "cluster-a", { [annotations.lastTargetSync]: old });
    await hub.until(
      kubeResources.secret,
      "cluster-a",
      (secret) => secret?.data?.["kubeconfig"] === base64("config-new"),
    );
    await hub.until(
      resources.target,
      "cluster-a",
      (target) => target?.metadata.annotations?.[annotations.lastTargetSync] !== old,
    );
    expect(requestsFor("garden-two")).toHaveLength(2);
  });

  it("drops the Targets of shoots that are gone", async () => {
    shootsOf("garden-three", { "cluster-a": "config-a", "cluster-b": "config-b" });
    const hub = await start("garden-three");
    shootsOf("garden-three", { "cluster-b": "config-b" });
    await syncNow(hub);
    expect(await namesOfMade(hub)).toEqual({ targets: ["cluster-b"], secrets: ["cluster-b"] });
  });

  it("goes on with the others when one shoot has no kubeconfig yet, and drops nothing meanwhile", async () => {
    shootsOf("garden-four", { "cluster-a": "config-a", "cluster-b": "config-b" });
    const hub = await start("garden-four");
    shootsOf("garden-four", { "cluster-b": "config-b", "cluster-c": "config-c", "cluster-d": undefined });
    const { status } = await syncNow(hub);
    expect(status?.lastErrors).toEqual([
      "source cluster, namespace garden-four: kubeconfig of Shoot cluster-d: 403 the kubeconfig cannot be made yet",
    ]);
    expect((await namesOfMade(hub)).targets).toEqual(["cluster-a", "cluster-b", "cluster-c"]);

    shootsOf("garden-four", { "cluster-b": "config-b", "cluster-c": "config-c", "cluster-d": "config-d" });
    await untilSynced(hub, ({ lastErrors }) => lastErrors === undefined);
    expect((await namesOfMade(hub)).targets).toEqual(["cluster-b", "cluster-c", "cluster-d"]);
  });
});
