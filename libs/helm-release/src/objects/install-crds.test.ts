// What a deployment does with the definitions of crds/, by policy.
import { describe, expect, it } from "@jest/globals";
import { kubeResources, type UnstructuredObject } from "@landscaper/api";
import { findLive, referenceTo } from "@landscaper/resources";
import { Deployment } from "../deployment.ts";
import type { CrdPolicy } from "./install-crds.ts";
import { previewRevision } from "./preview-revision.ts";
import type { ReleaseContext } from "../release-context.ts";
import { configMap, contentOf, finish, useReleaseFixture } from "../../test/release-fixture.ts";

const crdType = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  namespaced: false,
};

const { signal } = new AbortController();
const fixture = useReleaseFixture();
let groups = 0;

/** Cogs of a group of their own whose spec has these fields. */
function cogs(group: string, ...fields: readonly string[]): UnstructuredObject {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: "string" }]));
  const openAPIV3Schema = { type: "object", properties: { spec: { type: "object", properties } } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `cogs.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind: "Cog", plural: "cogs", singular: "cog", listKind: "CogList" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

/** The fields that the target knows of cogs; undefined when it knows no cogs. */
async function fieldsOf(group: string): Promise<string[] | undefined> {
  const live = await fixture.client.find<UnstructuredObject>(crdType, { name: `cogs.${group}` });
  const spec = live?.["spec"] as { versions: { schema: { openAPIV3Schema: unknown } }[] } | undefined;
  const schema = spec?.versions[0]?.schema.openAPIV3Schema as { properties: { spec: { properties: object } } };
  return spec === undefined ? undefined : Object.keys(schema.properties.spec.properties);
}

async function deploy(
  context: ReleaseContext,
  crd: UnstructuredObject,
  crdPolicy: CrdPolicy | undefined,
): Promise<void> {
  await finish(new Deployment(context, contentOf([], { crds: [crd] }), { crdPolicy }));
}

describe("definitions of crds/", () => {
  it.each([
    { policy: undefined, install: ["a"], upgrade: ["a"] },
    { policy: "Skip" as const, install: undefined, upgrade: undefined },
    { policy: "Create" as const, install: ["a"], upgrade: ["a"] },
    { policy: "CreateReplace" as const, install: ["a"], upgrade: ["a", "b"] },
  ])(
    "by policy $policy: $install after an install, $upgrade after an upgrade",
    async ({ policy, install, upgrade }) => {
      const group = `g${++groups}.example.org`;
      const context = await fixture.release("app");
      await deploy(context, cogs(group, "a"), policy);
      expect(await fieldsOf(group)).toEqual(install);
      await deploy(context, cogs(group, "a", "b"), policy);
      expect(await fieldsOf(group)).toEqual(upgrade);
    },
  );

  it.each([
    { policy: undefined, fields: undefined },
    { policy: "Create" as const, fields: ["a"] },
    { policy: "CreateReplace" as const, fields: ["a"] },
  ])("that are new in an upgrade with policy $policy: $fields", async ({ policy, fields }) => {
    const group = `g${++groups}.example.org`;
    const context = await fixture.release("app");
    await deploy(context, cogs(group, "a"), "Skip");
    await deploy(context, cogs(group, "a"), policy);
    expect(await fieldsOf(group)).toEqual(fields);
  });

  it("keep their objects when they are replaced", async () => {
    const group = `g${++groups}.example.org`;
    const context = await fixture.release("app");
    const { namespace } = context;
    await deploy(context, cogs(group, "a"), undefined);
    const cogType = { group, version: "v1", kind: "Cog", plural: "cogs", namespaced: true };
    const cog = { apiVersion: `${group}/v1`, kind: "Cog", metadata: { name: "cog", namespace }, spec: { a: "1" } };
    const made = await fixture.client.create<UnstructuredObject>(cogType, cog);
    await deploy(context, cogs(group, "a", "b"), "CreateReplace");
    const live = await fixture.client.get<UnstructuredObject>(cogType, { namespace, name: "cog" });
    expect([live.metadata.uid, live["spec"]]).toEqual([made.metadata.uid, { a: "1" }]);
  });
});

describe("objects of other kinds in crds/", () => {
  const cog = (group: string, name: string): UnstructuredObject => ({
    apiVersion: `${group}/v1`,
    kind: "Cog",
    metadata: { name },
    spec: { a: "x" },
  });

  it("are created in the namespace of the release when the CRDs are established, and belong to no release", async () => {
    const context = await fixture.release("app");
    const { cluster, namespace } = context;
    const group = `others-${++groups}.example.org`;
    const crds = [cog(group, "first"), configMap("settings"), cogs(group, "a")];
    await finish(new Deployment(context, contentOf([], { crds }), {}));
    for (const object of [cog(group, "first"), configMap("settings")]) {
      const live = await findLive(cluster, { ...referenceTo(object), namespace }, signal);
      expect([live?.metadata.name, live?.metadata.labels]).toEqual([object.metadata.name, undefined]);
    }
  });

  it.each(["Create", "CreateReplace"] as const)("are not changed if they exist, with policy %s", async (crdPolicy) => {
    const context = await fixture.release("app");
    const { namespace } = context;
    const create = async (value: string): Promise<void> => {
      const settings = { ...configMap("settings"), data: { value } };
      await finish(new Deployment(context, contentOf([], { crds: [settings] }), { crdPolicy }));
    };
    await create("first");
    await create("second");
    const live = await fixture.client.get(kubeResources.configMap, { namespace, name: "settings" });
    expect(live.data).toEqual({ value: "first" });
  });

  it("are in a preview", async () => {
    const { cluster, name, namespace } = await fixture.release("app");
    const group = `others-${++groups}.example.org`;
    const crds = [cogs(group, "a"), cog(group, "first"), configMap("settings")];
    const manifest = "";
    const changes = await previewRevision({
      cluster,
      release: { name, namespace },
      manifest,
      crds,
      record: undefined,
      signal,
    });
    expect(changes.map(({ resource, type }) => [resource.kind, resource.namespace, type])).toEqual([
      ["CustomResourceDefinition", undefined, "create"],
      ["Cog", namespace, "create"],
      ["ConfigMap", namespace, "create"],
    ]);
  });
});
