import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { describeUnless, programAbsence } from "@landscaper/testkit";
import { newFolder } from "@landscaper/components/testing";
import { startTestRegistry, type TestRegistry } from "@landscaper/oci/testing";
import { runProgram, type Outcome } from "../../test/program.ts";

const folder = newFolder();
const file = (name: string): string => join(folder, name);
const key = generateKeyPairSync("rsa", { modulusLength: 2048 });
/** Of the htpasswd line: the password "test". */
const htpasswd = "me:$2y$04$qOMDT2lnsRis1j8DNgx2meMkplsZIoO3JXs5d2ZfX0ZTwfq34Bx5S\n";

const constructor = `components:
  - name: example.com/part
    version: 1.0.0
    provider: { name: example.com }
    resources:
      - name: chart
        type: helmChart
        version: 0.1.0
        input: { type: helm, path: chart, repository: charts/web }
  - name: example.com/app
    version: 1.1.0+build.5
    provider: { name: example.com }
    resources:
      - name: blueprint
        type: landscaper.gardener.cloud/blueprint
        input: { type: dir, path: blueprint, compress: true, mediaType: application/vnd.gardener.landscaper.blueprint.v1+tar+gzip }
      - name: note
        type: plainText
        extraIdentity: { language: en }
        input: { type: utf8, text: hello }
      - name: note
        type: plainText
        extraIdentity: { language: de }
        input: { type: utf8, text: hallo }
    componentReferences:
      - { name: part, componentName: example.com/part, version: 1.0.0 }
`;

