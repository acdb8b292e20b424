// Schemas of values on other hosts: the configuration of the deployer allows them.
import { json, startScriptedApiServer, type ScriptedApiServer } from "@landscaper/testkit";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { mapChart, useHelmBench } from "../test/helm-bench.ts";
import { rawChart } from "../test/index.ts";

const bench = useHelmBench({ schemaHosts: ["127.0.0.1"] });
let server: ScriptedApiServer;
let port: string;
beforeAll(async () => {
  server = await startScriptedApiServer();
  ({ port } = new URL(server.url));
  server.setDefault(json({ definitions: { word: { type: "string" } } }));
});
afterAll(() => server.close());

async function chartWithSchema(host: string): Promise<object> {
  const schema = { properties: { key: { $ref: `http://${host}:${port}/words.json#/definitions/word` } } };
  return await rawChart({ ...mapChart, "values.schema.json": JSON.stringify(schema) });
}

describe("a schema on another host", () => {
  it("is fetched where remoteSchemas.hosts names the host", async () => {
    const chart = await chartWithSchema("127.0.0.1");
    const refused = await bench.deploy({ chart, values: { key: 1 } });
    expect(refused.status).toMatchObject({
      phase: "Failed",
      lastError: { reason: "InvalidChart", message: expect.stringContaining("at '/key': got number, want string") },
    });
    const done = await bench.redeploy({ chart, values: { key: "text" } });
    expect([done.status?.phase, (await bench.data())?.["key"]]).toEqual(["Succeeded", "text"]);
    expect(new Set(server.requests.map(({ headers }) => headers.host))).toEqual(new Set([`127.0.0.1:${port}`]));
  });

  it("is refused elsewhere, and the error says how to go on", async () => {
    const before = server.requests.length;
    const done = await bench.deploy({ chart: await chartWithSchema("localhost"), values: { key: "text" } });
    const advice =
      "ask the operator for localhost in remoteSchemas.hosts of the deployer, put them into values.schema.json, or set skipSchemaValidation";
    expect(done.status).toMatchObject({
      phase: "Failed",
      lastError: {
        reason: "InvalidChart",
        message: expect.stringContaining(
          `failing loading "http://localhost:${port}/words.json": schemas of the host localhost are not loaded; ${advice}`,
        ),
      },
    });
    expect(server.requests.slice(before)).toEqual([]);
  });
});
