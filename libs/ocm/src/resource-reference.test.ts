import { describe, expect, it } from "@jest/globals";
import { parseDescriptor } from "./parse-descriptor.ts";
import { findResource, lookupIn, parseResourceReference, type ResourceReference } from "./resource-reference.ts";

describe("parseResourceReference", () => {
  it.each<[string, ResourceReference]>([
    ["cd://resources/image", { resource: { name: "image" }, path: [] }],
    [
      "cd://componentReferences/a/componentReferences/resources/resources/image",
      { resource: { name: "image" }, path: [{ name: "a" }, { name: "resources" }] },
    ],
    [
      "cd://componentReferences/a,version=2.0.0/resources/image,version=1.0.0,os=linux",
      { resource: { name: "image", version: "1.0.0", os: "linux" }, path: [{ name: "a", version: "2.0.0" }] },
    ],
    ["{resource: {name: image, os: linux}}", { resource: { name: "image", os: "linux" }, path: [] }],
    [
      '{"resource": {"name": "image"}, "referencePath": [{"name": "a"}]}',
      { resource: { name: "image" }, path: [{ name: "a" }] },
    ],
  ])("reads %s", (text, want) => {
    expect(parseResourceReference(text)).toEqual(want);
  });

  const uri =
    "expected cd://resources/NAME[,key=value], with componentReferences/NAME[,key=value]/ before it for each reference";
  it.each([
    ["cd://", uri],
    ["cd://resources", uri],
    ["cd://resources/", uri],
    ["cd://resources/a/b", uri],
    ["cd://resources/a,b", uri],
    ["cd://componentReferences/,b=c/resources/a", uri],
    ["cd://componentReferences/a", uri],
    ["cd://references/a/resources/b", uri],
    [`cd://resources/${"a".repeat(2083)}`, uri],
    ["", "expected cd://... or a map with resource, found nothing"],
    ["[]", "expected cd://... or a map with resource, found a list"],
    ["5", "expected cd://... or a map with resource, found a number"],
    ["a: [", "expected cd://... or YAML, found a text that is neither"],
    ["{resource: {os: x}}", "resource: expected a map of texts with a name"],
    ["{resource: {name: x}, referencePath: [x]}", "referencePath: expected a list of maps of texts with a name"],
  ])("refuses %j", (text, message) => {
    expect(() => parseResourceReference(text)).toThrow(new Error(message));
  });
});

describe("findResource", () => {
  const component = (name: string, references: readonly string[], resources: readonly string[]) =>
    parseDescriptor(
      {
        apiVersion: "ocm.software/v3alpha1",
        metadata: { name: `example.com/${name}`, version: "v1" },
        spec: {
          references: references.map((to) => ({ name: to, componentName: `example.com/${to}`, version: "v1" })),
          resources: resources.map((one) => ({ name: one })),
        },
      },
      name,
    );
  const root = component("root", ["child", "gone"], ["own"]);
  const components = [root, component("child", ["leaf"], []), component("leaf", ["child"], ["image"])];
  const find = (text: string) => findResource(parseResourceReference(text), root, lookupIn(components));

  it.each([
    ["cd://resources/own", "example.com/root", "own"],
    ["cd://componentReferences/child/componentReferences/leaf/resources/image", "example.com/leaf", "image"],
    [
      `cd://${"componentReferences/child/componentReferences/leaf/".repeat(20)}resources/image`,
      "example.com/leaf",
      "image",
    ],
  ])("follows %s", (text, component, resource) => {
    expect(find(text)).toMatchObject({ component: { name: component }, resource: { name: resource } });
  });

  it.each([
    ["cd://resources/image", "no resource of example.com/root:v1 has the given name"],
    ["cd://resources/onw", 'no resource of example.com/root:v1 has the given name: did you mean "own"?'],
    ["cd://componentReferences/no/resources/x", "no component reference of example.com/root:v1 has the given name"],
    ["cd://componentReferences/gone/resources/x", "component example.com/gone:v1 is not available here"],
    ["{resource: {name: own, os: linux}}", "no resource of example.com/root:v1 has the given name, os"],
  ])("says what is missing for %s", (text, message) => {
    expect(() => find(text)).toThrow(new Error(message));
  });
});
