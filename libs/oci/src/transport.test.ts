import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { readBounded } from "./content/read-bounded.ts";
import { createTransport, type Transport, type TransportRequest } from "./transport.ts";

let server: Server;
let transport: Transport;
let url: URL;
/** Whether the server sends the head of an answer, and then a byte from time to time. */
let dripping: boolean;

beforeEach(async () => {
  server = createServer((_request, response) => {
    if (!dripping) return;
    response.writeHead(200);
    const timer = setInterval(() => response.write(" "), 20);
    response.once("close", () => clearInterval(timer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  url = new URL(`http://127.0.0.1:${port}/index.yaml`);
  transport = createTransport({ userAgent: "test", totalTimeoutMs: 200 });
});
afterEach(async () => {
  await transport.close();
  server.closeAllConnections();
  server.close();
});

describe("the time limit of a whole request", () => {
  const { signal } = new AbortController();
  const message = (): string => `${url.href}: no complete answer within 0.2 s`;

  it("ends one whose answer does not begin", async () => {
    dripping = false;
    await expect(transport.send({ method: "GET", url, signal })).rejects.toThrow(message());
  });

  it("ends one whose answer comes a byte at a time", async () => {
    dripping = true;
    const { body } = await transport.send({ method: "GET", url, signal });
    await expect(readBounded(body, { limit: 1_000_000, place: url.href })).rejects.toMatchObject({
      message: message(),
      reason: "RegistryUnreachable",
      host: url.host,
    });
  });
});

describe("an answer that comes a byte at a time", () => {
  beforeEach(() => {
    dripping = true;
  });

  it("to a POST ends within the time limit of a whole request", async () => {
    const request = { method: "POST", url, body: "grant_type=refresh_token" } as const;
    const { body } = await transport.send({ ...request, signal: new AbortController().signal });
    await expect(readBounded(body, { limit: 1_000_000, place: url.href })).rejects.toThrow(
      `${url.href}: no complete answer within 0.2 s`,
    );
  });

  it.each(["GET", "POST", "PUT", "PATCH"] as const)(
    "to a %s is seen, and ends when the limit of all requests is reached",
    async (method) => {
      const limit = new AbortController();
      const seen: (string | number)[] = [];
      let total = 0;
      const watched = createTransport({
        userAgent: "test",
        limit: limit.signal,
        watch: {
          begin: (place) => {
            seen.push(place);
            return {
              moved: (bytes) => {
                total += bytes;
                if (total > 3) limit.abort(new Error("enough"));
              },
              end: () => void seen.push("end"),
            };
          },
        },
      });
      try {
        const asked = new URL("?token=secret", url);
        const { body } = await watched.send({ method, url: asked, signal: new AbortController().signal });
        await expect(readBounded(body, { limit: 1_000_000, place: url.href })).rejects.toThrow("enough");
        expect(seen).toEqual([url.href, "end"]);
      } finally {
        await watched.close();
      }
    },
  );
});

describe("an answer that is packed", () => {
  it("stays as small as it was sent: no server can make it large", async () => {
    const packed = gzipSync(Buffer.alloc(10 * 1024 * 1024), { level: 9 });
    const accepted: unknown[] = [];
    server.removeAllListeners("request");
    server.on("request", (request, response) => {
      accepted.push(request.headers["accept-encoding"]);
      response.writeHead(200, { "content-encoding": "gzip" }).end(packed);
    });
    const { body } = await transport.send({ method: "GET", url, signal: new AbortController().signal });
    expect(Buffer.compare(await readBounded(body, { limit: packed.length, place: url.href }), packed)).toBe(0);
    expect(accepted).toEqual([undefined]);
  });
});

describe("a redirect", () => {
  const { signal } = new AbortController();
  let other: Server;
  /** Values of the header x-key, by path. */
  let seen: Record<string, unknown>;

  beforeEach(async () => {
    seen = {};
    other = createServer((request, response) => {
      seen[`other ${request.url}`] = request.headers["x-key"];
      response.end("other");
    });
    other.listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo; // It listens on TCP.
    server.removeAllListeners("request");
    server.on("request", (request, response) => {
      seen[request.url ?? ""] = request.headers["x-key"];
      const locations: Record<string, string> = { "/away": `http://127.0.0.1:${port}/file`, "/here": "/file" };
      const location = locations[request.url ?? ""];
      if (location === undefined) response.end("own");
      else response.writeHead(302, { location }).end("moved");
    });
  });
  afterEach(() => {
    other.closeAllConnections();
    other.close();
  });

  const fetchText = async (path: string, more: Partial<TransportRequest> = {}) => {
    const request = { method: "GET", url: new URL(path, url), headers: { "X-Key": "open-sesame" } } as const;
    const { status, body } = await transport.send({ ...request, signal, secretHeaders: ["x-key"], ...more });
    return { status, text: Buffer.from(await readBounded(body, { limit: 1_000, place: path })).toString() };
  };

  it("is followed by default, and is the answer without followsRedirects", async () => {
    expect(await fetchText("/here")).toEqual({ status: 200, text: "own" });
    expect(await fetchText("/away", { followsRedirects: false })).toEqual({ status: 302, text: "moved" });
    expect(seen).not.toHaveProperty("other /file");
  });

  it("leads secretHeaders to the same origin only", async () => {
    await fetchText("/here");
    expect(await fetchText("/away")).toEqual({ status: 200, text: "other" });
    expect(seen).toEqual({
      "/here": "open-sesame",
      "/file": "open-sesame",
      "/away": "open-sesame",
      "other /file": undefined,
    });
  });

  it("leads other headers to another origin", async () => {
    await fetchText("/away", { secretHeaders: [] });
    expect(seen["other /file"]).toBe("open-sesame");
  });
});

describe("secretHeaders", () => {
  it("are redacted in messages", async () => {
    const send = async (secretHeaders: readonly string[]): Promise<unknown> => {
      const headers = { "x-key": "open-sesame" };
      const request = { method: "GET", url: new URL("/open-sesame", url), headers, secretHeaders } as const;
      dripping = false;
      return await transport.send({ ...request, signal: new AbortController().signal }).catch((error: Error) => error);
    };
    expect(String(await send([]))).toContain("open-sesame");
    expect(String(await send(["x-key"]))).not.toContain("open-sesame");
  });
});
