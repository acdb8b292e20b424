import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { createGunzip } from "node:zlib";
import { afterEach, describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import {
  bombs,
  byPath,
  drips,
  floods,
  largeIndex,
  largeList,
  liesAboutLength,
  neverAnswers,
  redirects,
} from "../../hostile/answers.ts";
import type { Answer, HostileServer } from "../../hostile/hostile-server.ts";
import { startBlackHole, startHostileServer } from "../../hostile/hostile-server.ts";

let server: HostileServer | undefined;
afterEach(async () => server?.stop());

async function ask(answer: Answer, path = "/"): Promise<{ response: IncomingMessage; server: HostileServer }> {
  server = await startHostileServer({ answer, tls: false });
  const request = get(`${server.url}${path}`, { agent: false });
  request.on("error", () => undefined);
  const [response] = (await once(request, "response")) as [IncomingMessage]; // the event's only argument
  response.on("error", () => undefined);
  return { response, server };
}

async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array)); // a stream without encoding yields bytes
  return Buffer.concat(chunks).toString();
}

describe("a hostile server", () => {
  it("floods: a whole JSON text of the size that was asked for", async () => {
    const { response } = await ask(floods(largeList(3_000_000)));
    const text = await textOf(response);
    expect(text.length).toBeGreaterThanOrEqual(3_000_000);
    expect(text.length).toBeLessThan(3_300_000);
    const list = JSON.parse(text) as { items: { metadata: { name: string } }[] };
    expect(list.items[1]?.metadata.name).toBe("map-1");
  });

  it("floods: the index of a chart repository", async () => {
    const { response } = await ask(floods(largeIndex(20_000), { contentType: "text/yaml" }));
    const { entries } = parse(await textOf(response)) as { entries: Record<string, { version: string }[]> };
    expect(entries["chart-3"]?.[0]?.version).toBe("1.0.0");
    expect(response.headers["content-type"]).toBe("text/yaml");
  });

  it("floods no further when the client leaves, and makes nothing in advance", async () => {
    const { response, server } = await ask(floods({ bytes: 1.5 * 2 ** 30 }));
    await once(response, "readable");
    response.destroy();
    await new Promise((resolve) => response.once("close", resolve));
    expect(server.sentBytes).toBeLessThan(100 * 2 ** 20);
  });

  it("bombs: sends a thousandth of what comes out", async () => {
    const { response } = await ask(bombs({ bytes: 8 * 2 ** 20, opening: "[", closing: "]" }));
    expect(response.headers["content-encoding"]).toBe("gzip");
    let sent = 0;
    response.on("data", (chunk: Buffer) => (sent += chunk.length));
    expect(JSON.parse(await textOf(response.pipe(createGunzip())))).toEqual([]);
    expect(sent).toBeLessThan(20_000);
  });

  it("lies about the length and keeps the connection", async () => {
    const { response, server } = await ask(liesAboutLength(1000, "{}"));
    expect(response.headers["content-length"]).toBe("1000");
    await once(response, "readable");
    expect(String(response.read())).toBe("{}");
    expect(server.connections).toBe(1);
  });

  it("drips one byte after the other", async () => {
    const { response } = await ask(drips(1));
    let bytes = 0;
    for await (const chunk of response) {
      bytes += (chunk as Uint8Array).length; // a stream without encoding yields bytes
      if (bytes >= 3) break;
    }
    expect(bytes).toBeGreaterThanOrEqual(3);
  });

  it("redirects, and answers by path", async () => {
    const { response, server } = await ask(
      byPath({ "/api": redirects((path) => `http://127.0.0.1:1${path}`) }),
      "/api/v1?x=1",
    );
    expect([response.statusCode, response.headers.location]).toEqual([307, "http://127.0.0.1:1/api/v1?x=1"]);
    expect(server.requests).toEqual(["GET /api/v1?x=1"]);
  });

  it("never answers, and stops all the same", async () => {
    server = await startHostileServer({ answer: neverAnswers });
    expect(server.kubeconfig).toContain(server.url);
    await server.stop();
    server = await startBlackHole();
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    await once(socket, "connect");
    const closed = once(socket, "close");
    await server.stop();
    await closed;
    expect(server.mostConnections).toBe(1);
  });
});
