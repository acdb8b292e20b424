import {
  isWrite,
  recordRequests,
  startEmbeddedCluster,
  type EmbeddedCluster,
  type TestNamespace,
} from "@landscaper/testkit";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { finalizer, kubeResources, labels, resources } from "@landscaper/api";
import { startTestCore, type TestCore } from "../../test/core.ts";
import {
  base64,
  kubeconfigSecret,
  namesOfMade,
  startSync,
  startTestSource,
  syncNow,
  untilSynced,
  type TestSource,
  type TestSourceNamespace,
} from "../../test/target-sync-source.ts";
import { targetSync } from "../../test/target-syncs.ts";

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

interface Scope {
  readonly hub: TestNamespace;
  readonly from: TestSourceNamespace;
}

let scopes = 0;
async function openScope(): Promise<Scope> {
  scopes += 1;
  return { hub: await cluster.createNamespace(`sync-${scopes}`), from: await source.open() };
}

/** Two clusters in the source, all of them synced. */
async function startTwo(): Promise<Scope> {
  const scope = await openScope();
  await scope.from.putSecret("one.kubeconfig", "config-one");
  await scope.from.putSecret("two.kubeconfig", "config-two");
  const fields = { secretNameExpression: "\\.kubeconfig$", sourceNamespace: scope.from.name };
  await startSync(scope.hub, { kubeconfig: source.server.kubeconfig, ...fields });
  await untilSynced(scope.hub, ({ lastErrors }) => lastErrors === undefined);
  return scope;
}

const both = { targets: ["one.kubeconfig", "two.kubeconfig"], secrets: ["one.kubeconfig", "two.kubeconfig"] };

