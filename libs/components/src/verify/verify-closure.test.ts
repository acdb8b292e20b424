import { generateKeyPairSync } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import type { ComponentVersionOverwrite } from "@landscaper/api";
import { createRegistryClient } from "@landscaper/oci";
import { artifactOf, descriptorOf, digest, newFolder, writeTransport, type TestComponent } from "../../test/index.ts";
import { openFilesBelow } from "../repository/local-repository.ts";
import { signComponent, type SignOptions } from "../sign/sign-component.ts";
import { createComponentSource } from "../source/component-source.ts";
import { gatherSupplies } from "../source/gather-supplies.ts";
import { readClosure, type Closure } from "../supply/closure.ts";
import { SuppliesLacking, SupplyReader, type Supply } from "../supply/supplies.ts";
import { openFolderTarget } from "../write/target-repository.ts";
import { verifyClosure } from "./verify-closure.ts";

const { signal } = new AbortController();
const root = newFolder();
const registries = createRegistryClient({ userAgent: "test" });
afterAll(async () => {
  await registries.close();
  rmSync(root, { recursive: true });
});
let folders = 0;

const keyPair = () => {
  const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return {
    publicKey: pair.publicKey.export({ type: "spki", format: "pem" }).toString(),
    privateKey: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
};
const [own, foreign] = [keyPair(), keyPair()];

const leaf: TestComponent = { name: "example.com/leaf", version: "1.0.0", resources: { text: "leaf" } };
const newer: TestComponent = { ...leaf, version: "1.1.0" };
const app: TestComponent = {
  name: "example.com/app",
  version: "1.0.0",
  resources: { text: "app", marker: { content: "", access: { type: "none" } } },
  references: [{ name: "leaf", componentName: leaf.name, version: leaf.version }],
};

async function store(change: (document: { component: Record<string, unknown> }) => void = () => undefined) {
  const folder = join(root, `ctf${(folders += 1)}`);
  const artifacts = [await artifactOf(leaf), await artifactOf(newer)];
  const descriptor = structuredClone(descriptorOf(app)) as Parameters<typeof change>[0]; // of schema v2
  change(descriptor);
  writeTransport(folder, [...artifacts, await artifactOf(app, { descriptor })]);
  return folder;
}

async function sign(folder: string, options: Partial<SignOptions> = {}): Promise<string> {
  await signComponent(app, await openFolderTarget(folder), {
    name: "release",
    privateKey: own.privateKey,
    algorithm: "RSASSA-PKCS1-V1_5",
    normalisationAlgorithm: "jsonNormalisation/v3",
    hashAlgorithm: "SHA-256",
    overwrite: false,
    resolveArtifact: async () => digest("image"),
    signal,
    ...options,
  });
  return folder;
}

interface Options {
  readonly signatureName?: string;
  readonly publicKey?: string;
  readonly overwrites?: readonly ComponentVersionOverwrite[];
}

/** As a job does it: what a thread lacks is fetched, then it begins anew. */
async function verify(
  folder: string,
  { signatureName = "release", publicKey = own.publicKey, overwrites = [] }: Options = {},
): Promise<{ readonly closure: Closure; readonly asked: readonly (readonly string[])[]; readonly kept: number }> {
  const context = { type: "CommonTransportFormat", filePath: basename(folder) };
  const source = createComponentSource({ registries, files: openFilesBelow(dirname(folder)).open });
  const fetcher = source.forJob({ credentials: [], resolvers: [] });
  const supplies = new Map<string, Supply>();
  const asked: string[][] = [];
  for (;;) {
    try {
      const selection = { root: app, context, overwrites, hasResolvers: false };
      const read = await readClosure(selection, { supplies: new SupplyReader([...supplies]), where: "test" });
      const closure = await verifyClosure(read, { signatureName, keys: { publicKey } });
      const hashes = [...supplies].filter(([key]) => key.includes('"digest"'));
      return { closure, asked, kept: hashes.reduce((sum, [, { bytes }]) => sum + bytes.length, 0) };
    } catch (error) {
      if (!(error instanceof SuppliesLacking)) throw error;
      asked.push(error.requests.map(({ type, component }) => `${type} ${component.name}`));
      await gatherSupplies(error.requests, { fetcher, supplies, signal });
    }
  }
}

describe("a component with all that it refers to is verified", () => {
  it("by hashes that are asked for all at once, and whose content is not kept", async () => {
    const { closure, asked, kept } = await verify(await sign(await store()));
    expect(asked).toEqual([
      ["descriptor example.com/app"],
      ["descriptor example.com/leaf"],
      ["digest example.com/app", "digest example.com/leaf"],
    ]);
    expect(kept).toBe(0);
    expect(closure.components.map(({ name }) => name)).toEqual([app.name, leaf.name]);
  });

  it.each([
    { normalisationAlgorithm: "jsonNormalisation/v1" },
    { normalisationAlgorithm: "jsonNormalisation/v2" },
    { algorithm: "RSASSA-PSS", hashAlgorithm: "SHA-512" },
  ] satisfies Partial<SignOptions>[])("with %o", async (options) => {
    await expect(verify(await sign(await store(), options))).resolves.toBeDefined();
  });
});

describe("a component is refused", () => {
  const refused = async (folder: string, message: string | RegExp, options: Options = {}): Promise<void> => {
    await expect(verify(folder, options)).rejects.toThrow(message instanceof RegExp ? message : new Error(message));
  };
  const withImage = (access: object, digestOfIt?: object) => async () =>
    await store(({ component }) => {
      const image = { name: "image", version: "1.0.0", type: "blob", relation: "external", access };
      component["resources"] = [digestOfIt === undefined ? image : { ...image, digest: digestOfIt }];
    });
  const generic = {
    hashAlgorithm: "SHA-256",
    normalisationAlgorithm: "genericBlobDigest/v1",
    value: digest("x").slice("sha256:".length),
  };

  it("without the signature, before anything is hashed", async () => {
    await refused(await store(), 'component example.com/app:1.0.0: signature "release" not found, it has none');
    await refused(
      await sign(await store()),
      'component example.com/app:1.0.0: signature "other" not found, it has "release"',
      { signatureName: "other" },
    );
  });

  it("with another key", async () => {
    await refused(
      await sign(await store()),
      'component example.com/app:1.0.0: signature "release": the signature is not of the given key',
      { publicKey: foreign.publicKey },
    );
  });

  it("when what it refers to has changed, with both digests", async () => {
    const folder = await sign(await store());
    const other = await artifactOf({ ...leaf, resources: { text: "another leaf" } });
    const before = JSON.parse(readFileSync(join(folder, "artifact-index.json"), "utf8")) as { artifacts: object[] };
    writeTransport(folder, [other]);
    const after = JSON.parse(readFileSync(join(folder, "artifact-index.json"), "utf8")) as { artifacts: object[] };
    const kept = before.artifacts.filter((entry) => !/leaf.*"1\.0\.0"/.test(JSON.stringify(entry)));
    writeFileSync(
      join(folder, "artifact-index.json"),
      JSON.stringify({ schemaVersion: 1, artifacts: [...kept, ...after.artifacts] }),
    );
    await refused(
      folder,
      /^component example\.com\/app:1\.0\.0: reference "leaf" to example\.com\/leaf:1\.0\.0: digest mismatch: the reference has [0-9a-f]{64}, the component version [0-9a-f]{64}$/,
    );
  });

  it("when content was changed below an unchanged descriptor", async () => {
    const folder = await sign(await store());
    writeFileSync(join(folder, "blobs", digest("leaf").replace(":", ".")), "loaf");
    await refused(folder, /^component example\.com\/leaf:1\.0\.0: resource "text": .*digest/);
  });

  it("when overwrites put another version in its place", async () => {
    const folder = await sign(await store());
    const overwrites = [{ source: { componentName: leaf.name }, substitution: { version: "1.1.0" } }];
    await refused(
      folder,
      "component example.com/leaf:1.0.0: it was signed, and overwrites of the Context put example.com/leaf:1.1.0 in its place",
      { overwrites },
    );
  });

  it("when content cannot be read, or nothing says what it is", async () => {
    const place = 'component example.com/app:1.0.0: resource "image"';
    const signed = async (make: () => Promise<string>): Promise<string> => await sign(await make());
    await refused(
      await signed(withImage({ type: "s3", bucket: "b" }, generic)),
      `${place}: content of the access type s3 cannot be read, and what cannot be read cannot be verified`,
    );
    await refused(
      await signed(withImage({ type: "ociArtifact", imageReference: "registry.example/x:1" }, generic)),
      `${place}: an artifact of a registry has no digest of genericBlobDigest/v1, and what cannot be read cannot be verified`,
    );
  });
});
