// The samples of LANDSCAPER_SAMPLES in every form that a repository has, and what damages them; signatures that hold are in ocm.test.ts.
import { spawnSync } from "node:child_process";
import { createHash, generateKeyPairSync } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { openFileRepository, type ComponentName, type ComponentRepository } from "@landscaper/components";
import { artifactOf, writeTransport } from "@landscaper/components/testing";
import { createRegistryClient, parseReference, type RegistryClient } from "@landscaper/oci";
import { describeUnless, programAbsence } from "@landscaper/testkit";
import { startTestRegistry, type TestRegistry } from "@landscaper/oci/testing";
import { formatDescriptor, hashOf, normalise, parseAccess, type ComponentDescriptor } from "@landscaper/ocm";
import { createCertificate } from "@landscaper/x509";
import { samplePath } from "../../src/examples/sample-folder.ts";

const samples = samplePath("components");
const folder = mkdtempSync(join(tmpdir(), "landscaper-sample-forms-"));
const leaf = { name: "example.com/sample/leaf", version: "1.0.0" };
const top = { name: "example.com/sample/root", version: "1.1.0+build.5" };
const legacy = { name: "example.com/sample/legacy", version: "v0.1.0" };
const { signal } = new AbortController();

function landscaper(...words: readonly string[]): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(
    join(import.meta.dirname, "../../../bin/landscaper"),
    ["component", ...words],
    {
      encoding: "utf8",
      env: { ...process.env, HOME: folder },
    },
  );
  return { status, output: `${stdout}${stderr}` };
}

/** Packs a folder with the index first. */
function pack(name: string, first: string, file: string): string {
  const archive = join(folder, file);
  const flags = file.endsWith(".tgz") ? "-czf" : "-cf";
  const { status, stderr } = spawnSync("tar", [flags, archive, "-C", join(samples, name), first, "blobs"]);
  if (status !== 0) throw new Error(`tar: ${stderr.toString()}`);
  return archive;
}

interface Read {
  readonly descriptor: ComponentDescriptor;
  /** SHA-256 of the content of local resources by name. */
  readonly contents: Readonly<Record<string, string>>;
}

async function readFrom(repository: ComponentRepository, component: ComponentName): Promise<Read> {
  const found = await repository.find(component, { signal });
  if (found === undefined) throw new Error(`${component.name} is not there`);
  const contents: Record<string, string> = {};
  for (const { name, access } of found.descriptor.resources) {
    const parsed = parseAccess(access, name);
    if (parsed.kind !== "local") continue;
    const hash = createHash("sha256");
    for await (const part of (await found.findLocal(parsed.reference)).stream({ signal })) hash.update(part);
    contents[name] = hash.digest("hex");
  }
  return { descriptor: found.descriptor, contents };
}

async function read(path: string, component: ComponentName): Promise<Read> {
  const repository = await openFileRepository(path);
  try {
    return await readFrom(repository, component);
  } finally {
    await repository.close();
  }
}

