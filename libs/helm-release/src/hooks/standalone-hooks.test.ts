import { describe, expect, it } from "@jest/globals";
import type { Hook } from "@landscaper/helm";
import { StandaloneHooks, type HookOperation, type StandaloneContext } from "./standalone-hooks.ts";
import { contentOf, finish, hook, secretType, useReleaseFixture } from "../../test/release-fixture.ts";

const { signal } = new AbortController();
const fixture = useReleaseFixture();

const hooksOf = (...objects: readonly object[]): readonly Hook[] => contentOf(objects).hooks;
const all = hooksOf(
  hook("before", "pre-install"),
  hook("both", "pre-install,pre-upgrade"),
  hook("after", "post-install"),
  hook("late", "post-upgrade"),
  hook("farewell", "pre-delete"),
  hook("gone", "post-delete"),
  hook("tested", "test"),
);

async function open(operation: Partial<HookOperation> = {}, given?: StandaloneContext): Promise<Opened> {
  const context = given ?? (await fixture.release("app"));
  const hooks = await StandaloneHooks.prepare(
    context,
    { kind: "install", id: "job-1", hooks: all, ...operation },
    signal,
  );
  return { context, hooks };
}

interface Opened {
  readonly context: StandaloneContext;
  readonly hooks: StandaloneHooks;
}

/** Names of the Jobs that ran meanwhile. */
async function run({ context, hooks }: Opened, when: "pre" | "post"): Promise<string[]> {
  const ran: string[] = [];
  await finish({ advance: async (aborted) => hooks.advance(when, aborted) }, async () => {
    ran.push(...(await fixture.endJobs(context)));
  });
  return ran;
}

async function forDeletion(context: StandaloneContext): Promise<Opened> {
  const hooks = await StandaloneHooks.forDeletion(context, signal);
  if (hooks === undefined) throw new Error("nothing is stored");
  return { context, hooks };
}

describe("hooks without a release", () => {
  it("run before and after an install, an upgrade and the deletion", async () => {
    const installing = await open();
    const { context } = installing;
    expect([await run(installing, "pre"), await run(installing, "post")]).toEqual([["before", "both"], ["after"]]);
    const upgrading = await open({ kind: "upgrade", id: "job-2" }, context);
    expect([await run(upgrading, "pre"), await run(upgrading, "post")]).toEqual([["both"], ["late"]]);
    const deleting = await forDeletion(context);
    expect([await run(deleting, "pre"), await run(deleting, "post")]).toEqual([["farewell"], ["gone"]]);
    await StandaloneHooks.forget(context, signal);
    expect(await StandaloneHooks.forDeletion(context, signal)).toBeUndefined();
  });

  it("an operation that is begun again goes on, as what it was", async () => {
    const first = await open();
    const { context } = first;
    expect(await run(first, "pre")).toEqual(["before", "both"]);
    // A new process takes what is there for an upgrade.
    const second = await open({ kind: "upgrade" }, context);
    expect([await run(second, "pre"), await run(second, "post")]).toEqual([[], ["after"]]);
  });

  it("a new operation runs them anew", async () => {
    const first = await open();
    await run(first, "pre");
    const second = await open({ id: "job-2" }, first.context);
    expect(await run(second, "pre")).toEqual(["before", "both"]);
  });

  it("a deletion that is begun again goes on", async () => {
    const { context } = await open({ hooks: hooksOf(hook("one", "pre-delete"), hook("two", "pre-delete")) });
    const first = await forDeletion(context);
    await first.hooks.advance("pre", signal);
    expect(await fixture.endJobs(context)).toEqual(["one"]);
    // The end of the first is recorded with the start of the second.
    await first.hooks.advance("pre", signal);
    const second = await forDeletion(context);
    expect(await run(second, "pre")).toEqual(["two"]);
  });

  it("one that fails ends the operation, and runs again with the next", async () => {
    const opened = await open({ hooks: hooksOf(hook("bad", "pre-install")) });
    await expect(run(opened, "pre")).rejects.toMatchObject({
      reason: "HookFailed",
      message: expect.stringContaining(`pre-install hook Job ${opened.context.namespace}/bad `),
    });
    const again = await open({ hooks: hooksOf(hook("bad", "pre-install")) }, opened.context);
    await expect(run(again, "pre")).rejects.toMatchObject({ reason: "HookFailed" });
  });

  it("are kept where Helm does not take them for a release", async () => {
    const { context } = await open();
    const { items } = await fixture.client.list(secretType, { namespace: context.namespace });
    expect(items.map(({ metadata }) => [metadata.name, metadata.labels])).toEqual([
      ["landscaper-hooks.app", { "app.kubernetes.io/managed-by": "landscaper" }],
    ]);
    expect(await fixture.context("app", context.namespace).store.history({ signal })).toEqual([]);
  });

  it("nothing stored: there is nothing to run at a deletion", async () => {
    expect(await StandaloneHooks.forDeletion(await fixture.release("app"), signal)).toBeUndefined();
  });
});
