import { describe, expect, it } from "@jest/globals";
import { descriptorOf, type TestComponent } from "@landscaper/components/testing";
import { testRepository, withComponents } from "../../test/components.ts";
import { sourceOfTemplate } from "./subinstallation-source.ts";

const to = (short: string) => ({ name: `to-${short}`, componentName: `example.com/${short}`, version: "1.0.0" });
const blueprint = { content: "", type: "blueprint" };
const components: readonly TestComponent[] = [
  { name: "example.com/aa", version: "1.0.0", references: [to("bb")], resources: { own: blueprint } },
  { name: "example.com/bb", version: "1.0.0", references: [to("cc")] },
  { name: "example.com/cc", version: "1.0.0", resources: { part: blueprint } },
  { name: "example.com/cc", version: "2.0.0", resources: { part: blueprint } },
];
const componentDescriptor = { ref: { componentName: "example.com/aa", version: "1.0.0" } };
const deep = "cd://componentReferences/to-bb/componentReferences/to-cc/resources/part";

const sourceOf = async (ref: string, selection = {}) =>
  await withComponents(
    components,
    (closure) => sourceOfTemplate({ name: "one", blueprint: { ref } }, { closure, parent: { componentDescriptor } }),
    selection,
  );

describe("what a nested Installation is made of", () => {
  it("is the parent's component for an inline blueprint", () => {
    const filesystem = { "blueprint.yaml": "" };
    const template = { name: "one", blueprint: { filesystem } };
    expect(sourceOfTemplate(template, { closure: undefined, parent: { componentDescriptor } })).toEqual({
      componentDescriptor,
      blueprint: { inline: { filesystem } },
    });
  });

  it("is the parent's component for one of its own resources", async () => {
    expect(await sourceOf("cd://resources/own")).toEqual({
      componentDescriptor,
      blueprint: { ref: { resourceName: "own" } },
    });
  });

  it.each([
    ["", []],
    [
      ", as the reference says it, whatever overwrites make of it",
      [{ source: { componentName: "example.com/cc" }, substitution: { version: "2.0.0" } }],
    ],
  ])("is the component that owns the resource, in the repository of the parent%s", async (_title, overwrites) => {
    expect(await sourceOf(deep, { overwrites })).toEqual({
      componentDescriptor: {
        ref: { repositoryContext: testRepository, componentName: "example.com/cc", version: "1.0.0" },
      },
      blueprint: { ref: { resourceName: "part" } },
    });
  });

  it("names the version of a blueprint if its name means another one", async () => {
    const type = "landscaper.gardener.cloud/blueprint";
    const resources = ["1.0.0", "2.0.0"].map((version) => ({ name: "twin", type, version }));
    const { component, ...meta } = descriptorOf({ name: "example.com/aa", version: "1.0.0" }) as { component: object };
    const root = { inline: { ...meta, component: { ...component, resources } } };
    for (const [ref, resourceName] of [
      ["cd://resources/twin,version=1.0.0", "twin"],
      ["cd://resources/twin,version=2.0.0", "twin,version=2.0.0"],
    ] as const) {
      expect(await sourceOf(ref, { root })).toMatchObject({ blueprint: { ref: { resourceName } } });
    }
  });

  it("names no repository where resolvers find the components", async () => {
    expect(await sourceOf(deep, { context: undefined, hasResolvers: true })).toMatchObject({
      componentDescriptor: { ref: { componentName: "example.com/cc", version: "1.0.0" } },
    });
  });

  it("is a descriptor of a label itself", async () => {
    const [, , inner] = components;
    const nested = descriptorOf(inner ?? { name: "", version: "" });
    const label = { name: "landscaper.gardener.cloud/component-descriptor", value: nested };
    const root = { name: "example.com/aa", version: "1.0.0" };
    const { component, ...meta } = descriptorOf(root) as { component: object };
    const inline = { ...meta, component: { ...component, componentReferences: [{ ...to("cc"), labels: [label] }] } };
    const source = await sourceOf("cd://componentReferences/to-cc/resources/part", { root: { inline } });
    expect(source).toEqual({ componentDescriptor: { inline: nested }, blueprint: { ref: { resourceName: "part" } } });
  });

  it.each([
    ["cd://resources/none", "no resource of example.com/aa:1.0.0 has the given name"],
    ["cd://componentReferences/none/resources/x", "no component reference of example.com/aa:1.0.0 has the given name"],
    [
      "cd://resources/",
      "expected cd://resources/NAME[,key=value], with componentReferences/NAME[,key=value]/ before it for each reference",
    ],
  ])("cannot be %s", async (ref, problem) => {
    await expect(sourceOf(ref)).rejects.toMatchObject({
      reason: "EnsureSubinstallations",
      message: `subinstallation "one": blueprint.ref ${JSON.stringify(ref)}: ${problem}`,
    });
  });

  it("cannot be a resource without a component", () => {
    const template = { name: "one", blueprint: { ref: deep } };
    expect(() => sourceOfTemplate(template, { closure: undefined, parent: {} })).toThrow(
      `subinstallation "one": blueprint.ref ${JSON.stringify(deep)}: the Installation has no component`,
    );
  });
});
