// Builders of archives and transport folders for the tests of this package.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { LandscaperError } from "@landscaper/api";
import { parseReference, type RegistrySession } from "@landscaper/oci";
import { pack, type Header } from "tar-stream";
import type { InputTools } from "../src/build/input-tools.ts";

export { writeLayout } from "./oci-layout.ts";
export { startArtifactRegistry, type ArtifactRegistry, type Interference } from "./artifact-registry.ts";
export {
  createTestKey,
  createTestSigner,
  signTestComponent,
  type TestKey,
  type SigningKey,
  type TestSigner,
} from "./signing.ts";

export interface TestEntry extends Partial<Header> {
  readonly name: string;
  readonly content?: string | Uint8Array;
}

/** Packs entries with tar, the same bytes each time. */
export async function tarOf(...entries: readonly TestEntry[]): Promise<Buffer> {
  const tar = pack();
  for (const { content = "", ...given } of entries) {
    const header = { mtime: new Date(0), ...given };
    if (header.type === undefined || header.type === "file") tar.entry(header, Buffer.from(content));
    else tar.entry(header);
  }
  tar.finalize();
  const parts: Buffer[] = [];
  for await (const part of tar) parts.push(part as Buffer); // tar-stream's chunks
  return Buffer.concat(parts);
}

/** What stands before the content of a file. */
export async function headerOf(header: Pick<Header, "name" | "size">): Promise<Buffer> {
  const tar = pack();
  tar.entry(header);
  for await (const part of tar) return part as Buffer; // tar-stream's chunks
  throw new Error("there is no header");
}

/** The bytes in parts of this size. */
export async function* inParts(bytes: Uint8Array, size = 700): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export const gzip = (bytes: Uint8Array): Buffer => gzipSync(bytes);

export function digest(bytes: Uint8Array | string): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

export const newFolder = (): string => mkdtempSync(join(tmpdir(), "landscaper-test-components-"));

