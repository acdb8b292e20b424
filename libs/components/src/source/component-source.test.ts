import { afterEach, describe, expect, it } from "@jest/globals";
import { createContentCache, createRegistryClient, type RegistryClient } from "@landscaper/oci";
import type { Access, RepositoryContext, Resource } from "@landscaper/ocm";
import type { ContentRequest, DescriptorRequest } from "../supply/component-request.ts";
import { startArtifactRegistry, type ArtifactRegistry } from "../../test/artifact-registry.ts";
import { type TestArtifact, artifactOf, digest, failureOf, newFolder, tarOf } from "../../test/index.ts";
import { createComponentSource, type ComponentSourceOptions } from "./component-source.ts";

const { signal } = new AbortController();
const app = { name: "example.com/app", version: "1.0.0" };
const sentinel = "sentinel-of-the-password";

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

type Changes = Readonly<Record<string, { readonly status?: number; readonly body?: string | Uint8Array }>>;

/** A registry with these artifacts; `changes` says what it answers to paths that end so instead. */
async function start(artifacts: readonly TestArtifact[], changes: Changes = {}): Promise<ArtifactRegistry> {
  const registry = await startArtifactRegistry(artifacts);
  closings.push(async () => registry.stop());
  registry.setInterference(({ url, method }, response) => {
    const [, change] = Object.entries(changes).find(([end]) => url.endsWith(end)) ?? [];
    if (change === undefined) return false;
    const { status = 200, body = "" } = change;
    response.writeHead(status, { "content-length": Buffer.byteLength(body) });
    response.end(method === "HEAD" ? undefined : body);
    return true;
  });
  return registry;
}

function newClient(): RegistryClient {
  const client = createRegistryClient({ userAgent: "test", retries: 0 });
  closings.push(async () => client.close());
  return client;
}

const contextOf = ({ context }: ArtifactRegistry): RepositoryContext => context;
const descriptorRequest = (context: RepositoryContext | undefined, component = app): DescriptorRequest => ({
  type: "descriptor",
  component,
  context,
});
const contentRequest = (
  registry: ArtifactRegistry,
  access: Access,
  resourceDigest?: Resource["digest"],
): ContentRequest => ({
  type: "content",
  component: app,
  context: contextOf(registry),
  resource: "note",
  access,
  digest: resourceDigest,
  use: "content",
});

async function fetchOne(
  request: DescriptorRequest | ContentRequest,
  {
    resolvers = [],
    ...options
  }: Partial<ComponentSourceOptions> & { readonly resolvers?: readonly RepositoryContext[] } = {},
) {
  const source = createComponentSource({ registries: newClient(), ...options });
  const rules = resolvers.map((repository) => ({ repository, prefix: "", priority: 10 }));
  return await source.forJob({ credentials: [], resolvers: rules }).fetch(request, { signal });
}

const note = { content: "a note" };
const withNote = { ...app, resources: { note } };
const localNote: Access = { kind: "local", reference: digest("a note"), mediaType: undefined };
const generic = (value: string) => ({
  hashAlgorithm: "SHA-256",
  normalisationAlgorithm: "genericBlobDigest/v1",
  value,
});

describe("a component version of a registry", () => {
  it("is found in the repository that is named, else in those of the configuration", async () => {
    const registry = await start([await artifactOf(app)]);
    const empty = await start([]);
    const named = await fetchOne(descriptorRequest(contextOf(registry)));
    expect(JSON.parse(Buffer.from(named.bytes).toString())).toMatchObject({ component: app });
    expect(named.context).toEqual(contextOf(registry));
    const resolved = await fetchOne(descriptorRequest(contextOf(empty)), { resolvers: [contextOf(registry)] });
    expect([resolved.context, resolved.digest]).toEqual([contextOf(registry), named.digest]);
  });

  it("is asked for once per job, whatever is read of it", async () => {
    const registry = await start([await artifactOf(withNote)]);
    const fetcher = createComponentSource({ registries: newClient() }).forJob({ credentials: [], resolvers: [] });
    await Promise.all([
      fetcher.fetch(descriptorRequest(contextOf(registry)), { signal }),
      fetcher.fetch(contentRequest(registry, localNote), { signal }),
    ]);
    expect(registry.requests.filter(({ url }) => url.includes("/manifests/"))).toHaveLength(1);
  });

  it("is kept by its digest: another job asks for the tag alone", async () => {
    const registry = await start([await artifactOf(withNote)]);
    const cache = createContentCache({ directory: newFolder(), maxBytes: 1024 ** 2 });
    const registries = newClient();
    for (const job of [1, 2]) {
      const fetcher = createComponentSource({ registries, cache }).forJob({ credentials: [], resolvers: [] });
      await fetcher.fetch(descriptorRequest(contextOf(registry)), { signal });
      const { bytes } = await fetcher.fetch(contentRequest(registry, localNote), { signal });
      expect(Buffer.from(bytes).toString()).toBe("a note");
      const seen = registry.requests.splice(0).map(({ method, url }) => `${method} ${url.split("/").at(-2) ?? ""}`);
      expect(seen).toEqual(
        job === 1 ? ["HEAD manifests", "GET manifests", "GET blobs", "GET blobs"] : ["HEAD manifests"],
      );
    }
  });
});

