import { describe, expect, it } from "@jest/globals";
import { Deployment } from "../deployment.ts";
import { ReleaseTest } from "./release-test.ts";
import { configMap, contentOf, finish, hook, useReleaseFixture } from "../../test/release-fixture.ts";

const { signal } = new AbortController();
const fixture = useReleaseFixture();

describe("hooks", () => {
  it("run by weight and name around the objects, each after the one before", async () => {
    const context = await fixture.release("app");
    const order: string[] = [];
    const content = contentOf([
      hook("b", "pre-install"),
      hook("a", "pre-install"),
      hook("first", "pre-install", { weight: "-5" }),
      hook("after", "post-install"),
      hook("never", "pre-upgrade"),
      configMap("object"),
    ]);
    const deployment = new Deployment(context, content, {});
    await finish(deployment, async ({ waitingFor }) => {
      const exists = (await fixture.find("ConfigMap", context.namespace, "object")) !== undefined;
      order.push(`${waitingFor.join()} ${exists ? "with" : "without"} objects`);
      await fixture.endJobs(context);
    });
    expect([...new Set(order)]).toEqual([
      `pre-install hook Job ${context.namespace}/first to end without objects`,
      `pre-install hook Job ${context.namespace}/a to end without objects`,
      `pre-install hook Job ${context.namespace}/b to end without objects`,
      `post-install hook Job ${context.namespace}/after to end with objects`,
    ]);
    expect(deployment.record?.hooks.map(({ name, last_run: { phase } }) => `${name} ${phase}`).toSorted()).toEqual([
      "a Succeeded",
      "after Succeeded",
      "b Succeeded",
      "first Succeeded",
      "never ",
    ]);
  });

  it("are made anew for the next run", async () => {
    const context = await fixture.release("app");
    const content = contentOf([hook("job", "pre-install,pre-upgrade")]);
    await fixture.deploy(context, content);
    const first = await fixture.find("Job", context.namespace, "job");
    await fixture.deploy(context, content);
    const second = await fixture.find("Job", context.namespace, "job");
    expect(second?.metadata.uid).not.toBe(first?.metadata.uid);
  });

  it("follow their policies", async () => {
    const context = await fixture.release("app");
    await fixture.deploy(
      context,
      contentOf([hook("gone", "pre-install", { "delete-policy": "hook-succeeded" }), hook("stays", "pre-install")]),
    );
    expect(await fixture.find("Job", context.namespace, "gone")).toBeUndefined();
    expect(await fixture.find("Job", context.namespace, "stays")).toBeDefined();
    const failing = contentOf([hook("bad-gone", "pre-upgrade", { "delete-policy": "hook-failed" })]);
    await expect(fixture.deploy(context, failing)).rejects.toMatchObject({ reason: "HookFailed" });
    expect(await fixture.find("Job", context.namespace, "bad-gone")).toBeUndefined();
  });

  it("fail the release with their name, and leave the objects as they were", async () => {
    const context = await fixture.release("app");
    await fixture.deploy(context, contentOf([configMap("a", { key: "1" })]));
    const content = contentOf([hook("bad", "pre-upgrade"), configMap("a", { key: "2" })]);
    const message = `pre-upgrade hook Job ${context.namespace}/bad has failed (BackoffLimitExceeded) (chart/templates/0.yaml)`;
    await expect(fixture.deploy(context, content)).rejects.toMatchObject({ message });
    expect(await fixture.dataOf(context, "a")).toEqual({ key: "1" });
    expect(await fixture.statuses(context)).toEqual([
      [1, "deployed", "Install complete"],
      [2, "failed", `Upgrade "app" failed: ${message}`],
    ]);
  });

  it("run as tests when they are asked for", async () => {
    const context = await fixture.release("app");
    const record = await fixture.deploy(context, contentOf([hook("good", "test"), configMap("a")]));
    expect(await fixture.find("Job", context.namespace, "good")).toBeUndefined();
    await finish(new ReleaseTest(context, record), async () => void (await fixture.endJobs(context)));
    const [tested] = await context.store.history({ signal });
    expect(tested?.hooks[0]?.last_run.phase).toBe("Succeeded");
  });

  it("are left out when that is wanted", async () => {
    const context = await fixture.release("app");
    await fixture.deploy(context, contentOf([hook("bad", "pre-install"), configMap("a")]), { disableHooks: true });
    expect(await fixture.find("Job", context.namespace, "bad")).toBeUndefined();
  });
});
