// Constructor files with every type of input and access. Variables: REGISTRY (host of a registry with charts/web:0.1.0) and SERVER (URL of a repository of charts).

import type { ReadableContent } from "./readable-content.ts";

/** A constructor file, and the component that it describes. */
export interface ConstructorCase {
  readonly title: string;
  /** Behind name, version and provider of the component `example.com/case:1.0.0`, unless `isWhole`. */
  readonly text: string;
  readonly isWhole?: boolean;
  /** Of the first resource, unless `want` has other fields of the descriptor. */
  readonly want: object;
  /** Of the first resource, without its packing. */
  readonly content?: ReadableContent;
  /** Beside the constructor file, its variables. */
  readonly words?: readonly string[];
  readonly needs?: "network";
}

export const header = "name: example.com/case\nversion: 1.0.0\nprovider: { name: example.com }\n";

const resource = (fields: string): string => `resources:\n- { name: one, type: blob, ${fields} }\n`;
const local = (mediaType: string, others: object = {}): object => ({
  relation: "local",
  access: { type: "localBlob", mediaType, ...others },
});
const artifact = (referenceName: string): object =>
  local("application/vnd.oci.image.manifest.v1+tar+gzip", { referenceName: `example.com/case/${referenceName}` });
const external = (access: object): object => ({ relation: "external", version: "1.0.0", access });
const digest = `sha256:${"a".repeat(64)}`;

/** The files that the suite writes. */
const tree = { "a.txt": "a", "b.md": "b", "inner/c.txt": "c" };
const chart = { "web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n", "web/values.yaml": "a: 1\n" };
const notes = "some notes\n";

type InputCase = readonly [
  title: string,
  input: string,
  want: object,
  content: ReadableContent,
  more?: Partial<ConstructorCase>,
];

/** The input alone, in the notation of YAML. */
const inputs: readonly InputCase[] = [
  ["file", "type: file, path: notes.txt", local("application/octet-stream"), notes],
  [
    "file with its version and media type",
    "type: file/v1, path: notes.txt, mediaType: text/plain",
    local("text/plain"),
    notes,
  ],
  ["file, compressed", "type: file, path: notes.txt, compress: true", local("application/gzip"), notes],
  [
    "file, compressed, with its media type",
    "type: file, path: notes.txt, compress: true, mediaType: a/b",
    local("a/b"),
    notes,
  ],
  ["dir", "type: dir, path: tree", local("application/x-tar"), tree],
  ["dir, compressed", "type: dir, path: tree, compress: true", local("application/x-tgz"), tree],
  [
    "dir with its name",
    "type: dir, path: tree, preserveDir: true",
    local("application/x-tar"),
    { "tree/a.txt": "a", "tree/b.md": "b", "tree/inner/c.txt": "c" },
  ],
  [
    "dir with patterns",
    "type: dir, path: tree, excludeFiles: ['*.md']",
    local("application/x-tar"),
    { "a.txt": "a", "inner/c.txt": "c" },
  ],
  ["text", "type: utf8, text: hello", local("application/octet-stream"), "hello"],
  ["text with its version", "type: utf8/v1, text: hello, mediaType: text/plain", local("text/plain"), "hello"],
  ["JSON", "type: utf8, json: { b: [1, x], a: true }", local("application/octet-stream"), '{"a":true,"b":[1,"x"]}'],
  [
    "formatted JSON",
    "type: utf8, formattedJson: { b: [1, x], a: true }",
    local("application/octet-stream"),
    '{\n  "a": true,\n  "b": [\n    1,\n    "x"\n  ]\n}',
  ],
  ["YAML", "type: utf8, yaml: { b: [1, x], a: true }", local("application/octet-stream"), "a: true\nb:\n- 1\n- x\n"],
  ["bytes", "type: binary, data: aGVsbG8=", local("application/octet-stream"), "hello"],
  ["chart", "type: helm, path: chart", artifact("web:0.1.0"), chart],
  ["chart with its repository", "type: helm, path: chart, repository: charts/web", artifact("charts/web:0.1.0"), chart],
  [
    "spiff",
    "type: spiff, path: template.yaml",
    local("application/octet-stream"),
    "name: web\n",
    { words: ["NAME=web"] },
  ],
  [
    "spiff with values",
    "type: spiff, path: values.yaml, values: { count: 2 }",
    local("application/octet-stream"),
    "count: 2\n",
  ],
  [
    "wget",
    'type: wget, url: "${SERVER}/file.txt", mediaType: text/plain',
    local("text/plain"),
    "content of the server",
    { needs: "network" },
  ],
  [
    "chart of a repository",
    'type: helm, helmRepository: "${SERVER}", path: web, version: 0.1.0',
    { ...artifact("web:0.1.0"), version: "0.1.0" },
    chart,
    { needs: "network" },
  ],
  [
    "artifact of a registry",
    'type: ociArtifact, path: "http://${REGISTRY}/charts/web:0.1.0"',
    artifact("charts/web:0.1.0"),
    chart,
    { needs: "network" },
  ],
];

