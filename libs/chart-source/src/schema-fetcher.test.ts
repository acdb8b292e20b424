import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createEgressPolicy } from "@landscaper/egress";
import { createSchemaFetcher, type FetchedSchema, type SchemaFetcherOptions } from "./schema-fetcher.ts";

let server: Server;
let port: number;
const asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    if (path === "/a.json") response.end('{"type": "object"}');
    else if (path === "/near") response.writeHead(302, { location: "/a.json" }).end();
    else if (path === "/far") response.writeHead(302, { location: `http://localhost:${port}/a.json` }).end();
    else if (path === "/large") response.end("x".repeat(6_000_000));
    else if (path === "/broken") response.writeHead(503).end();
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  port = (server.address() as AddressInfo).port; // it listens on a port
});
afterAll(() => void server.close());

async function fetchPath(path: string, options: Partial<SchemaFetcherOptions> = {}): Promise<FetchedSchema> {
  const fetcher = createSchemaFetcher({
    userAgent: "test",
    hosts: ["127.0.0.1"],
    setting: "hosts",
    advice: (host) => `allow ${host}`,
    ...options,
  });
  try {
    return await fetcher.fetch(`http://127.0.0.1:${port}${path}`, new AbortController().signal);
  } finally {
    await fetcher.close();
  }
}

describe("a fetcher of schemas", () => {
  it.each(["/a.json", "/near"])("gives the text behind %s", async (path) => {
    expect(await fetchPath(path)).toEqual({ text: '{"type": "object"}' });
  });

  it("asks no other hosts than those that are named, and says how to go on", async () => {
    asked.length = 0;
    const problem = "schemas of the host 127.0.0.1 are not loaded; allow 127.0.0.1";
    for (const hosts of [[], ["schemas.example"], ["127.0.0.1:1"]]) {
      expect(await fetchPath("/a.json", { hosts })).toEqual({ problem });
    }
    expect(asked).toEqual([]);
  });

  it("follows no redirect to another host", async () => {
    asked.length = 0;
    expect(await fetchPath("/far")).toEqual({
      problem: expect.stringMatching(
        /redirect 1 of http:\/\/127\.0\.0\.1:\d+: .*host localhost: is not among the hosts of schemas; allow that host as well$/,
      ),
    });
    expect(asked).toEqual(["/far"]);
  });

  it("keeps to the policy of the service", async () => {
    asked.length = 0;
    const egress = createEgressPolicy({ profile: "hardened", allowPlainHTTP: true });
    expect(await fetchPath("/a.json", { egress })).toEqual({
      problem: expect.stringMatching(/denied by the rule "loopback" of egress\.profile; ask the operator/),
    });
    expect(asked).toEqual([]);
  });

  it("tells what is final from what another try may help", async () => {
    expect(await fetchPath("/gone")).toEqual({
      problem: `HTTP request to http://127.0.0.1:${port}/gone returned status 404 (Not Found)`,
    });
    expect(await fetchPath("/large")).toEqual({
      problem: `http://127.0.0.1:${port}/large: more than the allowed 5242880 bytes`,
    });
    await expect(fetchPath("/broken")).rejects.toMatchObject({
      reason: "RegistryUnreachable",
      message: `http://127.0.0.1:${port}/broken: the schema's host answers 503 (Service Unavailable)`,
    });
  });

  it("wants hosts that can be read", () => {
    const options = { userAgent: "test", setting: "--hosts", advice: () => "" };
    expect(() => createSchemaFetcher({ ...options, hosts: ["https://a/b"] })).toThrow(
      '--hosts[0]: expected a host name, *.DOMAIN, an IP address or a CIDR, found "https://a/b"',
    );
  });
});
