// Constructor files with every type of input and access. They name files and hosts of the constructor world.

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
  readonly content?: ReadableContent | undefined;
  /** Arguments behind the constructor file: its variables, and options that both programs have. */
  readonly words?: readonly string[];
  readonly needs?: "registry";
  /** A difference between our command and the recorded ocm that stays. Undefined: both agree. */
  readonly ocm?: OcmDifference;
}

export type OcmDifference = {
  readonly reason: string;
} & (
  | {
      /** Part of the error message of ocm. */
      readonly refuses: string;
    }
  | {
      /** Resources of the component that ocm builds. */
      readonly builds: readonly object[];
    }
);

/** Reasons that several cases have. */
const reasons = {
  unknownForm: "ocm 0.11 does not know this form; newer programs do",
  daemon: "ocm asks a Docker daemon; our command reads the files of images",
  unread: "our command does not read content of this access type, so the resource has no digest",
} as const;

/** Of all cases. */
export const caseComponent = { name: "example.com/case", version: "1.0.0" };

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
  content: ReadableContent | undefined,
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
    { ocm: { refuses: 'object type "file/v1" is unknown', reason: reasons.unknownForm } },
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
  [
    "dir with a class that has a slash",
    "type: dir, path: tree, includeFiles: ['[a/b].*']",
    local("application/x-tar"),
    { "a.txt": "a", "b.md": "b" },
  ],
  [
    "dir with empty lists of patterns",
    "type: dir, path: tree, includeFiles: [], excludeFiles: []",
    local("application/x-tar"),
    tree,
  ],
  ["text", "type: utf8, text: hello", local("application/octet-stream"), "hello"],
  [
    "text with its version",
    "type: utf8/v1, text: hello, mediaType: text/plain",
    local("text/plain"),
    "hello",
    { ocm: { refuses: 'object type "utf8/v1" is unknown', reason: reasons.unknownForm } },
  ],
  ["text with its media type", "type: utf8, text: hello, mediaType: text/plain", local("text/plain"), "hello"],
  ["file with its media type", "type: file, path: notes.txt, mediaType: text/plain", local("text/plain"), notes],
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
    "spiff with text around an expression, a control and no values",
    "type: spiff, path: features.yaml",
    local("application/octet-stream"),
    "chosen: one\ninput: none\ntext: hello web !\n",
    { words: ["NAME=web"] },
  ],
  [
    "spiff with empty values",
    "type: spiff, path: features.yaml, values: {}",
    local("application/octet-stream"),
    "chosen: other\ninput: {}\ntext: hello app !\n",
    { words: ["NAME=app"] },
  ],
  [
    "wget",
    'type: wget, url: "http://127.0.0.1:${PORT}/file.txt", mediaType: text/plain',
    local("text/plain"),
    "content of the server",
  ],
  [
    "chart of a repository",
    'type: helm, helmRepository: "https://files.test", path: web, version: 0.1.0',
    { ...artifact("web:0.1.0"), version: "0.1.0" },
    chart,
  ],
  [
    "artifact of a registry",
    'type: ociArtifact, path: "registry.test/charts/web:0.1.0"',
    artifact("one:0.1.0"),
    chart,
    { needs: "registry" },
  ],
  [
    "image of a registry with its repository",
    'type: ociImage, path: "registry.test/charts/web:0.1.0", repository: charts/other',
    artifact("charts/other:0.1.0"),
    chart,
    { needs: "registry" },
  ],
  [
    "artifact of a registry with a port",
    'type: ociArtifact, path: "registry.test:443/charts/web:0.1.0"',
    artifact("one:0.1.0"),
    chart,
    {
      needs: "registry",
      ocm: { refuses: "invalid docker reference", reason: "ocm 0.11 refuses hosts with a port in this input" },
    },
  ],
  [
    "docker",
    "type: docker, path: image-amd64",
    artifact("image-amd64:1.0.0"),
    undefined,
    { ocm: { refuses: "docker-daemon: ", reason: reasons.daemon } },
  ],
  [
    "dockermulti",
    "type: dockermulti, variants: [image-amd64, image-arm64]",
    local("application/vnd.oci.image.index.v1+tar+gzip", { referenceName: "example.com/case/image-amd64:1.0.0" }),
    undefined,
    { ocm: { refuses: "docker-daemon: ", reason: reasons.daemon } },
  ],
];

type AccessCase = readonly [fields: string, access: object, more?: Partial<ConstructorCase>];

const commit = `commit: "${"0".repeat(40)}"`;
/** The digest of what the server of files answers. */
const served = { digest: { value: "0ea5fb79359a334a4419aac0efa94f179c26354588c9c1ec9f9a7744e968733a" } };