/** Runs with this folder as the temporary one, so that the test sees no folder of another process there. */
export async function withTemporaryFolder<T>(folder: string, run: () => Promise<T>): Promise<T> {
  const { TMPDIR } = process.env;
  process.env["TMPDIR"] = folder;
  try {
    return await run();
  } finally {
    if (TMPDIR === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = TMPDIR;
  }
}

export interface TestResource {
  readonly content: string | Uint8Array;
  readonly type?: string;
  readonly mediaType?: string;
  /** In place of one of a local blob; the content is stored beside it all the same. */
  readonly access?: Readonly<Record<string, unknown>>;
}

function toResource(
  given: string | TestResource,
): Required<Omit<TestResource, "access">> & Pick<TestResource, "access"> {
  return { type: "plainText", mediaType: "text/plain", ...(typeof given === "string" ? { content: given } : given) };
}

export interface TestComponent {
  readonly name: string;
  readonly version: string;
  /** Contents of local resources by name, plain text unless they say otherwise. */
  readonly resources?: Readonly<Record<string, string | TestResource>>;
  readonly references?: readonly { readonly name: string; readonly componentName: string; readonly version: string }[];
}

/** A descriptor of schema v2. */
export function descriptorOf({ name, version, resources = {}, references = [] }: TestComponent): object {
  return {
    meta: { schemaVersion: "v2" },
    component: {
      name,
      version,
      provider: "test",
      repositoryContexts: [],
      sources: [],
      componentReferences: references,
      resources: Object.entries(resources).map(([resource, given]) => {
        const { content, type, mediaType, access } = toResource(given);
        return {
          name: resource,
          version,
          type,
          relation: "local",
          access: access ?? { type: "localBlob", localReference: digest(content), mediaType },
          ...(access === undefined ? { digest: digestSpecOf(content) } : {}),
        };
      }),
    },
  };
}

function digestSpecOf(content: string | Uint8Array): object {
  const value = digest(content).slice("sha256:".length);
  return { hashAlgorithm: "SHA-256", normalisationAlgorithm: "genericBlobDigest/v1", value };
}

export const descriptorType = "application/vnd.ocm.software.component-descriptor.v2+yaml+tar";
export const configType = "application/vnd.ocm.software.component.config.v1+json";
const manifestType = "application/vnd.oci.image.manifest.v1+json";

export interface TestArtifact {
  readonly repository: string;
  readonly tag?: string;
  readonly manifest: object;
  readonly mediaType?: string;
  readonly blobs: readonly (Uint8Array | string)[];
}

/** The artifact of a component as the reference implementation stores it. */
export async function artifactOf(
  component: TestComponent,
  { repository = `component-descriptors/${component.name}`, descriptor = descriptorOf(component) } = {},
): Promise<TestArtifact> {
  const layer = await tarOf({ name: "component-descriptor.yaml", content: JSON.stringify(descriptor) });
  const contents = Object.values(component.resources ?? {}).map(toResource);
  const config = "{}";
  const describe = (mediaType: string, bytes: Uint8Array | string): object => ({
    mediaType,
    digest: digest(bytes),
    size: Buffer.byteLength(bytes),
  });
  return {
    repository,
    tag: component.version.replace("+", ".build-"),
    manifest: {
      schemaVersion: 2,
      mediaType: manifestType,
      config: describe(configType, config),
      layers: [
        describe(descriptorType, layer),
        ...contents.map(({ mediaType, content }) => describe(mediaType, content)),
      ],
    },
    blobs: [layer, config, ...contents.map(({ content }) => content)],
  };
}

/** Writes a common transport format. */
export function writeTransport(folder: string, artifacts: readonly TestArtifact[]): void {
  mkdirSync(join(folder, "blobs"), { recursive: true });
  const write = (bytes: Uint8Array | string): string => {
    writeFileSync(join(folder, "blobs", digest(bytes).replace(":", ".")), bytes);
    return digest(bytes);
  };
  const entries = artifacts.map(({ repository, tag, manifest, mediaType = manifestType, blobs }) => {
    blobs.forEach(write);
    const entry = { repository, digest: write(JSON.stringify(manifest)), mediaType };
    return tag === undefined ? entry : { ...entry, tag };
  });
  writeFileSync(join(folder, "artifact-index.json"), JSON.stringify({ schemaVersion: 1, artifacts: entries }));
}

/** The archive of a blueprint as a resource; equal files give equal bytes. */
export async function blueprintResource(files: Readonly<Record<string, string>>): Promise<TestResource> {
  const archive = await tarOf(...Object.entries(files).map(([name, content]) => ({ name, content })));
  const mediaType = "application/vnd.gardener.landscaper.blueprint.v1+tar+gzip";
  return { content: gzip(archive), type: "landscaper.gardener.cloud/blueprint", mediaType };
}

/** Where components of a test lie. */
export interface TestPlace {
  /** With a scheme: `http://127.0.0.1:5000/team`. */
  readonly baseUrl: string;
  readonly session: RegistrySession;
}

/** Stores an artifact in a registry; gives the digest of its manifest. */
export async function pushArtifact(
  { repository, tag, manifest, mediaType = manifestType, blobs }: TestArtifact,
  { baseUrl, session }: TestPlace,
): Promise<string> {
  const { signal } = new AbortController();
  const place = parseReference(`${baseUrl}/${repository}${tag === undefined ? "" : `:${tag}`}`);
  for (const blob of blobs) await session.pushBlob(place, Buffer.from(blob), { signal });
  const pushed = await session.pushManifest(
    place,
    { bytes: Buffer.from(JSON.stringify(manifest)), mediaType },
    { signal },
  );
  return pushed.digest;
}

/** Stores component versions in a registry. */
export async function pushComponents(place: TestPlace, ...components: readonly TestComponent[]): Promise<void> {
  for (const component of components) await pushArtifact(await artifactOf(component), place);
}

/** What a promise is rejected with, which must be a LandscaperError. */
export async function failureOf(fetching: Promise<unknown>): Promise<LandscaperError> {
  const error: unknown = await fetching.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  if (error instanceof LandscaperError) return error;
  throw new Error(`expected a LandscaperError, found ${String(error)}`);
}

/** Tools of inputs for tests that use none of them. */
export const unusedTools: InputTools = {
  readChart: unused,
  readChartArchive: unused,
  fetchChart: unused,
  fetchUrl: unused,
  openRegistry: () => {
    throw new Error("this tool is not used");
  },
  evaluateSpiff: () => {
    throw new Error("this tool is not used");
  },
  settings: {},
  images: new Map(),
};

async function unused(): Promise<never> {
  return await Promise.reject(new Error("this tool is not used"));
}
