import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { createRollback } from "./create-rollback.ts";
import { createUninstall } from "./create-uninstall.ts";
import { Deployment, type DeploymentContent, type DeploymentOptions } from "./deployment.ts";
import type { ReleaseContext } from "./release-context.ts";
import type { ReleaseRecord, ReleaseStatus } from "./release-record.ts";
import { ReleaseTest } from "./release-test.ts";
import { configMap, contentOf, finish, hook, ReleaseFixture } from "./testing.ts";

const { signal } = new AbortController();
let fixture: ReleaseFixture;
beforeAll(async () => {
  fixture = await ReleaseFixture.start();
}, 30_000);
afterAll(async () => fixture.stop());

async function deploy(
  context: ReleaseContext,
  content: DeploymentContent,
  options: DeploymentOptions = {},
): Promise<ReleaseRecord> {
  const deployment = new Deployment(context, content, { patienceMs: 0, ...options });
  await finish(deployment, async () => endJobs(context));
  if (deployment.record === undefined) throw new Error("ended without a record");
  return deployment.record;
}

const jobType = { group: "batch", version: "v1", kind: "Job", plural: "jobs", namespaced: true };
const configMapType = { group: "", version: "v1", kind: "ConfigMap", plural: "configmaps", namespaced: true };

/** Plays the controller of Jobs: those whose name starts with "bad" fail. */
async function endJobs({ namespace }: ReleaseContext): Promise<void> {
  const { items } = await fixture.client.list<UnstructuredObject>(jobType, { namespace });
  for (const job of items.filter(({ status }) => status === undefined || JSON.stringify(status) === "{}")) {
    const time = "2026-01-01T00:00:00Z";
    const isBad = job.metadata.name?.startsWith("bad") === true;
    const condition = (type: string, reason: string) => ({
      type,
      status: "True",
      reason,
      message: "no luck",
      lastTransitionTime: time,
    });
    const conditions = isBad
      ? [condition("FailureTarget", "BackoffLimitExceeded"), condition("Failed", "BackoffLimitExceeded")]
      : [condition("SuccessCriteriaMet", "CompletionsReached"), condition("Complete", "CompletionsReached")];
    const done = isBad ? { failed: 1 } : { succeeded: 1, completionTime: time };
    await fixture.client.updateStatus(jobType, { ...job, status: { startTime: time, conditions, ...done } });
  }
}

async function statuses({ store }: ReleaseContext): Promise<[number, ReleaseStatus, string][]> {
  const history = await store.history({ signal });
  return history.map(({ version, info }) => [version, info.status, info.description]);
}

async function dataOf(context: ReleaseContext, name: string): Promise<unknown> {
  return (await fixture.find("ConfigMap", context.namespace, name))?.["data"];
}