describe("a TargetSync in secret mode (core.md §3.9, §5.25)", () => {
  it("makes a Target and a Secret of each Secret of the source", async () => {
    const { hub, from } = await openScope();
    await from.putSecret("one.kubeconfig", "config-one");
    await from.putSecret("two.kubeconfig", "config-two");
    await from.putSecret("other", "no cluster");
    const fields = { secretNameExpression: "\\.kubeconfig$", sourceNamespace: from.name };
    await startSync(hub, { kubeconfig: source.server.kubeconfig, ...fields });
    const synced = await untilSynced(hub, ({ lastUpdateTime }) => lastUpdateTime !== undefined);
    expect(synced.metadata.finalizers).toEqual([finalizer]);
    expect(synced.status).toEqual({ observedGeneration: 1, lastUpdateTime: expect.any(String) });
    expect(await namesOfMade(hub)).toEqual(both);
    expect(await hub.get(kubeResources.secret, "one.kubeconfig")).toMatchObject({
      metadata: { labels: { [labels.targetSync]: "ok" } },
      type: "Opaque",
      data: { kubeconfig: base64("config-one") },
    });
    expect((await hub.get(resources.target, "two.kubeconfig")).spec).toEqual({
      type: "landscaper.gardener.cloud/kubernetes-cluster",
      secretRef: { name: "two.kubeconfig", key: "kubeconfig" },
    });
  });

  it("follows the source when it is asked to: new, changed and removed clusters", async () => {
    const { hub, from } = await startTwo();
    const before = await hub.get(resources.target, "one.kubeconfig");
    await from.putSecret("one.kubeconfig", "config-one-changed");
    await from.putSecret("three.kubeconfig", "config-three");
    await from.deleteSecret("two.kubeconfig");
    await syncNow(hub);
    const names = ["one.kubeconfig", "three.kubeconfig"];
    expect(await namesOfMade(hub)).toEqual({ targets: names, secrets: names });
    expect((await hub.get(kubeResources.secret, "one.kubeconfig")).data).toEqual({
      kubeconfig: base64("config-one-changed"),
    });
    // The Target itself has not changed: nobody is woken by it.
    expect((await hub.get(resources.target, "one.kubeconfig")).metadata.resourceVersion).toBe(
      before.metadata.resourceVersion,
    );
  });

  it("repairs at once what somebody deletes or changes", async () => {
    const { hub } = await startTwo();
    const { uid } = (await hub.get(resources.target, "one.kubeconfig")).metadata;
    await hub.delete(resources.target, "one.kubeconfig");
    await hub.until(resources.target, "one.kubeconfig", (found) => found !== undefined && found.metadata.uid !== uid);
    const secret = await hub.get(kubeResources.secret, "two.kubeconfig");
    await hub.client.update(kubeResources.secret, { ...secret, data: { kubeconfig: base64("wrong") } });
    await hub.until(
      kubeResources.secret,
      "two.kubeconfig",
      (found) => found?.data?.["kubeconfig"] === base64("config-two"),
    );
  });

  it("takes another expression at once", async () => {
    const { hub } = await startTwo();
    const sync = await hub.get(resources.targetSync, "sync");
    await hub.client.update(resources.targetSync, { ...sync, spec: { ...sync.spec, secretNameExpression: "^one" } });
    await hub.untilGone(resources.target, "two.kubeconfig");
    await hub.untilGone(kubeResources.secret, "two.kubeconfig");
  });

  it("copies a Secret whose type has changed", async () => {
    const { hub, from } = await startTwo();
    await from.deleteSecret("one.kubeconfig");
    const secret = { ...kubeconfigSecret("one.kubeconfig", "typed"), type: "example.com/kubeconfig" };
    secret.metadata.namespace = from.name;
    await source.client.create(kubeResources.secret, secret);
    await syncNow(hub);
    expect(await hub.get(kubeResources.secret, "one.kubeconfig")).toMatchObject({
      type: "example.com/kubeconfig",
      data: { kubeconfig: base64("typed") },
    });
  });

  it("makes a Target to the source, whose Secret it never deletes", async () => {
    const { hub, from } = await openScope();
    const fields = { createTargetToSource: true, targetToSourceName: "garden", sourceNamespace: from.name };
    await startSync(hub, { kubeconfig: source.server.kubeconfig, ...fields });
    await untilSynced(hub, ({ lastUpdateTime }) => lastUpdateTime !== undefined);
    expect((await hub.get(resources.target, "garden")).spec.secretRef).toEqual({ name: "source", key: "kubeconfig" });
    const own = await hub.get(kubeResources.secret, "source");
    await hub.client.update(kubeResources.secret, {
      ...own,
      metadata: { ...own.metadata, labels: { [labels.targetSync]: "ok" } },
    });
    await syncNow(hub);
    await hub.delete(resources.targetSync, "sync");
    await hub.untilGone(resources.targetSync, "sync");
    expect(await namesOfMade(hub)).toEqual({ targets: [], secrets: ["source"] });
  });

  it("removes everything that it made when it is deleted, and nothing else", async () => {
    const { hub } = await startTwo();
    await hub.create(kubeResources.secret, kubeconfigSecret("mine", "x"));
    await hub.delete(resources.targetSync, "sync");
    await hub.untilGone(resources.targetSync, "sync");
    expect(await namesOfMade(hub)).toEqual({ targets: [], secrets: [] });
    expect(await hub.find(kubeResources.secret, "mine")).toBeDefined();
    expect(await hub.find(kubeResources.secret, "source")).toBeDefined();
  });

  it("leaves the copies alone that Installations make of its Targets", async () => {
    const { hub } = await startTwo();
    const original = await hub.get(resources.target, "one.kubeconfig");
    const owner = {
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "Installation",
      name: "root",
      uid: "root-uid",
    };
    const root = await hub.create(resources.installation, {
      apiVersion: owner.apiVersion,
      kind: owner.kind,
      metadata: { name: "root" },
      spec: { blueprint: { inline: { filesystem: {} } } },
    });
    const ownerReferences = [{ ...owner, uid: root.metadata.uid ?? "" }];
    await hub.create(resources.target, {
      ...original,
      metadata: { name: "copy", labels: { ...original.metadata.labels }, ownerReferences },
    });
    await syncNow(hub);
    expect(await hub.find(resources.target, "copy")).toBeDefined();
  });
});

