import { generateKeyPairSync } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { hashOf, normalise } from "@landscaper/ocm";
import type { ComponentName } from "../repository/component-version.ts";
import { artifactOf, descriptorOf, newFolder, writeTransport, type TestComponent } from "../../test/index.ts";
import { verifyComponent, type Verification, type VerifyOptions } from "../verify/verify-component.ts";
import { openFolderTarget, type TargetRepository } from "../write/target-repository.ts";
import { signComponent, type SignOptions } from "./sign-component.ts";

const { signal } = new AbortController();
const root = newFolder();
afterAll(() => rmSync(root, { recursive: true }));
let folders = 0;

const leaf: TestComponent = { name: "example.com/leaf", version: "1.0.0", resources: { text: "leaf" } };
const app: TestComponent = {
  name: "example.com/app",
  version: "1.1.0+build.5",
  resources: { text: "app" },
  references: [{ name: "leaf", componentName: leaf.name, version: leaf.version }],
};
const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const keys = { publicKey: pair.publicKey.export({ type: "spki", format: "pem" }).toString() };
const privateKey = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const base: SignOptions = {
  name: "release",
  privateKey,
  certificates: undefined,
  algorithm: "RSASSA-PKCS1-V1_5",
  normalisationAlgorithm: "jsonNormalisation/v3",
  hashAlgorithm: "SHA-256",
  overwrite: false,
  resolveArtifact: async () => Promise.reject(new Error("nothing is in registries")),
  signal,
};

interface Stored {
  readonly component: TestComponent;
  readonly change?: (document: Document) => void;
}
type Document = { component: { resources: Record<string, unknown>[]; componentReferences: Record<string, unknown>[] } };

async function store(...stored: readonly Stored[]): Promise<string> {
  const path = join(root, `ctf${(folders += 1)}`);
  const artifacts = [];
  for (const { component, change } of stored) {
    const descriptor = structuredClone(descriptorOf(component));
    change?.(descriptor as Document); // of schema v2
    artifacts.push(await artifactOf(component, { descriptor }));
  }
  writeTransport(path, artifacts);
  return path;
}

const withoutDigests = ({ component }: Document): void => {
  for (const resource of component.resources) delete resource["digest"];
};

async function sign(path: string, options: Partial<SignOptions> = {}): Promise<string[]> {
  const changed = await signComponent(app, await openFolderTarget(path), { ...base, ...options });
  return changed.map(({ name }) => name);
}

const findIn =
  (target: TargetRepository): VerifyOptions["find"] =>
  async (component, options) =>
    await target.find(component, options);

async function verify(path: string, { name, version }: ComponentName = app): Promise<Verification> {
  const find = findIn(await openFolderTarget(path));
  const found = await find({ name, version }, { signal });
  if (found === undefined) throw new Error("the component is not there");
  return await verifyComponent(found, {
    signatureName: "release",
    keys,
    find,
    resolveArtifact: base.resolveArtifact,
    signal,
  });
}

