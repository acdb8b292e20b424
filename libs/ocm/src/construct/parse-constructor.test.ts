import { describe, expect, it } from "@jest/globals";
import { parseConstructor } from "./parse-constructor.ts";

const app = { name: "example.com/app", version: "1.0.0", provider: { name: "example.com" } };
const long = "k".repeat(100_000);
const text = { name: "text", type: "plainText", input: { type: "utf8", text: "hello" } };

function messageOf(document: object): string {
  try {
    parseConstructor(document, "file");
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error("expected an error");
}

describe("parseConstructor", () => {
  it("reads one component, or a list of them", () => {
    const lists = { resources: [], sources: [], references: [], repositoryContexts: [], warnings: [] };
    const component = { ...app, where: "file", schemaVersion: undefined, ...lists };
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
        resources: [text, { name: "image", type: "ociImage", access }],
        sources: [{ name: "code", type: "git", access: { type: "none" } }],
      },
      "file",
    );
    expect(component?.resources).toEqual([
      { ...text, relation: "local", version: "1.0.0" },
      { name: "image", type: "ociImage", version: "1.0.0", access, relation: "external" },
    ]);
    expect(component?.sources).toEqual([{ name: "code", type: "git", access: { type: "none" }, version: "1.0.0" }]);
  });

  const read = (component: object, options = {}) => parseConstructor({ ...app, ...component }, "file", options)[0];

  it("keeps a relation, a time, and a name of the greatest length", () => {
    const creationTime = "2026-01-31T12:00:00.5+01:00";
    const name = `example.com/${"k".repeat(243)}`;
    const [component] = parseConstructor(
      { ...app, name, creationTime, resources: [{ ...text, relation: "external" }] },
      "file",
    );
    expect(component).toMatchObject({ name, creationTime, resources: [{ relation: "external" }] });
  });

  it.each([
    [{ skipDigestGeneration: true }, true],
    [{ skipDigestGeneration: false }, undefined],
    [{ options: { skipDigestGeneration: true } }, true],
    [{}, undefined],
  ])("reads from %j whether a resource has a digest", (fields, skipsDigest) => {
    const resource = { name: "file", type: "blob", access: { type: "s3" }, ...fields };
    const [component] = parseConstructor({ ...app, resources: [resource] }, "file");
    expect(component?.resources[0]?.skipsDigest).toBe(skipsDigest);
  });

  it.each([
    { type: "binary", data: "aGVsbG8=", mediaType: "text/plain" },
    { type: "dockermulti", variants: ["image:1"], repository: "images/app" },
    { type: "wget", url: "https://files.example/a", header: { accept: ["text/plain"] }, verb: "GET" },
  ])("reads the input $type", (input) => {
    const [component] = parseConstructor({ ...app, resources: [{ ...text, input }] }, "file");
    expect(component?.resources[0]?.input).toEqual(input);
  });

  it("reads both names of references and of source references", () => {
    const [one, two] = ["one", "two"].map((name) => ({ name, componentName: `example.com/${name}`, version: "1.0.0" }));
    const refs = [{ identitySelector: { name: "code" } }, { identitySelector: { name: "docs" } }];
    const resource = { ...text, srcRefs: refs.slice(0, 1), sourceRefs: refs.slice(1) };
    expect(read({ references: [one], componentReferences: [two], resources: [resource] })).toMatchObject({
      references: [one, two],
      resources: [{ srcRefs: refs }],
    });
  });

  it("matches fields and types without regard to case, and takes null for an absent field", () => {
    expect(
      read({
        Artifacts: null,
        sources: null,
        resources: [
          { ...text, labels: null, access: null, INPUT: { type: "UTF8/v1", Text: "hello", mediaType: null } },
          { name: "tree", type: "blob", input: { type: "Dir/v1", path: "x", followSymLinks: true } },
          { name: "image", type: "blob", input: { type: "OciImage", path: "x" } },
        ],
      }),
    ).toMatchObject({
      resources: [
        { input: { type: "utf8", text: "hello" } },
        { input: { type: "dir", path: "x", followSymlinks: true } },
        { input: { type: "ociArtifact", path: "x" } },
      ],
      warnings: [],
    });
  });

  it("gives the resource of a chart the version of its input", () => {
    const chart = { name: "chart", type: "helmChart", input: { type: "helm", path: "web", version: "0.1.0" } };
    const versions = read({ resources: [chart, { ...chart, version: "3.0.0" }] })?.resources.map(
      ({ version }) => version,
    );
    expect(versions).toEqual(["0.1.0", "3.0.0"]);
  });

  it("gives a component without a version that of the options", () => {
    expect(read({ version: null }, { version: "2.0.0" })?.version).toBe("2.0.0");
    expect(read({}, { version: "2.0.0" })?.version).toBe("1.0.0");
  });

  it("reads the schema of the descriptor, and repository contexts", () => {
    const contexts = [{ type: "OCIRegistry", baseUrl: "registry.example" }];
    const meta = { configuredSchemaVersion: "v3alpha1" };
    expect(read({ meta, repositoryContexts: contexts })).toMatchObject({
      schemaVersion: "ocm.software/v3alpha1",
      repositoryContexts: contexts,
    });
  });

  it("warns of what OCM knows and it does not evaluate", () => {
    const access = { type: "ociArtifact", imageReference: "example.com/image:1" };
    const resources = [
      { name: "image", type: "ociImage", access, copyPolicy: "byValue", options: { skipDigestGeneration: true, x: 1 } },
      { ...text, input: { type: "helm", path: "x", compress: true }, copyPolicy: "byReference" },
      { ...text, name: "tree", input: { type: "dir", path: "x", reproducible: false } },
    ];
    expect(read({ resources })).toMatchObject({
      resources: [{ skipsDigest: true }, {}, {}],
      warnings: [
        "file: resources[0]: options.x: has no effect",
        "file: resources[0]: copyPolicy: byValue has no effect: the content stays where its access says; use an input",
        "file: resources[1]: input: compress: has no effect: an artifact is packed with gzip, and its media type is that of its manifest",
        "file: resources[2]: input: reproducible: has no effect: archives of folders have neither times nor owners",
      ],
    });
  });

  it("warns about authorities of a chart from a file, and about a second schema of the descriptor", () => {
    const meta = { schemaVersion: "v2", configuredSchemaVersion: "v2" };
    const input = { type: "helm", path: "x", caCert: "x", caCertFile: "y" };
    const effective = { ...input, helmRepository: "https://charts.example", caCert: undefined };
    const resources = [
      { ...text, input },
      { ...text, name: "other", input: effective },
    ];
    const hint = "has no effect: the chart is read from a file or folder; give helmRepository, or remove it";
    expect(read({ meta, resources })?.warnings).toEqual([
      "file: meta.schemaVersion: has no effect beside meta.configuredSchemaVersion; remove it",
      `file: resources[0]: input: caCert: ${hint}`,
      `file: resources[0]: input: caCertFile: ${hint}`,
    ]);
    expect(read({ meta: { schemaVersion: "v2" } })?.warnings).toEqual([]);
  });

  it("adds an index to elements with equal name, version and extra identity, with a warning", () => {
    const other = { ...text, version: "2.0.0" };
    expect(read({ resources: [text, other, text] })).toMatchObject({
      resources: [{ extraIdentity: { index: "1" } }, { version: "2.0.0" }, { extraIdentity: { index: "2" } }],
      warnings: [
        'file: resources: [0] and [2] are named "text" and have the same version and extraIdentity. ' +
          'They get extraIdentity.index "1" to "2"; give them different names, versions or extraIdentity',
      ],
    });
    expect(read({ resources: [text, other] })?.resources[0]).not.toHaveProperty("extraIdentity");
  });

  it("reports the errors of all elements at once, at most 20", () => {
    const bad = { name: "text", type: "plainText" };
    const components = [
      { ...app, resources: [bad, text, bad], sources: [bad] },
      { ...app, version: undefined },
    ];
    const of = (place: string): string =>
      `file: components[0]: ${place}: expected input or access, found neither. Give one of them.`;
    expect(() => parseConstructor({ components }, "file")).toThrow(
      new Error(
        [
          ...["resources[0]", "resources[2]", "sources[0]"].map(of),
          "file: components[1]: not a valid component constructor: version: required field is missing",
        ].join("\n"),
      ),
    );
    const many = { ...app, resources: Array.from({ length: 25 }, () => bad) };
    const rest = (count: number): RegExp =>
      new RegExp(`^(?:.*found neither. Give one of them.\\n){20}and ${count} more errors$`);
    expect(() => parseConstructor(many, "file")).toThrow(rest(5));
    expect(() => parseConstructor({ components: [many, many] }, "file")).toThrow(rest(30));
  });

  it("reports the schema errors of a component, its elements and their inputs at once", () => {
    const component = {
      name: "app",
      provider: 1,
      extra: 1,
      meta: { schemaVersion: "v9" },
      resources: [
        { name: "x", type: "", input: { type: "file", mediaType: "" } },
        { ...text, input: { type: "dir", glob: "*" }, access: { type: "git", ref: 1, commit: 2 } },
        "text",
      ],
      sources: [{ name: "code", type: "git", input: { type: "ftp" } }],
      references: [{ name: "part", componentName: "part", version: "new" }],
    };
    const types = "file, dir, utf8, binary, helm, ociArtifact, docker, dockermulti, wget, spiff";
    expect(() => parseConstructor(component, "file")).toThrow(
      new Error(
        [
          "not a valid component constructor: version: required field is missing",
          "not a valid component constructor: extra: unknown field",
          "not a valid component constructor: provider: expected an object, found a number",
          "resources[0]: not a valid resource: name: expected at least 2 characters, found 1",
          "resources[0]: not a valid resource: type: expected at least 1 character, found an empty string",
          "resources[1]: expected input or access, found both. Give one of them.",
          "resources[1]: access: ref: expected a string, found a number. Put the value in quotes.",
          "resources[1]: access: commit: expected a string, found a number. Put the value in quotes.",
          "resources[1]: input: not a valid input of type dir: path: required field is missing",
          "resources[1]: input: not a valid input of type dir: glob: unknown field",
          "resources[2]: not a valid resource: expected an object, found a string",
          `sources[0]: input: type: expected one of ${types}, found "ftp"`,
          'references[0]: version: expected a version such as v1.2.3, found "new"',
          'references[0]: componentName: expected a component name such as example.com/name, found "part"',
        ]
          .map((problem) => `file: ${problem}`)
          .join("\n"),
      ),
    );
  });

  it("refuses equal references of both lists, with their places", () => {
    const part = { name: "part", componentName: "example.com/part", version: "1.0.0" };
    const references = [part, { ...part, version: "2.0.0" }, { ...part, extraIdentity: { kind: "a" } }, part];
    const problem =
      'expected references of different name, version or extraIdentity, found a second one named "part" with the same. Remove it, or give it another name or extraIdentity.';
    expect(messageOf({ ...app, references, componentReferences: [part] })).toBe(
      ["references[3]", "componentReferences[0]"].map((place) => `file: ${place}: ${problem}`).join("\n"),
    );
  });

  it.each<[string, object, string]>([
    [
      "a label",
      { labels: [{ name: "a", valeu: 1 }] },
      'component constructor: labels[0].valeu: unknown field, did you mean "value"?',
    ],
    ["a provider", { provider: { name: "a", url: 1 } }, "component constructor: provider.url: unknown field"],
    [
      "a digest",
      {
        references: [
          {
            name: "part",
            componentName: "example.com/part",
            version: "1.0.0",
            digest: { hashAlgorithm: "a", normalisationAlgorithm: "b", value: "c", other: 1 },
          },
        ],
      },
      "reference: digest.other: unknown field",
    ],
    [
      "a label of a resource",
      { resources: [{ ...text, labels: [{ name: "a", x: 1 }] }] },
      "resource: labels[0].x: unknown field",
    ],
  ])("refuses an unknown field of %s", (_, component, problem) => {
    expect(messageOf({ ...app, ...component })).toContain(`: not a valid ${problem}`);
  });

  it("refuses a digest beside an input, and keeps one beside an access", () => {
    const digest = { hashAlgorithm: "SHA-256", normalisationAlgorithm: "genericBlobDigest/v1", value: "00" };
    const access = { type: "s3" };
    expect(messageOf({ ...app, resources: [{ ...text, digest }] })).toBe(
      "file: resources[0]: digest: expected no digest beside input, found one. Remove it: the command computes the digest of the content.",
    );
    expect(read({ resources: [{ name: "file", type: "blob", access, digest }] })?.resources[0]).toMatchObject({
      digest,
    });
  });

  it.each(["Dir/v9", "dir/v1alpha1", "dir/V2"])("refuses the type of input %s", (type) => {
    expect(messageOf({ ...app, resources: [{ ...text, input: { type, path: "x" } }] })).toBe(
      `file: resources[0]: input: type: expected the version v1, found "${type}". Write dir, without a version.`,
    );
  });

  const rule = 'lower-case letters, digits, "-", "_" and "+", with a letter or digit at both ends';
  it.each<[string, object, string]>([
    ["a long name", { name: `example.com/${long}` }, "name: expected at most 255 characters, found 100012"],
    [
      "a version with leading zeros",
      { version: "1.02.3" },
      'version: expected numbers without leading zeros, found "1.02.3"',
    ],
    ["an empty provider", { provider: "" }, "provider.name: expected the name of the provider, found an empty string"],
    [
      "a provider that is JSON",
      { provider: "{a" },
      'provider.name: expected the name of the provider, found "{a". Write a provider with labels as a map',
    ],
    [
      "a day instead of a time",
      { creationTime: "2026-01-31" },
      'creationTime: expected a time such as 2026-01-31T12:00:00Z, found "2026-01-31"',
    ],
    [
      "a time that does not exist",
      { creationTime: "2026-01-31T25:00:00Z" },
      'creationTime: expected a time such as 2026-01-31T12:00:00Z, found "2026-01-31T25:00:00Z"',
    ],
    [
      "repository contexts of other types",
      { repositoryContexts: [{ type: "CommonTransportFormat" }] },
      'repositoryContexts[0]: expected the type OCIRegistry with a baseUrl, found the type "CommonTransportFormat"',
    ],
    [
      "a repository context without a registry",
      { repositoryContexts: [{ type: "OCIRegistry" }] },
      "repositoryContexts[0]: expected the type OCIRegistry with a baseUrl, found no baseUrl",
    ],
    [
      "two labels of one name",
      { labels: [{ name: "a" }, { name: "a", value: 1 }] },
      'labels[1].name: expected each name once, found a second label "a". Remove one of them',
    ],
    [
      "a version of a label",
      { provider: { name: "a", labels: [{ name: "a", version: "1" }] } },
      'provider.labels[0].version: expected a version such as v1, found "1"',
    ],
    [
      "a name with capitals",
      { resources: [{ ...text, name: "aB" }] },
      `resources[0]: name: expected ${rule}, found "aB"`,
    ],
    [
      "a version of a label of a resource",
      { resources: [{ ...text, labels: [{ name: "a", version: "1" }] }] },
      'resources[0]: labels[0].version: expected a version such as v1, found "1"',
    ],
    [
      "an extra identity with a name",
      { resources: [{ ...text, extraIdentity: { name: "a" } }] },
      'resources[0]: extraIdentity: the attribute "name" is the name of the element. Remove it, or rename it',
    ],
    [
      "a short attribute",
      { sources: [{ ...text, extraIdentity: { a: "a" } }] },
      `sources[0]: extraIdentity: expected attributes of at least 2 characters: ${rule}; found "a"`,
    ],
    [
      "a version of a resource",
      { resources: [{ ...text, version: "latest" }] },
      'resources[0]: version: expected a version such as v1.2.3, found "latest"',
    ],
    [
      "a range as the version of a chart and so of its resource",
      { resources: [{ ...text, input: { type: "helm", path: "web", version: "^1.0.0" } }] },
      'resources[0]: input: version: expected a version such as v1.2.3, found "^1.0.0"',
    ],
    [
      "a label of a source reference",
      { resources: [{ ...text, srcRefs: [{ labels: [{ name: "a", version: "1" }] }] }] },
      'resources[0]: srcRefs[0].labels[0].version: expected a version such as v1, found "1"',
    ],
  ])("refuses %s, which other programs do not read", (...[, component, problem]) => {
    expect(messageOf({ ...app, ...component })).toBe(`file: ${problem}`);
  });

  it("gives labels without a value the value null, and treats an empty version as absent", () => {
    const labels = [{ name: "a" }, { name: "b", value: 0 }];
    const want = [
      { name: "a", value: null },
      { name: "b", value: 0 },
    ];
    const reference = { name: "part", componentName: "example.com/part", version: "1.0.0", labels };
    const resource = { ...text, version: "", labels, srcRefs: [{ labels }] };
    expect(
      read({ labels, provider: { name: "a", labels }, resources: [resource], references: [reference] }),
    ).toMatchObject({
      labels: want,
      provider: { labels: want },
      resources: [{ version: "1.0.0", labels: want, srcRefs: [{ labels: want }] }],
      references: [{ labels: want }],
    });
  });

  it.each<[string, object]>([
    ["an unknown field", { [long]: 1 }],
    ["an unknown field of a resource", { resources: [{ ...text, [long]: 1 }] }],
    ["an unknown field of an input", { resources: [{ ...text, input: { type: "file", path: "x", [long]: 1 } }] }],
    ["a type of input", { resources: [{ ...text, input: { type: long } }] }],
    ["the name of a component", { name: long }],
    ["a version", { version: long }],
    ["a schema of the descriptor", { meta: { schemaVersion: long } }],
  ])("shows 200 characters of %s", (_, component) => {
    expect(messageOf({ ...app, ...component })).toMatch(/^.{1,150}k{200}\.\.\..{0,40}$/);
    expect(messageOf({ components: [app], [long]: 1 })).toMatch(/^file: k{200}\.\.\.: unknown field/);
  });

  it.each<[string, object, string]>([
    [
      "a commit",
      { type: "gitHub", repoUrl: "example.com/code", commit: 123 },
      "commit: expected a string, found a number. Put the value in quotes.",
    ],
    [
      "a long number",
      { type: "s3", key: 2n ** 63n },
      "key: expected a string, found a number. Put the value in quotes.",
    ],
    ["a boolean", { type: "git", ref: true }, "ref: expected a string, found a boolean. Put the value in quotes."],
    ["a map", { type: "ocm", component: {} }, "component: expected a string, found a map. Replace it with a string."],
    [
      "a version",
      { type: "NPM/v1", Version: 1.5 },
      "Version: expected a string, found a number. Put the value in quotes.",
    ],
    ["a list", { type: "s3", bucket: ["a"] }, "bucket: expected a string, found a list. Replace it with a string."],
  ])("refuses %s instead of a string in an access, as ocm does", (...[, access, problem]) => {
    const resources = [{ name: "code", type: "blob", version: "1.0.0", access }];
    expect(() => parseConstructor({ ...app, resources }, "file")).toThrow(
      new Error(`file: resources[0]: access: ${problem}`),
    );
    const other = [{ name: "code", type: "blob", version: "1.0.0", access: { ...access, type: "other" } }];
    expect(() => parseConstructor({ ...app, resources: other }, "file")).not.toThrow();
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
    [
      "an unknown field",
      { ...app, resource: [] },
      'file: not a valid component constructor: resource: unknown field, did you mean "resources"?',
    ],
    [
      "an unknown field of a resource",
      { ...app, resources: [{ ...text, inputs: {} }] },
      'file: resources[0]: not a valid resource: inputs: unknown field, did you mean "input"?',
    ],
    [
      "input and access",
      { ...app, resources: [{ ...text, access: { type: "none" } }] },
      "file: resources[0]: expected input or access, found both. Give one of them.",
    ],
    [
      "neither",
      { ...app, resources: [{ name: "text", type: "plainText" }] },
      "file: resources[0]: expected input or access, found neither. Give one of them.",
    ],
    [
      "an unknown type of input",
      { ...app, resources: [{ ...text, input: { type: "ftp" } }] },
      'file: resources[0]: input: type: expected one of file, dir, utf8, binary, helm, ociArtifact, docker, dockermulti, wget, spiff, found "ftp"',
    ],
    [
      "a number as the type of input",
      { ...app, resources: [{ ...text, input: { type: 5 } }] },
      "file: resources[0]: input: type: expected one of file, dir, utf8, binary, helm, ociArtifact, docker, dockermulti, wget, spiff, found no text",
    ],
    [
      "no variants of an image",
      { ...app, resources: [{ ...text, input: { type: "dockermulti", variants: [] } }] },
      "file: resources[0]: input: not a valid input of type dockermulti: variants: expected at least 1 entry, found an empty list",
    ],
    [
      "an unknown schema by the other name",
      { ...app, meta: { schemaVersion: "v1" } },
      'file: meta.schemaVersion: expected v2 or ocm.software/v3alpha1, found "v1"',
    ],
    [
      "a type of input that only OCM has",
      { ...app, resources: [{ ...text, input: { type: "git/v1", repository: "x" } }] },
      "file: resources[0]: input: type: inputs of type git are not read; check the repository out, and use type dir",
    ],
    [
      "an unknown schema of the descriptor",
      { ...app, meta: { configuredSchemaVersion: "v1" } },
      'file: meta.configuredSchemaVersion: expected v2 or ocm.software/v3alpha1, found "v1"',
    ],
    [
      "an unknown field of an input",
      { ...app, resources: [{ ...text, input: { type: "file", path: "x", glob: "*" } }] },
      "file: resources[0]: input: not a valid input of type file: glob: unknown field",
    ],
  ])("refuses %s", (_, value, message) => {
    expect(() => parseConstructor(value, "file")).toThrow(new Error(message));
  });
});