describe("install and upgrade", () => {
  it("makes the objects with the marks of Helm and records what it did", async () => {
    const context = await fixture.release("app");
    const record = await deploy(context, contentOf([configMap("a", { key: "1" })], { notes: "thanks" }));
    const live = await fixture.find("ConfigMap", context.namespace, "a");
    expect(live?.metadata).toMatchObject({
      labels: { "app.kubernetes.io/managed-by": "Helm" },
      annotations: { "meta.helm.sh/release-name": "app", "meta.helm.sh/release-namespace": context.namespace },
    });
    expect(record).toMatchObject({ name: "app", version: 1, info: { status: "deployed", notes: "thanks" } });
    expect(await statuses(context)).toEqual([[1, "deployed", "Install complete"]]);
  });

  it("patches what changed, keeps what others added, removes what has left", async () => {
    const context = await fixture.release("app");
    await deploy(context, contentOf([configMap("a", { keep: "1", drop: "1" }), configMap("b")]));
    const live = await fixture.find("ConfigMap", context.namespace, "a");
    await fixture.client.update(configMapType, {
      ...live,
      data: { keep: "1", drop: "1", foreign: "1" },
    } as UnstructuredObject);
    await deploy(context, contentOf([configMap("a", { keep: "2" }), configMap("c", { key: "1" })]));
    expect(await dataOf(context, "a")).toEqual({ keep: "2", foreign: "1" });
    expect(await fixture.find("ConfigMap", context.namespace, "b")).toBeUndefined();
    expect(await dataOf(context, "c")).toEqual({ key: "1" });
    expect(await statuses(context)).toEqual([
      [1, "superseded", "Install complete"],
      [2, "deployed", "Upgrade complete"],
    ]);
  });

  it("keeps what is marked to be kept", async () => {
    const context = await fixture.release("app");
    await deploy(context, contentOf([configMap("a", {}, { "helm.sh/resource-policy": "keep" }), configMap("b")]));
    await deploy(context, contentOf([configMap("b")]));
    expect(await fixture.find("ConfigMap", context.namespace, "a")).toBeDefined();
    const history = await context.store.history({ signal });
    await finish(createUninstall(context, history, { wait: true }));
    expect(await fixture.find("ConfigMap", context.namespace, "a")).toBeDefined();
    expect(await fixture.find("ConfigMap", context.namespace, "b")).toBeUndefined();
    expect(await statuses(context)).toEqual([]);
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
    await expect(deploy(context, content)).rejects.toMatchObject({
      reason: "ReleaseOwnership",
      message:
        `ConfigMap ${namespace}/b exists and does not belong to release ${namespace}/app: ` +
        'label app.kubernetes.io/managed-by: expected "Helm", found none, ' +
        'annotation meta.helm.sh/release-name: expected "app", found none, ' +
        `annotation meta.helm.sh/release-namespace: expected "${namespace}", found none`,
    });
    expect([await fixture.find("ConfigMap", namespace, "a"), await statuses(context)]).toEqual([undefined, []]);
    await deploy(context, content, { takeOwnership: true });
    expect(await dataOf(context, "b")).toEqual({ key: "1" });
  });

  it("makes the namespace when that is wanted", async () => {
    const context = fixture.context("app", "made-by-release");
    await deploy(context, contentOf([configMap("a")]), { createNamespace: true });
    expect((await fixture.find("Namespace", "", "made-by-release"))?.metadata.labels).toMatchObject({
      name: "made-by-release",
    });
  });

  it("keeps ten revisions, the deployed one among them", async () => {
    const context = await fixture.release("app");
    for (let index = 0; index < 12; index++)
      await deploy(context, contentOf([configMap("a", { index: String(index) })]));
    const history = await statuses(context);
    expect([history.length, history[0]?.[0], history.at(-1)?.slice(0, 2)]).toEqual([10, 3, [12, "deployed"]]);
  });

  it("keeps records in ConfigMaps where that is wanted", async () => {
    const context = await fixture.release("app", "configmap");
    await deploy(context, contentOf([configMap("a")]));
    const record = await fixture.find("ConfigMap", context.namespace, "sh.helm.release.v1.app.v1");
    expect(record?.metadata.labels).toMatchObject({ name: "app", owner: "helm", status: "deployed", version: "1" });
    expect(await statuses(context)).toEqual([[1, "deployed", "Install complete"]]);
  });

  it("says when a record is too large", async () => {
    const context = await fixture.release("app");
    const noise = Array.from({ length: 200_000 }, (_, index) => Math.sin(index).toString(36)).join("");
    await expect(deploy(context, contentOf([configMap("a")], { notes: noise }))).rejects.toMatchObject({
      reason: "ReleaseTooLarge",
      message: expect.stringMatching(
        /sh.helm.release.v1.app.v1: the record of the release has \d+ KiB; a Secret holds 1024/,
      ),
    });
  });
});

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
      await endJobs(context);
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
    await deploy(context, content);
    const first = await fixture.find("Job", context.namespace, "job");
    await deploy(context, content);
    const second = await fixture.find("Job", context.namespace, "job");
    expect(second?.metadata.uid).not.toBe(first?.metadata.uid);
  });

  it("follow their policies", async () => {
    const context = await fixture.release("app");
    await deploy(
      context,
      contentOf([hook("gone", "pre-install", { "delete-policy": "hook-succeeded" }), hook("stays", "pre-install")]),
    );
    expect(await fixture.find("Job", context.namespace, "gone")).toBeUndefined();
    expect(await fixture.find("Job", context.namespace, "stays")).toBeDefined();
    const failing = contentOf([hook("bad-gone", "pre-upgrade", { "delete-policy": "hook-failed" })]);
    await expect(deploy(context, failing)).rejects.toMatchObject({ reason: "HookFailed" });
    expect(await fixture.find("Job", context.namespace, "bad-gone")).toBeUndefined();
  });

  it("fail the release with their name, and leave the objects as they were", async () => {
    const context = await fixture.release("app");
    await deploy(context, contentOf([configMap("a", { key: "1" })]));
    const content = contentOf([hook("bad", "pre-upgrade"), configMap("a", { key: "2" })]);
    const message = `pre-upgrade hook Job ${context.namespace}/bad has failed (BackoffLimitExceeded) (chart/templates/0.yaml)`;
    await expect(deploy(context, content)).rejects.toMatchObject({ message });
    expect(await dataOf(context, "a")).toEqual({ key: "1" });
    expect(await statuses(context)).toEqual([
      [1, "deployed", "Install complete"],
      [2, "failed", `Upgrade "app" failed: ${message}`],
    ]);
  });

  it("run as tests when they are asked for", async () => {
    const context = await fixture.release("app");
    const record = await deploy(context, contentOf([hook("good", "test"), configMap("a")]));
    expect(await fixture.find("Job", context.namespace, "good")).toBeUndefined();
    await finish(new ReleaseTest(context, record), async () => endJobs(context));
    const [tested] = await context.store.history({ signal });
    expect(tested?.hooks[0]?.last_run.phase).toBe("Succeeded");
  });

  it("are left out when that is wanted", async () => {
    const context = await fixture.release("app");
    await deploy(context, contentOf([hook("bad", "pre-install"), configMap("a")]), { disableHooks: true });
    expect(await fixture.find("Job", context.namespace, "bad")).toBeUndefined();
  });
});