describe("a second TargetSync in the namespace", () => {
  it("stops both, and what was made stays, until one is gone (core.md §4.53 fixed)", async () => {
    const { hub, from } = await startTwo();
    const second = { name: "second", secretNameExpression: "*", sourceNamespace: from.name };
    await hub.create(resources.targetSync, targetSync(second));
    const refused = "expected one TargetSync in the namespace, found 2 (second, sync): nothing is synced";
    for (const name of ["sync", "second"]) {
      const { status } = await untilSynced(hub, ({ lastErrors }) => lastErrors !== undefined, name);
      expect(status?.lastErrors).toEqual([refused]);
    }
    await from.putSecret("three.kubeconfig", "config-three");
    await syncNow(hub);
    expect(await namesOfMade(hub)).toEqual(both);

    const { uid } = (await hub.get(resources.target, "one.kubeconfig")).metadata;
    await hub.delete(resources.targetSync, "second");
    await untilSynced(hub, ({ lastErrors }) => lastErrors === undefined);
    await hub.until(resources.target, "three.kubeconfig", (found) => found !== undefined);
    expect((await hub.get(resources.target, "one.kubeconfig")).metadata.uid).toBe(uid);
  });

  it("is not looked at in a loop (core.md §4.53 fixed)", async () => {
    const { hub, from } = await openScope();
    const record = recordRequests(cluster.server, (request) => {
      const { userAgent, namespace, resource } = request;
      return userAgent.startsWith("core") && namespace === hub.name && resource === "targetsyncs" && isWrite(request);
    });
    for (const name of ["a", "b"])
      await hub.create(resources.targetSync, targetSync({ name, sourceNamespace: from.name }));
    for (const name of ["a", "b"]) await untilSynced(hub, ({ lastErrors }) => lastErrors !== undefined, name);
    // Another TargetSync goes through all of its life meanwhile.
    const other = await startTwo();
    await other.hub.delete(resources.targetSync, "sync");
    await other.hub.untilGone(resources.targetSync, "sync");
    record.stop();
    // Each: finalizer, a try, one more when the second came, and a first retry or two; not one every 10 ms.
    expect(record.requests.length).toBeLessThanOrEqual(10);
  });
});

describe("a TargetSync that cannot do all of its work", () => {
  it("makes what it can, says what it cannot, and drops nothing", async () => {
    const { hub, from } = await startTwo();
    await hub.create(kubeResources.secret, kubeconfigSecret("four.kubeconfig", "of a user"));
    await from.putSecret("four.kubeconfig", "config-four");
    await from.putSecret("five.kubeconfig", "config-five");
    await from.deleteSecret("two.kubeconfig");
    const { status } = await syncNow(hub);
    expect(status?.lastErrors).toEqual([
      "Secret four.kubeconfig exists already and was made by somebody else: it is left alone",
    ]);
    const names = ["five.kubeconfig", "one.kubeconfig", "two.kubeconfig"];
    expect(await namesOfMade(hub)).toEqual({ targets: names, secrets: names });
    expect((await hub.get(kubeResources.secret, "four.kubeconfig")).data).toEqual({ kubeconfig: base64("of a user") });

    await hub.delete(kubeResources.secret, "four.kubeconfig");
    await syncNow(hub);
    await hub.untilGone(resources.target, "two.kubeconfig");
    expect((await hub.get(resources.targetSync, "sync")).status?.lastErrors).toBeUndefined();
  });

  it("begins as soon as its Secret is there and right", async () => {
    const { hub, from } = await openScope();
    await from.putSecret("one", "config-one");
    await hub.create(resources.targetSync, targetSync({ secretNameExpression: "*", sourceNamespace: from.name }));
    const missing = await untilSynced(hub, ({ lastErrors }) => lastErrors !== undefined);
    expect(missing.status?.lastErrors).toEqual(["spec.secretRef: Secret source does not exist"]);

    await hub.create(kubeResources.secret, kubeconfigSecret("source", "users: [{user: {exec: {command: /bin/sh}}}]"));
    const wrong = await untilSynced(hub, ({ lastErrors }) => lastErrors?.[0]?.startsWith("kubeconfig: ") === true);
    expect(wrong.status?.lastErrors).toEqual(["kubeconfig: current-context is missing"]);

    const secret = await hub.get(kubeResources.secret, "source");
    await hub.client.update(kubeResources.secret, {
      ...secret,
      data: { kubeconfig: base64(source.server.kubeconfig) },
    });
    await untilSynced(hub, ({ lastErrors }) => lastErrors === undefined);
    expect(await namesOfMade(hub)).toEqual({ targets: ["one"], secrets: ["one"] });
  });

  it("tells of the source's answer, once in a Kubernetes event", async () => {
    const { hub } = await openScope();
    const fields = { secretNameExpression: "*", sourceNamespace: "no-such-namespace" };
    const kubeconfig = source.server.kubeconfig.replace(/token: .*/, 'token: "wrong"');
    await startSync(hub, { kubeconfig, ...fields });
    const message = "source cluster, namespace no-such-namespace: Secrets: 401 Unauthorized";
    const { status } = await untilSynced(hub, ({ lastErrors }) => lastErrors !== undefined);
    expect(status?.lastErrors).toEqual([message]);
    await syncNow(hub);
    const events = await hub.list(kubeResources.event);
    expect(events.map(({ type, reason, note, series }) => ({ type, reason, note, series }))).toEqual([
      { type: "Warning", reason: "TargetSyncFailed", note: message, series: undefined },
    ]);
  });
});
