import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LandscaperError } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { fromYaml, toGoJson } from "@landscaper/goyaml";
import { formatDescriptor } from "./format-descriptor.ts";
import { parseDescriptor } from "./parse-descriptor.ts";

type Fields = Record<string, unknown>;

const read = (name: string): string => readFileSync(join(import.meta.dirname, "../testdata", name), "utf8");
const [fullV2, fullV3] = [read("full-v2.yaml"), read("full-v3.yaml")];

const v2 = (component: Fields, more: Fields = {}): Fields => ({
  meta: { schemaVersion: "v2" },
  component: { name: "example.com/a", version: "v1", ...component },
  ...more,
});
const v3 = (fields: Fields): Fields => ({
  apiVersion: "ocm.software/v3alpha1",
  metadata: { name: "example.com/a", version: "v1" },
  ...fields,
});

describe("a descriptor with all fields", () => {
  const { schemaVersion: _, document: __, ...model } = parseDescriptor(fullV2, "v2");

  it("gives the same model in both schemas", () => {
    const { schemaVersion, document, ...other } = parseDescriptor(fullV3, "v3");
    expect({ schemaVersion, document }).toEqual({
      schemaVersion: "ocm.software/v3alpha1",
      document: fromYaml(fullV3),
    });
    expect(other).toEqual(model);
  });

  it("gives what the schemas name differently", () => {
    expect(model).toMatchObject({
      name: "example.com/shop/web",
      version: "v1.4.0+build.7",
      provider: { name: "example.com", labels: [{ name: "contact", value: { room: 12 } }] },
      creationTime: "2026-01-02T03:04:05Z",
      references: [{ name: "database", componentName: "example.com/shop/database", version: "v2.0.0" }],
      repositoryContexts: [{ baseUrl: "old.example.com" }, { baseUrl: "new.example.com" }],
    });
  });

  it("keeps what no schema knows: fields of elements, access of any type", () => {
    expect(model.resources).toMatchObject([
      { srcRefs: [{ identitySelector: { name: "code" } }] },
      { access: { type: "someday", anything: { deep: [1, 2] } } },
    ]);
    expect(model.signatures).toMatchObject([{ timestamp: { time: "2026-01-02T03:04:05Z" } }]);
  });

  it.each([
    ["v2", fullV2, fullV2],
    ["ocm.software/v3alpha1", fullV2, fullV3],
    ["v2", fullV3, fullV2],
    ["ocm.software/v3alpha1", fullV3, fullV3],
  ] as const)("is written in schema %s with nothing lost", (schemaVersion, from, want) => {
    const written = formatDescriptor(parseDescriptor(from, "given"), schemaVersion);
    expect(written).toEqual(fromYaml(want));
  });

  it("is read from JSON as well as from a map", () => {
    const map = fromYaml(fullV2);
    expect(parseDescriptor(toGoJson(map), "json")).toEqual(parseDescriptor(map, "map"));
  });
});

describe("a descriptor with few fields", () => {
  it("has empty lists, and v2 writes them", () => {
    const parsed = parseDescriptor(v2({ resources: null }), "few");
    expect(parsed).toMatchObject({ resources: [], sources: [], references: [], repositoryContexts: [] });
    expect(parsed).toMatchObject({ provider: undefined, labels: undefined, signatures: undefined });
    const lists = { resources: [], sources: [], componentReferences: [], repositoryContexts: [] };
    expect(formatDescriptor(parsed, "v2")).toEqual(v2(lists));
    expect(formatDescriptor(parseDescriptor(v3({}), "few"), "v2")).toEqual(v2(lists));
  });

  it("keeps unknown fields in its document", () => {
    const document = v2({ colour: "red" }, { more: [1] });
    expect(parseDescriptor(document, "x").document).toEqual(document);
    expect(formatDescriptor(parseDescriptor(document, "x"), "v2")).toMatchObject(document);
  });

  it("is matched without regard to case, and is not changed itself", () => {
    const given = {
      Meta: { SchemaVersion: "v2" },
      component: {
        NAME: "example.com/a",
        version: "v1",
        Resources: [{ Name: "image", Access: { Type: "x", fileName: "f" } }],
      },
    };
    const copy = structuredClone(given);
    expect(parseDescriptor(given, "x").resources).toEqual([{ name: "image", access: { type: "x", fileName: "f" } }]);
    expect(given).toEqual(copy);
  });

  it.each(["example.com", "text"])("has a provider %s that is a plain text in v2", (provider) => {
    expect(parseDescriptor(v2({ provider }), "x").provider).toEqual({ name: provider });
  });
});

