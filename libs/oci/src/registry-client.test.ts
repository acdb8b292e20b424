import { describe, expect, it } from "@jest/globals";
import { mediaTypes } from "./content/descriptor.ts";
import { digestOf } from "./content/digest.ts";
import { parseReference } from "./reference.ts";
import { startScriptedRegistry, type ScriptedRegistry } from "../test/scripted-registry.ts";
import {
  useRegistryFixture,
  signal,
  manifest,
  script,
  open,
  login,
  sendManifest,
  failure,
} from "../test/registry-fixture.ts";

useRegistryFixture();

const manifestDigest = digestOf(manifest);

describe("content", () => {
  it.each([
    ["other bytes", Buffer.from("abd"), "expected digest sha256:"],
    ["fewer bytes", Buffer.from("ab"), "expected 3 bytes, found 2"],
    ["more bytes", Buffer.from("abcd"), "expected 3 bytes, found more"],
  ])("refuses a blob of %s", async (_what, bytes, problem) => {
    const registry = await script((_request, response) => response.end(bytes));
    const blob = { mediaType: "x", digest: digestOf(Buffer.from("abc")), size: 3 };
    const error = await failure(open().fetchBlob(parseReference(`${registry.origin}/app`), blob, { signal }));
    expect([error.reason, error.message]).toEqual(["DigestMismatch", expect.stringContaining(problem)]);
    expect(error.message).toContain(`${registry.host}/app@${blob.digest}`);
  });

  it("does not start to fetch a blob that is too large", async () => {
    const registry = await script((_request, response) => response.end());
    const blob = { mediaType: "x", digest: manifestDigest, size: 11 };
    const session = open([], { limits: { blobBytes: 10 } });
    const error = await failure(session.fetchBlob(parseReference(`${registry.origin}/app`), blob, { signal }));
    expect([error.reason, error.retry, registry.requests.length]).toEqual(["ContentTooLarge", "never", 0]);
  });

  it("refuses a manifest that is too large while it comes", async () => {
    const registry = await script((_request, response) => response.end(Buffer.alloc(2000)));
    const session = open([], { limits: { manifestBytes: 1000 } });
    const error = await failure(session.fetchManifest(parseReference(`${registry.origin}/app`), { signal }));
    expect(error.message).toBe(`${registry.host}/app: more than the allowed 1000 bytes`);
  });

  it("refuses a manifest that is not what the reference names", async () => {
    const registry = await script((_request, response) => sendManifest(response, Buffer.from("{}")));
    const reference = parseReference(`${registry.origin}/app:1@${manifestDigest}`);
    for (const work of [open().fetchManifest(reference, { signal }), open().resolve(reference, { signal })]) {
      expect(await failure(work)).toMatchObject({
        reason: "DigestMismatch",
        message: expect.stringContaining(`expected digest ${manifestDigest}, found ${digestOf(Buffer.from("{}"))}`),
      });
    }
    expect(registry.requests[0]?.url).toBe(`/v2/app/manifests/${manifestDigest}`);
  });

  it("resolves without HEAD where the registry does not say the digest", async () => {
    const registry = await script(({ method }, response) => {
      if (method === "HEAD") response.writeHead(200).end();
      else response.writeHead(200, { "content-type": "application/json; charset=utf-8" }).end(manifest);
    });
    expect(await open().resolve(parseReference(`${registry.origin}/app`), { signal })).toEqual({
      mediaType: mediaTypes.ociManifest,
      digest: manifestDigest,
      size: manifest.length,
    });
  });
});

describe("tags", () => {
  it("follows the pages", async () => {
    const registry = await script(({ url }, response) => {
      if (url.includes("last=b")) response.end(JSON.stringify({ tags: ["c"] }));
      else {
        const link = '</v2/app/tags/list?last=b>; rel="next"';
        response.writeHead(200, { link }).end(JSON.stringify({ tags: ["a", "b"] }));
      }
    });
    expect(await open().listTags(parseReference(`${registry.origin}/app`), { signal })).toEqual(["a", "b", "c"]);
  });

  it.each([
    ["pages in a ring", { limits: {} }, "pages go in a ring"],
    ["more than the limit", { limits: { tags: 1 } }, "more than 1"],
  ])("ends with %s", async (_what, options, problem) => {
    const registry = await script((_request, response) => {
      response.writeHead(200, { link: '<?again=1>; rel="next"' }).end(JSON.stringify({ tags: ["a", "b"] }));
    });
    const error = await failure(open([], options).listTags(parseReference(`${registry.origin}/app`), { signal }));
    expect(error.message).toContain(problem);
  });

  it("refuses an answer that is none", async () => {
    const registry = await script((_request, response) => response.end("<html>"));
    const error = await failure(open().listTags(parseReference(`${registry.origin}/app`), { signal }));
    expect(error).toMatchObject({
      reason: "InvalidRegistryAnswer",
      message: `${registry.host}/app: tags: expected JSON with a list of tags`,
    });
  });
});