/** What differs between repositories is where they are. */
function portable({ descriptor, contents }: Read): unknown {
  const document = formatDescriptor({ ...descriptor, repositoryContexts: [] }, "v2");
  return JSON.parse(JSON.stringify({ document, contents }));
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the forms of a sample", () => {
  it.each(["ctf-signed.tgz", "SIGNED.tar", "SIGNED.tgz"])(
    "%s of the transport archive reads as the folder",
    async (form) => {
      const path = form.startsWith("SIGNED") ? pack("ctf-signed", "artifact-index.json", form) : join(samples, form);
      for (const component of [leaf, top]) {
        expect(portable(await read(path, component))).toEqual(
          portable(await read(join(samples, "ctf-signed"), component)),
        );
      }
    },
  );

  it.each(["LEGACY.tar", "LEGACY.tgz"])("%s of the component archive reads as the folder", async (form) => {
    const path = pack("comparch", "component-descriptor.yaml", form);
    expect(portable(await read(path, legacy))).toEqual(portable(await read(join(samples, "comparch"), legacy)));
  });

  it("a component archive that was copied into a transport archive has the same text and content", async () => {
    const copy = join(folder, "legacy-ctf");
    const place = `${join(samples, "comparch")}//${legacy.name}:${legacy.version}`;
    expect(landscaper("transfer", place, copy)).toEqual({
      status: 0,
      output: `copied: component ${legacy.name}:${legacy.version}\n`,
    });
    const [before, after] = [await read(join(samples, "comparch"), legacy), await read(copy, legacy)];
    expect(after.contents).toEqual(before.contents);
    const text = (descriptor: ComponentDescriptor): string => normalise(descriptor, "jsonNormalisation/v3");
    expect(text(after.descriptor)).toBe(text(before.descriptor));
  });

  it.each([
    { place: "ctf", component: leaf },
    { place: "ctf", component: top },
    { place: "ctf-signed", component: leaf },
    { place: "ctf-signed", component: top },
    { place: "ctf-norm-v2", component: { name: "example.com/sample/norm", version: "0.1.0" } },
    { place: "comparch", component: legacy },
  ])("content of $component.name in $place has the digests of the descriptor", async ({ place, component }) => {
    const { descriptor, contents } = await read(join(samples, place), component);
    const digests = descriptor.resources.flatMap(({ name, digest }) =>
      digest?.normalisationAlgorithm === "genericBlobDigest/v1" ? [[name, digest.value] as const] : [],
    );
    expect(digests.length).toBeGreaterThan(0);
    for (const [name, value] of digests) expect([name, contents[name]]).toEqual([name, value]);
  });

  it("has the hashes of the samples' README", async () => {
    const readme = readFileSync(join(samples, "README.md"), "utf8");
    const hashes = [...readme.matchAll(/\bv([123])(?: = v([123]))? ([0-9a-f]{8})…/g)].flatMap(([, one, other, hash]) =>
      [one, other].filter((version) => version !== undefined).map((version) => `v${version} ${hash}`),
    );
    const [own, root] = [await read(join(samples, "ctf-signed"), leaf), await read(join(samples, "ctf-signed"), top)];
    const found = ["v1", "v2", "v3"].map((version) => {
      const normalisationAlgorithm = `jsonNormalisation/${version}`;
      const hashed = (descriptor: ComponentDescriptor): string =>
        hashOf(normalise(descriptor, normalisationAlgorithm), "SHA-256", "the sample");
      const digest = { normalisationAlgorithm, hashAlgorithm: "SHA-256", value: hashed(own.descriptor) };
      const references = root.descriptor.references.map((reference) => ({ ...reference, digest }));
      return [hashed(own.descriptor), hashed({ ...root.descriptor, references })].map(
        (hash) => `${version} ${hash.slice(0, 8)}`,
      );
    });
    expect(hashes).toEqual([...found.map(([ofLeaf]) => ofLeaf), ...found.map(([, ofRoot]) => ofRoot)]);
  });
});

