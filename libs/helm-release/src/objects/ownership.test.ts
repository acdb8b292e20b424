// Whose an object is: what a release takes, refuses, changes and removes.
import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { findLive } from "@landscaper/resources";
import { createUninstall } from "../create-uninstall.ts";
import { Deployment } from "../deployment.ts";
import type { ReleaseContext } from "../release-context.ts";
import { configMap, configMapType, contentOf, finish, useReleaseFixture } from "../../test/release-fixture.ts";

const { signal } = new AbortController();
const fixture = useReleaseFixture();

async function createForeign({ namespace }: ReleaseContext, name: string): Promise<void> {
  await fixture.client.create<UnstructuredObject>(configMapType, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace },
    data: { key: "foreign" },
  });
}

const refuse = (verb: string, name?: string) => (request: { verb: string; resource: string; name: string }) =>
  request.verb === verb && request.resource === "configmaps" && (name === undefined || request.name === name)
    ? ({ status: 403 } as const)
    : undefined;

describe("an object of somebody else", () => {
  const hint = "delete it, rename it in the chart, or set takeOwnership";

  it("is named with its owner and what can be done", async () => {
    const context = await fixture.release("app");
    const { namespace } = context;
    await fixture.deploy(fixture.context("other", namespace), contentOf([configMap("a", { key: "other" })]));
    await expect(fixture.deploy(context, contentOf([configMap("a")]))).rejects.toMatchObject({
      reason: "ReleaseOwnership",
      retry: "never",
      message:
        `ConfigMap ${namespace}/a exists and does not belong to release ${namespace}/app: ` +
        'annotation meta.helm.sh/release-name: expected "app", found "other"',
      hint,
    });
    expect([await fixture.dataOf(context, "a"), await fixture.statuses(context)]).toEqual([{ key: "other" }, []]);
  });

  it("does not become the release's because a revision that failed has it", async () => {
    const context = await fixture.release("app");
    fixture.server.setFault(refuse("create"));
    await expect(fixture.deploy(context, contentOf([configMap("a")]))).rejects.toMatchObject({
      reason: "TargetForbidden",
    });
    fixture.server.setFault(undefined);
    await createForeign(context, "a");
    await expect(fixture.deploy(context, contentOf([configMap("a")]))).rejects.toMatchObject({
      reason: "ReleaseOwnership",
      hint,
    });
    await finish(createUninstall(context, await context.store.history({ signal }), { wait: true }));
    expect(await fixture.dataOf(context, "a")).toEqual({ key: "foreign" });
  });

  it("does not become the release's because an uninstalled revision had it", async () => {
    const context = await fixture.release("app");
    await fixture.deploy(context, contentOf([configMap("a")]));
    await fixture.deploy(context, contentOf([configMap("a")]));
    await finish(createUninstall(context, await context.store.history({ signal }), { keepHistory: true, wait: true }));
    await createForeign(context, "a");
    await expect(fixture.deploy(context, contentOf([configMap("a")]))).rejects.toMatchObject({
      reason: "ReleaseOwnership",
      hint,
    });
  });

  it("that has lost its marks is still what the release has deployed", async () => {
    const context = await fixture.release("app");
    await fixture.deploy(context, contentOf([configMap("a", { key: "1" }), configMap("b")]));
    for (const name of ["a", "b"]) {
      const live = await fixture.client.get<UnstructuredObject>(configMapType, { namespace: context.namespace, name });
      await fixture.client.update(configMapType, {
        ...live,
        metadata: { ...live.metadata, labels: {}, annotations: {} },
      });
    }
    await fixture.deploy(context, contentOf([configMap("a", { key: "2" })]));
    expect([await fixture.dataOf(context, "a"), await fixture.find("ConfigMap", context.namespace, "b")]).toEqual([
      { key: "2" },
      undefined,
    ]);
  });
});

