import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeEach, describe, expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
import { readBounded } from "@landscaper/oci";
import { parseConstructor } from "@landscaper/ocm";
import { readFirstLayer } from "../archive/read-artifact-set.ts";
import { readTree } from "../archive/read-tree.ts";
import { streamOf } from "../archive/stream-of.ts";
import type { ComponentVersion } from "../repository/component-version.ts";
import { digest, newFolder, unusedTools } from "../../test/index.ts";
import { openFolderTarget } from "../write/target-repository.ts";
import { buildComponents } from "./build-component.ts";
import type { BuildOptions } from "./building.ts";

const { signal } = new AbortController();
const root = newFolder();
afterAll(() => rmSync(root, { recursive: true }));
mkdirSync(join(root, "blueprint"));
writeFileSync(join(root, "blueprint", "blueprint.yaml"), "kind: Blueprint\n");
writeFileSync(join(root, "notes.txt"), "some notes");
let folders = 0;
const fresh = (): string => join(root, `ctf${(folders += 1)}`);
const name = { name: "example.com/app", version: "1.0.0+build.1" };
const component = { ...name, provider: { name: "acme", labels: [{ name: "l", value: 1 }] } };
const chart = { name: "web", version: "0.1.0+x", metadata: { name: "web" }, archive: Buffer.from("packed chart") };

const tools = { ...unusedTools, readChart: async () => chart };
const warnings: string[] = [];
beforeEach(() => void warnings.splice(0));

const options: BuildOptions = {
  folder: root,
  tools,
  warn: (message) => warnings.push(message),
  schemaVersion: "v2",
  overwrite: false,
  resolveArtifact: async (reference) => digest(reference),
  signal,
};

async function build(value: object, ctf: string, more: Partial<BuildOptions> = {}): Promise<ComponentVersion> {
  const target = await openFolderTarget(ctf);
  await buildComponents(parseConstructor(value, "file"), target, { ...options, ...more });
  const found = await target.find(name, { signal });
  if (found === undefined) throw new Error("the component is not there");
  return found;
}

const inputs = {
  file: { type: "file", path: "notes.txt", mediaType: "text/plain" },
  zipped: { type: "file", path: "notes.txt", compress: true },
  tree: { type: "dir", path: "blueprint", compress: true, mediaType: "application/blueprint" },
  text: { type: "utf8", text: "hello" },
  json: { type: "utf8", json: { a: [1] } },
  pretty: { type: "utf8", formattedJson: '{"a": [1]}' },
  sorted: { type: "utf8", json: { b: "<", a: 1 } },
  yaml: { type: "utf8", yaml: { a: [1] } },
  exact: { type: "utf8", formattedJson: "a: 9007199254740993" },
  "exact-yaml": { type: "utf8", yaml: '{"a": -9007199254740993}' },
  bytes: { type: "binary", data: "aGVs\nbG8=" },
};
const resources = Object.entries(inputs).map(([name, input]) => ({ name, type: "plainText", input }));

async function contentOf(version: ComponentVersion, resource: string): Promise<{ bytes: Buffer; mediaType: string }> {
  const access = version.descriptor.resources.find(({ name }) => name === resource)?.access ?? { type: "" };
  const content = await version.findLocal(String(Reflect.get(access, "localReference")));
  const bytes = Buffer.from(await readBounded(content.stream({ signal }), { limit: 1e6, place: "" }));
  return { bytes, mediaType: content.mediaType };
}