describe("a sample that was damaged is refused:", () => {
  const words = ["--signature", "sig-pkcs", "--public-key", join(samples, "keys/pub-pkcs1.pem")];
  const verify = (path: string, ...by: readonly string[]) =>
    landscaper("verify", `${path}//${leaf.name}:${leaf.version}`, ...(by.length === 0 ? words : by));
  const blob = (path: string, digest: string): string => join(path, "blobs", digest.replace(":", "."));
  const copy = (name: string): string => {
    const path = join(folder, name.replaceAll(/\W/g, "-"));
    cpSync(join(samples, "ctf-signed"), path, { recursive: true });
    return path;
  };
  let config: string;
  let manifest: string;
  let descriptorLayer: string;
  beforeAll(async () => {
    const { descriptor } = await read(join(samples, "ctf-signed"), leaf);
    const access = parseAccess(descriptor.resources.find(({ name }) => name === "config")?.access, "the sample");
    config = access.kind === "local" ? access.reference : "";
    const index = JSON.parse(readFileSync(join(samples, "ctf-signed/artifact-index.json"), "utf8")) as {
      artifacts: readonly { repository: string; tag?: string; digest: string }[];
    };
    manifest =
      index.artifacts.find(({ repository, tag }) => repository.endsWith(leaf.name) && tag !== undefined)?.digest ?? "";
    const { layers } = JSON.parse(readFileSync(blob(join(samples, "ctf-signed"), manifest), "utf8")) as {
      layers: readonly { digest: string }[];
    };
    descriptorLayer = layers[0]?.digest ?? "";
  });

  it.each<readonly [string, (path: string) => void, () => string]>([
    [
      "content that is cut",
      (path) => writeFileSync(blob(path, config), readFileSync(blob(path, config)).subarray(1)),
      () => config,
    ],
    ["content that is missing", (path) => rmSync(blob(path, config)), () => config],
    ["content that is another's", (path) => cpSync(blob(path, descriptorLayer), blob(path, config)), () => config],
    [
      "one bit of the descriptor",
      (path) => {
        const bytes = readFileSync(blob(path, descriptorLayer));
        bytes.writeUInt8(bytes.readUInt8(600) ^ 1, 600);
        writeFileSync(blob(path, descriptorLayer), bytes);
      },
      () => descriptorLayer,
    ],
    [
      "a cut descriptor",
      (path) => writeFileSync(blob(path, descriptorLayer), readFileSync(blob(path, descriptorLayer)).subarray(0, 700)),
      () => descriptorLayer,
    ],
    ["another manifest", (path) => writeFileSync(blob(path, manifest), "{}"), () => manifest],
    [
      "an index that is no JSON",
      (path) => writeFileSync(join(path, "artifact-index.json"), "{"),
      () => "artifact-index.json",
    ],
  ])("%s", (title, damage, named) => {
    const path = copy(title);
    expect(verify(path).status).toBe(0);
    damage(path);
    const { status, output } = verify(path);
    expect([status, output]).toEqual([1, expect.stringContaining(named().replace("sha256:", ""))]);
    expect(output).not.toContain(`verified: component ${leaf.name}`);
  });

  it("a packed archive that is cut", () => {
    const path = join(folder, "cut.tgz");
    const whole = readFileSync(join(samples, "ctf-signed.tgz"));
    writeFileSync(path, whole.subarray(0, whole.length / 2));
    expect(verify(path)).toMatchObject({ status: 1, output: expect.stringContaining("cut.tgz") });
  });

  it.each([
    [
      "another version of a resource",
      (text: string) => text.replace('"name":"config",', '"name":"config","extraIdentity":{"a":"b"},'),
    ],
    ["another provider", (text: string) => text.replaceAll('"provider":"example.com"', '"provider":"example.org"')],
    ["another creation time", (text: string) => text.replace(/("creationTime":")\d/, "$13")],
  ])("a descriptor with %s, stored with right digests", async (title, change) => {
    const { descriptor } = await read(join(samples, "ctf-signed"), leaf);
    const before = JSON.stringify(formatDescriptor({ ...descriptor, repositoryContexts: [] }, "v2"));
    const resources = Object.fromEntries(
      descriptor.resources.map(({ name, access }) => {
        const parsed = parseAccess(access, name);
        const content = readFileSync(
          blob(join(samples, "ctf-signed"), parsed.kind === "local" ? parsed.reference : ""),
        );
        return [name, { content }];
      }),
    );
    const store = async (text: string): Promise<string> => {
      const path = join(folder, `${title}-${text === before}`.replaceAll(/\W/g, "-"));
      writeTransport(path, [await artifactOf({ ...leaf, resources }, { descriptor: JSON.parse(text) as object })]);
      return path;
    };
    expect(change(before)).not.toBe(before);
    expect(verify(await store(before)).status).toBe(0);
    expect(verify(await store(change(before)))).toMatchObject({
      status: 1,
      output: expect.stringContaining("digest mismatch"),
    });
  });

  it.each([
    ["another authority", ["--signature", "sig-cert", "--ca", "OTHER-CA"], "unknown authority"],
    [
      "a signature without certificate by an authority",
      ["--signature", "sig-pkcs", "--ca", "keys/ca.crt"],
      "it brings no certificate",
    ],
    ["the key of another", ["--signature", "sig-pkcs", "--public-key", "OTHER"], "is not of the given key"],
    [
      "the key of another signer of the sample",
      ["--signature", "sig-cert", "--public-key", "keys/pub-pkcs1.pem"],
      "is not of the given key",
    ],
    [
      "a name that no signature has",
      ["--signature", "sig-none", "--public-key", "keys/pub-pkcs1.pem"],
      'signature "sig-none" not found',
    ],
  ])("%s", (_title, by, message) => {
    const { publicKey, privateKey: key } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const validity = { notBefore: new Date("2020-01-01"), notAfter: new Date("2050-01-01") };
    const ca = { subject: { commonName: "other" }, publicKey, serial: Buffer.of(1), isAuthority: true, ...validity };
    const made: Readonly<Record<string, string>> = {
      OTHER: publicKey.export({ type: "spki", format: "pem" }).toString(),
      "OTHER-CA": createCertificate(ca, { key }),
    };
    const file = (word: string): string => {
      const content = made[word];
      if (content === undefined) return word.startsWith("keys/") ? join(samples, word) : word;
      writeFileSync(join(folder, word), content);
      return join(folder, word);
    };
    expect(verify(join(samples, "ctf-signed"), ...by.map(file))).toMatchObject({
      status: 1,
      output: expect.stringContaining(message),
    });
  });
});

describeUnless(programAbsence("docker-registry"), describe)("the OCI layout of the samples in a registry", () => {
  let registry: TestRegistry;
  let client: RegistryClient;
  beforeAll(async () => {
    registry = await startTestRegistry();
    client = createRegistryClient({ userAgent: "test" });
  });
  afterAll(async () => {
    await client.close();
    await registry.stop();
  });

  const layout = (digest: string): Buffer => readFileSync(join(samples, "oci-layout/blobs", digest.replace(":", "/")));

  /** Stores what another implementation has stored in a registry, byte for byte. */
  async function push(component: ComponentName): Promise<void> {
    const { manifests } = JSON.parse(readFileSync(join(samples, "oci-layout/index.json"), "utf8")) as {
      manifests: readonly { digest: string; mediaType: string; annotations: Record<string, string> }[];
    };
    const path = `sample/component-descriptors/${component.name}`;
    const tag = component.version.replace("+", ".build-");
    const name = `${path.replaceAll("/", "_")}_${tag}`;
    const found = manifests.find(({ annotations }) => annotations["org.opencontainers.image.ref.name"] === name);
    if (found === undefined) throw new Error(`the layout has no ${name}`);
    const bytes = layout(found.digest);
    const { config, layers } = JSON.parse(bytes.toString()) as Record<"config", { digest: string }> &
      Record<"layers", readonly { digest: string }[]>;
    const session = client.session([]);
    const place = parseReference(`http://${registry.host}/${path}:${tag}`);
    for (const { digest } of [config, ...layers]) await session.pushBlob(place, layout(digest), { signal });
    const pushed = await session.pushManifest(place, { bytes, mediaType: found.mediaType }, { signal });
    expect(pushed.digest).toBe(found.digest);
  }

  it("reads as the transport archive, and its signatures hold", async () => {
    for (const component of [leaf, top]) {
      await push(component);
      const place = `http://${registry.host}/sample//${component.name}`;
      const { output } = landscaper("get", place, "-o", "json");
      const { descriptor } = await read(join(samples, "ctf-signed"), component);
      const stored = formatDescriptor({ ...descriptor, repositoryContexts: [] }, descriptor.schemaVersion);
      // Accesses are rewritten when artifacts are copied; they are no part of what is signed.
      expect(withoutAccess(JSON.parse(output))).toEqual(withoutAccess(stored));
    }
    const place = `http://${registry.host}/sample//${leaf.name}`;
    for (const by of [
      ["--signature", "sig-pkcs", "--public-key", join(samples, "keys/pub-spki.pem")],
      ["--signature", "sig-cert", "--ca", join(samples, "keys/ca.crt")],
    ]) {
      expect(landscaper("verify", place, ...by)).toMatchObject({ status: 0 });
    }
  });
});

function withoutAccess(value: unknown): unknown {
  const text = JSON.stringify(value, (key, member: unknown) =>
    key === "access" || key === "repositoryContexts" ? undefined : member,
  );
  return JSON.parse(text);
}