describe("signComponent", () => {
  it.each([
    { algorithm: "RSASSA-PKCS1-V1_5", hashAlgorithm: "SHA-256" },
    { algorithm: "RSASSA-PSS", hashAlgorithm: "SHA-512" },
    { normalisationAlgorithm: "jsonNormalisation/v1" },
    { normalisationAlgorithm: "jsonNormalisation/v2" },
  ] satisfies Partial<SignOptions>[])("makes a signature that verifies: %o", async (options) => {
    const path = await store({ component: leaf }, { component: app });
    expect(await sign(path, options)).toEqual([app.name]);
    const { components, resources, unread } = await verify(path);
    expect(components.map(({ name }) => name)).toEqual([app.name, leaf.name]);
    expect(resources).toHaveLength(2);
    expect(unread).toEqual([]);
  });

  it("fills in digests of the component, its references and what they refer to", async () => {
    const path = await store({ component: leaf, change: withoutDigests }, { component: app, change: withoutDigests });
    expect(await sign(path)).toEqual([leaf.name, app.name]);
    const find = findIn(await openFolderTarget(path));
    const signed = (await find(app, { signal }))?.descriptor;
    const nested = (await find(leaf, { signal }))?.descriptor;
    expect(nested?.resources[0]?.digest).toMatchObject({ normalisationAlgorithm: "genericBlobDigest/v1" });
    const value = nested === undefined ? "" : hashOf(normalise(nested, "jsonNormalisation/v3"), "SHA-256", "");
    expect(signed?.references[0]?.digest).toEqual({
      hashAlgorithm: "SHA-256",
      normalisationAlgorithm: "jsonNormalisation/v3",
      value,
    });
    expect((await verify(path)).resources).toHaveLength(2);
  });

  it("covers what it refers to: a change there is found", async () => {
    const path = await store({ component: leaf }, { component: app });
    await sign(path);
    const other = await store({ component: { ...leaf, resources: { text: "other" } } }, { component: app });
    const from = await openFolderTarget(path);
    const found = await from.find(app, { signal });
    const find = findIn(await openFolderTarget(other));
    const work = verifyComponent(found!, {
      signatureName: "release",
      keys,
      find,
      resolveArtifact: base.resolveArtifact,
      signal,
    });
    await expect(work).rejects.toThrow(/reference "leaf" to example.com\/leaf:1.0.0: digest mismatch/);
  });

  it("adds further signatures, and replaces one only when it is told to", async () => {
    const path = await store({ component: leaf }, { component: app });
    await sign(path, { name: "first" });
    await sign(path);
    await expect(sign(path)).rejects.toThrow(
      'component example.com/app:1.1.0+build.5: it has a signature "release" already; --overwrite replaces it',
    );
    await sign(path, { overwrite: true, algorithm: "RSASSA-PSS" });
    const found = await (await openFolderTarget(path)).find(app, { signal });
    expect(found?.descriptor.signatures?.map(({ name, signature }) => [name, signature.algorithm])).toEqual([
      ["first", "RSASSA-PKCS1-V1_5"],
      ["release", "RSASSA-PSS"],
    ]);
    await verify(path);
  });

  const digestOf = (normalisationAlgorithm: string) => ({
    hashAlgorithm: "SHA-256",
    normalisationAlgorithm,
    value: "00",
  });
  const appText = "component example.com/app:1.1.0+build.5";
  it.each<[string, Stored[], string]>([
    [
      "content that is not that of its digest",
      [
        { component: leaf },
        {
          component: app,
          change: ({ component }) =>
            Object.assign(component.resources[0]!, { digest: digestOf("genericBlobDigest/v1") }),
        },
      ],
      `${appText}: resource "text": digest mismatch: the descriptor has 00, the content`,
    ],
    [
      "a reference with another digest",
      [
        { component: leaf },
        {
          component: app,
          change: ({ component }) =>
            Object.assign(component.componentReferences[0]!, { digest: digestOf("jsonNormalisation/v3") }),
        },
      ],
      `${appText}: reference "leaf" to example.com/leaf:1.0.0: digest mismatch: the reference has 00, the component version`,
    ],
    [
      "a reference that leads nowhere",
      [{ component: app }],
      `${appText}: component example.com/leaf:1.0.0, which it refers to, is not there`,
    ],
    [
      "a ring",
      [
        { component: { ...leaf, references: [{ name: "app", componentName: app.name, version: app.version }] } },
        { component: app },
      ],
      `${appText}: its references go in a ring: example.com/app:1.1.0+build.5 -> example.com/leaf:1.0.0 -> example.com/app:1.1.0+build.5`,
    ],
    [
      "content that cannot be read and has no digest",
      [
        { component: leaf },
        {
          component: app,
          change: ({ component }) => {
            withoutDigests({ component });
            Object.assign(component.resources[0]!, { access: { type: "s3", bucket: "b" } });
          },
        },
      ],
      `${appText}: resource "text": it has no digest, and content of the access type s3 is not read here`,
    ],
  ])("refuses %s, and changes nothing", async (_, stored, message) => {
    const path = await store(...stored);
    const before = readFileSync(join(path, "artifact-index.json"), "utf8");
    const files = readdirSync(join(path, "blobs"));
    await expect(sign(path)).rejects.toThrow(message);
    expect(readFileSync(join(path, "artifact-index.json"), "utf8")).toBe(before);
    expect(readdirSync(join(path, "blobs"))).toEqual(files);
  });

  it("refuses to break signatures of what it refers to", async () => {
    const path = await store({ component: leaf, change: withoutDigests }, { component: app });
    const target = await openFolderTarget(path);
    const signed = await target.find(leaf, { signal });
    const signature = {
      name: "other",
      digest: digestOf("jsonNormalisation/v3"),
      signature: { algorithm: "RSASSA-PSS", mediaType: "application/vnd.ocm.signature.rsa.pss", value: "00" },
    };
    const document = { ...signed?.descriptor.document, signatures: [signature] };
    const again = join(root, `ctf${(folders += 1)}`);
    writeTransport(again, [await artifactOf(leaf, { descriptor: document }), await artifactOf(app)]);
    await expect(sign(again)).rejects.toThrow(
      'component example.com/leaf:1.0.0: digests are missing that its signature "other" does not cover',
    );
  });

  it("says which component is not there, and makes no folder", async () => {
    const path = join(root, "nothing");
    await expect(sign(path)).rejects.toThrow(`${path}: there is no component example.com/app:1.1.0+build.5`);
    expect(existsSync(path)).toBe(false);
  });
});
