import { describe, expect, it } from "@jest/globals";
import { digestOf } from "../content/digest.ts";
import { parseReference } from "../reference.ts";
import type { ScriptedRegistry } from "../../test/scripted-registry.ts";
import { useRegistryFixture, signal, script, open, login, sendManifest, failure } from "../../test/registry-fixture.ts";

useRegistryFixture();

const basic = `Basic ${Buffer.from("me:hunter2").toString("base64")}`;

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