describe("buildComponents", () => {
  it("makes content from inputs, with digests", async () => {
    const version = await build({ ...component, resources }, fresh());
    const texts = {
      file: "some notes",
      text: "hello",
      json: '{"a":[1]}',
      bytes: "hello",
      yaml: "a:\n- 1\n",
      exact: '{\n  "a": 9007199254740993\n}',
      "exact-yaml": "a: -9007199254740993\n",
      sorted: '{"a":1,"b":"\\u003c"}',
    };
    for (const [resource, text] of Object.entries(texts)) {
      expect((await contentOf(version, resource)).bytes.toString()).toBe(text);
    }
    expect((await contentOf(version, "pretty")).bytes.toString()).toBe('{\n  "a": [\n    1\n  ]\n}');
    const zipped = await contentOf(version, "zipped");
    expect(gunzipSync(zipped.bytes).toString()).toBe("some notes");
    expect(zipped.mediaType).toBe("application/gzip");
    const tree = await contentOf(version, "tree");
    expect(tree.mediaType).toBe("application/blueprint");
    const files = await readTree(streamOf(tree.bytes), { where: "" });
    expect([...files.keys()]).toEqual(["blueprint.yaml"]);
    expect(version.descriptor).toMatchObject({
      provider: component.provider,
      resources: resources.map(({ name }) => ({
        name,
        version: "1.0.0+build.1",
        relation: "local",
        digest: { hashAlgorithm: "SHA-256", normalisationAlgorithm: "genericBlobDigest/v1" },
      })),
    });
    expect(version.descriptor.resources[0]?.digest?.value).toBe(digest("some notes").slice("sha256:".length));
  });

  it("packs a chart as an artifact, with the digest of its manifest", async () => {
    const input = { type: "helm", path: "chart", repository: "charts/web" };
    const version = await build({ ...component, resources: [{ name: "chart", type: "helmChart", input }] }, fresh());
    const [resource] = version.descriptor.resources;
    expect(resource).toMatchObject({
      access: {
        mediaType: "application/vnd.oci.image.manifest.v1+tar+gzip",
        referenceName: "example.com/app/charts/web:0.1.0_x",
      },
      digest: { normalisationAlgorithm: "ociArtifactDigest/v1" },
    });
    const content = await version.findLocal(String(Reflect.get(resource?.access ?? {}, "localReference")));
    const layer = await readFirstLayer(content.stream({ signal }), "");
    expect(layer).toEqual({
      main: resource?.digest && `sha256:${resource.digest.value}`,
      bytes: chart.archive,
      mediaType: "application/vnd.cncf.helm.chart.content.v1.tar+gzip",
    });
  });

  it("gives equal bytes for equal input, in either schema", async () => {
    for (const schemaVersion of ["v2", "ocm.software/v3alpha1"] as const) {
      const [one, other] = [fresh(), fresh()];
      const version = await build({ ...component, resources }, one, { schemaVersion });
      await build({ ...component, resources }, other, { schemaVersion });
      expect(version.descriptor.schemaVersion).toBe(schemaVersion);
      const files = readdirSync(join(one, "blobs"));
      expect(readdirSync(join(other, "blobs"))).toEqual(files);
      const index = (ctf: string): string => readFileSync(join(ctf, "artifact-index.json"), "utf8");
      expect(index(other)).toBe(index(one));
    }
  });

  it("gives artifacts of registries the digest that the registry names, or leaves it out", async () => {
    const access = { type: "ociArtifact", imageReference: "example.com/image:1" };
    const value = { ...component, resources: [{ name: "image", type: "ociImage", version: "1", access }] };
    const version = await build(value, fresh());
    expect(version.descriptor.resources[0]).toMatchObject({
      access,
      digest: { normalisationAlgorithm: "ociArtifactDigest/v1", value: digest("example.com/image:1").slice(7) },
    });
    const without = await build(value, fresh(), { resolveArtifact: undefined });
    expect(without.descriptor.resources[0]).not.toHaveProperty("digest");
  });

  it("gives charts of Helm repositories the digest of the packed chart, or leaves it out", async () => {
    const access = { type: "helm", helmRepository: "https://charts.example", helmChart: "web:1.0.0" };
    const value = { ...component, resources: [{ name: "chart", type: "helmChart", version: "1", access }] };
    const asked: unknown[] = [];
    const fetchChart: BuildOptions["tools"]["fetchChart"] = async ({ repository, chart: name, version }) => {
      asked.push([repository, name, version]);
      return { archive: Buffer.from("packed"), digest: digest("packed"), origin: "" };
    };
    const more = { tools: { ...tools, fetchChart } };
    const made = await build(value, fresh(), more);
    expect(made.descriptor.resources[0]).toMatchObject({
      access,
      digest: { normalisationAlgorithm: "genericBlobDigest/v1", value: digest("packed").slice(7) },
    });
    expect(asked).toEqual([["https://charts.example", "web", "1.0.0"]]);
    const without = await build(value, fresh(), { ...more, resolveArtifact: undefined });
    expect(without.descriptor.resources[0]).not.toHaveProperty("digest");
    const keyring = { ...value, resources: [{ ...value.resources[0], access: { ...access, keyring: "keys" } }] };
    expect((await build(keyring, fresh(), more)).descriptor.resources[0]).not.toHaveProperty("digest");
  });

  it("names the resource whose digest cannot be read, and how to create the component without it", async () => {
    const access = { type: "ociArtifact", imageReference: "example.com/image:1" };
    const value = { ...component, resources: [{ name: "image", type: "ociImage", version: "1", access }] };
    const cause = { reason: "RegistryUnreachable", message: "https://example.com: no answer" };
    const resolveArtifact = async (): Promise<never> =>
      await Promise.reject(new LandscaperError({ ...cause, codes: [], retry: "never" }));
    await expect(build(value, fresh(), { resolveArtifact })).rejects.toMatchObject({
      message: 'file: resources[0] "image": access: https://example.com: no answer',
      hint: "To create the component without this digest, use --skip-external-digests.",
    });
  });

  it("replaces a version only when it is told to", async () => {
    const ctf = fresh();
    const first = await build(component, ctf);
    await expect(build(component, ctf)).rejects.toThrow(
      "file: the target already has component example.com/app:1.0.0+build.1. To replace it, use --overwrite.",
    );
    const second = await build({ ...component, labels: [{ name: "new", value: 1 }] }, ctf, { overwrite: true });
    expect(second.digest).not.toBe(first.digest);
  });

  it.each<[string, object, string]>([
    [
      "of a missing file",
      { type: "file", path: "gone" },
      `path: expected a file, found nothing at ${root}/gone. Correct the path; it is relative to the constructor file.`,
    ],
    [
      "with two texts",
      { type: "utf8", text: "a", json: 1 },
      "expected one of text, json, formattedJson, yaml, found text and json",
    ],
    [
      "with JSON that is none",
      { type: "utf8", json: "{" },
      "json: expected a value, or JSON as text, found other text",
    ],
    [
      "with bytes that are not base64",
      { type: "binary", data: "?" },
      'data: expected base64 text. Encode the content, for example with "base64 -w0".',
    ],
    [
      "with JSON that is YAML",
      { type: "utf8", json: "a: 1" },
      "json: expected a value, or JSON as text, found other text",
    ],
    [
      "with YAML that is none",
      { type: "utf8", yaml: "a: [" },
      "yaml: expected a value, or YAML or JSON as text, found other text: line 2: did not find expected node content",
    ],
    ["of no chart", { type: "helm" }, "path: expected a chart, or helmRepository with one"],
  ])("stores nothing of a file with an input %s", async (_, input, message) => {
    const ctf = fresh();
    const bad = { name: "bad", type: "plainText", input };
    const value = { components: [component, { ...component, version: "2.0.0", resources: [resources[0], bad] }] };
    await expect(build(value, ctf)).rejects.toThrow(
      new Error(`file: components[1]: resources[1] "bad": input: ${message}`),
    );
    expect(existsSync(ctf)).toBe(false);
  });

  it("gives a chart the tag of its input, with a warning if the chart has another version", async () => {
    const input = { type: "helm", path: "chart", version: "2.0.0", repository: "/charts/web" };
    const version = await build({ ...component, resources: [{ name: "chart", type: "helmChart", input }] }, fresh());
    expect(version.descriptor.resources[0]).toMatchObject({ access: { referenceName: "charts/web:2.0.0" } });
    expect(warnings).toEqual([
      'file: resources[0] "chart": input: version: the chart web has the version "0.1.0+x"; only the tag of the artifact is "2.0.0"',
    ]);
  });

  it("packs a folder that an input of type file names, with a warning", async () => {
    const resource = { name: "tree", type: "blob", input: { type: "file", path: "blueprint" } };
    const version = await build({ ...component, resources: [resource] }, fresh());
    const { bytes, mediaType } = await contentOf(version, "tree");
    expect(mediaType).toBe("application/x-tar");
    expect([...(await readTree(streamOf(bytes), { where: "" })).keys()]).toEqual(["blueprint.yaml"]);
    expect(warnings).toEqual([
      `file: resources[0] "tree": input: path: ${root}/blueprint is a folder: the content is a tar of it, as for the type dir`,
    ]);
  });

  it("keeps every access type, and warns of content without a digest", async () => {
    const of = (type: string, fields: object = {}): object => ({
      name: type.toLowerCase(),
      type: "blob",
      access: { type, ...fields },
    });
    const blob = { digest: digest("layer"), size: 5 };
    const accesses = [
      of("none"),
      of("ociImage", { imageReference: "example.com/image:1" }),
      of("ociBlob", { ref: "example.com/image", ...blob }),
      of("OCIImageLayer/v1", { imageReference: "example.com/image", ...blob }),
      of("gitHub", { repoUrl: "example.com/code", commit: "0".repeat(40) }),
      of("helm", { helmRepository: "https://example.com", helmChart: "web:1.0.0" }),
      of("npm", { registry: "https://example.com", package: "web", version: "1.0.0" }),
      of("maven", { repoUrl: "https://example.com", groupId: "a", artifactId: "b", version: "1" }),
      of("wget", { url: "https://example.com/file" }),
      of("s3", { bucket: "example", key: "file" }),
      of("git/v1alpha1", { repoUrl: "https://example.com/code", commit: "0".repeat(40) }),
    ].map((resource) => ({ ...resource, name: String(Reflect.get(resource, "name")).replace(/\/.*/, "") }));
    const fetchChart: BuildOptions["tools"]["fetchChart"] = async () => ({
      archive: Buffer.from("packed"),
      digest: digest("packed"),
      origin: "",
    });
    const version = await build({ ...component, resources: accesses }, fresh(), { tools: { ...tools, fetchChart } });
    expect(version.descriptor.resources.map(({ access }) => access)).toEqual(
      accesses.map((resource) => Reflect.get(resource, "access")),
    );
    const digests = version.descriptor.resources.map(({ digest: found }) => found?.normalisationAlgorithm ?? "");
    const [artifact, generic] = ["ociArtifactDigest/v1", "genericBlobDigest/v1"];
    expect(digests).toEqual(["", artifact, generic, generic, "", generic, "", "", "", "", ""]);
    expect(warnings.map((warning) => /type "(.*)" is not read/.exec(warning)?.[1])).toEqual([
      "gitHub",
      "npm",
      "maven",
      "wget",
      "s3",
      "git/v1alpha1",
    ]);
    expect(warnings[0]).toBe(
      'file: resources[4] "github": access: content of the type "gitHub" is not read: the resource has no digest. To sign the component, give `digest`',
    );
  });

  it("makes no digest where the constructor says so", async () => {
    const access = { type: "ociArtifact", imageReference: "example.com/image:1" };
    const value = {
      ...component,
      resources: [
        { name: "image", type: "ociImage", access, options: { skipDigestGeneration: true } },
        { ...resources[0], skipDigestGeneration: true },
      ],
    };
    const version = await build(value, fresh());
    for (const resource of version.descriptor.resources) expect(resource).not.toHaveProperty("digest");
  });

  it("keeps local content of the version that is replaced, and uses the global access of other local content", async () => {
    const ctf = fresh();
    const before = await build({ ...component, resources: [resources[0]] }, ctf);
    const [old] = before.descriptor.resources;
    const access = { ...old?.access, referenceName: "notes" };
    const again = { ...component, resources: [{ name: "file", type: "plainText", access }] };
    const after = await build(again, ctf, { overwrite: true });
    expect(after.descriptor.resources[0]).toEqual({ ...old, access, relation: "external" });
    expect((await contentOf(after, "file")).bytes.toString()).toBe("some notes");

    const globalAccess = { type: "ociArtifact", imageReference: "example.com/image:1" };
    const local = { type: "localBlob", localReference: digest("gone"), mediaType: "x", globalAccess };
    const version = await build({ ...component, resources: [{ name: "image", type: "x", access: local }] }, fresh());
    expect(version.descriptor.resources[0]).toMatchObject({ access: globalAccess, digest: {} });
    expect(warnings).toEqual([
      `file: resources[0] "image": access: the target has no local content "${digest("gone")}"; the resource uses its globalAccess instead`,
    ]);
  });

  it("uses the global access of content that the replaced version does not have, and names an invalid one", async () => {
    const ctf = fresh();
    await build({ ...component, resources: [resources[0]] }, ctf);
    const globalAccess = { type: "ociArtifact", imageReference: "example.com/image:1" };
    const local = { type: "localBlob", localReference: digest("gone"), mediaType: "x", globalAccess };
    const resource = { name: "image", type: "x", access: local };
    const version = await build({ ...component, resources: [resource] }, ctf, { overwrite: true });
    expect(version.descriptor.resources[0]).toMatchObject({ access: globalAccess });
    const invalid = { ...resource, access: { ...local, globalAccess: { type: "ociArtifact" } } };
    await expect(build({ ...component, resources: [invalid] }, fresh())).rejects.toThrow(
      'file: resources[0] "image": access.globalAccess: access.imageReference: expected a text',
    );
  });

  it("makes no digest of a blob with another algorithm than SHA-256", async () => {
    const access = { type: "ociBlob", ref: "example.com/image", digest: `sha512:${"0".repeat(128)}`, size: 5 };
    const version = await build({ ...component, resources: [{ name: "blob", type: "blob", access }] }, fresh());
    expect(version.descriptor.resources[0]).not.toHaveProperty("digest");
  });

  it("fails if it cannot read local content of the version that it replaces", async () => {
    const ctf = fresh();
    const before = await build({ ...component, resources: [resources[0]] }, ctf);
    const [{ access } = {}] = before.descriptor.resources;
    const globalAccess = { type: "ociArtifact", imageReference: "example.com/image:1" };
    const resource = { name: "file", type: "plainText", access: { ...access, globalAccess } };
    const target = await openFolderTarget(ctf);
    const findLocal = async (): Promise<never> => Promise.reject(new Error("the disk is broken"));
    await expect(
      buildComponents(
        parseConstructor({ ...component, resources: [resource] }, "file"),
        { ...target, find: async () => ({ ...before, findLocal }) },
        { ...options, overwrite: true },
      ),
    ).rejects.toThrow("the disk is broken");
    expect(warnings).toEqual([]);
  });

  it("writes the schema and the repository contexts of the constructor", async () => {
    const contexts = [{ type: "OCIRegistry", baseUrl: "registry.example" }];
    const meta = { configuredSchemaVersion: "ocm.software/v3alpha1" };
    const { descriptor } = await build({ ...component, meta, repositoryContexts: contexts }, fresh());
    expect(descriptor).toMatchObject({ schemaVersion: "ocm.software/v3alpha1", repositoryContexts: contexts });
  });

  it("refuses one version twice, and local content without an input", async () => {
    await expect(build({ components: [component, component] }, fresh())).rejects.toThrow(
      "file: components[1]: the file has component example.com/app:1.0.0+build.1 twice. Remove one.",
    );
    const access = { type: "localBlob", localReference: "x", mediaType: "y" };
    const local = { name: "local", type: "plainText", relation: "local", access };
    const ctf = fresh();
    await expect(build({ ...component, resources: [local] }, ctf)).rejects.toThrow(
      `file: resources[0] "local": access: ${ctf} has no content "x" of this component version: local content is made by an input`,
    );
  });
});
