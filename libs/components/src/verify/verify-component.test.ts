import { generateKeyPairSync, sign } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LandscaperError } from "@landscaper/api";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { hashOf, normalise, parseDescriptor } from "@landscaper/ocm";
import { createArtifactRepository } from "../repository/artifact-repository.ts";
import { BlobFolder } from "../repository/blob-folder.ts";
import { openTransportStore } from "../repository/transport-store.ts";
import {
  artifactOf,
  descriptorOf,
  digest,
  newFolder,
  tarOf,
  writeTransport,
  type TestArtifact,
  type TestComponent,
} from "../../test/index.ts";
import { verifyComponent, type Verification, type VerifyOptions } from "./verify-component.ts";

const { signal } = new AbortController();
const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const keys = { publicKey: publicKey.export({ type: "spki", format: "pem" }).toString() };
const method = { normalisationAlgorithm: "jsonNormalisation/v3", hashAlgorithm: "SHA-256" };

type Document = ReturnType<typeof descriptorOf> & { component: Record<string, unknown>; signatures?: unknown };

const documentOf = (component: TestComponent): Document => structuredClone(descriptorOf(component)) as Document;

const textOf = (document: object): string =>
  normalise(parseDescriptor(document, "test"), method.normalisationAlgorithm);

const digestOfDocument = (document: object): object => ({
  ...method,
  value: hashOf(textOf(document), "SHA-256", "test"),
});

/** With a signature of what is in it. */
function signed(document: Document): Document {
  const text = textOf(document);
  const value = sign("sha256", Buffer.from(text), privateKey).toString("hex");
  const signature = { algorithm: "RSASSA-PKCS1-V1_5", mediaType: "application/vnd.ocm.signature.rsa", value };
  return {
    ...document,
    signatures: [{ name: "release", digest: { ...method, value: hashOf(text, "SHA-256", "test") }, signature }],
  };
}

const part: TestComponent = { name: "example.com/part", version: "2.0.0", resources: { config: "part of it" } };
const app: TestComponent = {
  name: "example.com/app",
  version: "1.0.0",
  resources: { text: "hello" },
  references: [{ name: "part", componentName: part.name, version: part.version }],
};

function withPartDigest(document: Document, partDocument: object): Document {
  const references = (document.component["componentReferences"] as object[]).map((reference) => ({
    ...reference,
    digest: digestOfDocument(partDocument),
  }));
  return { ...document, component: { ...document.component, componentReferences: references } };
}

