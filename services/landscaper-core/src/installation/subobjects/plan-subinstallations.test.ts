import { describe, expect, it } from "@jest/globals";
import {
  annotations,
  apiVersion,
  childName,
  finalizer,
  inheritedAnnotations,
  labels,
  type InstallationTemplate,
} from "@landscaper/api";
import { sourceOfTemplate } from "@landscaper/blueprint";
import { planSubinstallations as planFor, type PlanSubinstallationsOptions } from "./plan-subinstallations.ts";
import { installationOf } from "../../../test/installations.ts";

const parent = installationOf({ name: "root", spec: { context: "default" } });
const filesystem = { "blueprint.yaml": "kind: Blueprint" };

function template(name: string, more: Partial<InstallationTemplate> = {}): InstallationTemplate {
  return { apiVersion, kind: "InstallationTemplate", name, blueprint: { filesystem }, ...more };
}

/** Without components; what templates lead to is the business of libs/blueprint. */
async function planSubinstallations({
  templates,
  ...options
}: Omit<PlanSubinstallationsOptions, "templates"> & { readonly templates: readonly InstallationTemplate[] }) {
  const parentSpec = options.parent.spec;
  const planned = templates.map((one) => ({
    template: one,
    source: sourceOfTemplate(one, { closure: undefined, parent: parentSpec }),
  }));
  return await planFor({ ...options, templates: planned });
}

function existing(name: string, more: Parameters<typeof installationOf>[0] | object = {}) {
  return installationOf({
    name: `${name}-abcdefgh`,
    parent: "root",
    labels: { [labels.encompassedBy]: "root" },
    annotations: { [annotations.subinstallationName]: name },
    spec: { context: "default", blueprint: { inline: { filesystem } } },
    ...more,
  });
}

describe("a subinstallation that has lost its annotation", () => {
  const lost = existing("one", { annotations: {} });
  const noted = { specName: "one", objectName: "one-abcdefgh" };
  const ref = { name: "one", ref: { name: "one-abcdefgh", namespace: "ns" } };
  it.each([
    ["the original's cache", { subInstCache: { activeSubs: [noted], orphanedSubs: [] } }],
    ["status.installationRefs", { installationRefs: [ref] }],
  ])("is known by %s, and gets it back", async (_name, status) => {
    const plan = await planSubinstallations({
      parent: { ...parent, status },
      templates: [template("one")],
      existing: [lost],
    });
    expect([plan.create, plan.remove]).toEqual([[], []]);
    expect(plan.update.map(({ metadata }) => [metadata.name, metadata.annotations])).toEqual([
      ["one-abcdefgh", { [annotations.subinstallationName]: "one" }],
    ]);
  });

  it("is an orphan when nothing tells what it was", async () => {
    const plan = await planSubinstallations({ parent, templates: [template("one")], existing: [lost] });
    expect([plan.create.length, plan.remove]).toEqual([1, [lost]]);
  });
});

describe("subinstallations (core.md §1.2 no. 45-48, §4.27)", () => {
  it("are created with deterministic names, the parent's context and component (core.md §4.51), and their finalizer", async () => {
    const componentDescriptor = { inline: { component: {} } };
    const withComponent = installationOf({ name: "root", spec: { context: "mine", componentDescriptor } });
    const imports = { data: [{ name: "a", dataRef: "b" }] };
    const plan = await planSubinstallations({
      parent: withComponent,
      templates: [template("one", { imports, exports: { data: [] }, importDataMappings: { a: 1 } })],
      existing: [],
    });
    const name = childName("one-", "root", "one");
    expect(plan).toEqual({
      create: [
        {
          apiVersion,
          kind: "Installation",
          metadata: {
            name,
            namespace: "ns",
            labels: { [labels.encompassedBy]: "root" },
            annotations: { [annotations.subinstallationName]: "one" },
            finalizers: [finalizer],
            ownerReferences: [
              {
                apiVersion,
                kind: "Installation",
                name: "root",
                uid: "root",
                controller: true,
                blockOwnerDeletion: true,
              },
            ],
          },
          spec: {
            context: "mine",
            componentDescriptor,
            blueprint: { inline: { filesystem } },
            imports,
            importDataMappings: { a: 1 },
            exports: { data: [] },
          },
        },
      ],
      update: [],
      remove: [],
      refs: [{ name: "one", objectName: name }],
    });
  });

  it("that are as wanted stay untouched, under whatever name", async () => {
    const plan = await planSubinstallations({ parent, templates: [template("one")], existing: [existing("one")] });
    expect(plan).toEqual({
      create: [],
      update: [],
      remove: [],
      refs: [{ name: "one", objectName: "one-abcdefgh" }],
    });
  });

  it.each([
    ["labels", { labels: { [labels.encompassedBy]: "root", mine: "x" } }],
    [
      "annotations",
      { annotations: { [annotations.subinstallationName]: "one", [annotations.operation]: "reconcile" } },
    ],
    ["a spec", { spec: { context: "default", blueprint: { inline: { filesystem } }, exports: { data: [] } } }],
  ])("with other %s are overwritten, status and identity kept", async (_name, change) => {
    const found = existing("one", { ...change, status: { jobID: "1" } });
    const { update } = await planSubinstallations({ parent, templates: [template("one")], existing: [found] });
    expect(update).toEqual([{ ...existing("one"), status: { jobID: "1" } }]);
  });

  it("keep an empty list of targets, which is not none (core.md §4.24)", async () => {
    const empty = { targets: [{ name: "clusters", targets: [] }] };
    const { create } = await planSubinstallations({
      parent,
      templates: [template("one", { imports: empty })],
      existing: [],
    });
    expect(create[0]?.spec.imports).toEqual(empty);
    const none = existing("one", { spec: { ...create[0]?.spec, imports: { targets: [{ name: "clusters" }] } } });
    const { update } = await planSubinstallations({
      parent,
      templates: [template("one", { imports: empty })],
      existing: [none],
    });
    expect(update[0]?.spec.imports).toEqual(empty);
  });

  it.each(inheritedAnnotations)("pass %s on", async (annotation) => {
    const caching = installationOf({ name: "root", annotations: { [annotation]: "true" } });
    const { create } = await planSubinstallations({ parent: caching, templates: [template("one")], existing: [] });
    expect(create[0]?.metadata.annotations).toEqual({
      [annotations.subinstallationName]: "one",
      [annotation]: "true",
    });
  });

  it("without template are removed", async () => {
    const old = existing("old");
    const { remove } = await planSubinstallations({
      parent,
      templates: [template("one")],
      existing: [existing("one"), old],
    });
    expect(remove).toEqual([old]);
  });

  it("that are being deleted while they are wanted are an error (core.md §4.28)", async () => {
    await expect(
      planSubinstallations({ parent, templates: [template("one")], existing: [existing("one", { isDeleting: true })] }),
    ).rejects.toThrow('subinstallation "one" (one-abcdefgh) is currently under deletion');
  });
});
