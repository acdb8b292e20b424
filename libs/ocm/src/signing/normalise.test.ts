import { describe, expect, it } from "@jest/globals";
import { parseDescriptor } from "../parse-descriptor.ts";
import { normalise } from "./normalise.ts";

const digest = { hashAlgorithm: "SHA-256", normalisationAlgorithm: "genericBlobDigest/v1", value: "ab12" };
const labels = [
  { name: "plain", value: "x" },
  { name: "kept", value: { b: [1, 2.5], a: "<é&>" }, version: "v1", signing: true, merge: { algorithm: "default" } },
];
const resources = [
  {
    name: "content",
    version: "1.0.0",
    type: "plainText",
    relation: "local",
    labels,
    access: { type: "localBlob", localReference: "sha256:ab12" },
    digest,
    srcRefs: [{ identitySelector: { name: "code" } }],
  },
  { name: "marker", version: "1.0.0", type: "marker", relation: "external", access: { type: "None" }, digest },
];
const references = [{ name: "part", componentName: "example.com/part", version: "2.0.0", labels, digest }];
const sources = [{ name: "code", version: "1.0.0", type: "git", access: { type: "git" }, labels }];
const head = { name: "example.com/whole", version: "1.0.0", creationTime: "2026-01-01T00:00:00Z", labels };
const signatures = [
  { name: "old", digest, signature: { algorithm: "RSASSA-PSS", value: "00", mediaType: "application/x" } },
];

const v2 = {
  meta: { schemaVersion: "v2" },
  component: {
    ...head,
    provider: "example",
    repositoryContexts: [{ type: "OCIRegistry", baseUrl: "registry.example" }],
    resources,
    sources,
    componentReferences: references,
  },
  signatures,
};
const v3 = {
  apiVersion: "ocm.software/v3alpha1",
  kind: "ComponentVersion",
  metadata: { ...head, provider: { name: "example", labels } },
  repositoryContexts: [{ type: "OCIRegistry", baseUrl: "registry.example" }],
  spec: { resources, references, sources },
  signatures,
};

const textOf = (document: object, normalisation: string): string =>
  normalise(parseDescriptor(document, "descriptor"), normalisation);

const keptLabel = '{"name":"kept","signing":true,"value":{"a":"<é&>","b":[1,2.5]},"version":"v1"}';
const digestText = '{"hashAlgorithm":"SHA-256","normalisationAlgorithm":"genericBlobDigest/v1","value":"ab12"}';
const common =
  '{"component":{"componentReferences":[{"componentName":"example.com/part",' +
  `"digest":${digestText},"labels":[{"name":"plain","value":"x"},` +
  '{"merge":{"algorithm":"default"},"name":"kept","signing":true,"value":{"a":"<é&>","b":[1,2.5]},"version":"v1"}],' +
  '"name":"part","version":"2.0.0"}],"creationTime":"2026-01-01T00:00:00Z",' +
  `"labels":[${keptLabel}],"name":"example.com/whole","provider":PROVIDER,` +
  `"resources":[{"digest":${digestText},"labels":[${keptLabel}],"name":"content","relation":"local","type":"plainText","version":"1.0.0"},` +
  '{"name":"marker","relation":"external","type":"marker","version":"1.0.0"}],' +
  `"sources":[{"labels":[${keptLabel}],"name":"code","type":"git","version":"1.0.0"}],"version":"1.0.0"}}`;

const listDigest = '[{"hashAlgorithm":"SHA-256"},{"normalisationAlgorithm":"genericBlobDigest/v1"},{"value":"ab12"}]';
const listLabel = String.raw`[[{"name":"kept"},{"signing":true},{"value":[{"a":"\u003cé\u0026\u003e"},{"b":[1,2.5]}]},{"version":"v1"}]]`;

