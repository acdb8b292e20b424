import { generateKeyPairSync, sign } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { describeUnless, programAbsence } from "@landscaper/testkit";
import {
  artifactOf,
  descriptorOf,
  digest,
  newFolder,
  pushArtifact,
  tarOf,
  writeTransport,
  type TestArtifact,
} from "@landscaper/components/testing";
import { createRegistryClient } from "@landscaper/oci";
import { startScriptedRegistry, startTestRegistry, type TestRegistry } from "@landscaper/oci/testing";
import { hashOf, normalise, parseDescriptor } from "@landscaper/ocm";
import { runProgram } from "../../test/program.ts";

const app = { name: "example.com/app", version: "1.1.0+build.5", resources: { text: "hello" } };
const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

function signedDescriptor(): object {
  const document = descriptorOf(app);
  const text = normalise(parseDescriptor(document, "test"), "jsonNormalisation/v3");
  const signedDigest = {
    hashAlgorithm: "SHA-256",
    normalisationAlgorithm: "jsonNormalisation/v3",
    value: hashOf(text, "SHA-256", "test"),
  };
  const signature = {
    algorithm: "RSASSA-PKCS1-V1_5",
    mediaType: "application/vnd.ocm.signature.rsa",
    value: sign("sha256", Buffer.from(text), privateKey).toString("hex"),
  };
  return { ...document, signatures: [{ name: "release", digest: signedDigest, signature }] };
}

