import { describe, expect, it } from "@jest/globals";
import { createRollback } from "./create-rollback.ts";
import { Deployment } from "./deployment.ts";
import { recordAbandoned } from "./records/record-abandoned.ts";
import type { ReleaseContext } from "./release-context.ts";
import { configMap, contentOf, finish, hook, useReleaseFixture } from "../test/release-fixture.ts";

const { signal } = new AbortController();
const fixture = useReleaseFixture();

/** A release whose first revision is deployed, and whose second one waits for its hook. */
async function waiting(): Promise<{ context: ReleaseContext; deployment: Deployment }> {
  const context = await fixture.release("app");
  await fixture.deploy(context, contentOf([configMap("a")]));
  const deployment = new Deployment(context, contentOf([configMap("a"), hook("slow", "pre-upgrade")]), {});
  expect(await deployment.advance(signal)).toBeDefined();
  return { context, deployment };
}

const problem = "the job was ended";

describe("an operation that nobody goes on with", () => {
  it("is recorded as failed, with the reason", async () => {
    const { context, deployment } = await waiting();
    expect(deployment.revisionAtWork).toBe(2);
    await recordAbandoned(context, { revisions: [1, 2], problem }, signal);
    expect((await fixture.statuses(context)).at(-1)).toEqual([2, "failed", `Upgrade "app" failed: ${problem}`]);
  });

  it.each([
    ["of somebody else", [1]],
    ["that is not known", []],
  ])("%s is left alone", async (_name, revisions) => {
    const { context } = await waiting();
    await recordAbandoned(context, { revisions, problem }, signal);
    expect((await fixture.statuses(context)).at(-1)?.[1]).toBe("pending-upgrade");
  });

  it("that has ended is left alone, and a release that is not there", async () => {
    const context = await fixture.release("app");
    await recordAbandoned(context, { revisions: [1], problem }, signal);
    await fixture.deploy(context, contentOf([configMap("a")]));
    await recordAbandoned(context, { revisions: [1], problem }, signal);
    expect(await fixture.statuses(context)).toEqual([[1, "deployed", "Install complete"]]);
  });
});

describe("a rollback that has failed", () => {
  it("is tried again under its number", async () => {
    const context = await fixture.release("app");
    await fixture.deploy(context, contentOf([configMap("a", { key: "1" }), hook("before", "pre-rollback")]));
    await fixture.deploy(context, contentOf([configMap("a", { key: "2" })]));
    const begin = async (retryOf?: number) => {
      const history = await context.store.history({ signal });
      const [target] = history;
      if (target === undefined) throw new Error("no history");
      return createRollback(context, { target, history, options: {}, retryOf });
    };
    const first = await begin();
    expect(await first.advance(signal)).toBeDefined();
    await first.fail("no luck", signal);
    expect((await fixture.statuses(context)).at(-1)).toEqual([3, "failed", 'Rollback "app" failed: no luck']);
    await finish(await begin(3), async () => void (await fixture.endJobs(context)));
    expect(await fixture.statuses(context)).toEqual([
      [1, "superseded", "Install complete"],
      [2, "superseded", "Upgrade complete"],
      [3, "deployed", "Rollback to 1"],
    ]);
    expect(await fixture.dataOf(context, "a")).toEqual({ key: "1" });
  });
});
