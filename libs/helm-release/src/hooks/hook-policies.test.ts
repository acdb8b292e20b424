// What stays of hooks, what is in their way, and what becomes of a release when they fail.
import { describe, expect, it } from "@jest/globals";
import type { ReleaseContext } from "../release-context.ts";
import type { ReleaseRecord } from "../records/release-record.ts";
import {
  configMap,
  configMapType,
  contentOf,
  finish,
  hook,
  jobType,
  useReleaseFixture,
} from "../../test/release-fixture.ts";
import { createUninstall } from "../create-uninstall.ts";

const { signal } = new AbortController();
const fixture = useReleaseFixture();

async function history({ store }: ReleaseContext): Promise<ReleaseRecord[]> {
  return await store.history({ signal });
}

const outOfTheWay = "delete it, or give the hook the delete policy before-hook-creation";
const policies = [
  { policy: undefined, succeeded: "stays", failed: "stays", again: "runs" },
  { policy: "before-hook-creation", succeeded: "stays", failed: "stays", again: "runs" },
  { policy: "hook-succeeded", succeeded: "goes", failed: "stays", again: "is in the way" },
  { policy: "hook-failed", succeeded: "stays", failed: "goes", again: "is in the way" },
  { policy: "hook-succeeded,hook-failed", succeeded: "goes", failed: "goes", again: "runs" },
  { policy: "before-hook-creation,hook-succeeded", succeeded: "goes", failed: "stays", again: "runs" },
  { policy: "before-hook-creation, hook-failed", succeeded: "stays", failed: "goes", again: "runs" },
  { policy: "before-hook-creation,hook-succeeded,hook-failed", succeeded: "goes", failed: "goes", again: "runs" },
] as const;

describe.each(policies)("a hook with delete policy $policy", ({ policy, succeeded, failed, again }) => {
  const jobs = (name: string): object =>
    hook(name, "pre-install,pre-upgrade", policy === undefined ? {} : { "delete-policy": policy });
  const isThere = async ({ namespace }: ReleaseContext, name: string): Promise<string> =>
    (await fixture.find("Job", namespace, name)) === undefined ? "goes" : "stays";

  it(`${succeeded} when it has succeeded, and ${failed} when it has failed`, async () => {
    const context = await fixture.release("app");
    await fixture.deploy(context, contentOf([jobs("good")]));
    await expect(fixture.deploy(context, contentOf([jobs("bad")]))).rejects.toMatchObject({ reason: "HookFailed" });
    expect({ succeeded: await isThere(context, "good"), failed: await isThere(context, "bad") }).toEqual({
      succeeded,
      failed,
    });
    expect((await history(context)).map(({ info }) => info.status)).toEqual(["deployed", "failed"]);
  });

  it(`${again} when what it leaves is there at the next run`, async () => {
    const context = await fixture.release("app");
    // What is left of a failure, else of a success.
    const name = failed === "stays" ? "bad" : "good";
    const content = contentOf([jobs(name)]);
    const first = fixture.deploy(context, content);
    if (name === "bad") await expect(first).rejects.toMatchObject({ reason: "HookFailed" });
    else await first;
    const second = await fixture.deploy(context, content).then(
      () => undefined,
      (error: unknown) => error,
    );
    const { namespace } = context;
    const inTheWay = {
      reason: "HookFailed",
      retry: "never",
      message:
        `${name === "bad" ? "pre-install" : "pre-upgrade"} hook create Job ${namespace}/${name}: jobs.batch "${name}" already exists, ` +
        "and its delete policy keeps it (chart/templates/0.yaml)",
      hint: outOfTheWay,
    };
    if (again === "is in the way")
      expect(second).toMatchObject({
        ...inTheWay,
        message: expect.stringContaining("already exists, and its delete policy keeps it (chart/templates/0.yaml)"),
      });
    else if (name === "bad")
      expect(second).toMatchObject({ message: expect.stringContaining("has failed (BackoffLimitExceeded)") });
    else expect(second).toBeUndefined();
  });
});