describe("an object that the release has", () => {
  it("is made again when somebody has deleted it", async () => {
    const context = await fixture.release("app");
    const content = contentOf([configMap("a", { key: "1" }), configMap("b")]);
    await fixture.deploy(context, content);
    for (const name of ["a", "b"]) await fixture.client.delete(configMapType, { namespace: context.namespace, name });
    await fixture.deploy(context, contentOf([configMap("a", { key: "1" })]));
    expect(await fixture.dataOf(context, "a")).toEqual({ key: "1" });
    await fixture.client.delete(configMapType, { namespace: context.namespace, name: "a" });
    await finish(createUninstall(context, await context.store.history({ signal }), { wait: true }));
    expect(await fixture.statuses(context)).toEqual([]);
  });

  it("is waited for while it is being deleted, and made again", async () => {
    const context = await fixture.release("app");
    const { namespace } = context;
    const content = contentOf([configMap("a", { key: "1" })]);
    await fixture.deploy(context, content);
    const key = { namespace, name: "a" };
    const live = await fixture.client.get<UnstructuredObject>(configMapType, key);
    await fixture.client.update(configMapType, {
      ...live,
      metadata: { ...live.metadata, finalizers: ["example.org/hold"] },
    });
    await fixture.client.delete(configMapType, key);
    const deployment = new Deployment(context, content, {});
    expect(await deployment.advance(signal)).toMatchObject({
      waitingFor: [`ConfigMap ${namespace}/a, which is being deleted, to be gone`],
    });
    const held = await fixture.client.get<UnstructuredObject>(configMapType, key);
    await fixture.client.update(configMapType, { ...held, metadata: { ...held.metadata, finalizers: [] } });
    await finish(deployment);
    expect((await fixture.client.get(configMapType, key)).metadata.uid).not.toBe(live.metadata.uid);
  });

  it("moves to another namespace", async () => {
    const context = await fixture.release("app");
    const { namespace: other } = await fixture.release("app");
    await fixture.deploy(context, contentOf([configMap("a")]));
    const moved = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: other } };
    await fixture.deploy(context, contentOf([moved]));
    expect(await fixture.find("ConfigMap", context.namespace, "a")).toBeUndefined();
    expect(await fixture.find("ConfigMap", other, "a")).toBeDefined();
  });

  it("becomes one of another kind", async () => {
    const context = await fixture.release("app");
    await fixture.deploy(context, contentOf([configMap("a")]));
    await fixture.deploy(context, contentOf([{ apiVersion: "v1", kind: "Secret", metadata: { name: "a" } }]));
    expect(await fixture.find("ConfigMap", context.namespace, "a")).toBeUndefined();
    expect(await fixture.find("Secret", context.namespace, "a")).toBeDefined();
  });

  const thing = (apiVersion: string): object => ({ apiVersion, kind: "Thing", metadata: { name: "a" }, spec: {} });
  const versions = ["v1", "v1beta1"].map((name) => ({
    name,
    served: true,
    storage: name === "v1",
    schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
  }));
  const definition: UnstructuredObject = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.owners.example.org" },
    spec: {
      group: "owners.example.org",
      scope: "Namespaced",
      names: { kind: "Thing", plural: "things", singular: "thing", listKind: "ThingList" },
      versions,
    },
  };
  const event = (apiVersion: string): object => ({
    apiVersion,
    kind: "Event",
    metadata: { name: "a", namespace: "default" },
    ...(apiVersion === "v1"
      ? { involvedObject: { kind: "Pod", name: "a", namespace: "default" } }
      : {
          regarding: { kind: "Pod", name: "a", namespace: "default" },
          eventTime: "2026-01-01T00:00:00.000000Z",
          reportingController: "c",
          reportingInstance: "i",
          action: "a",
          reason: "r",
          type: "Normal",
        }),
  });

  const old = thing("owners.example.org/v1beta1");
  it.each([
    {
      what: "version",
      before: old,
      after: thing("owners.example.org/v1"),
      kind: "Thing",
      apiVersion: "owners.example.org/v1",
    },
    { what: "group", before: event("events.k8s.io/v1"), after: event("v1"), kind: "Event", apiVersion: "v1" },
  ])("stays when its API $what is another one", async ({ before, after, kind, apiVersion }) => {
    const context = await fixture.release("app");
    const namespace = kind === "Event" ? "default" : context.namespace;
    const find = async (): Promise<UnstructuredObject | undefined> =>
      findLive(fixture.cluster, { apiVersion, kind, namespace, name: "a" }, signal);
    await fixture.deploy(context, contentOf([before], { crds: [definition] }));
    const first = await find();
    expect(first).toBeDefined();
    await fixture.deploy(context, contentOf([after]));
    expect((await find())?.metadata.uid).toBe(first?.metadata.uid);
    await finish(createUninstall(context, await context.store.history({ signal }), { wait: true }));
    expect(await find()).toBeUndefined();
  });

  it.each([false, true])(
    "whose fields cannot be changed fails the revision, force %s; the next puts it right",
    async (force) => {
      const context = await fixture.release("app");
      const { namespace } = context;
      const frozen = (key: string): object => ({ ...configMap("a", { key }), immutable: true });
      await fixture.deploy(context, contentOf([frozen("1")]));
      await expect(fixture.deploy(context, contentOf([frozen("2"), configMap("b")]), { force })).rejects.toMatchObject({
        reason: "TargetRefused",
        message: expect.stringMatching(
          new RegExp(
            `^chart/templates/0.yaml: ${force ? "update" : "patch"} ConfigMap ${namespace}/a: .*field is immutable when .immutable. is set`,
          ),
        ),
      });
      expect((await fixture.statuses(context)).map(([version, status]) => `${version} ${status}`)).toEqual([
        "1 deployed",
        "2 failed",
      ]);
      await fixture.deploy(context, contentOf([frozen("1")]), { force });
      expect([await fixture.dataOf(context, "a"), await fixture.dataOf(context, "b")]).toEqual([
        { key: "1" },
        undefined,
      ]);
    },
  );

  it("loses what a revision that failed has put into it", async () => {
    const context = await fixture.release("app");
    await fixture.deploy(context, contentOf([configMap("a", { key: "1" })]));
    fixture.server.setFault(refuse("patch", "b"));
    await fixture.deploy(context, contentOf([configMap("a", { key: "1" }), configMap("b", { key: "1" })]));
    const half = contentOf([configMap("a", { key: "2", more: "2" }), configMap("b", { key: "2" })]);
    await expect(fixture.deploy(context, half)).rejects.toMatchObject({ reason: "TargetForbidden" });
    fixture.server.setFault(undefined);
    expect(await fixture.dataOf(context, "a")).toEqual({ key: "2", more: "2" });
    await fixture.deploy(context, contentOf([configMap("a", { key: "3" }), configMap("b", { key: "3" })]));
    expect(await fixture.dataOf(context, "a")).toEqual({ key: "3" });
  });
});

describe("a release that is too large for its record", () => {
  it("changes nothing at all", async () => {
    const context = fixture.context("app", "too-large");
    const noise = Array.from({ length: 110_000 }, (_, index) => Math.sin(index).toString(36)).join("");
    const content = contentOf([configMap("a")], { notes: noise });
    await expect(fixture.deploy(context, content, { createNamespace: true })).rejects.toMatchObject({
      reason: "ReleaseTooLarge",
      retry: "never",
      message: expect.stringMatching(
        /^Secret too-large\/sh\.helm\.release\.v1\.app\.v1: the record of the release has \d+ KiB; a Secret holds 1024/,
      ),
    });
    expect(await fixture.find("Namespace", "", "too-large")).toBeUndefined();
  });
});
