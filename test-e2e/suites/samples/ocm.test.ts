// Component versions that LANDSCAPER_SAMPLES hands over, as another implementation has written and signed them. Our own are tested in libs/components.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { describeUnless, programAbsence } from "@landscaper/testkit";
import { openFileRepository, type ComponentName } from "@landscaper/components";
import { startTestRegistry, type TestRegistry } from "@landscaper/oci/testing";
import { hashOf, normalise, parseAccess, type ComponentDescriptor } from "@landscaper/ocm";
import { samplePath } from "../../src/examples/sample-folder.ts";

const samples = samplePath("components");
const root = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "landscaper-sample-components-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function landscaper(...words: readonly string[]): Outcome {
  const { status, stdout, stderr } = spawnSync(join(root, "bin/landscaper"), ["component", ...words], {
    encoding: "utf8",
    env: { ...process.env, HOME: folder },
  });
  return { status, stdout, stderr };
}

const leaf = "example.com/sample/leaf:1.0.0";
const top = "example.com/sample/root:1.1.0+build.5";

async function descriptorIn(place: string, { name, version }: ComponentName): Promise<ComponentDescriptor> {
  const repository = await openFileRepository(join(samples, place));
  try {
    const found = await repository.find({ name, version }, { signal: new AbortController().signal });
    if (found === undefined) throw new Error(`${place} has no component ${name}:${version}`);
    return found.descriptor;
  } finally {
    await repository.close();
  }
}

const leafName = { name: "example.com/sample/leaf", version: "1.0.0" };

/** What is signed of a sample, all of which refer to the leaf at most: the digest of that is made in the same way. */
async function signedText(place: string, own: ComponentName, version: string): Promise<string> {
  const normalisationAlgorithm = `jsonNormalisation/${version}`;
  const descriptor = await descriptorIn(place, own);
  const leafText = normalise(await descriptorIn("ctf", leafName), normalisationAlgorithm);
  const digest = { normalisationAlgorithm, hashAlgorithm: "SHA-256", value: hashOf(leafText, "SHA-256", "the sample") };
  const references = descriptor.references.map((reference) => ({ ...reference, digest }));
  return normalise({ ...descriptor, references }, normalisationAlgorithm);
}

describe("texts that are signed", () => {
  const [root, norm] = [
    { name: "example.com/sample/root", version: "1.1.0+build.5" },
    { name: "example.com/sample/norm", version: "0.1.0" },
  ];
  it.each([
    { file: "normalized-leaf-v1.json", place: "ctf", component: leafName, version: "v1" },
    { file: "normalized-leaf-v3.json", place: "ctf", component: leafName, version: "v3" },
    { file: "normalized-root-v1.json", place: "ctf-signed", component: root, version: "v1" },
    { file: "normalized-root-v2.json", place: "ctf-signed", component: root, version: "v2" },
    { file: "normalized-root-v3.json", place: "ctf-signed", component: root, version: "v3" },
    { file: "normalized-norm-v2-v1.json", place: "ctf-norm-v2", component: norm, version: "v1" },
    { file: "normalized-norm-v2-v3.json", place: "ctf-norm-v2", component: norm, version: "v3" },
  ])("are those of $file", async ({ file, place, component, version }) => {
    // The file has one newline more than what is signed.
    expect(`${await signedText(place, component, version)}\n`).toBe(readFileSync(join(samples, file), "utf8"));
  });

  it("are all of the folder", () => {
    expect(readdirSync(samples).filter((name) => name.startsWith("normalized-"))).toHaveLength(7);
  });
});

interface Signed {
  readonly component: string;
  readonly signature: string;
  /** What it is trusted by: a flag of the command, and a file of keys/. */
  readonly by: readonly [flag: string, file: string];
}

