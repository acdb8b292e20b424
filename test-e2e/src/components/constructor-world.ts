// The files and servers that constructor files of the cases name. All hosts are on loopback: both programs reach them through a proxy that knows no other host.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { packFiles } from "@landscaper/components";
import { writeLayout } from "@landscaper/components/testing";
import { createCertificateAuthority } from "@landscaper/local-cluster";
import { startTestRegistry, type TestRegistry } from "@landscaper/oci/testing";
import { startForwardProxy, type ForwardProxy } from "@landscaper/testkit";
import { header, type ConstructorCase } from "./constructor-cases.ts";

const command = join(import.meta.dirname, "../../../bin/landscaper");

export interface Outcome {
  readonly status: number | null;
  readonly output: string;
}

export interface ConstructorWorld {
  /** Returns the path of a file in the folder that all programs run in. */
  readonly file: (name: string) => string;
  readonly run: (program: string, words: readonly string[]) => Promise<Outcome>;
  /** Runs a subcommand of `landscaper component`. */
  readonly runOurs: (words: readonly string[]) => Promise<Outcome>;
  /** Writes the constructor file of a case, and returns its name. */
  readonly write: (one: ConstructorCase) => string;
  /** Variables of all constructor files: PORT of a server on 127.0.0.1 without TLS, for the programs' requests that use no proxy. */
  readonly variables: readonly string[];
  readonly stop: () => Promise<void>;
}

const files: Readonly<Record<string, string>> = {
  "notes.txt": "some notes\n",
  "tree/a.txt": "a",
  "tree/b.md": "b",
  "tree/inner/c.txt": "c",
  "chart/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
  "chart/values.yaml": "a: 1\n",
  "template.yaml": "name: (( values.NAME ))\n",
  "features.yaml": [
    "text: hello (( values.NAME )) !",
    'chosen: { <<if: (( values.NAME == "web" )), <<then: one, <<else: other }',
    'input: (( inputvalues || "none" ))',
    "",
  ].join("\n"),
  "values.yaml": "count: (( inputvalues.count ))\n",
  "chart.yaml": `${header}resources: [{ name: chart, type: helmChart, input: { type: helm, path: chart, repository: /charts/web } }]\n`,
};

/** Of the certificate of the server of files. */
const fileHosts = ["files.test", "api.github.com", "example.s3.here.amazonaws.com"];

/** Starts the servers. Without `hasRegistry`, the host registry.test does not exist. */
export async function startConstructorWorld({
  hasRegistry,
}: {
  readonly hasRegistry: boolean;
}): Promise<ConstructorWorld> {
  const folder = mkdtempSync(join(tmpdir(), "landscaper-constructors-"));
  const file = (name: string): string => join(folder, name);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(file(name)), { recursive: true });
    writeFileSync(file(name), text);
  }
  for (const architecture of ["amd64", "arm64"]) {
    writeLayout(file(`image-${architecture}`), [{ layer: architecture, architecture }]);
  }
  const authority = createCertificateAuthority("constructor-cases", Date.now);
  writeFileSync(file("ca.pem"), authority.cert);
  const stops: (() => Promise<void>)[] = [];
  let proxy: ForwardProxy | undefined;
  const run: ConstructorWorld["run"] = async (program, words) => {
    const environment = {
      PATH: process.env["PATH"],
      HOME: folder,
      HTTPS_PROXY: proxy?.url,
      SSL_CERT_FILE: file("ca.pem"),
      AWS_EC2_METADATA_DISABLED: "true",
    };
    return await runProgram(program, words, { cwd: folder, env: environment });
  };
  const runOurs: ConstructorWorld["runOurs"] = async ([subcommand = "", ...words]) =>
    await run(command, ["component", subcommand, ...words, "--ca-file", "ca.pem"]);
  let written = 0;
  const variables: string[] = [];
  const world: ConstructorWorld = {
    file,
    run,
    runOurs,
    variables,
    write: ({ text, isWhole = false }) => {
      written += 1;
      const name = `constructor-${written}.yaml`;
      writeFileSync(file(name), isWhole ? text : header + text);
      return name;
    },
    stop: async () => {
      for (const stop of stops.toReversed()) await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  const listen = async (server: Server): Promise<string> => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    stops.push(async () => await closeServer(server));
    const address = server.address();
    if (typeof address !== "object" || address === null) throw new Error("the server has no port");
    return String(address.port);
  };
  try {
    await expectSuccess(runOurs(["create", "--constructor", "chart.yaml", "--ctf", "chart.ctf"]));
    const archive = await packChart();
    writeFileSync(file("web-0.1.0.tgz"), archive);
    const listener: RequestListener = ({ url = "" }, response) => answer(url, response, archive);
    variables.push(`PORT=${await listen(createServer(listener))}`);
    const tls = authority.issue({ commonName: "files", hosts: fileHosts });
    const port = await listen(createTlsServer(tls, listener));
    const routes = Object.fromEntries(fileHosts.map((host) => [`${host}:443`, `127.0.0.1:${port}`]));
    let registry: TestRegistry | undefined;
    if (hasRegistry) {
      const hosts = ["registry.test", "127.0.0.1"];
      const started = await startTestRegistry({ tls: authority.issue({ commonName: "registry", hosts }) });
      stops.push(async () => await started.stop());
      routes["registry.test:443"] = started.host;
      registry = started;
    }
    const started = await startForwardProxy({ routes });
    stops.push(async () => await started.stop());
    proxy = started;
    if (registry !== undefined) {
      const words = ["push", "./chart.ctf//example.com/case", "registry.test", "--copy-resources"];
      await expectSuccess(runOurs(words));
    }
    return world;
  } catch (error) {
    await world.stop();
    throw error;
  }
}

/** Asynchronous, because this process serves the files. */
async function runProgram(
  program: string,
  words: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<Outcome> {
  return await new Promise((resolve, reject) => {
    const child = spawn(program, words, options);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (output += part.toString()));
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, output }));
  });
}

async function expectSuccess(running: Promise<Outcome>): Promise<void> {
  const { status, output } = await running;
  if (status !== 0) throw new Error(output);
}

/** Every machine packs the same bytes: they are not compressed. */
async function packChart(): Promise<Buffer> {
  const entries = ["Chart.yaml", "values.yaml"].map((name) => {
    const bytes = Buffer.from(files[`chart/${name}`] ?? "");
    return { name: `web/${name}`, size: bytes.length, content: () => streamOf(bytes) };
  });
  const parts: Uint8Array[] = [];
  for await (const part of packFiles(entries)) parts.push(part);
  return gzipSync(Buffer.concat(parts), { level: 0 });
}

async function* streamOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function answer(url: string, response: ServerResponse, archive: Buffer): void {
  if (url === "/index.yaml") {
    const entry = { apiVersion: "v2", name: "web", version: "0.1.0", urls: ["web-0.1.0.tgz"] };
    response.end(JSON.stringify({ apiVersion: "v1", entries: { web: [entry] } }));
  } else if (url === "/web-0.1.0.tgz") response.end(archive);
  else response.setHeader("content-type", "text/plain").end("content of the server");
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
