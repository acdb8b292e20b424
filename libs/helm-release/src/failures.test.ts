import { describe, expect, it } from "@jest/globals";
import { createUninstall } from "./create-uninstall.ts";
import { Deployment } from "./deployment.ts";
import { configMap, contentOf, finish, hook, useReleaseFixture } from "../test/release-fixture.ts";

const { signal } = new AbortController();
const fixture = useReleaseFixture();

describe("what fails", () => {
  const broken = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "UPPER" }, data: {} };

  it("is recorded, and put right by the next", async () => {
    const context = await fixture.release("app");
    await expect(fixture.deploy(context, contentOf([configMap("a"), broken]))).rejects.toMatchObject({
      reason: "TargetRefused",
    });
    expect((await fixture.statuses(context))[0]?.slice(0, 2)).toEqual([1, "failed"]);
    await fixture.deploy(context, contentOf([configMap("b")]));
    expect(await fixture.find("ConfigMap", context.namespace, "a")).toBeUndefined();
    expect((await fixture.statuses(context)).map(([, status]) => status)).toEqual(["superseded", "deployed"]);
  });

  it("is uninstalled when it was an atomic install", async () => {
    const context = await fixture.release("app");
    await expect(fixture.deploy(context, contentOf([configMap("a"), broken]), { atomic: true })).rejects.toMatchObject({
      message: expect.stringMatching(/^chart\/templates\/1\.yaml: create ConfigMap .*; the release was uninstalled$/),
      retry: "never",
    });
    expect([await fixture.find("ConfigMap", context.namespace, "a"), await fixture.statuses(context)]).toEqual([
      undefined,
      [],
    ]);
  });

  it("is rolled back when it was an atomic upgrade", async () => {
    const context = await fixture.release("app");
    await fixture.deploy(context, contentOf([configMap("a", { key: "1" })]));
    const next = contentOf([configMap("a", { key: "2" }), configMap("b"), broken]);
    await expect(fixture.deploy(context, next, { atomic: true })).rejects.toMatchObject({
      message: expect.stringContaining("; the release was rolled back to revision 1"),
    });
    expect(await fixture.dataOf(context, "a")).toEqual({ key: "1" });
    expect(await fixture.find("ConfigMap", context.namespace, "b")).toBeUndefined();
    expect((await fixture.statuses(context)).map(([version, status]) => `${version} ${status}`)).toEqual([
      "1 superseded",
      "2 failed",
      "3 deployed",
    ]);
  });

  it("is tried again under its number, as what it was", async () => {
    const context = await fixture.release("app");
    const content = contentOf([configMap("a"), configMap("taken"), hook("before", "pre-install")]);
    fixture.server.setFault(({ verb, resource }) =>
      verb === "create" && resource === "configmaps" ? { status: 403 } : undefined,
    );
    await expect(fixture.deploy(context, content)).rejects.toMatchObject({ reason: "TargetForbidden" });
    fixture.server.setFault(undefined);
    await fixture.deploy(context, content, { retryOf: 1 });
    expect(await fixture.statuses(context)).toEqual([[1, "deployed", "Install complete"]]);
    await expect(fixture.deploy(context, contentOf([configMap("a"), broken]))).rejects.toThrow("UPPER");
    await fixture.deploy(context, contentOf([configMap("a")]), { retryOf: 2 });
    expect((await fixture.statuses(context)).map(([version, status]) => `${version} ${status}`)).toEqual([
      "1 superseded",
      "2 deployed",
    ]);
    expect(await fixture.find("ConfigMap", context.namespace, "taken")).toBeUndefined();
  });

  it("is recorded when the caller gives up", async () => {
    const context = await fixture.release("app");
    const deployment = new Deployment(context, contentOf([hook("before", "pre-install")]), {});
    expect(await deployment.advance(signal)).toMatchObject({ waitingFor: [expect.stringContaining("before")] });
    await deployment.abandon("nobody waits any more", signal);
    expect(await fixture.statuses(context)).toEqual([[1, "failed", 'Release "app" failed: nobody waits any more']]);
  });

  it("leaves objects of failed upgrades to nobody", async () => {
    const context = await fixture.release("app");
    await fixture.deploy(context, contentOf([configMap("a")]));
    await expect(fixture.deploy(context, contentOf([configMap("a"), configMap("left"), broken]))).rejects.toThrow(
      "UPPER",
    );
    expect(await fixture.find("ConfigMap", context.namespace, "left")).toBeDefined();
    await fixture.deploy(context, contentOf([configMap("a")]));
    expect(await fixture.find("ConfigMap", context.namespace, "left")).toBeUndefined();
  });

  it.each(["pending-install", "pending-upgrade", "pending-rollback"] as const)(
    "goes on after %s was left behind",
    async (status) => {
      const context = await fixture.release("app");
      const record = await fixture.deploy(context, contentOf([configMap("a", { key: "1" })]));
      const pending = { ...record, version: 2, info: { ...record.info, status } };
      await context.store.create(pending, { signal });
      await fixture.deploy(context, contentOf([configMap("a", { key: "2" })]));
      expect(await fixture.dataOf(context, "a")).toEqual({ key: "2" });
      expect((await fixture.statuses(context)).map(([, each, description]) => [each, description])).toEqual([
        ["superseded", "Install complete"],
        ["failed", `Interrupted while ${status}`],
        ["deployed", "Upgrade complete"],
      ]);
    },
  );

  it("ends an uninstall that was left behind and installs again", async () => {
    const context = await fixture.release("app");
    const record = await fixture.deploy(context, contentOf([configMap("a"), configMap("b")]));
    await context.store.update({ ...record, info: { ...record.info, status: "uninstalling" } }, { signal });
    await fixture.deploy(context, contentOf([configMap("b", { key: "2" })]));
    expect(await fixture.find("ConfigMap", context.namespace, "a")).toBeUndefined();
    expect(await fixture.statuses(context)).toEqual([[1, "deployed", "Install complete"]]);
  });

  it("installs again over a history that was kept", async () => {
    const context = await fixture.release("app");
    await fixture.deploy(context, contentOf([configMap("a")]));
    await finish(createUninstall(context, await context.store.history({ signal }), { keepHistory: true }));
    expect(await fixture.statuses(context)).toEqual([[1, "uninstalled", "Uninstallation complete"]]);
    await fixture.deploy(context, contentOf([configMap("a")]));
    expect((await fixture.statuses(context)).map(([version, status]) => `${version} ${status}`)).toEqual([
      "1 uninstalled",
      "2 deployed",
    ]);
  });

  it("is told when somebody else is at work", async () => {
    const context = await fixture.release("app");
    const record = await fixture.deploy(context, contentOf([configMap("a")]));
    const deployment = new Deployment(context, contentOf([hook("job", "pre-upgrade")]), {});
    const other = { ...record, version: 2 };
    const create = context.store.create.bind(context.store);
    context.store.create = async (...args) => {
      context.store.create = create;
      await create(other, { signal });
      await create(...args);
    };
    await expect(finish(deployment)).rejects.toMatchObject({ reason: "ReleaseBusy" });
  });
});