describe("the text that is signed (docs/reference/components.md#signatures)", () => {
  it("is the same for both schemas in jsonNormalisation/v3, but for labels of the provider", () => {
    expect(textOf(v2, "jsonNormalisation/v3")).toBe(common.replace("PROVIDER", '{"name":"example"}'));
    expect(textOf(v3, "jsonNormalisation/v3")).toBe(
      common.replace("PROVIDER", `{"labels":[${keptLabel}],"name":"example"}`),
    );
  });

  it("has all lists, empty ones too, in jsonNormalisation/v3", () => {
    const component = { name: "example.com/a", version: "1.0.0", provider: "p", repositoryContexts: [] };
    expect(textOf({ meta: { schemaVersion: "v2" }, component }, "jsonNormalisation/v3")).toBe(
      '{"component":{"componentReferences":[],"name":"example.com/a","provider":{"name":"p"},"resources":[],"sources":[],"version":"1.0.0"}}',
    );
  });

  it("has the version in the identity of resources of one name, all but the last, in jsonNormalisation/v2", () => {
    const twice = ["1.0.0", "2.0.0"].map((version) => ({ name: "image", version, type: "t", relation: "local" }));
    const arm = { name: "image", version: "1.0.0", extraIdentity: { arch: "arm" }, type: "t", relation: "local" };
    const component = { name: "example.com/a", version: "1.0.0", provider: "p", resources: [...twice, arm] };
    const parsed: unknown = JSON.parse(textOf({ meta: { schemaVersion: "v2" }, component }, "jsonNormalisation/v2"));
    expect(parsed).toMatchObject({
      component: {
        resources: [
          { version: "1.0.0", extraIdentity: { version: "1.0.0" } },
          { version: "2.0.0" },
          { version: "1.0.0", extraIdentity: { arch: "arm" } },
        ],
      },
    });
    expect(JSON.stringify(parsed).match(/extraIdentity/g)).toHaveLength(2);
  });

  it("is that of the stored schema in jsonNormalisation/v1: v2 without sources, with empty identities", () => {
    expect(textOf(v2, "jsonNormalisation/v1")).toBe(
      '[{"component":[{"componentReferences":[[{"componentName":"example.com/part"},' +
        `{"digest":${listDigest}},{"extraIdentity":null},{"labels":${listLabel}},{"name":"part"},{"version":"2.0.0"}]]},` +
        `{"creationTime":"2026-01-01T00:00:00Z"},{"labels":${listLabel}},{"name":"example.com/whole"},{"provider":"example"},` +
        `{"resources":[[{"digest":${listDigest}},{"extraIdentity":null},{"labels":${listLabel}},{"name":"content"},{"relation":"local"},{"type":"plainText"},{"version":"1.0.0"}],` +
        '[{"extraIdentity":null},{"name":"marker"},{"relation":"external"},{"type":"marker"},{"version":"1.0.0"}]]},' +
        '{"version":"1.0.0"}]},{"meta":[{"schemaVersion":"v2"}]}]',
    );
  });

  it.each([
    [{ arch: "arm" }, '[{"arch":"arm"}]'],
    [{}, "null"],
  ])("has the extra identity %j of the stored schema v2 as %s in jsonNormalisation/v1", (extraIdentity, text) => {
    const resource = { name: "image", version: "1.0.0", extraIdentity, type: "t", relation: "local" };
    const component = { name: "example.com/a", version: "1.0.0", provider: "p", resources: [resource] };
    expect(textOf({ meta: { schemaVersion: "v2" }, component }, "jsonNormalisation/v1")).toContain(
      `[{"extraIdentity":${text}},{"name":"image"},`,
    );
  });

  it("is that of the stored schema in jsonNormalisation/v1: v3alpha1 with sources and all labels of the provider", () => {
    const text = textOf(v3, "jsonNormalisation/v1");
    expect(text.startsWith('[{"apiVersion":"ocm.software/v3alpha1"},{"kind":"ComponentVersion"},{"metadata":[')).toBe(
      true,
    );
    expect(text).toContain('{"provider":[{"labels":[[{"name":"plain"},{"value":"x"}]');
    expect(text).toContain(
      `{"sources":[[{"labels":${listLabel}},{"name":"code"},{"type":"git"},{"version":"1.0.0"}]]}`,
    );
    expect(text).not.toContain("extraIdentity");
    expect(text).not.toContain("signatures");
    expect(text).not.toContain("repositoryContexts");
  });

  it("needs a normalisation that is known", () => {
    expect(() => textOf(v2, "jsonNormalisation/v4")).toThrow(
      'unknown normalisation "jsonNormalisation/v4"; expected one of jsonNormalisation/v1, jsonNormalisation/v2, jsonNormalisation/v3',
    );
  });
});
