import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources } from "@landscaper/api";
import {
  startGardenerApi,
  type GardenerApi,
  startEmbeddedCluster,
  type EmbeddedCluster,
  type TestNamespace,
} from "@landscaper/testkit";
import { startTestCore, type TestCore } from "../../test/core.ts";
import {
  base64,
  kubeconfigSecret,
  startSync,
  startTestSource,
  syncNow,
  untilSynced,
  type TestSource,
} from "../../test/target-sync-source.ts";
import type { TestTargetSync } from "../../test/target-syncs.ts";

const sentinel = "sentinel-7f3a9c-secret";

let cluster: EmbeddedCluster;
let core: TestCore;
let source: TestSource;
let gardener: GardenerApi;
beforeAll(async () => {
  [cluster, source, gardener] = await Promise.all([
    startEmbeddedCluster({ crds: true }),
    startTestSource(),
    startGardenerApi(),
  ]);
  core = startTestCore(cluster.connect("core"), { parts: ["central"] });
});
afterAll(async () => {
  await core.stop();
  await Promise.all([cluster.stop(), source.stop(), gardener.stop()]);
});

async function expectNoSentinel(hub: TestNamespace): Promise<void> {
  const syncs = await hub.list(resources.targetSync);
  const targets = await hub.list(resources.target);
  const events = await hub.list(kubeResources.event);
  const secrets = (await hub.list(kubeResources.secret)).map(({ metadata }) => metadata);
  const text = [JSON.stringify([syncs, targets, events, secrets]), core.log.text].join("\n");
  const forms = [sentinel, base64(sentinel), base64(`x${sentinel}`).slice(4, -4), base64(`xx${sentinel}`).slice(4, -4)];
  expect(forms.filter((form) => text.includes(form))).toEqual([]);
}

async function start(name: string, kubeconfig: string, fields: TestTargetSync): Promise<TestNamespace> {
  const hub = await cluster.createNamespace(name);
  await startSync(hub, { kubeconfig, ...fields });
  await untilSynced(hub, ({ lastUpdateTime }) => lastUpdateTime !== undefined);
  return hub;
}

describe("credentials are in no status, Target, event or log of a TargetSync", () => {
  it("when they are copied", async () => {
    const from = await source.open();
    await from.putSecret("one", sentinel);
    const fields = { secretNameExpression: "*", sourceNamespace: from.name };
    const hub = await start("copied", source.server.kubeconfig, fields);
    expect((await hub.get(kubeResources.secret, "one")).data).toEqual({ kubeconfig: base64(sentinel) });
    await expectNoSentinel(hub);
  });

  it("when they are fetched for shoots", async () => {
    gardener.setShoots([{ namespace: "garden", name: "one", kubeconfig: sentinel }]);
    const hub = await start("fetched", gardener.kubeconfig, { shootNameExpression: "*", sourceNamespace: "garden" });
    expect((await hub.get(kubeResources.secret, "one")).data).toEqual({ kubeconfig: base64(sentinel) });
    await expectNoSentinel(hub);
  });

  it.each([
    ["is no YAML", `${sentinel}: [`],
    ["is a text", sentinel],
    ["has a token that the source refuses", "token"],
    ["names a file", `users: [{name: u, user: {tokenFile: ${sentinel}}}]`],
    ["has a server that is none", `clusters: [{name: c, cluster: {server: "${sentinel}"}}]`],
  ])("when the kubeconfig of the source %s", async (what, text) => {
    const context = "contexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n";
    const complete = what.startsWith("names")
      ? `${context}clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]\n`
      : context;
    const wrong = text.startsWith("users") || text.startsWith("clusters") ? `${complete}${text}\n` : text;
    const kubeconfig = text === "token" ? source.server.kubeconfig.replace(/token: .*/, `token: "${sentinel}"`) : wrong;
    const name = what.replaceAll(/[^a-z]+/gi, "-").toLowerCase();
    const fields = { secretNameExpression: "*", sourceNamespace: "default", tokenRotation: { enabled: true } };
    const hub = await start(name, kubeconfig, fields);
    const { status } = await syncNow(hub);
    expect(status?.lastErrors).not.toEqual([]);
    await expectNoSentinel(hub);
  });

  it("when an object of that name cannot be written", async () => {
    const from = await source.open();
    await from.putSecret("one", sentinel);
    const hub = await cluster.createNamespace("refused");
    await hub.create(kubeResources.secret, kubeconfigSecret("one", "of a user"));
    const fields = { secretNameExpression: "*", sourceNamespace: from.name };
    await startSync(hub, { kubeconfig: source.server.kubeconfig, ...fields });
    await untilSynced(hub, ({ lastErrors }) => lastErrors !== undefined);
    await expectNoSentinel(hub);
  });
});
