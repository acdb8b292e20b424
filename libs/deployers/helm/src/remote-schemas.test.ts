// Schemas of values on other hosts: the configuration of the deployer allows them.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { mapChart, useHelmBench } from "../test/helm-bench.ts";
import { rawChart } from "../test/index.ts";

const bench = useHelmBench({ schemaHosts: ["127.0.0.1"] });
let server: Server;
let port: number;
const hosts: (string | undefined)[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    hosts.push(request.headers.host);
    response.end('{"definitions": {"word": {"type": "string"}}}');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  port = (server.address() as AddressInfo).port; // it listens on a port
});
afterAll(() => void server?.close());

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
    expect(new Set(hosts)).toEqual(new Set([`127.0.0.1:${port}`]));
  });

  it("is refused elsewhere, and the error says how to go on", async () => {
    hosts.length = 0;
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
    expect(hosts).toEqual([]);
  });
});