const signatures: readonly [Signed, ...Signed[]] = [
  { component: leaf, signature: "sig-pkcs", by: ["--public-key", "pub-pkcs1.pem"] },
  { component: leaf, signature: "sig-pkcs", by: ["--public-key", "pub-spki.pem"] },
  { component: leaf, signature: "sig-cert", by: ["--ca", "ca.crt"] },
  { component: top, signature: "sig-pkcs", by: ["--public-key", "pub-pkcs1.pem"] },
  { component: top, signature: "sig-pss", by: ["--public-key", "pub-spki.pem"] },
];

function verify(place: string, { component, signature, by }: Signed): Outcome {
  const [flag, file] = by;
  return landscaper("verify", `${place}//${component}`, "--signature", signature, flag, join(samples, "keys", file));
}

/** What differs between repositories is where they are. */
function read(place: string, component: string): unknown {
  const { stdout } = landscaper("get", `${place}//${component}`, "-o", "json", "--schema", "v2");
  const document = JSON.parse(stdout) as { component: Record<string, unknown> };
  return { ...document, component: { ...document.component, repositoryContexts: [] } };
}

describe.each(["ctf-signed", "ctf-signed.tgz"])("signatures in %s", (name) => {
  const place = join(samples, name);

  it.each([...signatures])("$signature of $component holds by $by", (signed) => {
    const { status, stdout } = verify(place, signed);
    expect([status, stdout.includes(`verified: component ${signed.component}\n`)]).toEqual([0, true]);
  });

  it("reads as the other form does", () => {
    for (const component of [leaf, top])
      expect(read(place, component)).toEqual(read(join(samples, "ctf-signed"), component));
  });
});

describe("a sample that was changed", () => {
  it("is refused for one byte of its content", async () => {
    const copy = join(folder, "changed");
    cpSync(join(samples, "ctf-signed"), copy, { recursive: true });
    const { resources } = await descriptorIn("ctf-signed", leafName);
    const config = parseAccess(resources.find(({ name }) => name === "config")?.access, "the sample");
    if (config.kind !== "local") throw new Error("the sample's config is not beside its descriptor");
    const file = join(copy, "blobs", config.reference.replace(":", "."));
    const bytes = readFileSync(file);
    bytes.writeUInt8(bytes.readUInt8(0) ^ 1);
    writeFileSync(file, bytes);
    for (const signed of signatures.filter(({ component }) => component === leaf)) {
      const { status, stderr } = verify(copy, signed);
      expect([status, stderr]).toEqual([1, expect.stringContaining(config.reference)]);
    }
  });

  it("is refused for another key, and for a signature that is not there", () => {
    const [signed] = signatures;
    const place = join(samples, "ctf-signed");
    const other = verify(place, { ...signed, signature: "sig-cert", by: ["--public-key", "pub-spki.pem"] });
    expect([other.status, other.stderr]).toEqual([1, expect.stringContaining("is not of the given key")]);
    const none = verify(place, { ...signed, signature: "none" });
    expect([none.status, none.stderr]).toEqual([1, expect.stringContaining('signature "none" not found')]);
  });
});

describeUnless(programAbsence("docker-registry"), describe)("samples in a registry", () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await startTestRegistry();
  });
  afterAll(async () => registry.stop());

  it("read the same there, and their signatures hold", () => {
    const place = `http://${registry.host}/samples`;
    const pushed = landscaper("transfer", `${join(samples, "ctf-signed.tgz")}//${top}`, place, "--recursive");
    expect(pushed).toEqual({
      status: 0,
      stdout: `copied: component ${leaf}\ncopied: component ${top}\n`,
      stderr: "",
    });
    for (const component of [leaf, top])
      expect(read(place, component)).toEqual(read(join(samples, "ctf-signed"), component));
    // The root's are in the tests above: they wait for registries that are not there.
    const ofLeaf = signatures.filter(({ component }) => component === leaf);
    expect(ofLeaf.map((signed) => verify(place, signed).status)).toEqual(ofLeaf.map(() => 0));
  });
});