describe("a hook that is not run for now", () => {
  it.each([
    { fault: { status: 403 }, reason: "TargetForbidden", said: "fault on purpose: 403", phase: "Failed" },
    { fault: { status: 500 }, reason: "TargetUnavailable", said: "fault on purpose: 500", phase: "Unknown" },
    { fault: "drop-answer", reason: "TargetUnreachable", said: "no answer from", phase: "Unknown" },
  ] as const)(
    "because of $said fails the revision, which may be tried again",
    async ({ fault, reason, said, phase }) => {
      const context = await fixture.release("app");
      const content = contentOf([hook("once", "pre-install", { "delete-policy": "hook-succeeded" }), configMap("a")]);
      let isDone = false;
      fixture.server.setFault(({ verb, resource }) => {
        if (isDone || verb !== "create" || resource !== "jobs") return undefined;
        isDone = true;
        return fault;
      });
      await expect(fixture.deploy(context, content)).rejects.toMatchObject({
        reason,
        retry: "backoff",
        message: expect.stringMatching(
          new RegExp(
            `^pre-install hook create Job ${context.namespace}/once: .*${said}.* \\(chart/templates/0.yaml\\)$`,
          ),
        ),
      });
      const [left] = await history(context);
      expect([left?.info.status, left?.hooks[0]?.last_run.phase]).toEqual(["failed", phase]);
      await fixture.deploy(context, content, { retryOf: 1 });
      expect(await fixture.statuses(context)).toEqual([[1, "deployed", "Install complete"]]);
      expect(await fixture.find("Job", context.namespace, "once")).toBeUndefined();
    },
  );

  it("because the target refuses it is not tried again", async () => {
    const context = await fixture.release("app");
    const bad = { ...hook("UPPER", "pre-install") };
    await expect(fixture.deploy(context, contentOf([bad]))).rejects.toMatchObject({
      reason: "HookFailed",
      retry: "never",
      message: expect.stringMatching(
        /^pre-install hook create Job release-\d+\/UPPER: .*\(chart\/templates\/0\.yaml\)$/,
      ),
    });
  });
});

describe("hooks of other kinds", () => {
  const note = (text: string, policy = "before-hook-creation"): object =>
    configMap("note", { text }, { "helm.sh/hook": "pre-install,pre-upgrade", "helm.sh/hook-delete-policy": policy });

  it("have ended when they are there", async () => {
    const context = await fixture.release("app");
    await fixture.deploy(context, contentOf([note("1")]));
    await fixture.deploy(context, contentOf([note("2")]));
    expect(await fixture.dataOf(context, "note")).toEqual({ text: "2" });
    await finish(createUninstall(context, await history(context), { wait: true }));
    // As for Helm: hooks are no objects of the release.
    expect(await fixture.dataOf(context, "note")).toEqual({ text: "2" });
  });

  const definition = (description: string): object => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: "things.hooks.example.org",
      annotations: {
        "helm.sh/hook": "pre-install,pre-upgrade",
        "helm.sh/hook-delete-policy": "before-hook-creation,hook-succeeded",
      },
    },
    spec: {
      group: "hooks.example.org",
      scope: "Namespaced",
      names: { kind: "Thing", plural: "things", singular: "thing", listKind: "ThingList" },
      versions: [
        { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object", description } } },
      ],
    },
  });

  it("definitions are never deleted, but brought up to date", async () => {
    const context = await fixture.release("app");
    const type = {
      group: "apiextensions.k8s.io",
      version: "v1",
      kind: "CustomResourceDefinition",
      plural: "customresourcedefinitions",
      namespaced: false,
    };
    await fixture.deploy(context, contentOf([definition("first")]));
    const first = await fixture.client.get(type, { name: "things.hooks.example.org" });
    await fixture.deploy(context, contentOf([definition("second")]));
    const second = await fixture.client.get(type, { name: "things.hooks.example.org" });
    expect(second.metadata.uid).toBe(first.metadata.uid);
    expect(JSON.stringify(second)).toContain('"description":"second"');
    await finish(createUninstall(context, await history(context), { wait: true }));
    await fixture.client.delete(type, { name: "things.hooks.example.org" });
  });

  it("an object of another release is left alone", async () => {
    const context = await fixture.release("app");
    const { namespace } = context;
    await fixture.deploy(fixture.context("other", namespace), contentOf([configMap("note", { text: "other" })]));
    await expect(fixture.deploy(context, contentOf([note("mine")]))).rejects.toMatchObject({
      reason: "ReleaseOwnership",
      message: `pre-install hook of chart/templates/0.yaml: ConfigMap ${namespace}/note exists and is an object of release ${namespace}/other`,
      hint: "rename the hook, or uninstall that release",
    });
    expect(await fixture.dataOf(context, "note")).toEqual({ text: "other" });
  });

  it("an object of nobody goes, as for Helm", async () => {
    const context = await fixture.release("app");
    const metadata = { name: "note", namespace: context.namespace };
    await fixture.client.create(configMapType, { apiVersion: "v1", kind: "ConfigMap", metadata });
    await fixture.deploy(context, contentOf([note("mine")]));
    expect(await fixture.dataOf(context, "note")).toEqual({ text: "mine" });
  });

  it("an object that has become a hook is not deleted with what the revision no longer has", async () => {
    const context = await fixture.release("app");
    await fixture.deploy(context, contentOf([configMap("note", { text: "object" }), configMap("a")]));
    await fixture.deploy(context, contentOf([note("hook"), configMap("a")]));
    expect(await fixture.dataOf(context, "note")).toEqual({ text: "hook" });
  });
});

