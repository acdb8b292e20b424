import { describe, expect, it } from "@jest/globals";
import { formatPlan } from "@landscaper/resources";
import { compareRevisions, emptyRevision, type RevisionComparison } from "./compare-revisions.ts";
import { previewRevision } from "./preview-revision.ts";
import type { ReleaseContext } from "../release-context.ts";
import { configMap, configMapType, contentOf, hook, useReleaseFixture } from "../../test/release-fixture.ts";

const { signal } = new AbortController();
const keep = { "helm.sh/resource-policy": "keep" };
const fixture = useReleaseFixture();

describe("compareRevisions", () => {
  async function compare(before: readonly object[], after: readonly object[]): Promise<RevisionComparison> {
    const options = { cluster: fixture.cluster, namespace: "ns", signal };
    return await compareRevisions(contentOf(before), contentOf(after), options);
  }

  it("knows where objects without a namespace are", async () => {
    const namespaced = { ...configMap("a", { key: "1" }), metadata: { name: "a", namespace: "ns" } };
    const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: "role" } };
    const unknown = { apiVersion: "example.org/v1", kind: "Thing", metadata: { name: "thing" } };
    const { changes } = await compare([configMap("a", { key: "1" }), role], [namespaced, role, unknown]);
    expect(formatPlan(changes)).toBe("create Thing thing\n1 to create, 2 unchanged\n");
  });

  it("says that kept objects stay", async () => {
    const { changes, kept } = await compare([configMap("a"), configMap("b", {}, keep)], []);
    expect(formatPlan(changes)).toBe("delete ConfigMap ns/a\n1 to delete\n");
    expect(kept).toEqual([{ apiVersion: "v1", kind: "ConfigMap", name: "b", namespace: "ns" }]);
  });

  it("tells of hooks apart", async () => {
    const before = [hook("same", "pre-upgrade"), hook("other", "pre-install"), hook("gone", "test")];
    const after = [hook("same", "pre-upgrade"), hook("other", "pre-install,pre-upgrade"), hook("new", "post-upgrade")];
    const files = await compare(before, after);
    expect(files.changes).toEqual([]);
    expect(files.hooks.map(({ type, name, events }) => `${type} ${name}: ${events.join()}`).toSorted()).toEqual([
      "create new: post-upgrade",
      "delete gone: test",
      "unchanged same: pre-upgrade",
      "update other: pre-install,pre-upgrade",
    ]);
  });

  it("begins with nothing before an installation", async () => {
    const options = { cluster: fixture.cluster, namespace: "ns", signal };
    const { changes } = await compareRevisions(emptyRevision, contentOf([configMap("a")]), options);
    expect(changes.map(({ type }) => type)).toEqual(["create"]);
  });
});

describe("previewRevision", () => {
  const former = [configMap("a", { key: "1" }), configMap("gone"), configMap("kept", {}, keep)];
  const next = contentOf([configMap("a", { key: "2" }), configMap("new")]);

  async function installed(): Promise<ReleaseContext> {
    const context = await fixture.release("app");
    await fixture.deploy(context, contentOf(former));
    return context;
  }

  async function preview(context: ReleaseContext, mayTake?: () => boolean): Promise<string> {
    const record = (await context.store.history({ signal })).at(-1);
    const { cluster, name, namespace } = context;
    const { manifest } = next;
    return formatPlan(
      await previewRevision({ cluster, release: { name, namespace }, manifest, record, mayTake, signal }),
    );
  }

  it("tells what the three-way merge would make of live objects, and changes none", async () => {
    const context = await installed();
    const { namespace } = context;
    const body = { data: { key: "drifted", foreign: "stays" } };
    await fixture.client.patch(configMapType, { namespace, name: "a" }, { type: "merge", body });
    expect(await preview(context)).toBe(`update ConfigMap ${namespace}/a
  ~ .data.key: "drifted" -> "2"
create ConfigMap ${namespace}/new
  + .metadata.annotations["meta.helm.sh/release-name"]: "app"
  + .metadata.annotations["meta.helm.sh/release-namespace"]: "${namespace}"
  + .metadata.labels["app.kubernetes.io/managed-by"]: "Helm"
delete ConfigMap ${namespace}/gone
1 to create, 1 to update, 1 to delete
`);
    expect([await fixture.dataOf(context, "a"), await fixture.find("ConfigMap", namespace, "new")]).toEqual([
      { key: "drifted", foreign: "stays" },
      undefined,
    ]);
    expect(await fixture.statuses(context)).toHaveLength(1);
  });

  it("knows kinds that come with the chart, and those that do not come at all", async () => {
    const context = await fixture.release("defining");
    const { cluster, name, namespace } = context;
    const names = { kind: "Thing", plural: "things", singular: "thing", listKind: "ThingList" };
    const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
    const version = { name: "v1", served: true, storage: true, schema };
    const crd = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "things.previews.example.org" },
      spec: { group: "previews.example.org", scope: "Namespaced", names, versions: [version] },
    };
    const things = ["previews", "nowhere"].map((group) => ({
      apiVersion: `${group}.example.org/v1`,
      kind: "Thing",
      metadata: { name: "thing" },
    }));
    const { manifest } = contentOf(things);
    const options = { cluster, release: { name, namespace }, manifest, record: undefined, crds: [crd], signal };
    const kinds = (await previewRevision(options)).map(
      ({ type, resource }) => `${type} ${resource.apiVersion} ${resource.namespace}`,
    );
    expect(kinds).toEqual([
      "create apiextensions.k8s.io/v1 undefined",
      `create previews.example.org/v1 ${namespace}`,
      "blocked nowhere.example.org/v1 undefined",
    ]);
    const skipped = await previewRevision({ ...options, crdPolicy: "Skip" });
    expect(skipped.map(({ type }) => type)).toEqual(["blocked", "blocked"]);

    const crdType = {
      group: "apiextensions.k8s.io",
      version: "v1",
      kind: "CustomResourceDefinition",
      plural: "customresourcedefinitions",
      namespaced: false,
    };
    await fixture.client.create(crdType, crd);
    const changed = { ...crd, spec: { ...crd.spec, names: { ...names, shortNames: ["th"] } } };
    const record = contentOf([]);
    const upgrade = { ...options, record, manifest: record.manifest, crds: [changed] };
    expect(await previewRevision(upgrade)).toEqual([]);
    expect(formatPlan(await previewRevision({ ...upgrade, crdPolicy: "CreateReplace" }))).toContain(
      'update CustomResourceDefinition things.previews.example.org\n  + .spec.names.shortNames: ["th"]\n',
    );
  });

  it("is blocked by objects of others, unless they may be taken", async () => {
    const context = await installed();
    const { namespace } = context;
    const foreign = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "new", namespace } };
    await fixture.client.create(configMapType, foreign);
    expect(await preview(context)).toContain(
      `blocked ConfigMap ${namespace}/new: exists and does not belong to the release\n`,
    );
    expect(await preview(context, () => true)).toContain(`update ConfigMap ${namespace}/new\n`);
  });
});