describe("faults", () => {
  it.each([[429], [500], [502], [503], [504]])("tries again after %d", async (status) => {
    const registry = await script((_request, response, index) => {
      if (index < 2) response.writeHead(status).end();
      else sendManifest(response);
    });
    await open().fetchManifest(parseReference(`${registry.origin}/app`), { signal });
    expect(registry.requests).toHaveLength(3);
  });

  it("tries again after a lost connection", async () => {
    const registry = await script((_request, response, index) => {
      if (index === 0) response.destroy();
      else sendManifest(response);
    });
    await open().fetchManifest(parseReference(`${registry.origin}/app`), { signal });
    expect(registry.requests).toHaveLength(2);
  });

  it("goes on with a blob whose connection was lost", async () => {
    const content = Buffer.from("0123456789".repeat(10_000));
    const registry = await script((_request, response, index) => {
      if (index > 0) {
        response.end(content);
        return;
      }
      response.writeHead(200, { "content-length": content.length });
      response.write(content.subarray(0, 50_000), () => response.destroy());
    });
    const blob = { mediaType: "x", digest: digestOf(content), size: content.length };
    const session = open();
    const fetch = async (): Promise<Uint8Array> =>
      session.fetchBlob(parseReference(`${registry.origin}/app`), blob, { signal });
    const bytes = await fetch().catch(async (error: unknown) => {
      expect(error).toMatchObject({ reason: "RegistryUnreachable" });
      return await fetch();
    });
    expect(digestOf(bytes)).toBe(blob.digest);
  });

  it("names a registry whose connection is lost in the middle of a manifest", async () => {
    const registry = await script((_request, response) => {
      response.writeHead(200, { "content-length": 100 }).write("{", () => response.destroy());
    });
    const session = open([], { retries: 0 });
    const error = await failure(session.fetchManifest(parseReference(`${registry.origin}/app:1`), { signal }));
    expect([error.reason, error.message.slice(0, `${registry.host}/app:1: `.length)]).toEqual([
      "RegistryUnreachable",
      `${registry.host}/app:1: `,
    ]);
  });

  it("gives up and tells what the registry said", async () => {
    const registry = await script((_request, response) => {
      response.writeHead(503).end(JSON.stringify({ errors: [{ code: "UNAVAILABLE", message: "in maintenance" }] }));
    });
    const error = await failure(open().fetchManifest(parseReference(`${registry.origin}/app:1`), { signal }));
    expect([error.reason, error.message, registry.requests.length]).toEqual([
      "RegistryUnavailable",
      `${registry.origin}/v2/app/manifests/1: the registry answered 503: UNAVAILABLE`,
      3,
    ]);
  });

  it.each([
    [403, "RegistryForbidden", "forbidden (403)"],
    [404, "RegistryNotFound", "not found (404)"],
    [400, "RegistryRefused", "the registry answered 400"],
  ])("tells a %d apart", async (status, reason, words) => {
    const registry = await script((_request, response) => response.writeHead(status).end("<html>"));
    const error = await failure(open().fetchManifest(parseReference(`${registry.origin}/app`), { signal }));
    expect([error.reason, error.message]).toEqual([reason, `${registry.origin}/v2/app/manifests/latest: ${words}`]);
    expect(registry.requests).toHaveLength(1);
  });

  it("names a registry that is not there", async () => {
    const registry = await startScriptedRegistry(() => {});
    await registry.stop();
    const error = await failure(open().fetchManifest(parseReference(`${registry.origin}/app`), { signal }));
    expect([error.reason, error.retry]).toEqual(["RegistryUnreachable", "backoff"]);
    expect(error.message).toContain("connection refused; start the server");
  });

  it("ends at once when it is aborted, also while it waits to try again", async () => {
    const controller = new AbortController();
    const registry = await script((_request, response) => {
      response.writeHead(503).end();
      setTimeout(() => controller.abort(new Error("enough")), 20);
    });
    const session = open([], { retries: 5, retryPauseMs: 5_000 });
    const work = session.fetchManifest(parseReference(`${registry.origin}/app`), { signal: controller.signal });
    await expect(work).rejects.toThrow("enough");
  });

  it("ends at once when it is aborted while it waits to connect again", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("enough")), 50);
    const session = open([], { retries: 5, retryPauseMs: 5_000 });
    // Port 9 discards, where anybody listens at all.
    const reference = parseReference("http://127.0.0.1:9/app:1.0.0");
    await expect(session.fetchManifest(reference, { signal: controller.signal })).rejects.toThrow("enough");
  });

  it.each([
    ["in a ring", (origin: string) => `${origin}/again`, "more than 5 redirects"],
    ["to another protocol", () => "ftp://example.org/x", "a redirect from http:// to another scheme"],
  ])("follows no redirects %s", async (_what, location, problem) => {
    const registry: ScriptedRegistry = await script((_request, response) =>
      response.writeHead(302, { location: location(registry.origin) }).end(),
    );
    const error = await failure(open().fetchManifest(parseReference(`${registry.origin}/app`), { signal }));
    expect([error.reason, error.message]).toEqual(["InvalidRegistryAnswer", expect.stringContaining(problem)]);
  });
});

describe("plain http", () => {
  it("is spoken where the configuration allows it and the host knows nothing else", async () => {
    const registry = await script((_request, response) => sendManifest(response));
    const session = open([], { allowPlainHttp: true });
    await session.fetchManifest(parseReference(`${registry.host}/app`), { signal });
    await session.fetchManifest(parseReference(`${registry.host}/app`), { signal });
    expect(registry.requests.map(({ url }) => url)).toEqual([
      "/v2/",
      "/v2/app/manifests/latest",
      "/v2/app/manifests/latest",
    ]);
  });

  it("is not spoken else", async () => {
    const registry = await script((_request, response) => sendManifest(response));
    const error = await failure(
      open([login(registry.host)]).fetchManifest(parseReference(`${registry.host}/app`), { signal }),
    );
    expect([error.reason, registry.requests]).toEqual(["RegistryUnreachable", []]);
  });
});