describe("a hook of two events of one operation", () => {
  it("runs at both, also when the revision is tried again", async () => {
    const context = await fixture.release("app");
    const both = hook("both", "pre-install,post-install");
    const content = contentOf([both, configMap("a")]);
    fixture.server.setFault(({ verb, resource }) =>
      verb === "create" && resource === "configmaps" ? { status: 403 } : undefined,
    );
    await expect(fixture.deploy(context, content)).rejects.toMatchObject({ reason: "TargetForbidden" });
    let runs = 0;
    fixture.server.setFault(({ verb, resource }) => {
      if (verb === "create" && resource === "jobs") runs += 1;
      return undefined;
    });
    await fixture.deploy(context, content, { retryOf: 1 });
    expect(runs).toBe(2);
  });
});

describe("a revision that is tried again", () => {
  it("runs a hook again whose manifest is another one by now", async () => {
    const context = await fixture.release("app");
    const content = (weight: string) => contentOf([hook("before", "pre-install", { weight }), configMap("a")]);
    fixture.server.setFault(({ verb, resource }) =>
      verb === "create" && resource === "configmaps" ? { status: 403 } : undefined,
    );
    await expect(fixture.deploy(context, content("1"))).rejects.toMatchObject({ reason: "TargetForbidden" });
    fixture.server.setFault(undefined);
    const before = await fixture.client.get(jobType, { namespace: context.namespace, name: "before" });
    await fixture.deploy(context, content("1"), { retryOf: 1 });
    const same = await fixture.client.get(jobType, { namespace: context.namespace, name: "before" });
    expect(same.metadata.uid).toBe(before.metadata.uid);
    fixture.server.setFault(({ verb, resource }) =>
      verb === "patch" && resource === "configmaps" ? { status: 403 } : undefined,
    );
    const upgrade = (weight: string, key: string) =>
      contentOf([hook("before", "pre-upgrade", { weight }), configMap("a", { key })]);
    await expect(fixture.deploy(context, upgrade("1", "2"))).rejects.toMatchObject({ reason: "TargetForbidden" });
    fixture.server.setFault(undefined);
    const second = await fixture.client.get(jobType, { namespace: context.namespace, name: "before" });
    await fixture.deploy(context, upgrade("2", "2"), { retryOf: 2 });
    const third = await fixture.client.get(jobType, { namespace: context.namespace, name: "before" });
    expect(third.metadata.uid).not.toBe(second.metadata.uid);
  });
});
