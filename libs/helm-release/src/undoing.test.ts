import { describe, expect, it } from "@jest/globals";
import { createRollback } from "./create-rollback.ts";
import { createUninstall } from "./create-uninstall.ts";
import { configMap, configMapType, contentOf, finish, hook, useReleaseFixture } from "../test/release-fixture.ts";

const { signal } = new AbortController();
const fixture = useReleaseFixture();

describe("rollback", () => {
  it("makes an old revision the newest", async () => {
    const context = await fixture.release("app");
    await fixture.deploy(context, contentOf([configMap("a", { key: "1" })]));
    await fixture.deploy(context, contentOf([configMap("a", { key: "2" }), configMap("b")]));
    const history = await context.store.history({ signal });
    const [target] = history;
    if (target === undefined) throw new Error("no history");
    await finish(createRollback(context, { target, history, options: {} }));
    expect(await fixture.dataOf(context, "a")).toEqual({ key: "1" });
    expect(await fixture.find("ConfigMap", context.namespace, "b")).toBeUndefined();
    expect((await fixture.statuses(context)).at(-1)).toEqual([3, "deployed", "Rollback to 1"]);
  });
});

describe("uninstall", () => {
  it("runs its hooks, and waits until all is gone", async () => {
    const context = await fixture.release("app");
    const content = contentOf([
      configMap("a"),
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "held", finalizers: ["example.org/hold"] } },
      hook("before", "pre-delete"),
      hook("after", "post-delete"),
    ]);
    await fixture.deploy(context, content);
    const waits: string[] = [];
    await finish(
      createUninstall(context, await context.store.history({ signal }), { wait: true }),
      async ({ waitingFor }) => {
        waits.push(...waitingFor);
        await fixture.endJobs(context);
        const held = await fixture.find("ConfigMap", context.namespace, "held");
        if (held?.metadata.deletionTimestamp === undefined) return;
        await fixture.client.update(configMapType, { ...held, metadata: { ...held.metadata, finalizers: [] } });
      },
    );
    expect([...new Set(waits)]).toEqual([
      `pre-delete hook Job ${context.namespace}/before to end`,
      `ConfigMap ${context.namespace}/held to be gone`,
      `post-delete hook Job ${context.namespace}/after to end`,
    ]);
    expect(await fixture.statuses(context)).toEqual([]);
  });

  it("leaves what another release has taken", async () => {
    const context = await fixture.release("app");
    await fixture.deploy(context, contentOf([configMap("a")]));
    const other = fixture.context("other", context.namespace);
    await fixture.deploy(other, contentOf([configMap("a", { key: "other" })]), { takeOwnership: true });
    await finish(createUninstall(context, await context.store.history({ signal }), { wait: true }));
    expect(await fixture.dataOf(context, "a")).toEqual({ key: "other" });
  });

  it("says when there is nothing", async () => {
    const context = await fixture.release("app");
    expect(() => createUninstall(context, [], {})).toThrow(`release ${context.namespace}/app: not found`);
  });
});