describe("what fails", () => {
  const broken = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "UPPER" }, data: {} };

  it("is recorded, and put right by the next", async () => {
    const context = await fixture.release("app");
    await expect(deploy(context, contentOf([configMap("a"), broken]))).rejects.toMatchObject({
      reason: "TargetRefused",
    });
    expect((await statuses(context))[0]?.slice(0, 2)).toEqual([1, "failed"]);
    await deploy(context, contentOf([configMap("b")]));
    expect(await fixture.find("ConfigMap", context.namespace, "a")).toBeUndefined();
    expect((await statuses(context)).map(([, status]) => status)).toEqual(["superseded", "deployed"]);
  });

  it("is uninstalled when it was an atomic install", async () => {
    const context = await fixture.release("app");
    await expect(deploy(context, contentOf([configMap("a"), broken]), { atomic: true })).rejects.toMatchObject({
      message: expect.stringMatching(/^create ConfigMap .*; the release was uninstalled$/),
      retry: "never",
    });
    expect([await fixture.find("ConfigMap", context.namespace, "a"), await statuses(context)]).toEqual([undefined, []]);
  });

  it("is rolled back when it was an atomic upgrade", async () => {
    const context = await fixture.release("app");
    await deploy(context, contentOf([configMap("a", { key: "1" })]));
    const next = contentOf([configMap("a", { key: "2" }), configMap("b"), broken]);
    await expect(deploy(context, next, { atomic: true })).rejects.toMatchObject({
      message: expect.stringContaining("; the release was rolled back to revision 1"),
    });
    expect(await dataOf(context, "a")).toEqual({ key: "1" });
    expect(await fixture.find("ConfigMap", context.namespace, "b")).toBeUndefined();
    expect((await statuses(context)).map(([version, status]) => `${version} ${status}`)).toEqual([
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
    await expect(deploy(context, content)).rejects.toMatchObject({ reason: "TargetForbidden" });
    fixture.server.setFault(undefined);
    await deploy(context, content, { retryOf: 1 });
    expect(await statuses(context)).toEqual([[1, "deployed", "Install complete"]]);
    await expect(deploy(context, contentOf([configMap("a"), broken]))).rejects.toThrow("UPPER");
    await deploy(context, contentOf([configMap("a")]), { retryOf: 2 });
    expect((await statuses(context)).map(([version, status]) => `${version} ${status}`)).toEqual([
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
    expect(await statuses(context)).toEqual([[1, "failed", 'Release "app" failed: nobody waits any more']]);
  });

  it("leaves objects of failed upgrades to nobody", async () => {
    const context = await fixture.release("app");
    await deploy(context, contentOf([configMap("a")]));
    await expect(deploy(context, contentOf([configMap("a"), configMap("left"), broken]))).rejects.toThrow("UPPER");
    expect(await fixture.find("ConfigMap", context.namespace, "left")).toBeDefined();
    await deploy(context, contentOf([configMap("a")]));
    expect(await fixture.find("ConfigMap", context.namespace, "left")).toBeUndefined();
  });

  it.each(["pending-install", "pending-upgrade", "pending-rollback"] as const)(
    "goes on after %s was left behind",
    async (status) => {
      const context = await fixture.release("app");
      const record = await deploy(context, contentOf([configMap("a", { key: "1" })]));
      const pending = { ...record, version: 2, info: { ...record.info, status } };
      await context.store.create(pending, { signal });
      await deploy(context, contentOf([configMap("a", { key: "2" })]));
      expect(await dataOf(context, "a")).toEqual({ key: "2" });
      expect((await statuses(context)).map(([, each, description]) => [each, description])).toEqual([
        ["superseded", "Install complete"],
        ["failed", `Interrupted while ${status}`],
        ["deployed", "Upgrade complete"],
      ]);
    },
  );

  it("ends an uninstall that was left behind and installs again", async () => {
    const context = await fixture.release("app");
    const record = await deploy(context, contentOf([configMap("a"), configMap("b")]));
    await context.store.update({ ...record, info: { ...record.info, status: "uninstalling" } }, { signal });
    await deploy(context, contentOf([configMap("b", { key: "2" })]));
    expect(await fixture.find("ConfigMap", context.namespace, "a")).toBeUndefined();
    expect(await statuses(context)).toEqual([[1, "deployed", "Install complete"]]);
  });

  it("installs again over a history that was kept", async () => {
    const context = await fixture.release("app");
    await deploy(context, contentOf([configMap("a")]));
    await finish(createUninstall(context, await context.store.history({ signal }), { keepHistory: true }));
    expect(await statuses(context)).toEqual([[1, "uninstalled", "Uninstallation complete"]]);
    await deploy(context, contentOf([configMap("a")]));
    expect((await statuses(context)).map(([version, status]) => `${version} ${status}`)).toEqual([
      "1 uninstalled",
      "2 deployed",
    ]);
  });

  it("is told when somebody else is at work", async () => {
    const context = await fixture.release("app");
    const record = await deploy(context, contentOf([configMap("a")]));
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

describe("rollback", () => {
  it("makes an old revision the newest", async () => {
    const context = await fixture.release("app");
    await deploy(context, contentOf([configMap("a", { key: "1" })]));
    await deploy(context, contentOf([configMap("a", { key: "2" }), configMap("b")]));
    const history = await context.store.history({ signal });
    const [target] = history;
    if (target === undefined) throw new Error("no history");
    await finish(createRollback(context, { target, history, options: {} }));
    expect(await dataOf(context, "a")).toEqual({ key: "1" });
    expect(await fixture.find("ConfigMap", context.namespace, "b")).toBeUndefined();
    expect((await statuses(context)).at(-1)).toEqual([3, "deployed", "Rollback to 1"]);
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
    await deploy(context, content);
    const waits: string[] = [];
    await finish(
      createUninstall(context, await context.store.history({ signal }), { wait: true }),
      async ({ waitingFor }) => {
        waits.push(...waitingFor);
        await endJobs(context);
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
    expect(await statuses(context)).toEqual([]);
  });

  it("leaves what another release has taken", async () => {
    const context = await fixture.release("app");
    await deploy(context, contentOf([configMap("a")]));
    const other = fixture.context("other", context.namespace);
    await deploy(other, contentOf([configMap("a", { key: "other" })]), { takeOwnership: true });
    await finish(createUninstall(context, await context.store.history({ signal }), { wait: true }));
    expect(await dataOf(context, "a")).toEqual({ key: "other" });
  });

  it("says when there is nothing", async () => {
    const context = await fixture.release("app");
    expect(() => createUninstall(context, [], {})).toThrow(`release ${context.namespace}/app: not found`);
  });
});