const accesses: readonly (readonly [fields: string, access: object])[] = [
  ["type: none", { type: "none" }],
  [`type: ociBlob, ref: example.com/web, digest: "${digest}", size: 5, mediaType: a/b`, { type: "ociBlob", size: 5 }],
  [`type: gitHub, repoUrl: example.com/code, commit: ${"0".repeat(40)}`, { type: "gitHub" }],
  ["type: helm, helmRepository: 'https://example.com', helmChart: 'web:1.0.0'", { type: "helm" }],
  ["type: npm, registry: 'https://example.com', package: web, version: 1.0.0", { type: "npm" }],
  ["type: maven, repoUrl: 'https://example.com', groupId: a, artifactId: b, version: 1.0.0", { type: "maven" }],
  ["type: wget, url: 'https://example.com/file'", { type: "wget" }],
  ["type: s3, bucket: example, key: file, region: here", { type: "s3" }],
];

const note = "input: { type: utf8, text: hello }";
const reference = "{ name: part, componentName: example.com/part, version: 1.0.0 }";

/** All cases. */
export const constructorCases: readonly ConstructorCase[] = [
  ...inputs.map(([title, input, want, content, more]) => ({
    title: `the input: ${title}`,
    text: resource(`input: { ${input} }`),
    want: { version: "1.0.0", ...want },
    content,
    ...more,
  })),
  ...accesses.map(([fields, access]) => ({
    title: `the access: ${String(Reflect.get(access, "type"))}`,
    text: resource(`version: 1.0.0, relation: external, skipDigestGeneration: true, access: { ${fields} }`),
    want: external(access),
  })),
  {
    title: "the access: ociArtifact",
    text: resource(
      'version: 1.0.0, access: { type: ociArtifact, imageReference: "http://${REGISTRY}/charts/web:0.1.0" }',
    ),
    want: { relation: "external", digest: { normalisationAlgorithm: "ociArtifactDigest/v1" } },
    needs: "network",
  },
  { title: "references", text: `references: [${reference}]\n`, want: { references: [{ name: "part" }] } },
  {
    title: "componentReferences",
    text: `componentReferences: [${reference}]\n`,
    want: { references: [{ name: "part" }] },
  },
  {
    title: "a list of components",
    text: `components:\n- ${header.replaceAll("\n", "\n  ").trimEnd()}\n`,
    isWhole: true,
    want: { resources: [], provider: { name: "example.com" } },
  },
  {
    title: "several documents",
    text: `---\n${header}---\n${header.replace("case", "other")}`,
    isWhole: true,
    want: { resources: [] },
  },
  {
    title: "labels of component, provider and resource",
    text:
      header.replace("{ name: example.com }", "{ name: example.com, labels: [{ name: a, value: yes }] }") +
      `labels: [{ name: b, value: { c: [1, 2.5] }, version: v1, signing: true }]\n${resource(`labels: [{ name: d, value: x }], ${note}`)}`,
    isWhole: true,
    want: {
      provider: { labels: [{ name: "a", value: "yes" }] },
      labels: [{ name: "b", signing: true, version: "v1", value: { c: [1, 2.5] } }],
      resources: [{ labels: [{ name: "d", value: "x" }] }],
    },
  },
  {
    title: "sources and references to them",
    text: `sources:\n- { name: code, type: git, access: { type: gitHub, repoUrl: example.com/code, commit: ${"0".repeat(40)} } }\n${resource(`srcRefs: [{ identitySelector: { name: code } }], ${note}`)}`,
    want: { sources: [{ name: "code", version: "1.0.0" }], resources: [{ srcRefs: [{}] }] },
  },
  {
    title: "resources of several versions and extra identities",
    text: `resources:\n${["1.0.0", "2.0.0"]
      .flatMap((version) =>
        ["a", "b"].map(
          (kind) => `- { name: one, version: ${version}, extraIdentity: { kind: ${kind} }, type: blob, ${note} }\n`,
        ),
      )
      .join("")}`,
    want: {
      resources: [{ version: "1.0.0" }, { version: "1.0.0" }, { version: "2.0.0" }, { extraIdentity: { kind: "b" } }],
    },
  },
  {
    title: "null for lists and fields",
    text: `sources: null\ncomponentReferences: null\n${resource(`labels: null, ${note}`)}`,
    want: local("application/octet-stream"),
  },
  {
    title: "variables",
    text: resource('input: { type: utf8, text: "${A} ${B:-default} $${A}" }'),
    words: ["A=value"],
    content: "value default ${A}",
    want: { access: { type: "localBlob" } },
  },
];