/** Of resources: ocm reads the content for its digest. */
const accesses: readonly AccessCase[] = [
  ["type: none", { type: "none" }],
  [
    `type: ociBlob, ref: registry.test/charts/web, digest: "${digest}", size: 5, mediaType: a/b`,
    { type: "ociBlob", size: 5 },
    {
      needs: "registry",
      ocm: { refuses: "not found", reason: "ocm reads the blob; our command takes the digest of the access" },
    },
  ],
  [
    'type: ociArtifact, imageReference: "registry.test/charts/web:0.1.0"',
    { type: "ociArtifact" },
    { needs: "registry" },
  ],
  [
    'type: ociArtifact, imageReference: "registry.test:443/charts/web:0.1.0"',
    { type: "ociArtifact" },
    { needs: "registry", title: "the access: ociArtifact of a registry with a port" },
  ],
  ["type: helm, helmRepository: 'https://files.test', helmChart: 'web:0.1.0'", { type: "helm" }],
  [
    "type: wget, url: 'http://127.0.0.1:${PORT}/file'",
    { type: "wget" },
    { ocm: { builds: [served], reason: reasons.unread } },
  ],
  [
    "type: s3, bucket: example, key: file, region: here",
    { type: "s3" },
    { ocm: { builds: [served], reason: reasons.unread } },
  ],
  [
    `type: gitHub, repoUrl: github.com/example/code, ${commit}`,
    { type: "gitHub" },
    { ocm: { refuses: "failed to get download link", reason: reasons.unread } },
  ],
  [
    "type: npm, registry: 'https://files.test', package: web, version: 1.0.0",
    { type: "npm" },
    { ocm: { refuses: "no credentials found", reason: reasons.unread } },
  ],
  [
    "type: maven, repoUrl: 'https://files.test', groupId: a, artifactId: b, version: 1.0.0",
    { type: "maven" },
    { ocm: { refuses: "no maven artifact files found", reason: reasons.unread } },
  ],
];

/** Of sources: they have no digests, so that no program reads the content. */
const sourceAccesses: readonly (readonly [type: string, fields: string])[] = [
  ["none", ""],
  ["ociArtifact", 'imageReference: "registry.test/charts/web:0.1.0"'],
  ["ociBlob", `ref: registry.test/charts/web, digest: "${digest}", size: 5, mediaType: a/b`],
  ["gitHub", `repoUrl: github.com/example/code, ${commit}`],
  ["helm", "helmRepository: 'https://files.test', helmChart: 'web:0.1.0'"],
  ["npm", "registry: 'https://files.test', package: web, version: 1.0.0"],
  ["maven", "repoUrl: 'https://files.test', groupId: a, artifactId: b, version: 1.0.0"],
  ["wget", "url: 'https://files.test/file'"],
  ["s3", "bucket: example, key: file, region: here"],
  ["git", `repository: 'https://files.test/code.git', ${commit}`],
  ["ocm", "component: example.com/part, version: 1.0.0"],
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
  ...accesses.map(([fields, access, more]) => ({
    title: `the access: ${String(Reflect.get(access, "type"))}`,
    text: resource(`version: 1.0.0, relation: external, access: { ${fields} }`),
    want: external(access),
    ...more,
  })),
  ...sourceAccesses.map(([type, fields]) => ({
    title: `the access of a source: ${type}`,
    text: `sources:\n- { name: one, type: blob, version: 1.0.0, access: { ${["type: " + type, fields].filter(Boolean).join(", ")} } }\n`,
    want: { sources: [{ name: "one", version: "1.0.0", access: { type } }], resources: [] },
  })),
  {
    title: "skipDigestGeneration",
    text: resource(
      "version: 1.0.0, relation: external, skipDigestGeneration: true, access: { type: wget, url: 'https://files.test/file' }",
    ),
    want: external({ type: "wget" }),
    ocm: { refuses: "skipDigestGeneration: Forbidden: unknown field", reason: reasons.unknownForm },
  },
  {
    title: "references",
    text: `references: [${reference}]\n`,
    want: { references: [{ name: "part" }] },
    ocm: { refuses: "references: Forbidden: unknown field", reason: reasons.unknownForm },
  },
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
    title: "a label without a value, and a resource with an empty version",
    text: `labels: [{ name: a }]\n${resource(`version: '', ${note}`)}`,
    want: { labels: [{ name: "a", value: null }], resources: [{ version: "1.0.0" }] },
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
    text: `sources:\n- { name: code, type: git, access: { type: gitHub, repoUrl: example.com/code, ${commit} } }\n${resource(`srcRefs: [{ identitySelector: { name: code } }], ${note}`)}`,
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
    ocm: {
      builds: [
        { version: "2.0.0", extraIdentity: { kind: "a" } },
        { version: "2.0.0", extraIdentity: { kind: "b" } },
      ],
      reason:
        "ocm 0.11 replaces an element by a later one with the same name and extra identity, and loses its version",
    },
  },
  {
    title: "null for lists and fields",
    text: `sources: null\ncomponentReferences: null\n${resource(`labels: null, ${note}`)}`,
    want: local("application/octet-stream"),
    ocm: { refuses: "labels: Forbidden: unknown field", reason: reasons.unknownForm },
  },
  {
    title: "variables",
    text: resource('input: { type: utf8, text: "${A} ${B:-default} $${A}" }'),
    words: ["A=value"],
    content: "value default ${A}",
    want: { access: { type: "localBlob" } },
  },
  {
    title: "the templater spiff with text around an expression, and a control",
    text:
      header.replace("name: example.com/case", "name: example.com/(( values.NAME ))") +
      'labels:\n- name: a\n  value:\n    <<if: (( values.NAME == "case" ))\n    <<then: yes\n    <<else: no\n' +
      "resources: []\n",
    isWhole: true,
    words: ["--templater", "spiff", "NAME=case"],
    want: { name: "example.com/case", labels: [{ name: "a", value: "yes" }] },
  },
];

/** What the answers of ocm depend on. */
export type ConstructorQuestion = Pick<ConstructorCase, "text" | "words">;

export function questionOf({ text, words = [] }: ConstructorCase): ConstructorQuestion {
  return { text, words };
}
