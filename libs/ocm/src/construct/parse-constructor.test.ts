import { describe, expect, it } from "@jest/globals";
import { parseConstructor } from "./parse-constructor.ts";

const app = { name: "example.com/app", version: "1.0.0", provider: { name: "example.com" } };
const text = { name: "text", type: "plainText", input: { type: "utf8", text: "hello" } };

describe("parseConstructor", () => {
  it("reads one component, or a list of them", () => {
    const component = { ...app, where: "file", resources: [], sources: [], references: [] };
    expect(parseConstructor(app, "file")).toEqual([component]);
    expect(parseConstructor({ components: [app, { ...app, version: "2.0.0" }] }, "file")).toEqual([
      { ...component, where: "file: components[0]" },
      { ...component, version: "2.0.0", where: "file: components[1]" },
    ]);
  });

  it("takes the provider as a text, too", () => {
    expect(parseConstructor({ ...app, provider: "acme" }, "file")).toMatchObject([{ provider: { name: "acme" } }]);
  });

  it("fills in relation and version of resources and sources", () => {
    const access = { type: "ociArtifact", imageReference: "example.com/image:1" };
    const [component] = parseConstructor(
      {
        ...app,
        resources: [text, { name: "image", type: "ociImage", version: "2", access }],
        sources: [{ name: "code", type: "git", access: { type: "none" } }],
      },
      "file",
    );
    expect(component?.resources).toEqual([
      { ...text, relation: "local", version: "1.0.0" },
      { name: "image", type: "ociImage", version: "2", access, relation: "external" },
    ]);
    expect(component?.sources).toEqual([{ name: "code", type: "git", access: { type: "none" }, version: "1.0.0" }]);
  });

  it.each<[string, unknown, string]>([
    ["a text", "x", 'file: expected a component, or a map with a list "components"'],
    ["an empty list", { components: [] }, "file: components: expected a list of components"],
    ["a field beside the list", { components: [app], extra: 1 }, 'file: extra: unknown field beside "components"'],
    [
      "no version",
      { ...app, version: undefined },
      "file: not a valid component constructor: version: required field is missing",
    ],
    ["an unknown field", { ...app, resource: [] }, "file: not a valid component constructor: resource: unknown field"],
    [
      "an unknown field of a resource",
      { ...app, resources: [{ ...text, inputs: {} }] },
      "file: not a valid component constructor: resources[0].inputs: unknown field",
    ],
    [
      "input and access",
      { ...app, resources: [{ ...text, access: { type: "none" } }] },
      "file: resources[0]: expected input or access, found both",
    ],
    [
      "neither",
      { ...app, resources: [{ name: "text", type: "plainText" }] },
      "file: resources[0]: expected input or access, found neither",
    ],
    [
      "an unknown type of input",
      { ...app, resources: [{ ...text, input: { type: "docker" } }] },
      'file: resources[0]: input: type: expected one of file, dir, utf8, binary, helm, found "docker"',
    ],
    [
      "an unknown field of an input",
      { ...app, resources: [{ ...text, input: { type: "file", path: "x", glob: "*" } }] },
      "file: resources[0]: input: not a valid input of type file: glob: unknown field",
    ],
    [
      "an external resource without a version",
      { ...app, resources: [{ name: "image", type: "ociImage", access: { type: "none" } }] },
      "file: resources[0]: version: expected the version of the external resource",
    ],
  ])("refuses %s", (_, value, message) => {
    expect(() => parseConstructor(value, "file")).toThrow(new Error(message));
  });
});