describe("content", () => {
  const layer = "application/vnd.gardener.landscaper.jsonschema.layer.v1.json";
  const artifact = (content: string): TestArtifact => ({
    repository: "notes",
    tag: "1.0",
    manifest: {
      schemaVersion: 2,
      config: { mediaType: "application/json", digest: digest("{}"), size: 2 },
      layers: [{ mediaType: layer, digest: digest(content), size: Buffer.byteLength(content) }],
    },
    blobs: ["{}", content],
  });

  it.each<[string, (host: string) => Access]>([
    [
      "an artifact, with the scheme of its component's repository",
      (host) => ({ kind: "artifact", reference: `${host}/team/notes:1.0` }),
    ],
    ["an artifact that is named beside its component", () => ({ kind: "relative-artifact", reference: "notes:1.0" })],
    [
      "a blob",
      (host) => ({
        kind: "blob",
        repository: `${host}/team/notes`,
        digest: digest("of an artifact"),
        size: 14,
        mediaType: layer,
      }),
    ],
  ])("comes from %s", async (_title, accessOf) => {
    const registry = await start([artifact("of an artifact")]);
    const found = await fetchOne(contentRequest(registry, accessOf(registry.host)));
    expect([Buffer.from(found.bytes).toString(), found.mediaType]).toEqual(["of an artifact", layer]);
  });

  it("comes from an artifact that is packed beside its component", async () => {
    const manifest = JSON.stringify(artifact("packed").manifest);
    const index = JSON.stringify({ schemaVersion: 2, manifests: [{ digest: digest(manifest) }] });
    const blob = (content: string) => ({ name: `blobs/${digest(content).replace(":", ".")}`, content });
    const content = await tarOf({ name: "index.json", content: index }, blob(manifest), blob("packed"));
    const mediaType = "application/vnd.oci.image.manifest.v1+tar+gzip";
    const registry = await start([await artifactOf({ ...app, resources: { note: { content, mediaType } } })]);
    const found = await fetchOne(contentRequest(registry, { kind: "local", reference: digest(content), mediaType }));
    expect([Buffer.from(found.bytes).toString(), found.mediaType]).toEqual(["packed", layer]);
  });

  it.each<[string, Access, string]>([
    ["none", { kind: "none" }, "it has no content (access type none)"],
    ["s3", { kind: "other", type: "s3" }, "content of the access type s3 cannot be read"],
    [
      "a Helm repository",
      { kind: "chart", repository: "https://x", chart: "c", version: undefined, ca: undefined, keyring: undefined },
      "content of a Helm repository is not read here",
    ],
    [
      "a local blob that is not there",
      { kind: "local", reference: "sha256:0", mediaType: undefined },
      'component example.com/app:1.0.0 in HOST/team/component-descriptors/example.com/app: there is no local content "sha256:0"',
    ],
    [
      "too much",
      {
        kind: "blob",
        repository: "HOST/team/notes",
        digest: digest("x"),
        size: 33 * 1024 * 1024,
        mediaType: undefined,
      },
      "34603008 bytes are more than the allowed 33554432",
    ],
  ])("of %s is an error that says so", async (_title, access, problem) => {
    const registry = await start([await artifactOf(withNote)]);
    const filled = JSON.parse(JSON.stringify(access).replaceAll("HOST", registry.host)) as Access;
    const error = await failureOf(fetchOne(contentRequest(registry, filled)));
    expect(error.message).toBe(
      `component example.com/app:1.0.0: resource "note": ${problem.replaceAll("HOST", registry.host)}`,
    );
    expect(error.retry).toBe("never");
  });

  it("is compared with the digest of the resource", async () => {
    const registry = await start([await artifactOf(withNote), artifact("of an artifact")]);
    const right = digest("a note").slice("sha256:".length);
    expect((await fetchOne(contentRequest(registry, localNote, generic(right)))).bytes).toHaveLength(6);
    const wrong = "0".repeat(64);
    expect((await failureOf(fetchOne(contentRequest(registry, localNote, generic(wrong))))).message).toBe(
      `component example.com/app:1.0.0: resource "note": digest mismatch: the descriptor has ${wrong}, the content ${right}`,
    );
    const access: Access = { kind: "relative-artifact", reference: "notes:1.0" };
    const ofArtifact = { ...generic(wrong), normalisationAlgorithm: "ociArtifactDigest/v1" };
    expect((await failureOf(fetchOne(contentRequest(registry, access, ofArtifact)))).message).toContain(
      `digest mismatch: the descriptor has ${wrong}, the content`,
    );
  });
});