describe("bad input", () => {
  const element = { name: "image", version: "v1" };
  const invalid = (problem: string): string => `cd: not a valid component descriptor: ${problem}`;
  const neither = "expected meta.schemaVersion v2 or apiVersion ocm.software/v3alpha1, found";
  it.each<[string, unknown, string]>([
    ["nothing", undefined, invalid(`${neither} neither`)],
    ["a list", [], invalid(`${neither} neither`)],
    ["an unknown schema", { meta: { schemaVersion: "v1" } }, invalid(`${neither} "v1"`)],
    ["an unknown API version", { apiVersion: "v3alpha2" }, invalid(`${neither} "v3alpha2"`)],
    ["a schema that is no text", { meta: { schemaVersion: 2 } }, invalid(`${neither} neither`)],
    ["text that is no YAML", "a: [b", "cd: expected YAML, found at line 2, column 1: did not find expected ',' or ']'"],
    ["no component", { meta: { schemaVersion: "v2" } }, invalid("component: required field is missing")],
    ["no metadata", { apiVersion: "ocm.software/v3alpha1" }, invalid("metadata: required field is missing")],
    ["another kind", v3({ kind: "Component" }), invalid('kind: expected "ComponentVersion", found another text')],
    [
      "no name",
      { meta: { schemaVersion: "v2" }, component: { version: "v1" } },
      invalid("component.name: required field is missing"),
    ],
    [
      "a version that is a number",
      v2({ version: 1.5 }),
      invalid("component.version: expected a string, found a number"),
    ],
    [
      "a version that is none",
      v2({ version: "latest" }),
      invalid('component.version: expected a version such as v1.2.3, found "latest"'),
    ],
    [
      "a name without a domain",
      v2({ name: "web" }),
      invalid('component.name: expected a component name such as example.com/name, found "web"'),
    ],
    [
      "a name in capitals",
      v3({ metadata: { name: "Example.com/Web", version: "v1" } }),
      invalid('metadata.name: expected a component name such as example.com/name, found "Example.com/Web"'),
    ],
    [
      "a list that is a map",
      v2({ resources: {} }),
      invalid("component.resources: expected a list, found an empty object"),
    ],
    [
      "a resource without name",
      v2({ resources: [{}] }),
      invalid("component.resources[0].name: required field is missing"),
    ],
    [
      "a resource with a short name",
      v3({ spec: { resources: [{ name: "a" }] } }),
      invalid("spec.resources[0].name: expected at least 2 characters, found 1"),
    ],
    [
      "a relation that is none",
      v2({ resources: [{ ...element, relation: "near" }] }),
      invalid('component.resources[0].relation: expected one of "local", "external", found another text'),
    ],
    [
      "an access without type",
      v2({ resources: [{ ...element, access: {} }] }),
      invalid("component.resources[0].access.type: required field is missing"),
    ],
    [
      "an extra identity with a number",
      v2({ resources: [{ ...element, extraIdentity: { os: 1 } }] }),
      invalid("component.resources[0].extraIdentity.os: expected a string, found a number"),
    ],
    [
      "a label without name",
      v2({ labels: [{ value: 1 }] }),
      invalid("component.labels[0].name: required field is missing"),
    ],
    [
      "a digest without value",
      v2({ resources: [{ ...element, digest: { hashAlgorithm: "x", normalisationAlgorithm: "y" } }] }),
      invalid("component.resources[0].digest.value: required field is missing"),
    ],
    [
      "a signature without algorithm",
      v2(
        {},
        {
          signatures: [
            {
              name: "s",
              digest: { hashAlgorithm: "x", normalisationAlgorithm: "y", value: "z" },
              signature: { value: "v", mediaType: "m" },
            },
          ],
        },
      ),
      invalid("signatures[0].signature.algorithm: required field is missing"),
    ],
    [
      "a reference without component",
      v2({ componentReferences: [element] }),
      invalid("component.componentReferences[0].componentName: required field is missing"),
    ],
    [
      "a reference to a component that cannot be",
      v3({ spec: { references: [{ ...element, componentName: "b" }] } }),
      invalid('spec.references[0].componentName: expected a component name such as example.com/name, found "b"'),
    ],
    [
      "a reference to a version that cannot be",
      v2({ componentReferences: [{ name: "ref", version: "x", componentName: "example.com/b" }] }),
      invalid('component.componentReferences[0].version: expected a version such as v1.2.3, found "x"'),
    ],
    [
      "a repository context that is a text",
      v2({ repositoryContexts: ["x"] }),
      invalid("component.repositoryContexts[0]: expected an object, found a string"),
    ],
    [
      "two resources of one identity",
      v2({ resources: [element, { ...element, extraIdentity: { os: "a" } }, { ...element, type: "x" }] }),
      invalid(
        'component.resources[2]: expected one element of each identity, found a second one named "image" of the same version and extra identity',
      ),
    ],
    [
      "a provider that is a map in v2",
      v2({ provider: { name: "x" } }),
      invalid("component.provider: expected a string, found an object"),
    ],
    [
      "a provider whose text is no JSON",
      v2({ provider: "{" }),
      "cd: component.provider: expected YAML, found at line 2, column 1: did not find expected node content",
    ],
    [
      "a provider without name",
      v2({ provider: "{}" }),
      "cd: component.provider: not a valid provider: name: required field is missing",
    ],
  ])("%s is refused", (_name, value, message) => {
    const parse = (): unknown => parseDescriptor(value, "cd");
    expect(parse).toThrow(LandscaperError);
    expect(parse).toThrow(new Error(message));
  });
});
