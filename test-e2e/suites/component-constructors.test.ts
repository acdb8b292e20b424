// Every type of input and access, built by our command and, where OCM_CLI names one, by the original's: both must make the same of a constructor file.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { openFileRepository, type ComponentVersion } from "@landscaper/components";
import { readBounded } from "@landscaper/oci";
import { startTestRegistry, type TestRegistry } from "@landscaper/oci/testing";
import { describeUnless, programAbsence } from "@landscaper/testkit";
import { comparableComponent } from "../src/components/comparable-component.ts";
import { readableContent } from "../src/components/readable-content.ts";
import { constructorCases, header, type ConstructorCase } from "../src/components/constructor-cases.ts";

const command = join(import.meta.dirname, "../../bin/landscaper");
const ocm = process.env["OCM_CLI"] ?? "";
const component = { name: "example.com/case", version: "1.0.0" };
const folder = mkdtempSync(join(tmpdir(), "landscaper-constructors-"));
const file = (name: string): string => join(folder, name);
const { signal } = new AbortController();
let server: Server;
let registry: TestRegistry | undefined;
let variables: readonly string[] = [];

interface Outcome {
  readonly status: number | null;
  readonly output: string;
}

/** Not in this thread: it serves the files. */
async function run(program: string, words: readonly string[]): Promise<Outcome> {
  return await new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd: folder, env: { ...process.env, HOME: folder } });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (output += part.toString()));
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, output }));
  });
}

beforeAll(async () => {
  mkdirSync(file("tree/inner"), { recursive: true });
  mkdirSync(file("chart"));
  const files = {
    "notes.txt": "some notes\n",
    "tree/a.txt": "a",
    "tree/b.md": "b",
    "tree/inner/c.txt": "c",
    "chart/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
    "chart/values.yaml": "a: 1\n",
    "template.yaml": "name: (( values.NAME ))\n",
    "values.yaml": "count: (( inputvalues.count ))\n",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(file(name), text);
  const chart = "chart.yaml";
  writeFileSync(
    file(chart),
    `${header}resources: [{ name: chart, type: helmChart, input: { type: helm, path: chart, repository: /charts/web } }]\n`,
  );
  await run(command, ["component", "create", "--constructor", chart, "--ctf", "chart.ctf"]);
  const archive = await firstLayer();
  server = createServer(({ url }, response) => {
    if (url === "/index.yaml") {
      const entry = { apiVersion: "v2", name: "web", version: "0.1.0", urls: ["web-0.1.0.tgz"] };
      response.end(JSON.stringify({ apiVersion: "v1", entries: { web: [entry] } }));
    } else if (url === "/web-0.1.0.tgz") response.end(archive);
    else response.setHeader("content-type", "text/plain").end("content of the server");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  if (programAbsence("docker-registry") === undefined) {
    registry = await startTestRegistry();
    const target = `http://${registry.host}`;
    await run(command, ["component", "push", "chart.ctf//example.com/case", target, "--copy-resources"]);
  }
  variables = [`SERVER=http://127.0.0.1:${port}`, `REGISTRY=${registry?.host ?? ""}`];
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await registry?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The packed chart. */
async function firstLayer(): Promise<Buffer> {
  const words = [
    "component",
    "download",
    "chart.ctf//example.com/case",
    "--resource",
    "chart",
    "-o",
    "unpacked",
    "--unpack",
  ];
  await run(command, words);
  await run("tar", ["-czf", "web-0.1.0.tgz", "-C", "unpacked", "web"]);
  return readFileSync(file("web-0.1.0.tgz"));
}

let made = 0;

function writeConstructor({ text, isWhole = false }: ConstructorCase): string {
  made += 1;
  const name = `constructor-${made}.yaml`;
  writeFileSync(file(name), isWhole ? text : header + text);
  return name;
}

async function build(one: ConstructorCase): Promise<{ readonly ctf: string; readonly constructor: string }> {
  const constructor = writeConstructor(one);
  const ctf = `ours-${made}`;
  const words = ["component", "create", "--constructor", constructor, "--ctf", ctf, ...variables, ...(one.words ?? [])];
  expect(await run(command, words)).toEqual({ status: 0, output: expect.stringMatching(/^(?:created: .*\n)+$/) });
  return { ctf, constructor };
}

async function readIn<T>(ctf: string, read: (found: ComponentVersion) => Promise<T>): Promise<T> {
  const repository = await openFileRepository(file(ctf));
  try {
    const found = await repository.find(component, { signal });
    if (found === undefined) throw new Error(`${ctf} has no component`);
    return await read(found);
  } finally {
    await repository.close();
  }
}

const missing = programAbsence("docker-registry");
const offline = constructorCases.filter(({ needs }) => needs === undefined);
const online = constructorCases.filter(({ needs }) => needs === "network");

async function checkOurs(one: ConstructorCase): Promise<void> {
  const { ctf } = await build(one);
  await readIn(ctf, async ({ descriptor, findLocal }) => {
    const [resource] = descriptor.resources;
    const isOfResource = ["access", "version", "digest"].some((field) => field in one.want);
    expect(isOfResource ? resource : descriptor).toMatchObject(one.want);
    if (one.content === undefined) return;
    const content = await findLocal(String(Reflect.get(resource?.access ?? {}, "localReference")));
    const bytes = await readBounded(content.stream({ signal }), { limit: 1_000_000, place: one.title });
    expect(await readableContent(Buffer.from(bytes))).toEqual(one.content);
  });
}

describe("component create builds", () => {
  it.each([...offline])("$title", checkOurs);
});
describeUnless(missing, describe)("component create builds, with servers on loopback,", () => {
  it.each([...online])("$title", checkOurs);
});

it("the comparison with ocm sees content that is not compressed", async () => {
  const contents: unknown[] = [];
  for (const provenance of ["one", "other"]) {
    writeFileSync(file("web-0.1.0.tgz.prov"), provenance);
    const { ctf } = await build({
      title: provenance,
      text: "resources: [{ name: one, type: blob, input: { type: helm, path: web-0.1.0.tgz } }]\n",
      want: {},
    });
    contents.push(await comparableComponent(file(ctf), component));
  }
  rmSync(file("web-0.1.0.tgz.prov"));
  expect(contents[0]).not.toEqual(contents[1]);
});

/** Compares the whole result: a failure shows the message of `ocm`. */
const succeeded = { status: 0, output: expect.any(String) as unknown };

async function compare(one: ConstructorCase): Promise<void> {
  const { ctf, constructor } = await build(one);
  const theirs = `theirs-${made}`;
  const words = [
    "add",
    "componentversions",
    "--create",
    "--file",
    theirs,
    constructor,
    ...variables,
    ...(one.words ?? []),
  ];
  expect(await run(ocm, words)).toEqual(succeeded);
  expect(await comparableComponent(file(ctf), component)).toEqual(await comparableComponent(file(theirs), component));
  const place = `${component.name}:${component.version}`;
  expect(await run(ocm, ["get", "componentversions", `${ctf}//${place}`])).toEqual(succeeded);
}

describeUnless(ocm === "" ? "OCM_CLI names no ocm command" : undefined, describe)(
  "ocm builds the same, and reads ours:",
  () => {
    it.each([...offline])("$title", compare);
    describeUnless(missing, describe)("with servers on loopback", () => {
      it.each([...online])("$title", compare);
    });
  },
);
