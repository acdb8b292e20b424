import { afterEach, describe, expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
import type { CredentialEntry } from "./credential.ts";
import { mediaTypes } from "./descriptor.ts";
import { digestOf } from "./digest.ts";
import { parseReference } from "./reference.ts";
import { createRegistryClient, type RegistryClientOptions } from "./registry-client.ts";
import type { RegistrySession } from "./registry-session.ts";
import { startScriptedRegistry, type Script, type ScriptedRegistry } from "../test/scripted-registry.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map(async (close) => close()));
});

const { signal } = new AbortController();
const manifest = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.ociManifest, layers: [] }));
const manifestDigest = digestOf(manifest);

async function script(answer: Script): Promise<ScriptedRegistry> {
  const registry = await startScriptedRegistry(answer);
  closers.push(async () => registry.stop());
  return registry;
}

function open(
  credentials: readonly CredentialEntry[] = [],
  options: Partial<RegistryClientOptions> = {},
): RegistrySession {
  const client = createRegistryClient({ userAgent: "test", retries: 2, retryPauseMs: 5, ...options });
  closers.push(async () => client.close());
  return client.session(credentials);
}

function login(host: string): CredentialEntry {
  return { host, path: "", credential: { username: "me", password: "hunter2" } };
}

const basic = `Basic ${Buffer.from("me:hunter2").toString("base64")}`;

function sendManifest(response: Parameters<Script>[1], bytes: Uint8Array = manifest): void {
  const headers = { "content-type": mediaTypes.ociManifest, "docker-content-digest": digestOf(bytes) };
  response.writeHead(200, headers).end(bytes);
}

async function failure(work: Promise<unknown>): Promise<LandscaperError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof LandscaperError) return error;
  throw new Error(`expected a LandscaperError, found ${String(error)}`);
}