const folder = newFolder();
const ctf = join(folder, "ctf");
const key = join(folder, "key.pem");
let artifact: TestArtifact;
beforeAll(async () => {
  artifact = await artifactOf(app, { descriptor: signedDescriptor() });
  writeTransport(ctf, [
    artifact,
    await artifactOf({ name: "example.com/part", version: "1.0.0" }),
    await artifactOf({ name: "example.com/part", version: "2.0.0" }),
  ]);
  writeFileSync(key, publicKey.export({ type: "spki", format: "pem" }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = async (...words: string[]) => await runProgram(["component", ...words], { environment: { HOME: folder } });

describe("landscaper component", () => {
  it("lists components and versions", async () => {
    expect((await run("list", ctf)).stdout).toBe("example.com/app\nexample.com/part\n");
    expect((await run("list", `${ctf}//example.com/part`)).stdout).toBe("1.0.0\n2.0.0\n");
  });

  it("prints descriptors, in either schema, as YAML or JSON", async () => {
    const yaml = await run("get", `${ctf}//example.com/app`);
    expect(yaml.stdout).toContain("meta:\n  schemaVersion: v2\n");
    const json = await run("get", `${ctf}//example.com/app:1.1.0+build.5`, "-o", "json", "--schema", "v3alpha1");
    expect(JSON.parse(json.stdout)).toMatchObject({
      apiVersion: "ocm.software/v3alpha1",
      metadata: { version: app.version },
    });
  });

  it("lists resources", async () => {
    expect((await run("resources", `${ctf}//example.com/app`)).stdout).toBe(
      "NAME  VERSION        TYPE       RELATION  ACCESS\ntext  1.1.0+build.5  plainText  local     localBlob\n",
    );
  });

  it("names component and resource of content that is damaged", async () => {
    const damaged = join(folder, "damaged");
    writeTransport(damaged, [artifact]);
    const file = join(damaged, "blobs", digest("hello").replace(":", "."));
    writeFileSync(file, "hellO");
    const problem = `component example.com/app:1.1.0+build.5: resource "text": ${file}: expected digest ${digest("hello")}, found ${digest("hellO")}`;
    const verified = await run("verify", `${damaged}//example.com/app`, "--signature", "release", "--public-key", key);
    const target = join(folder, "text");
    const downloaded = await run("download", `${damaged}//example.com/app`, "--resource", "text", "-o", target);
    for (const { exitCode, stderr } of [verified, downloaded])
      expect([exitCode, stderr]).toEqual([1, `error: ${problem}\n`]);
  });

  it("names a path that is both a file and a folder of an archive, and leaves no files behind", async () => {
    const content = await tarOf({ name: "x", content: "1" }, { name: "x/y", content: "2" });
    const place = join(folder, "colliding");
    mkdirSync(place);
    writeTransport(place, [await artifactOf({ ...app, resources: { files: { content } } })]);
    const output = join(folder, "unpacked/colliding");
    const words = [`${place}//example.com/app`, "--resource", "files", "-o", output, "--unpack"];
    expect(await run("download", ...words)).toEqual({
      stdout: "",
      stderr:
        'error: component example.com/app:1.1.0+build.5: resource "files": "x/y": expected a folder at "x", found a file\n',
      exitCode: 1,
    });
    expect(readdirSync(join(folder, "unpacked"))).toEqual([]);
  });

  it("names the folder that it cannot create", async () => {
    const output = join(key, "text");
    expect(await run("download", `${ctf}//example.com/app`, "--resource", "text", "-o", output)).toEqual({
      stdout: "",
      stderr: `error: cannot create the folder ${key}: a file or a broken link is in the way\nchoose a folder that you may write to\n`,
      exitCode: 1,
    });
  });

  it("verifies a signature", async () => {
    expect(await run("verify", `${ctf}//example.com/app`, "--signature", "release", "--public-key", key)).toEqual({
      stdout:
        'verified: component example.com/app:1.1.0+build.5\nverified: component example.com/app:1.1.0+build.5: resource "text"\n',
      stderr: "",
      exitCode: 0,
    });
  });

  it("reads a chart that lies in a Helm repository", async () => {
    const archive = "packed chart";
    const server = await startScriptedRegistry(({ url }, response) => {
      const entries = { web: [{ version: "1.0.0", urls: ["web.tgz"] }] };
      response.end(url === "/index.yaml" ? JSON.stringify({ apiVersion: "v1", entries }) : archive);
    });
    try {
      const access = { type: "helm", helmRepository: server.origin, helmChart: "web:1.0.0" };
      const place = join(folder, "with-chart");
      const component = { ...app, resources: { chart: { content: "", mediaType: "", type: "helmChart", access } } };
      mkdirSync(place);
      writeTransport(place, [await artifactOf(component)]);
      const output = join(folder, "web.tgz");
      const done = await run("download", `${place}//example.com/app`, "--resource", "chart", "--output", output);
      expect([done.stderr, done.exitCode]).toEqual(["", 0]);
      expect(readFileSync(output, "utf8")).toBe(archive);
    } finally {
      await server.stop();
    }
  });

  it("says what of a signature does not hold", async () => {
    const other = join(folder, "other.pem");
    writeFileSync(
      other,
      generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ type: "spki", format: "pem" }),
    );
    expect(await run("verify", `${ctf}//example.com/app`, "--signature", "release", "--public-key", other)).toEqual({
      stdout: "",
      stderr:
        'error: component example.com/app:1.1.0+build.5: signature "release": the signature is not of the given key\n',
      exitCode: 1,
    });
  });

  it.each([
    { words: ["get"], message: "expected REPOSITORY//COMPONENT:VERSION", exitCode: 2 },
    { words: ["list"], message: "expected REPOSITORY or REPOSITORY//COMPONENT", exitCode: 2 },
    {
      words: ["get", "x"],
      message: '"x": expected REPOSITORY//COMPONENT[:VERSION], such as registry.example/team//example.com/app:1.0.0',
      exitCode: 1,
    },
    { words: ["get", "CTF//example.com/none"], message: "CTF: there is no component example.com/none", exitCode: 1 },
    { words: ["get", "CTF//example.com/app:9"], message: "CTF: there is no component example.com/app:9", exitCode: 1 },
    {
      words: ["get", "CTF//example.com/part"],
      message: "example.com/part: expected a version, one of 1.0.0, 2.0.0",
      exitCode: 1,
    },
    { words: ["list", "CTF//example.com/none"], message: "CTF: there is no component example.com/none", exitCode: 1 },
    {
      words: ["get", "CTF//example.com/app", "-o", "xml"],
      message: '-o: expected yaml or json, found "xml"',
      exitCode: 2,
    },
    {
      words: ["get", "CTF//example.com/app", "--schema", "v4"],
      message: '--schema: expected v2 or v3alpha1, found "v4"',
      exitCode: 2,
    },
    {
      words: ["verify", "CTF//example.com/app"],
      message: "--signature: expected the name of a signature",
      exitCode: 2,
    },
    {
      words: ["verify", "CTF//example.com/app", "--signature", "release"],
      message: "expected --public-key FILE or --ca FILE: what the signature is trusted by",
      exitCode: 2,
    },
    {
      words: ["verify", "CTF//example.com/app", "--signature", "release", "--ca", "/nothing"],
      message: "--ca: cannot read /nothing (ENOENT). Correct the path",
      exitCode: 2,
    },
    {
      words: ["list", "registry.example/team"],
      message:
        "registry.example/team: a registry does not list its components; name one: registry.example/team//COMPONENT",
      exitCode: 1,
    },
    { words: ["list", "./nothing"], message: "./nothing: there is no such file or folder", exitCode: 1 },
  ])("refuses $words", async ({ words, message, exitCode }) => {
    const outcome = await run(...words.map((word) => word.replace("CTF", ctf)));
    expect(outcome).toEqual({ stdout: "", stderr: `error: ${message.replace("CTF", ctf)}\n`, exitCode });
  });
});

describeUnless(programAbsence("docker-registry"), describe)("landscaper component on a registry", () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await startTestRegistry();
    const client = createRegistryClient({ userAgent: "test" });
    const session = client.session([]);
    await pushArtifact(artifact, { baseUrl: `http://${registry.host}/team`, session });
    await client.close();
  });
  afterAll(async () => registry.stop());

  it("reads and verifies a component, below a path", async () => {
    const place = `http://${registry.host}/team//example.com/app`;
    expect((await run("list", place)).stdout).toBe("1.1.0+build.5\n");
    expect((await run("get", place)).stdout).toContain("name: example.com/app");
    expect(await run("verify", place, "--signature", "release", "--public-key", key)).toMatchObject({ exitCode: 0 });
  });

  it("says what is not there", async () => {
    const place = `http://${registry.host}/other`;
    expect(await run("get", `${place}//example.com/app`)).toEqual({
      stdout: "",
      stderr: `error: ${place}: there is no component example.com/app\n`,
      exitCode: 1,
    });
  });
});