beforeAll(() => {
  mkdirSync(file("blueprint"));
  mkdirSync(file("chart/templates"), { recursive: true });
  writeFileSync(file("blueprint/blueprint.yaml"), "kind: Blueprint\n");
  writeFileSync(file("chart/Chart.yaml"), "apiVersion: v2\nname: web\nversion: 0.1.0\n");
  writeFileSync(file("chart/templates/web.yaml"), "kind: ConfigMap\napiVersion: v1\nmetadata: { name: web }\n");
  writeFileSync(file("constructor.yaml"), constructor);
  writeFileSync(file("key.pem"), key.privateKey.export({ type: "pkcs8", format: "pem" }));
  writeFileSync(file("public.pem"), key.publicKey.export({ type: "spki", format: "pem" }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = async (...words: string[]): Promise<Outcome> =>
  await runProgram(["component", ...words], { environment: { HOME: folder } });
const app = "example.com/app:1.1.0+build.5";
const part = "example.com/part:1.0.0";

async function create(name: string, ...words: string[]): Promise<string> {
  const ctf = file(name);
  const outcome = await run("create", "--constructor", file("constructor.yaml"), "--ctf", ctf, ...words);
  expect(outcome).toEqual({
    stdout: `created: component ${part}\ncreated: component ${app}\n`,
    stderr: "",
    exitCode: 0,
  });
  return ctf;
}

const sign = async (place: string, ...words: string[]): Promise<Outcome> =>
  await run("sign", place, "--signature", "release", "--private-key", file("key.pem"), ...words);
const verify = async (place: string): Promise<Outcome> =>
  await run("verify", place, "--signature", "release", "--public-key", file("public.pem"));
const verified = {
  stdout: [
    `verified: component ${app}`,
    `verified: component ${part}`,
    `verified: component ${app}: resource "blueprint"`,
    `verified: component ${app}: resource "note,language=en"`,
    `verified: component ${app}: resource "note,language=de"`,
    `verified: component ${part}: resource "chart"`,
    "",
  ].join("\n"),
  stderr: "",
  exitCode: 0,
};

describe("landscaper component create, sign, transfer and download", () => {
  it("makes, signs, copies and reads components without other tools", async () => {
    const ctf = await create("whole");
    expect(await sign(`${ctf}//example.com/app`)).toEqual({
      stdout: `signed: component ${app}: signature "release"\n`,
      stderr: "",
      exitCode: 0,
    });
    expect(await verify(`${ctf}//example.com/app`)).toEqual(verified);
    const copy = file("copy");
    expect(await run("transfer", `${ctf}//example.com/app`, copy, "--recursive")).toEqual({
      stdout: `copied: component ${part}\ncopied: component ${app}\n`,
      stderr: "",
      exitCode: 0,
    });
    expect((await run("transfer", `${ctf}//example.com/app`, copy, "--recursive")).stdout).toBe(
      `there already: component ${part}\nthere already: component ${app}\n`,
    );
    expect(await verify(`${copy}//example.com/app`)).toEqual(verified);

    const place = `${copy}//example.com/app`;
    const note = file("note.txt");
    expect(await run("download", place, "--resource", "note,language=de", "--output", note)).toEqual({
      stdout: `written: ${note}\n`,
      stderr: "",
      exitCode: 0,
    });
    expect(readFileSync(note, "utf8")).toBe("hallo");
    await run("download", place, "--resource", "blueprint", "-o", file("new/blueprint"), "--unpack");
    expect(readFileSync(file("new/blueprint/blueprint.yaml"), "utf8")).toBe("kind: Blueprint\n");
    await run("download", place, "--resource", "blueprint", "-o", file("blueprint.tgz"));
    expect(gunzipSync(readFileSync(file("blueprint.tgz"))).toString()).toContain("kind: Blueprint");
    await run("download", `${copy}//example.com/part`, "--resource", "chart", "-o", file("unpacked"), "--unpack");
    expect(readdirSync(file("unpacked/web"))).toEqual(["Chart.yaml", "templates"]);
  });

  it("gives the same files for the same input", async () => {
    const [one, other] = [await create("one"), await create("other")];
    expect(readdirSync(join(other, "blobs"))).toEqual(readdirSync(join(one, "blobs")));
    expect(readFileSync(join(other, "artifact-index.json"))).toEqual(readFileSync(join(one, "artifact-index.json")));
  });

  it.each([
    { words: ["create"], message: "--constructor: expected a constructor file", exitCode: 2 },
    {
      words: ["create", "--constructor", "F/gone", "--ctf", "x"],
      message: "--constructor: cannot read F/gone (ENOENT). Correct the path",
      exitCode: 2,
    },
    {
      words: ["sign", "CTF//example.com/app"],
      message: "--signature: expected the name of the signature",
      exitCode: 2,
    },
    {
      words: ["sign", "CTF//example.com/app", "--signature", "x", "--private-key", "F/public.pem"],
      message: `component ${app}: signature "x": private key: expected PEM with PRIVATE KEY or RSA PRIVATE KEY, found something else`,
      exitCode: 1,
    },
    {
      words: ["sign", "CTF//example.com/app", "--signature", "x", "--private-key", "F/key.pem", "--algorithm", "DSA"],
      message: '--algorithm: expected one of RSASSA-PKCS1-V1_5, RSASSA-PSS, found "DSA"',
      exitCode: 2,
    },
    {
      words: ["transfer", "CTF//example.com/app"],
      message: "expected REPOSITORY//COMPONENT[:VERSION] and REPOSITORY, found 1 arguments",
      exitCode: 2,
    },
    {
      words: ["push", "CTF//example.com/app", "F/elsewhere"],
      message: "F/elsewhere: expected a registry; transfer writes into files",
      exitCode: 1,
    },
    {
      words: ["download", "CTF//example.com/app", "--resource", "note", "-o", "F/x"],
      message: `component ${app}: expected one resource note, found 2; there are: note,language=en; note,language=de`,
      exitCode: 1,
    },
    {
      words: ["download", "CTF//example.com/app", "--resource", "none", "-o", "F/x"],
      message: `component ${app}: expected one resource none, found 0; there are: blueprint; note,language=en; note,language=de`,
      exitCode: 1,
    },
    {
      words: ["download", "CTF//example.com/app", "--resource", "note,en", "-o", "F/x"],
      message: '--resource: expected NAME[,key=value], found "note,en"',
      exitCode: 2,
    },
    {
      words: ["download", "CTF//example.com/app", "--resource", "blueprint", "-o", "F/key.pem"],
      message: "F/key.pem is there already; --overwrite replaces it",
      exitCode: 1,
    },
    {
      words: ["download", "CTF//example.com/app", "--resource", "blueprint", "-o", "F/blueprint", "--unpack"],
      message: "F/blueprint: expected a folder that is empty or not there",
      exitCode: 1,
    },
  ])("refuses $words", async ({ words, message, exitCode }) => {
    const ctf = await create("refusals", "--overwrite");
    const fill = (text: string): string =>
      text.replaceAll(/CTF|\bF\//g, (word) => (word === "CTF" ? ctf : `${folder}/`));
    expect(await run(...words.map(fill))).toEqual({ stdout: "", stderr: `error: ${fill(message)}\n`, exitCode });
  });
});

describeUnless(programAbsence("docker-registry"), describe)("landscaper component between registries and files", () => {
  let open: TestRegistry;
  let closed: TestRegistry;
  let logins: readonly string[];
  beforeAll(async () => {
    open = await startTestRegistry();
    closed = await startTestRegistry({ htpasswd });
    const auth = Buffer.from("me:test").toString("base64");
    writeFileSync(file("logins.json"), JSON.stringify({ auths: { [closed.host]: { auth } } }));
    logins = ["--registry-config", file("logins.json")];
  });
  afterAll(async () => {
    await open.stop();
    await closed.stop();
  });

  it("carries signed components with their artifacts from a registry through files into another one", async () => {
    const ctf = await create("air");
    await sign(`${ctf}//example.com/app`);
    const first = `http://${open.host}/team`;
    expect((await run("push", `${ctf}//example.com/app`, first, "--recursive", "--copy-resources")).stderr).toBe("");
    const chart = await run("get", `${first}//example.com/part`, "-o", "json");
    const reference = `http://${open.host}/team/example.com/part/charts/web:0.1.0@sha256:`;
    expect(chart.stdout).toContain(`"imageReference": "${reference}`);
    expect(await verify(`${first}//example.com/app`)).toEqual(verified);

    const carried = file("carried");
    await run("transfer", `${first}//example.com/app`, carried, "--recursive", "--copy-resources");
    expect((await run("get", `${carried}//example.com/part`)).stdout).toContain(
      "referenceName: example.com/part/charts/web:0.1.0\n",
    );
    expect(await verify(`${carried}//example.com/app`)).toEqual(verified);

    const second = `http://${closed.host}/mirror`;
    const refused = await run("push", `${carried}//example.com/app`, second);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("(401)") });
    const push = ["push", `${carried}//example.com/app`, second, "--recursive", "--copy-resources", ...logins];
    expect(await run(...push)).toEqual({
      stdout: `copied: component ${part}\ncopied: component ${app}\n`,
      stderr: "",
      exitCode: 0,
    });
    expect((await run(...push)).stdout).toBe(`there already: component ${part}\nthere already: component ${app}\n`);
    const place = `${second}//example.com/app`;
    const words = ["--signature", "release", "--public-key", file("public.pem"), ...logins];
    expect(await run("verify", place, ...words)).toEqual(verified);
    const download = ["download", `${second}//example.com/part`, "--resource", "chart", "-o", file("pulled")];
    await run(...download, "--unpack", ...logins);
    expect(readFileSync(file("pulled/web/Chart.yaml"), "utf8")).toContain("name: web");
  });

  it("copies artifacts later, too", async () => {
    const ctf = await create("later");
    const push = ["push", `${ctf}//example.com/part`, `http://${open.host}/later`];
    expect((await run(...push)).stdout).toBe(`copied: component ${part}\n`);
    expect((await run(...push)).stdout).toBe(`there already: component ${part}\n`);
    expect((await run(...push, "--copy-resources")).stdout).toBe(`copied: component ${part}\n`);
    expect((await run(...push, "--copy-resources")).stdout).toBe(`there already: component ${part}\n`);
  });

  it("keeps references that are relative to a registry valid", async () => {
    const place = `http://${open.host}/relative`;
    await run("push", `${await create("relative")}//example.com/part`, place, "--copy-resources");
    const access = "{ type: relativeOciReference, reference: example.com/part/charts/web:0.1.0 }";
    writeFileSync(
      file("relative.yaml"),
      `name: example.com/relative\nversion: 1.0.0\nprovider: x\nresources:\n- { name: chart, type: helmChart, version: 0.1.0, access: ${access} }\n`,
    );
    const ctf = file("relative-ctf");
    await run("create", "--constructor", file("relative.yaml"), "--ctf", ctf);
    await run("push", `${ctf}//example.com/relative`, place);
    const get = async (at: string): Promise<string> => (await run("get", `${at}//example.com/relative`)).stdout;
    expect(await get(place)).toContain("reference: example.com/part/charts/web:0.1.0\n");
    await run("transfer", `${place}//example.com/relative`, file("absolute"));
    const chart = "/relative/example.com/part/charts/web:0.1.0";
    expect(await get(file("absolute"))).toContain(`imageReference: http://${open.host}${chart}\n`);
    await run("transfer", `${place}//example.com/relative`, file("packed"), "--copy-resources");
    expect(await get(file("packed"))).toContain("referenceName: example.com/part/charts/web:0.1.0\n");
  });

  it("signs a component in a registry", async () => {
    const ctf = await create("unsigned");
    const place = `http://${open.host}/signed`;
    await run("push", `${ctf}//example.com/app`, place, "--recursive");
    expect(await sign(`${place}//example.com/app`)).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await verify(`${place}//example.com/app`)).toEqual(verified);
  });

  it("gives artifacts in a registry their digests when components are created, and finds a tag that moved", async () => {
    const ctf = await create("tagged");
    const place = `http://${open.host}/tagged`;
    await run("push", `${ctf}//example.com/part`, place, "--copy-resources");
    const image = `http://${open.host}/tagged/example.com/part/charts/web:0.1.0`;
    const access = `{ type: ociArtifact, imageReference: "${image}" }`;
    writeFileSync(
      file("external.yaml"),
      `name: example.com/external\nversion: 1.0.0\nprovider: x\nresources:\n- { name: chart, type: helmChart, version: 0.1.0, access: ${access} }\n`,
    );
    const target = file("external");
    await run("create", "--constructor", file("external.yaml"), "--ctf", target);
    expect((await run("get", `${target}//example.com/external`)).stdout).toContain(
      "normalisationAlgorithm: ociArtifactDigest/v1",
    );
    const other = await create("other-chart");
    writeFileSync(file("chart/values.yaml"), "changed: true\n");
    await create("other-chart", "--overwrite");
    await run("push", `${other}//example.com/part`, place, "--copy-resources", "--overwrite");
    rmSync(file("chart/values.yaml"));
    const copied = await run("transfer", `${target}//example.com/external`, file("external-copy"), "--copy-resources");
    expect(copied).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(
        /^error: component example.com\/external:1.0.0: resource "chart": digest mismatch: the descriptor has [0-9a-f]{64}, the content [0-9a-f]{64}\n$/,
      ),
    });
  });

  it("serves charts to landscaper helm", async () => {
    const ctf = await create("for-helm");
    await run("push", `${ctf}//example.com/part`, `http://${open.host}/helm`, "--copy-resources");
    const chart = `oci://${open.host}/helm/example.com/part/charts/web`;
    const outcome = await runProgram(["helm", "template", "web", chart, "--version", "0.1.0", "--plain-http"], {
      environment: { HOME: folder },
    });
    expect(outcome.stdout).toContain("# Source: web/templates/web.yaml\nkind: ConfigMap\n");
  });
});