let folder: string;
beforeEach(() => {
  folder = newFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function verify(artifacts: readonly TestArtifact[], more: Partial<VerifyOptions> = {}): Promise<Verification> {
  writeTransport(folder, artifacts);
  const store = await openTransportStore(new BlobFolder(folder));
  if (store === undefined) throw new Error("no transport format");
  const repository = createArtifactRepository(store, { mapping: "urlPath", subPath: "" });
  const root = await repository.find(app, { signal });
  if (root === undefined) throw new Error("no component");
  return await verifyComponent(root, {
    signatureName: "release",
    keys,
    signal,
    find: async (component, options) => await repository.find(component, options),
    resolveArtifact: async () => digest("image"),
    ...more,
  });
}

const good = async (): Promise<TestArtifact[]> => [
  await artifactOf(part),
  await artifactOf(app, { descriptor: signed(withPartDigest(documentOf(app), descriptorOf(part))) }),
];

/** A resource that stays in a registry. */
const image = {
  name: "image",
  version: "1.0.0",
  type: "ociImage",
  relation: "external",
  access: { type: "ociArtifact", imageReference: "registry.example/x:1" },
  digest: {
    normalisationAlgorithm: "ociArtifactDigest/v1",
    hashAlgorithm: "SHA-256",
    value: digest("image").slice(7),
  },
};

describe("a component version is verified", () => {
  it("with all that its references lead to, and their content", async () => {
    expect(await verify(await good())).toEqual({
      components: [
        { name: app.name, version: app.version },
        { name: part.name, version: part.version },
      ],
      resources: [
        'component example.com/app:1.0.0: resource "text"',
        'component example.com/part:2.0.0: resource "config"',
      ],
      unread: [],
    });
  });

  it("and names resources of one name by their versions", async () => {
    const document = documentOf({ ...app, references: [] });
    document.component["resources"] = [image, { ...image, version: "2.0.0" }];
    const found = await verify([await artifactOf(app, { descriptor: signed(document) })], {
      resolveArtifact: async () => digest("image"),
    });
    expect(found.resources).toEqual([
      'component example.com/app:1.0.0: resource "image,version=1.0.0"',
      'component example.com/app:1.0.0: resource "image,version=2.0.0"',
    ]);
  });

  it("with artifacts that a registry does not give on the list", async () => {
    const document = documentOf({ ...app, references: [] });
    document.component["resources"] = [image];
    const message = "http://registry.example/v2/x/manifests/1: connect ECONNREFUSED";
    const unreachable = new LandscaperError({ message, reason: "RegistryUnreachable" });
    const found = await verify([await artifactOf(app, { descriptor: signed(document) })], {
      resolveArtifact: async () => Promise.reject(unreachable),
    });
    expect([found.resources, found.unread]).toEqual([
      [],
      [{ resource: 'component example.com/app:1.0.0: resource "image"', reason: message }],
    ]);
  });

  it("but not where what a registry gives cannot be trusted", async () => {
    const document = documentOf({ ...app, references: [] });
    document.component["resources"] = [image];
    const damaged = new LandscaperError({ message: "other bytes", reason: "DigestMismatch" });
    await expect(
      verify([await artifactOf(app, { descriptor: signed(document) })], {
        resolveArtifact: async () => Promise.reject(damaged),
      }),
    ).rejects.toMatchObject({
      reason: "DigestMismatch",
      message: 'component example.com/app:1.0.0: resource "image": other bytes',
    });
  });

  it("with artifacts of registries, and a list of what cannot be read", async () => {
    const document = documentOf({ ...app, references: [] });
    document.component["resources"] = [
      image,
      {
        name: "object",
        version: "1.0.0",
        type: "blob",
        relation: "external",
        access: { type: "s3", bucket: "b" },
        digest: { ...image.digest, normalisationAlgorithm: "genericBlobDigest/v1" },
      },
      { name: "marker", version: "1.0.0", type: "marker", relation: "external", access: { type: "none" } },
    ];
    const asked: string[] = [];
    const found = await verify([await artifactOf(app, { descriptor: signed(document) })], {
      resolveArtifact: async (reference) => {
        asked.push(reference);
        return digest("image");
      },
    });
    expect(asked).toEqual(["registry.example/x:1"]);
    expect(found.resources).toEqual(['component example.com/app:1.0.0: resource "image"']);
    expect(found.unread).toEqual([
      {
        resource: 'component example.com/app:1.0.0: resource "object"',
        reason: "content of the access type s3 is not read here",
      },
    ]);
  });

  it("with an artifact that is packed beside it, by the manifest that its index marks", async () => {
    const manifests = ["one", "two"].map((text) => ({ digest: digest(text), size: 3 }));
    const index = JSON.stringify({ manifests, annotations: { "software.ocm/main": digest("two") } });
    const packed = (await tarOf({ name: "index.json", content: index }, { name: "blobs/x", content: "x" })).toString(
      "latin1",
    );
    const content = Buffer.from(packed, "latin1").toString();
    const own = { ...app, references: [], resources: { chart: content } };
    const document = documentOf(own);
    const [resource] = document.component["resources"] as Record<string, unknown>[];
    const chart = {
      ...resource,
      digest: {
        normalisationAlgorithm: "ociArtifactDigest/v1",
        hashAlgorithm: "SHA-256",
        value: digest("two").slice(7),
      },
    };
    document.component["resources"] = [chart];
    expect((await verify([await artifactOf(own, { descriptor: signed(document) })])).resources).toHaveLength(1);
  });
});

describe("a component version is refused", () => {
  const refused = async (
    artifacts: readonly TestArtifact[],
    message: string,
    more: Partial<VerifyOptions> = {},
  ): Promise<void> => {
    await expect(verify(artifacts, more)).rejects.toThrow(new Error(message));
  };

  it("without the signature", async () => {
    await refused(await good(), 'component example.com/app:1.0.0: signature "other" not found, it has "release"', {
      signatureName: "other",
    });
    await refused(
      [await artifactOf(part), await artifactOf(app)],
      'component example.com/app:1.0.0: signature "release" not found, it has none',
    );
  });

  it("when its descriptor was changed", async () => {
    const document = signed(withPartDigest(documentOf(app), descriptorOf(part)));
    const changed = { ...document, component: { ...document.component, provider: "somebody" } };
    await expect(verify([await artifactOf(part), await artifactOf(app, { descriptor: changed })])).rejects.toThrow(
      /^component example\.com\/app:1\.0\.0: signature "release": digest mismatch: [0-9a-f]{64} was signed, the component version has [0-9a-f]{64}$/,
    );
  });

  it("when content was exchanged with its digest, deep down: the signed text is another one", async () => {
    const other = { ...part, resources: { config: "something else" } };
    const [, whole] = await good();
    if (whole === undefined) throw new Error("no artifact");
    await expect(verify([await artifactOf(other), whole])).rejects.toThrow(
      /^component example\.com\/app:1\.0\.0: reference "part" to example\.com\/part:2\.0\.0: digest mismatch: /,
    );
  });

  it("when a reference has no digest and leads to something else", async () => {
    const document = signed(withPartDigest(documentOf(app), descriptorOf(part)));
    const references = app.references;
    const without = { ...document, component: { ...document.component, componentReferences: references } };
    const other = { ...part, resources: { config: "something else" } };
    await expect(verify([await artifactOf(other), await artifactOf(app, { descriptor: without })])).rejects.toThrow(
      /signature "release": digest mismatch/,
    );
  });

  it("when content is not what its digest says", async () => {
    const document = documentOf({ ...app, references: [] });
    const [resource] = document.component["resources"] as { digest: Record<string, unknown> }[];
    if (resource !== undefined) resource.digest = { ...resource.digest, value: digest("other").slice(7) };
    await refused(
      [await artifactOf(app, { descriptor: signed(document) })],
      `component example.com/app:1.0.0: resource "text": digest mismatch: the descriptor has ${digest("other").slice(7)}, the content ${digest("hello").slice(7)}`,
    );
  });

  it("when a registry has another artifact under the tag", async () => {
    const document = documentOf({ ...app, references: [], resources: {} });
    document.component["resources"] = [image];
    await refused(
      [await artifactOf(app, { descriptor: signed(document) })],
      `component example.com/app:1.0.0: resource "image": digest mismatch: the descriptor has ${digest("image").slice(7)}, the content ${digest("moved").slice(7)}`,
      { resolveArtifact: async () => digest("moved") },
    );
  });

  it("when a reference leads nowhere", async () => {
    const [, whole] = await good();
    if (whole === undefined) throw new Error("no artifact");
    await refused(
      [whole],
      "component example.com/app:1.0.0: component example.com/part:2.0.0, which it refers to, is not there",
    );
  });

  it("when references go in a ring", async () => {
    const ring = { ...part, references: [{ name: "back", componentName: app.name, version: app.version }] };
    const document = signed(documentOf(app));
    await refused(
      [await artifactOf(ring), await artifactOf(app, { descriptor: document })],
      "component example.com/app:1.0.0: its references go in a ring: example.com/app:1.0.0 -> example.com/part:2.0.0 -> example.com/app:1.0.0",
    );
  });

  it("when references go too deep", async () => {
    const chain = Array.from({ length: 102 }, (_, at) => ({
      name: at === 0 ? app.name : `example.com/part-${at}`,
      version: "1.0.0",
      references: [{ name: "next", componentName: `example.com/part-${at + 1}`, version: "1.0.0" }],
    }));
    const [first = app, ...others] = chain;
    const artifacts = await Promise.all(others.map(async (component) => artifactOf(component)));
    await refused(
      [...artifacts, await artifactOf(first, { descriptor: signed(documentOf(first)) })],
      "component example.com/part-100:1.0.0: the component versions that it refers to are deeper than 100",
    );
  });

  it("when the file of its content is another one", async () => {
    const artifacts = await good();
    const verifying = verify(artifacts);
    await verifying;
    writeFileSync(join(folder, "blobs", digest("hello").replace(":", ".")), "hellO");
    const store = await openTransportStore(new BlobFolder(folder));
    if (store === undefined) throw new Error("no transport format");
    const repository = createArtifactRepository(store, { mapping: "urlPath", subPath: "" });
    const root = await repository.find(app, { signal });
    if (root === undefined) throw new Error("no component");
    const find = async () => await repository.find(part, { signal });
    const options = { signatureName: "release", keys, signal, find, resolveArtifact: async () => "" };
    await expect(verifyComponent(root, options)).rejects.toMatchObject({
      reason: "DigestMismatch",
      message: `component example.com/app:1.0.0: resource "text": ${join(folder, "blobs", digest("hello").replace(":", "."))}: expected digest ${digest("hello")}, found ${digest("hellO")}`,
    });
  });
});
