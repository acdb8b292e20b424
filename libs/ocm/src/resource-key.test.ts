import { describe, expect, it } from "@jest/globals";
import { parseDescriptor } from "./parse-descriptor.ts";
import { formatResourceKey, parseResourceKey } from "./resource-key.ts";
import { findResource, lookupIn } from "./resource-reference.ts";

function encode(text: string): string {
  return Buffer.from(text).toString("base64");
}

const component = parseDescriptor(
  {
    meta: { schemaVersion: "v2" },
    component: {
      name: "example.org/app",
      version: "1.2.3",
      repositoryContexts: [],
      sources: [],
      componentReferences: [],
      resources: [
        { name: "chart", version: "1.0.0", type: "helmChart", relation: "external", access: { type: "none" } },
        { name: "chart", version: "2.0.0", type: "helmChart", relation: "external", access: { type: "none" } },
        {
          name: "image",
          version: "1.0.0",
          extraIdentity: { arch: "arm64" },
          type: "ociImage",
          relation: "external",
          access: { type: "none" },
        },
      ],
    },
  },
  "test",
);

describe("a resource key", () => {
  it.each([
    ["chart", { name: "chart", version: "1.0.0" }],
    ["image", { name: "image", arch: "arm64" }],
  ])("of %s can be read again", (name, resource) => {
    const found = findResource({ resource: { name }, path: [] }, component, lookupIn([component]));
    expect(parseResourceKey(formatResourceKey(found))).toEqual({
      component: { name: "example.org/app", version: "1.2.3" },
      resource,
    });
  });

  it("may have line breaks", () => {
    const key = encode("component: { name: example.org/app, version: 1.2.3 }\nresource: { name: chart }\n");
    expect(parseResourceKey(key.replace(/(.{20})/g, "$1\n")).resource).toEqual({ name: "chart" });
  });

  const start = "expected base64 of YAML with component and resource, as getResourceKey makes it";
  it.each([
    ["chart!", `${start}, found no base64`],
    [encode("a: ["), `${start}, found base64 of something else`],
    [encode("text"), "the key: expected a map, found a string"],
    [encode("resource: { name: chart }"), "component: expected a map, found nothing"],
    [encode("component: { name: a }\nresource: { name: chart }"), "component.version: expected a text, found nothing"],
    [encode("component: { name: a, version: 1 }"), "resource: expected a map, found nothing"],
    [
      encode("component: { name: '', version: v1 }\nresource: { name: a }"),
      "component.name: expected a text, found an empty one",
    ],
    [
      encode("component: { name: a, version: 1.0 }\nresource: { name: a }"),
      "component.version: expected a text, found a number",
    ],
    [
      encode("component: { name: a, version: v1 }\nresource: { arch: a }"),
      "resource.name: expected a text, found nothing",
    ],
    [
      encode("component: { name: a, version: v1 }\nresource: { name: a, x: [] }"),
      "resource.x: expected a text, found a list",
    ],
  ])("%s is refused by name", (key, message) => {
    expect(() => parseResourceKey(key)).toThrow(expect.objectContaining({ message, reason: "InvalidInput" }));
  });
});
