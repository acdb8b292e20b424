import { describe, expect, it } from "@jest/globals";
import { formatDescriptor, lookupIn, parseDescriptor, type SchemaVersion } from "@landscaper/ocm";
import type { BlueprintComponent } from "../blueprint-component.ts";
import { componentFunctions, type ComponentFunctionName } from "./component-functions.ts";

const image = { name: "image", version: "1.0.0", type: "ociImage" };
const arm = { ...image, extraIdentity: { os: "linux", arch: "arm" } };
const twice = { name: "twice", version: "1.0.0" };
const twiceNewer = { name: "twice", version: "2.0.0" };
const resources = [image, arm, twice, twiceNewer];
const references = [
  { name: "direct", componentName: "example.com/child", version: "0.1.0" },
  { name: "lost", componentName: "example.com/lost", version: "9.9.9" },
];
const contexts = [{ baseUrl: "first" }, { baseUrl: "last" }];

const child = {
  meta: { schemaVersion: "v2" },
  component: {
    name: "example.com/child",
    version: "0.1.0",
    componentReferences: [{ name: "deep", componentName: "example.com/leaf", version: "0.2.0" }],
    resources: [{ name: "chart", version: "3.0.0", extraIdentity: { kind: "helm" } }],
  },
};
const leaf = {
  meta: { schemaVersion: "v2" },
  component: { name: "example.com/leaf", version: "0.2.0", resources: [{ name: "blueprint" }] },
};
const v2 = {
  meta: { schemaVersion: "v2" },
  component: {
    name: "example.com/c",
    version: "1.0.0",
    repositoryContexts: contexts,
    componentReferences: references,
    resources,
  },
};
const v3 = {
  apiVersion: "ocm.software/v3alpha1",
  kind: "ComponentVersion",
  metadata: { name: "example.com/c", version: "1.0.0" },
  repositoryContexts: contexts,
  spec: { references, resources },
};
const childV3 = {
  apiVersion: "ocm.software/v3alpha1",
  kind: "ComponentVersion",
  metadata: { name: child.component.name, version: child.component.version },
  repositoryContexts: [],
  spec: { references: child.component.componentReferences, resources: child.component.resources },
};

function componentOf(root: unknown, others: readonly unknown[], schemaVersion: SchemaVersion): BlueprintComponent {
  const [descriptor, ...components] = [root, ...others].map((document) => parseDescriptor(document, "test"));
  if (descriptor === undefined) throw new Error("there is a root");
  const all = [descriptor, ...components];
  const lookup = lookupIn(all);
  return { descriptor, components: all, lookup, lookupOriginal: lookup, schemaVersion };
}

const schemas = [
  ["v2", v2, componentOf(v2, [child, leaf], "v2")],
  ["v3alpha1", v3, componentOf(v3, [childV3, leaf], "ocm.software/v3alpha1")],
] as const;

function decoded(key: unknown): string {
  return Buffer.from(String(key), "base64").toString("utf8");
}