describe("credentials", () => {
  it("sends Basic when it is asked for, and at once from then on", async () => {
    const registry = await script(({ authorization }, response) => {
      if (authorization === basic) sendManifest(response);
      else response.writeHead(401, { "www-authenticate": 'Basic realm="x"' }).end();
    });
    const session = open([login(registry.host)]);
    const reference = parseReference(`${registry.origin}/app:1`);
    await session.fetchManifest(reference, { signal });
    await session.fetchManifest(reference, { signal });
    expect(registry.requests.map(({ authorization }) => authorization)).toEqual([undefined, basic, basic]);
  });

  it("fetches a token for each scope and keeps it until it expires", async () => {
    let now = 1_000_000;
    const registry: ScriptedRegistry = await script(({ url, authorization }, response) => {
      if (url.startsWith("/token")) {
        response.writeHead(200).end(JSON.stringify({ token: `t${now}`, expires_in: 60 }));
      } else if (authorization?.startsWith("Bearer t") === true) sendManifest(response);
      else response.writeHead(401, { "www-authenticate": `Bearer realm="${registry.origin}/token",service="s"` }).end();
    });
    const session = open([login(registry.host)], { now: () => now });
    const fetch = async (name: string): Promise<unknown> =>
      session.fetchManifest(parseReference(`${registry.origin}/${name}`), { signal });
    const asked = (): number => registry.requests.filter(({ url }) => url.startsWith("/token")).length;
    await fetch("app");
    expect(registry.requests.map(({ url, authorization }) => [url, authorization])).toEqual([
      ["/v2/app/manifests/latest", undefined],
      ["/token?service=s&scope=repository%3Aapp%3Apull", basic],
      ["/v2/app/manifests/latest", "Bearer t1000000"],
    ]);
    await fetch("app");
    expect(asked()).toBe(1);
    await fetch("other");
    expect(asked()).toBe(2);
    now += 51_000;
    await fetch("app");
    expect(asked()).toBe(3);
  });

  it("renews a token that is refused before its time", async () => {
    const refused = new Set<string>();
    let given = 0;
    const registry: ScriptedRegistry = await script(({ url, authorization = "" }, response) => {
      if (url.startsWith("/token")) response.end(JSON.stringify({ access_token: `t${++given}`, expires_in: 3600 }));
      else if (authorization !== "" && !refused.has(authorization)) sendManifest(response);
      else response.writeHead(401, { "www-authenticate": `Bearer realm="${registry.origin}/token"` }).end();
    });
    const session = open([login(registry.host)]);
    const reference = parseReference(`${registry.origin}/app`);
    await session.fetchManifest(reference, { signal });
    refused.add("Bearer t1");
    await session.fetchManifest(reference, { signal });
    expect(registry.requests.at(-1)?.authorization).toBe("Bearer t2");
  });

  it("exchanges a refresh token by POST", async () => {
    const registry: ScriptedRegistry = await script(({ url, authorization }, response) => {
      if (url === "/token") response.end(JSON.stringify({ access_token: "short" }));
      else if (authorization === "Bearer short") sendManifest(response);
      else response.writeHead(401, { "www-authenticate": `Bearer realm="${registry.origin}/token",service="s"` }).end();
    });
    const session = open([{ host: registry.host, path: "", credential: { identityToken: "long" } }]);
    await session.fetchManifest(parseReference(`${registry.origin}/app`), { signal });
    const { method, body, authorization } = registry.requests[1] ?? {};
    expect({ method, authorization, form: Object.fromEntries(new URLSearchParams(body)) }).toEqual({
      method: "POST",
      authorization: undefined,
      form: {
        grant_type: "refresh_token",
        service: "s",
        client_id: "landscaper",
        scope: "repository:app:pull",
        refresh_token: "long",
      },
    });
  });

  it("sends a fixed token at once", async () => {
    const registry = await script((_request, response) => sendManifest(response));
    const session = open([{ host: registry.host, path: "", credential: { registryToken: "fixed" } }]);
    await session.fetchManifest(parseReference(`${registry.origin}/app`), { signal });
    expect(registry.requests.map(({ authorization }) => authorization)).toEqual(["Bearer fixed"]);
  });

  it("says that credentials are needed, or refused, and does not repeat them", async () => {
    const registry = await script((_request, response) => {
      const body = JSON.stringify({ errors: [{ code: "UNAUTHORIZED", message: "authentication required" }] });
      response.writeHead(401, { "www-authenticate": 'Basic realm="x"' }).end(body);
    });
    const reference = parseReference(`${registry.origin}/app`);
    const needed = await failure(open().fetchManifest(reference, { signal }));
    expect([needed.message, needed.reason, needed.hint, needed.codes]).toEqual([
      `${registry.origin}/v2/app/manifests/latest: credentials are needed (401): UNAUTHORIZED`,
      "RegistryUnauthorized",
      "add a pull secret for this registry to the Context",
      ["ERR_UNAUTHORIZED"],
    ]);
    const refused = await failure(open([login(registry.host)]).fetchManifest(reference, { signal }));
    expect(refused.message).toContain("the credentials were refused (401)");
    expect(JSON.stringify(refused) + refused.message + String(refused.stack)).not.toContain("hunter2");
    const named = { ...login(registry.host), from: "Secret pull: .dockerconfigjson" };
    expect((await failure(open([named]).fetchManifest(reference, { signal }))).message).toContain(
      "/v2/app/manifests/latest: the credentials (Secret pull: .dockerconfigjson) were refused (401)",
    );
    expect(registry.requests).toHaveLength(5);
  });

  it.each([
    ["Secret pull: .dockerconfigjson", "forbidden for Secret pull: .dockerconfigjson (403)"],
    [undefined, "forbidden (403)"],
  ])("says whose rights are missing, of %s", async (from, words) => {
    const registry = await script((_request, response) => response.writeHead(403).end());
    const error = await failure(
      open([{ ...login(registry.host), from }]).fetchManifest(parseReference(`${registry.origin}/app`), { signal }),
    );
    expect([error.reason, error.message, error.codes]).toEqual([
      "RegistryForbidden",
      `${registry.origin}/v2/app/manifests/latest: ${words}`,
      ["ERR_UNAUTHORIZED"],
    ]);
  });

  it("asks for credentials where the tokens' server wants them", async () => {
    const registry: ScriptedRegistry = await script(({ url }, response) => {
      const challenge = `Bearer realm="${registry.origin}/token"`;
      response.writeHead(401, url.startsWith("/token") ? {} : { "www-authenticate": challenge }).end();
    });
    const error = await failure(open().listTags(parseReference(`${registry.origin}/app`), { signal }));
    expect([error.message, error.hint]).toEqual([
      `${registry.origin}/token (tokens of ${registry.host}/app): credentials are needed (401)`,
      "add a pull secret for this registry to the Context",
    ]);
  });

  it("tells nobody of credentials when the tokens' server refuses them", async () => {
    const registry: ScriptedRegistry = await script(({ url }, response) => {
      if (url.startsWith("/token")) response.writeHead(403).end("no, me:hunter2");
      else response.writeHead(401, { "www-authenticate": `Bearer realm="${registry.origin}/token"` }).end();
    });
    const error = await failure(
      open([login(registry.host)]).listTags(parseReference(`${registry.origin}/app`), { signal }),
    );
    expect([error.reason, error.message]).toEqual([
      "RegistryUnauthorized",
      `${registry.origin}/token (tokens of ${registry.host}/app): the credentials were refused (403)`,
    ]);
  });

  it("does not follow a registry to the secret of another host", async () => {
    const other = await script(({ authorization }, response) => response.end(authorization ?? "nothing"));
    const content = Buffer.from("nothing");
    const registry = await script(({ authorization }, response) => {
      if (authorization === basic) response.writeHead(307, { location: `${other.origin}/blob` }).end();
      else response.writeHead(401, { "www-authenticate": "Basic" }).end();
    });
    const session = open([login(registry.host), login(other.host)]);
    const blob = { mediaType: "x", digest: digestOf(content), size: content.length };
    const bytes = await session.fetchBlob(parseReference(`${registry.origin}/app`), blob, { signal });
    expect(Buffer.from(bytes).toString()).toBe("nothing");
    expect(other.requests.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  it.each([
    [403, "RegistryForbidden"],
    [404, "RegistryNotFound"],
    [503, "RegistryUnavailable"],
  ])("does not blame its credentials for a %d of the host that it is redirected to", async (status, reason) => {
    const other = await script((_request, response) => response.writeHead(status).end());
    const registry = await script((_request, response) =>
      response.writeHead(307, { location: `${other.origin}/blob` }).end(),
    );
    const session = open([login(registry.host)], { retries: 0 });
    const error = await failure(session.fetchManifest(parseReference(`${registry.origin}/app:1`), { signal }));
    expect([error.reason, error.message, error.hint]).toEqual([
      reason,
      `${registry.origin}/v2/app/manifests/1: redirected to ${other.origin}, which answered ${status}`,
      undefined,
    ]);
  });

  it("keeps the credentials on a redirect within the host", async () => {
    const registry = await script(({ url, authorization }, response) => {
      if (authorization !== basic) response.writeHead(401, { "www-authenticate": "Basic" }).end();
      else if (url.includes("latest")) response.writeHead(302, { location: "/v2/app/manifests/real" }).end();
      else sendManifest(response);
    });
    await open([login(registry.host)]).fetchManifest(parseReference(`${registry.origin}/app`), { signal });
    expect(registry.requests.at(-1)).toMatchObject({ url: "/v2/app/manifests/real", authorization: basic });
  });
});

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
    expect(error.message).toContain("ECONNREFUSED");
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
