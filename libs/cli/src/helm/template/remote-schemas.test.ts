import { json, startScriptedApiServer, status, type ScriptedApiServer } from "@landscaper/testkit";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { type Outcome, runProgram } from "../../../test/program.ts";

let folder: string;
let server: ScriptedApiServer;
let host: string;
let before = 0;
/** By the test. */
const asked = (): string[] => server.requests.slice(before).map(({ path }) => path);

beforeAll(async () => {
  server = await startScriptedApiServer();
  server.setDefault((response, request) => {
    const schema = { definitions: { replicas: { type: "integer", maximum: 3 } } };
    return (request.path === "/replicas.json" ? json(schema) : status({ code: 404 }))(response, request);
  });
  host = new URL(server.url).host;
  folder = mkdtempSync(join(tmpdir(), "landscaper-schemas-"));
  mkdirSync(join(folder, "templates"));
  const schema = (path: string): object => ({ $ref: `http://${host}/${path}#/definitions/replicas` });
  const properties = { replicas: schema("replicas.json"), gone: schema("gone.json") };
  const files = {
    "Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n",
    "values.yaml": "a: 1\n",
    "values.schema.json": JSON.stringify({ properties }),
    "templates/a.yaml": "replicas: {{ .Values.replicas }}\n",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  before = server.requests.length;
});

async function template(...words: readonly string[]): Promise<Outcome> {
  return await runProgram(["helm", "template", "rel", folder, ...words]);
}

const prefix = "values don't meet the specifications of the schema(s) in the following chart(s):\nc:\n";
const failed = (problem: string): Outcome => ({ exitCode: 1, stdout: "", stderr: `Error: ${prefix}${problem}` });

describe("schemas of other hosts", () => {
  it("are refused, and the error says how to go on", async () => {
    const advice = `use --allow-remote-schemas 127.0.0.1 to fetch them, put them into values.schema.json, or use --skip-schema-validation`;
    const refused = failed(
      `failing loading "http://${host}/replicas.json": schemas of the host 127.0.0.1 are not loaded; ${advice}\n`,
    );
    expect(await template("--set", "replicas=2")).toEqual(refused);
    expect(await template("--set", "replicas=2", "--allow-remote-schemas", "schemas.example")).toEqual(refused);
    expect((await template("--set", "replicas=2", "--skip-schema-validation")).exitCode).toBe(0);
    expect(asked()).toEqual([]);
  });

  it("are fetched from the hosts that are named", async () => {
    const flags = ["--allow-remote-schemas", "schemas.example,127.0.0.1"];
    expect(await template("--set", "replicas=2", ...flags)).toEqual({
      exitCode: 0,
      stdout: "---\n# Source: c/templates/a.yaml\nreplicas: 2\n",
      stderr: "",
    });
    expect(await template("--set", "replicas=4", ...flags)).toEqual(
      failed("- at '/replicas': maximum: got 4, want 3\n\n"),
    );
    expect(asked()).toEqual(["/replicas.json", "/replicas.json"]);
    expect(await template("--set", "gone=1", ...flags)).toEqual(
      failed(
        `failing loading "http://${host}/gone.json": HTTP request to http://${host}/gone.json returned status 404 (Not Found)\n`,
      ),
    );
  });

  it("want a host that can be read", async () => {
    expect(await template("--allow-remote-schemas", "http://a/b")).toEqual({
      exitCode: 2,
      stdout: "",
      stderr:
        'error: --allow-remote-schemas[0]: expected a host name, *.DOMAIN, an IP address or a CIDR, found "http://a/b"\n',
    });
  });
});