describe("a registry that fails", () => {
  const manifestPath = "/v2/team/component-descriptors/example.com/app/manifests/1.0.0";

  it.each([
    { status: 401, reason: "RegistryUnauthorized", retry: "never", text: "credentials are needed (401)" },
    { status: 403, reason: "RegistryForbidden", retry: "never", text: "forbidden (403)" },
    { status: 500, reason: "RegistryUnavailable", retry: "backoff", text: "the registry answered 500" },
    { status: 429, reason: "RegistryUnavailable", retry: "backoff", text: "the registry answered 429" },
  ])("with $status is named, with the component", async ({ status, reason, retry, text }) => {
    const registry = await start([await artifactOf(app)], { "/manifests/1.0.0": { status, body: sentinel } });
    const error = await failureOf(fetchOne(descriptorRequest(contextOf(registry))));
    expect(error).toMatchObject({ reason, retry });
    expect(error.message).toBe(`component example.com/app:1.0.0: ${registry.origin}${manifestPath}: ${text}`);
  });

  it("without the component version is one that lacks it, finally", async () => {
    const registry = await start([]);
    expect(await failureOf(fetchOne(descriptorRequest(contextOf(registry))))).toMatchObject({
      reason: "ComponentNotFound",
      retry: "never",
      message: `component example.com/app:1.0.0: there is no such component version in ${registry.host}/team`,
    });
  });

  it("that cannot be reached is tried again", async () => {
    const registry = await start([]);
    const context = contextOf(registry);
    await registry.stop();
    const error = await failureOf(fetchOne(descriptorRequest(context)));
    expect(error).toMatchObject({ reason: "RegistryUnreachable", retry: "backoff" });
    expect(error.message).toContain(
      `component example.com/app:1.0.0: ${registry.origin}${manifestPath}: connection refused; start the server, or correct the host of the URL`,
    );
  });

  it("with other content than the digest says ends the job, with both digests", async () => {
    const artifact = await artifactOf(withNote);
    const body = "b note";
    const registry = await start([artifact], { [`/blobs/${digest("a note")}`]: { body } });
    const error = await failureOf(fetchOne(contentRequest(registry, localNote)));
    expect(error).toMatchObject({ reason: "DigestMismatch", retry: "never" });
    expect(error.message).toBe(
      `component example.com/app:1.0.0: resource "note": ${registry.host}/team/component-descriptors/example.com/app@${digest("a note")}: expected digest ${digest("a note")}, found ${digest(body)}`,
    );
  });

  it.each([
    [
      "an artifact of another kind",
      { schemaVersion: 2, config: { mediaType: "image", digest: digest(""), size: 0 }, layers: [] },
      "the artifact is no component",
    ],
    ["no manifest", [], "the manifest is no JSON object"],
  ])("with %s says so", async (_title, manifest, problem) => {
    const registry = await start([{ ...(await artifactOf(app)), manifest }]);
    const error = await failureOf(fetchOne(descriptorRequest(contextOf(registry))));
    expect(error).toMatchObject({ retry: "never" });
    expect(error.message).toContain(problem);
  });
});

describe("without a repository", () => {
  it("a component cannot be found", async () => {
    expect(await failureOf(fetchOne(descriptorRequest(undefined)))).toMatchObject({
      reason: "RepositoryContextMissing",
      message:
        "component example.com/app:1.0.0: no repository is known for it: neither the Installation nor its Context has a repositoryContext, and no resolver of the OCM configuration fits",
    });
  });

  it.each([
    ["local", "registry.local.rootPath"],
    ["CommonTransportFormat", "registry.local.rootPath"],
    ["S3", 'expected OCIRegistry, CommonTransportFormat, ComponentArchive, local or inline, found "S3"'],
  ])("of a type that is allowed here it cannot either: %s", async (type, problem) => {
    const error = await failureOf(fetchOne(descriptorRequest({ type, filePath: "/etc" })));
    expect(error.message).toContain(problem);
    expect(error.retry).toBe("never");
  });
});
