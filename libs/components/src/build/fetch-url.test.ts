import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createHttpTransport, readBounded } from "@landscaper/oci";
import { startScriptedRegistry, type ScriptedRegistry } from "@landscaper/oci/testing";
import type { WgetInput } from "@landscaper/ocm";
import { createUrlFetcher, mediaTypeOfUrl } from "./fetch-url.ts";

const { signal } = new AbortController();
const transport = createHttpTransport({ userAgent: "test", retries: 0 });
let server: ScriptedRegistry;
let other: ScriptedRegistry;
/** What the other host has seen of headers. */
const seen: (string | undefined)[] = [];

beforeAll(async () => {
  other = await startScriptedRegistry((request, response) => {
    seen.push(response.req.headers["private-token"]?.toString(), request.authorization);
    response.end("from the other host");
  });
  server = await startScriptedRegistry(({ method, url, body }, response) => {
    if (url === "/moved") response.writeHead(302, { location: `${other.origin}/file` }).end();
    else if (url === "/gone") response.writeHead(404).end();
    else if (url === "/large") response.end("x".repeat(100));
    else {
      const token = response.req.headers["private-token"]?.toString() ?? "";
      response.writeHead(200, url === "/typed" ? { "content-type": "Text/Plain; charset=utf-8" } : {});
      response.end(`${method} ${body}${token}`);
    }
  });
});
afterAll(async () => {
  await transport.close();
  await server.stop();
  await other.stop();
});

async function fetch(input: Partial<WgetInput>, limit = 50): Promise<{ mediaType: string | undefined; text: string }> {
  const fetchUrl = createUrlFetcher(transport, limit);
  const url = `${server.origin}${input.url ?? "/"}`;
  const { mediaType, stream } = await fetchUrl({ type: "wget", ...input, url }, { where: "input", signal });
  const bytes = await readBounded(stream, { limit: 1000, place: "" });
  return { mediaType, text: Buffer.from(bytes).toString() };
}

describe("the URL of an input", () => {
  it("is fetched with method, body and headers; its type is that of the answer", async () => {
    expect(await fetch({ url: "/typed" })).toEqual({ mediaType: "text/plain", text: "GET " });
    const body = Buffer.from("question").toString("base64");
    const header = { "Private-Token": ["a", "b"] };
    expect(await fetch({ verb: "post", body, header })).toEqual({ mediaType: undefined, text: "POST questiona, b" });
  });

  it("is fetched from where it redirects to; another host gets no headers of the input", async () => {
    seen.length = 0;
    const header = { "Private-Token": ["secret"], Authorization: ["Bearer secret"] };
    expect((await fetch({ url: "/moved", header })).text).toBe("from the other host");
    expect(seen).toEqual([undefined, undefined]);
  });

  it.each<[Partial<WgetInput>, string]>([
    [{ url: "/moved", noredirect: true }, "input: SERVER/moved: found a redirect, and noredirect is set"],
    [
      { url: "/moved", verb: "POST" },
      "input: SERVER/moved: found a redirect, and only redirects of GET and HEAD are followed",
    ],
    [{ url: "/gone" }, "SERVER/gone: not found (404)"],
    [{ url: "/large" }, "input: SERVER/large: more than the allowed 50 bytes"],
    [{ verb: "DELETE" }, 'input: verb: expected one of GET, HEAD, PATCH, POST, PUT, found "DELETE"'],
    [
      { header: { "a b": ["x"] } },
      'input: header: "a b": expected the name of an HTTP header. Use letters, digits and -.',
    ],
    [{ header: { Host: ["x"] } }, 'input: header: "Host": the command sets this header. Remove it.'],
    [
      { header: { "X-Token": ["one", "two\n"] } },
      'input: header: "X-Token": expected a value in one line of Latin-1 characters. Remove the others.',
    ],
    [{ body: "?" }, 'input: body: expected base64 text. Encode the content, for example with "base64 -w0".'],
  ])("of %j is refused", async (input, message) => {
    await expect(fetch(input)).rejects.toThrow(new Error(message.replace("SERVER", server.origin)));
  });

  it.each([
    ["ftp://example.com/x", 'input: url: expected a URL with https:// or http://, found "ftp:"'],
    [
      "https://me:secret@example.com/x",
      "input: url: expected a URL without user and password, found one with them. Remove them, and use a header named Authorization.",
    ],
    ["x y", "input: url: expected a URL with https:// or http://, found text that is not a URL"],
  ])("%s is refused before anything is sent", async (url, message) => {
    const fetchUrl = createUrlFetcher(transport);
    await expect(fetchUrl({ type: "wget", url }, { where: "input", signal })).rejects.toThrow(new Error(message));
  });
});

it.each([
  ["https://example.com/a.tar.gz?x=1", "application/gzip"],
  ["https://example.com/a.YAML", "application/yaml"],
  ["https://example.com/a.constructor", undefined],
  ["https://example.com/", undefined],
])("the media type by the extension of %s is %s", (url, mediaType) => {
  expect(mediaTypeOfUrl(new URL(url))).toBe(mediaType);
});
