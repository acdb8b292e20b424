import { apiVersion, LandscaperError, toErrorStatus, type Installation } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { SupplyReader } from "@landscaper/components";
import { componentBindings, describeComponent, readComponents, selectRoot } from "./blueprint-component.ts";
import { createBlueprint } from "./create-blueprint.ts";

type Fields = Record<string, unknown>;

async function bindings(
  inline: Fields | undefined,
  blueprint: Fields = {},
): Promise<{ cd: unknown; components: unknown }> {
  const spec = {
    blueprint: { inline: { filesystem: {} } },
    ...(inline === undefined ? {} : { componentDescriptor: { inline } }),
  };
  const installation: Installation = { apiVersion, kind: "Installation", metadata: { name: "i" }, spec };
  const root = selectRoot(installation);
  const selection = root && { root, context: undefined, overwrites: [], hasResolvers: false };
  const closure = await readComponents({ selection, supplies: new SupplyReader([]) });
  return componentBindings(describeComponent(closure, createBlueprint({ "blueprint.yaml": blueprint })));
}

async function failureOf(inline: Fields, blueprint?: Fields): Promise<unknown> {
  try {
    await bindings(inline, blueprint);
  } catch (error) {
    if (!(error instanceof LandscaperError)) throw error;
    const { operation, reason, message, codes } = toErrorStatus(error, { operation: "", reason: "", now: new Date(0) });
    return { operation, reason, message, codes };
  }
  throw new Error("it did not fail");
}

const nested = (value: unknown): Fields => ({ name: "landscaper.gardener.cloud/component-descriptor", value });
const other = { name: "example.com/other", value: { component: { name: "not-meant" } } };
const lists = { repositoryContexts: [], sources: [], resources: [] };
const reference = (name: string, labels: readonly unknown[] = []): Fields => ({
  name: `ref-${name}`,
  componentName: `example.com/${name}`,
  version: "v1",
  labels,
});
const v2 = (name: string, componentReferences: readonly unknown[] = []): Fields => ({
  meta: { schemaVersion: "v2" },
  component: { ...lists, name: `example.com/${name}`, version: "v1", componentReferences },
});
const v3 = (name: string, references: readonly unknown[] = []): Fields => ({
  apiVersion: "ocm.software/v3alpha1",
  kind: "ComponentVersion",
  metadata: { name: `example.com/${name}`, version: "v1" },
  repositoryContexts: [],
  spec: references.length === 0 ? {} : { references },
});

describe("the bindings cd and components", () => {
  it.each([
    ["v2", v2, (components: unknown) => ({ meta: { schemaVersion: "v2" }, components })],
    ["v3alpha1", v3, (components: unknown) => components],
  ] as const)("are the descriptor and those in labels of it, in schema %s", async (_schema, of, wrapped) => {
    const leaf = of("leaf");
    const middle = of("middle", [reference("leaf", [nested(leaf)])]);
    const root = of("root", [reference("middle", [other, nested(middle)]), reference("elsewhere")]);
    expect(await bindings(root)).toEqual({ cd: root, components: wrapped([root, middle, leaf]) });
  });

  it("are null without a component", async () => {
    expect(await bindings(undefined)).toEqual({ cd: null, components: null });
  });

  it.each([
    ["v2", v3("root"), v2("root")],
    ["v3alpha1", v2("root"), v3("root")],
    ["ocm.software/v3alpha1", v2("root"), v3("root")],
  ])("have the schema %s that the blueprint asks for", async (ocmSchemaVersion, given, want) => {
    const { cd, components } = await bindings(given, { annotations: { ocmSchemaVersion } });
    expect(cd).toEqual(want);
    expect(components).toEqual("meta" in want ? { meta: want["meta"], components: [want] } : [want]);
  });

  it("all have one schema, that of the component, whatever schemas nested descriptors have", async () => {
    const root = v2("root", [reference("leaf", [nested(v3("leaf"))])]);
    expect((await bindings(root)).components).toEqual({ meta: root["meta"], components: [root, v2("leaf")] });
  });
});

describe("a descriptor that is none", () => {
  const where = "spec.componentDescriptor.inline";
  const place = "component.componentReferences[0].labels[0].value";
  it.each<[string, Fields, string]>([
    [
      "has another schema",
      { meta: { schemaVersion: "v1" } },
      `${where}: not a valid component descriptor: expected meta.schemaVersion v2 or apiVersion ocm.software/v3alpha1, found "v1"`,
    ],
    [
      "has a list of the wrong type",
      { ...v2("root"), component: { name: "example.com/a", version: "v1", resources: {} } },
      `${where}: not a valid component descriptor: component.resources: expected a list, found an empty object`,
    ],
    [
      "is nested",
      v2("root", [reference("a", [nested("text: 1")])]),
      `${where}: ${place}: not a valid component descriptor: expected meta.schemaVersion v2 or apiVersion ocm.software/v3alpha1, found neither`,
    ],
  ])("%s", async (_name, inline, message) => {
    expect(await failureOf(inline)).toEqual({
      operation: "InitPrerequisites",
      reason: "GetComponentVersion",
      message: `${message}; correct the component descriptor`,
      codes: ["ERR_CONFIGURATION_PROBLEM"],
    });
  });

  it("is told apart from an annotation of the blueprint that names no schema", async () => {
    expect(await failureOf(v2("root"), { annotations: { ocmSchemaVersion: "v7" } })).toMatchObject({
      reason: "InvalidInput",
      message: 'blueprint.yaml: annotations.ocmSchemaVersion: expected v2 or ocm.software/v3alpha1, found "v7"',
    });
  });
});