describe.each(schemas)("functions on a descriptor of schema %s", (_, cd, component) => {
  const functions = componentFunctions(component, undefined);
  it.each<[ComponentFunctionName, readonly unknown[], unknown]>([
    ["getResource", ["name", "image"], image],
    ["getResource", [cd, "name", "image"], image],
    ["getResource", ["name", "image", "arch", "arm"], arm],
    ["getResource", ["arch", "arm"], arm],
    ["getResource", ["name", "twice", "version", "2.0.0"], twiceNewer],
    ["getResources", ["name", "twice", "version", "2.0.0"], [twiceNewer]],
    ["getResources", ["name", "image"], [image, arm]],
    ["getResources", ["name", "twice"], [twice, twiceNewer]],
    ["getRepositoryContext", [], { baseUrl: "last" }],
    ["getRepositoryContext", [cd], { baseUrl: "last" }],
  ])("%s(%j)", (name, args, want) => {
    expect(functions[name](...args)).toEqual(want);
  });

  it("§4.50 fixed: give the descriptor behind a reference in the effective schema", () => {
    const found = functions.getComponent("name", "direct");
    expect(found).toEqual(formatDescriptor(parseDescriptor(child, "child"), component.schemaVersion));
    expect(functions.getResource(found, "name", "chart")).toMatchObject({ name: "chart" });
  });

  it.each<[ComponentFunctionName, readonly unknown[], string]>([
    ["getResource", [], "expected at least one pair of key and value, found none"],
    ["getResource", [cd], "expected at least one pair of key and value, found none"],
    ["getResource", ["name"], "expected pairs of key and value, found 1 arguments for them"],
    ["getResource", [cd, "name", "x", "os"], "expected pairs of key and value, found 3 arguments for them"],
    ["getResource", ["name", 5], "argument 2: expected a string, found a number"],
    ["getResource", [cd, "name", {}], "argument 3: expected a string, found a map"],
    ["getResource", [["x"], "name", "x"], "argument 1: expected a map, found a list"],
    ["getResource", [null, "name", "x"], "there is no component descriptor here"],
    [
      "getResource",
      [{ a: 1 }, "name", "x"],
      "argument 1: not a valid component descriptor: expected meta.schemaVersion v2 or apiVersion ocm.software/v3alpha1, found neither",
    ],
    [
      "getResource",
      [{ ...leaf, component: { name: "no" } }, "name", "x"],
      "argument 1: not a valid component descriptor: component.version: required field is missing",
    ],
    [
      "getResource",
      ["name", "image", "version", "9.0.0"],
      "no resource of example.com/c:1.0.0 has the given name, version",
    ],
    ["getResources", ["name", "nothing"], "no resource of example.com/c:1.0.0 has the given name"],
    ["getComponent", ["name", "nothing"], "no component reference of example.com/c:1.0.0 has the given name"],
    ["getComponent", ["name", "lost"], "component example.com/lost:9.9.9 is not available here"],
    ["getRepositoryContext", [cd, 1], "expected at most 1 argument (map), found 2"],
    ["getRepositoryContext", [leaf], "the component descriptor has no repository context"],
    ["getResourceKey", [], "expected 1 argument (string), found 0"],
    [
      "getResourceKey",
      ["cd://resources/"],
      "expected cd://resources/NAME[,key=value], with componentReferences/NAME[,key=value]/ before it for each reference",
    ],
    [
      "getResourceKey",
      ["cd://resources/x/y"],
      "expected cd://resources/NAME[,key=value], with componentReferences/NAME[,key=value]/ before it for each reference",
    ],
    [
      "getResourceKey",
      [`cd://resources/${"x".repeat(2100)}`],
      "expected cd://resources/NAME[,key=value], with componentReferences/NAME[,key=value]/ before it for each reference",
    ],
    ["getResourceKey", ["text"], "expected cd://... or a map with resource, found a string"],
    ["getResourceKey", ["a: [b"], "expected cd://... or YAML, found a text that is neither"],
    ["getResourceKey", ["{resource: {os: linux}}"], "resource: expected a map of texts with a name"],
    ["getResourceKey", ["{resource: {name: 5}}"], "resource: expected a map of texts with a name"],
    [
      "getResourceKey",
      ["{resource: {name: x}, referencePath: x}"],
      "referencePath: expected a list of maps of texts with a name",
    ],
    ["getResourceKey", ["cd://resources/nothing"], "no resource of example.com/c:1.0.0 has the given name"],
    [
      "getResourceKey",
      ["cd://componentReferences/no/resources/x"],
      "no component reference of example.com/c:1.0.0 has the given name",
    ],
  ])("%s(%j) says what is wrong: %s", (name, args, message) => {
    expect(() => functions[name](...args)).toThrow(new Error(message));
  });
});

describe("getResourceKey", () => {
  const { getResourceKey } = componentFunctions(componentOf(v2, [child, leaf], "v2"), undefined);
  const component = "component:\n  name: example.com/c\n  version: 1.0.0\n";
  it.each([
    ["cd://resources/image", `${component}resource:\n  name: image\n`],
    ["{resource: {name: image, arch: arm}}", `${component}resource:\n  arch: arm\n  name: image\n  os: linux\n`],
    ['{"resource": {"name": "twice"}}', `${component}resource:\n  name: twice\n  version: 1.0.0\n`],
    [
      "cd://componentReferences/direct/resources/chart",
      "component:\n  name: example.com/child\n  version: 0.1.0\nresource:\n  kind: helm\n  name: chart\n",
    ],
    [
      "{resource: {name: blueprint}, referencePath: [{name: direct}, {name: deep}]}",
      "component:\n  name: example.com/leaf\n  version: 0.2.0\nresource:\n  name: blueprint\n",
    ],
  ])("of %s names component and resource", (reference, want) => {
    expect(decoded(getResourceKey(reference))).toBe(want);
  });
});

describe("getResourceContent", () => {
  const component = componentOf(v2, [child, leaf], "v2");
  const functionsWith = (mediaType: string) =>
    componentFunctions(component, {
      readContent: ({ component: owner, resource }) => ({
        bytes: Buffer.from(`${owner.name} ${resource.name} \u00fc`),
        mediaType,
      }),
    });

  it.each([
    ["text/plain", "example.com/child chart \u00fc"],
    ["", "example.com/child chart \u00fc"],
    ["application/octet-stream", Buffer.from("example.com/child chart \u00fc").toString("base64")],
  ])("gives content of the media type %j as text, or as base64", (mediaType, want) => {
    const { getResourceContent } = functionsWith(mediaType);
    expect(getResourceContent("cd://componentReferences/direct/resources/chart")).toBe(want);
  });

  it("says what is missing", () => {
    expect(() => functionsWith("").getResourceContent("cd://resources/nothing")).toThrow(
      new Error("no resource of example.com/c:1.0.0 has the given name"),
    );
    expect(() => componentFunctions(component, {}).getResourceContent("cd://resources/image")).toThrow(
      new Error("this function needs the repository of a component, and there is none here"),
    );
  });
});

describe("functions without a component descriptor", () => {
  const functions = componentFunctions(undefined, undefined);
  it.each<[ComponentFunctionName, readonly unknown[]]>([
    ["getResource", ["name", "x"]],
    ["getResources", ["name", "x"]],
    ["getComponent", ["name", "x"]],
    ["getRepositoryContext", []],
    ["getResourceKey", ["cd://resources/x"]],
  ])("%s(%j) say so", (name, args) => {
    expect(() => functions[name](...args)).toThrow(new Error("there is no component descriptor here"));
  });
});
