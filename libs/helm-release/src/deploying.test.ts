import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { createUninstall } from "./create-uninstall.ts";
import { configMap, configMapType, contentOf, finish, useReleaseFixture } from "../test/release-fixture.ts";

const { signal } = new AbortController();
const fixture = useReleaseFixture();

describe("install and upgrade", () => {
  it("makes the objects with the marks of Helm and records what it did", async () => {
    const context = await fixture.release("app");
    const record = await fixture.deploy(context, contentOf([configMap("a", { key: "1" })], { notes: "thanks" }));
    const live = await fixture.find("ConfigMap", context.namespace, "a");
    expect(live?.metadata).toMatchObject({
      labels: { "app.kubernetes.io/managed-by": "Helm" },
      annotations: { "meta.helm.sh/release-name": "app", "meta.helm.sh/release-namespace": context.namespace },
    });
    expect(record).toMatchObject({ name: "app", version: 1, info: { status: "deployed", notes: "thanks" } });
    expect(await fixture.statuses(context)).toEqual([[1, "deployed", "Install complete"]]);
  });

  it("patches what changed, keeps what others added, removes what has left", async () => {
    const context = await fixture.release("app");
    await fixture.deploy(context, contentOf([configMap("a", { keep: "1", drop: "1" }), configMap("b")]));
    const live = await fixture.find("ConfigMap", context.namespace, "a");
    await fixture.client.update(configMapType, {
      ...live,
      data: { keep: "1", drop: "1", foreign: "1" },
    } as UnstructuredObject);
    await fixture.deploy(context, contentOf([configMap("a", { keep: "2" }), configMap("c", { key: "1" })]));
    expect(await fixture.dataOf(context, "a")).toEqual({ keep: "2", foreign: "1" });
    expect(await fixture.find("ConfigMap", context.namespace, "b")).toBeUndefined();
    expect(await fixture.dataOf(context, "c")).toEqual({ key: "1" });
    expect(await fixture.statuses(context)).toEqual([
      [1, "superseded", "Install complete"],
      [2, "deployed", "Upgrade complete"],
    ]);
  });

  it("keeps what is marked to be kept", async () => {
    const context = await fixture.release("app");
    await fixture.deploy(
      context,
      contentOf([configMap("a", {}, { "helm.sh/resource-policy": "keep" }), configMap("b")]),
    );
    await fixture.deploy(context, contentOf([configMap("b")]));
    expect(await fixture.find("ConfigMap", context.namespace, "a")).toBeDefined();
    const history = await context.store.history({ signal });
    await finish(createUninstall(context, history, { wait: true }));
    expect(await fixture.find("ConfigMap", context.namespace, "a")).toBeDefined();
    expect(await fixture.find("ConfigMap", context.namespace, "b")).toBeUndefined();
    expect(await fixture.statuses(context)).toEqual([]);
  });

  it("refuses objects of others before it writes anything, unless it may take them", async () => {
    const context = await fixture.release("app");
    const { namespace } = context;
    await fixture.client.create(configMapType, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "b", namespace },
    });
    const content = contentOf([configMap("a"), configMap("b", { key: "1" })]);
    await expect(fixture.deploy(context, content)).rejects.toMatchObject({
      reason: "ReleaseOwnership",
      message:
        `ConfigMap ${namespace}/b exists and does not belong to release ${namespace}/app: ` +
        'label app.kubernetes.io/managed-by: expected "Helm", found none, ' +
        'annotation meta.helm.sh/release-name: expected "app", found none, ' +
        `annotation meta.helm.sh/release-namespace: expected "${namespace}", found none`,
    });
    expect([await fixture.find("ConfigMap", namespace, "a"), await fixture.statuses(context)]).toEqual([undefined, []]);
    await fixture.deploy(context, content, { takeOwnership: true });
    expect(await fixture.dataOf(context, "b")).toEqual({ key: "1" });
  });

  it("makes the namespace when that is wanted", async () => {
    const context = fixture.context("app", "made-by-release");
    await fixture.deploy(context, contentOf([configMap("a")]), { createNamespace: true });
    expect((await fixture.find("Namespace", "", "made-by-release"))?.metadata.labels).toMatchObject({
      name: "made-by-release",
    });
  });

  it("keeps ten revisions, the deployed one among them", async () => {
    const context = await fixture.release("app");
    for (let index = 0; index < 12; index++)
      await fixture.deploy(context, contentOf([configMap("a", { index: String(index) })]));
    const history = await fixture.statuses(context);
    expect([history.length, history[0]?.[0], history.at(-1)?.slice(0, 2)]).toEqual([10, 3, [12, "deployed"]]);
  });

  it("keeps records in ConfigMaps where that is wanted", async () => {
    const context = await fixture.release("app", "configmap");
    await fixture.deploy(context, contentOf([configMap("a")]));
    const record = await fixture.find("ConfigMap", context.namespace, "sh.helm.release.v1.app.v1");
    expect(record?.metadata.labels).toMatchObject({ name: "app", owner: "helm", status: "deployed", version: "1" });
    expect(await fixture.statuses(context)).toEqual([[1, "deployed", "Install complete"]]);
  });

  it("says when a record is too large", async () => {
    const context = await fixture.release("app");
    const noise = Array.from({ length: 200_000 }, (_, index) => Math.sin(index).toString(36)).join("");
    await expect(fixture.deploy(context, contentOf([configMap("a")], { notes: noise }))).rejects.toMatchObject({
      reason: "ReleaseTooLarge",
      message: expect.stringMatching(
        /sh.helm.release.v1.app.v1: the record of the release has \d+ KiB; a Secret holds 1024/,
      ),
    });
  });
});
