import { afterEach, describe, expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
import { createEgressPolicy, type ResolveHost } from "@landscaper/egress";
import { startForwardProxy, type ForwardProxy } from "@landscaper/testkit";
import type { CredentialEntry } from "./credentials/credential.ts";
import { parseReference } from "./reference.ts";
import { createRegistryClient, type RegistryClientOptions } from "./registry-client.ts";
import { startScriptedRegistry, type Script, type ScriptedRegistry } from "../test/scripted-registry.ts";
import { checkRealm, type TokenRealms } from "./authorization/token-realms.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map(async (close) => close()));
});
const { signal } = new AbortController();

async function script(answer: Script): Promise<ScriptedRegistry> {
  const registry = await startScriptedRegistry(answer);
  closers.push(async () => registry.stop());
  return registry;
}

const password = "correct-horse-battery";
const pair = Buffer.from(`me:${password}`).toString("base64");
const login = (host: string): CredentialEntry => ({ host, path: "", credential: { username: "me", password } });

/** What listing the tags of a repository ends with. */
async function listTags(
  origin: string,
  { credentials = [], ...options }: Partial<RegistryClientOptions> & { credentials?: readonly CredentialEntry[] },
): Promise<unknown> {
  const client = createRegistryClient({ userAgent: "test", retries: 2, retryPauseMs: 5, ...options });
  closers.push(async () => client.close());
  try {
    return await client.session(credentials).listTags(parseReference(`${origin}/app`), { signal });
  } catch (error) {
    if (!(error instanceof LandscaperError)) throw error;
    return [error.reason, error.message, error.retry];
  }
}

/** Denied by the test's own configuration: without the check a request would end there, on loopback. */
const deniedAddress = "127.0.0.2";
const policy = createEgressPolicy({ deny: [deniedAddress] });
const rule = `denied by the entry "${deniedAddress}" of egress.deny`;

describe("the egress policy of a registry", () => {
  it("keeps requests from a denied address, without a second try", async () => {
    expect(await listTags(`http://${deniedAddress}`, { egress: policy })).toEqual([
      "EgressDenied",
      `http://${deniedAddress}/v2/app/tags/list: host ${deniedAddress}, port 80: ${rule}`,
      "never",
    ]);
  });

  it("judges where a redirect leads", async () => {
    const registry = await script((_request, response) =>
      response.writeHead(307, { location: `http://${deniedAddress}/latest/meta-data` }).end(),
    );
    expect(await listTags(registry.origin, { egress: policy })).toEqual([
      "EgressDenied",
      `redirect 1 of ${registry.origin}: http://${deniedAddress}/latest/meta-data: host ${deniedAddress}, port 80: ${rule}`,
      "never",
    ]);
  });

  it("judges the realm of the tokens, also without credentials", async () => {
    const registry = await script((_request, response) =>
      response.writeHead(401, { "www-authenticate": `Bearer realm="http://${deniedAddress}/token"` }).end(),
    );
    expect(await listTags(registry.origin, { egress: policy })).toEqual([
      "EgressDenied",
      `http://${deniedAddress}/token: host ${deniedAddress}, port 80: ${rule}`,
      "never",
    ]);
  });

  it("connects to the address that was judged, and asks for no second one", async () => {
    const registry = await script((_request, response) => response.end(JSON.stringify({ tags: ["1"] })));
    const answers = ["127.0.0.1"];
    let asked = 0;
    const resolve: ResolveHost = async () =>
      await Promise.resolve([{ address: answers[asked++] ?? deniedAddress, family: 4 }]);
    const egress = createEgressPolicy({ deny: [deniedAddress] }, { resolve });
    const origin = `http://rebinding.example:${new URL(registry.origin).port}`;
    expect(await listTags(origin, { egress })).toEqual(["1"]);
    expect(asked).toBe(1);
    const { port } = new URL(origin);
    expect(await listTags(origin, { egress })).toEqual([
      "EgressDenied",
      `${origin}/v2/app/tags/list: host rebinding.example, port ${port}: address ${deniedAddress}: ${rule}`,
      "never",
    ]);
    expect([asked, registry.requests.length]).toEqual([2, 1]);
  });

  it("hardened: no plain http", async () => {
    expect(await listTags(`http://${deniedAddress}`, { egress: createEgressPolicy({ profile: "hardened" }) })).toEqual([
      "EgressDenied",
      `http://${deniedAddress}/v2/app/tags/list: host ${deniedAddress}: http:// is denied by egress.allowPlainHTTP`,
      "never",
    ]);
  });
});

describe("an egress policy that permits the hosts of a list alone", () => {
  const settings = { onlyAllowed: true, allow: ["127.0.0.0/8"] };
  const resolve: ResolveHost = async () => await Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
  const egress = createEgressPolicy(settings, { resolve });

  it("judges a name by its addresses", async () => {
    const registry = await script((_request, response) => response.end(JSON.stringify({ tags: ["1"] })));
    expect(await listTags(`http://named.example:${new URL(registry.origin).port}`, { egress })).toEqual(["1"]);
  });

  it("judges the name itself when a proxy of the environment resolves it", async () => {
    const environment = { HTTP_PROXY: "http://127.0.0.1:9" };
    expect(await listTags("http://named.example", { egress, environment })).toEqual([
      "EgressDenied",
      "http://named.example/v2/app/tags/list: host named.example, port 80: denied because egress.onlyAllowed is set",
      "never",
    ]);
  });
});

describe("the proxy of the environment", () => {
  async function startProxy(): Promise<ForwardProxy> {
    const registry = await script((_request, response) => response.end(JSON.stringify({ tags: ["1"] })));
    const proxy = await startForwardProxy({ routes: { "registry.invalid:80": new URL(registry.origin).host } });
    closers.push(async () => proxy.stop());
    return proxy;
  }

  it("gets the requests for registries", async () => {
    const proxy = await startProxy();
    expect(await listTags("http://registry.invalid", { environment: { HTTP_PROXY: proxy.url } })).toEqual(["1"]);
    expect(proxy.requests).toEqual(["GET http://registry.invalid/v2/app/tags/list"]);
  });

  it("does not get those for the hosts of NO_PROXY", async () => {
    const proxy = await startProxy();
    const environment = { HTTP_PROXY: proxy.url, NO_PROXY: "10.0.0.0/8,.invalid" };
    expect(await listTags("http://registry.invalid", { environment, retries: 0 })).toEqual([
      "RegistryUnreachable",
      "http://registry.invalid/v2/app/tags/list: the host registry.invalid does not exist in DNS; correct the host of the URL",
      "backoff",
    ]);
    expect(proxy.requests).toEqual([]);
  });

  it("gets no request for an address that egress denies", async () => {
    const proxy = await startProxy();
    const resolve: ResolveHost = async () => await Promise.resolve([{ address: deniedAddress, family: 4 }]);
    const egress = createEgressPolicy({ deny: [deniedAddress] }, { resolve });
    expect(await listTags("http://registry.invalid", { egress, environment: { HTTP_PROXY: proxy.url } })).toEqual([
      "EgressDenied",
      `http://registry.invalid/v2/app/tags/list: host registry.invalid, port 80: address ${deniedAddress}: ${rule}`,
      "never",
    ]);
    expect(proxy.requests).toEqual([]);
  });

  it("is named when it refuses a registry", async () => {
    const proxy = await startProxy();
    const found = await listTags("https://other.invalid", { environment: { HTTPS_PROXY: proxy.url }, retries: 0 });
    expect(found).toEqual([
      "RegistryUnreachable",
      `https://other.invalid/v2/app/tags/list: the proxy ${proxy.url} answered 403: it does not permit this server`,
      "backoff",
    ]);
  });
});

describe("a token service on another host", () => {
  const pairs = [{ registry: "registry.example:5000", realm: "login.example" }];
  const trusting = (...hosts: readonly string[]): TokenRealms => ({ hosts, advice: (host) => `use --trust ${host}` });
  it.each<readonly [string, string, string, TokenRealms | undefined, string]>([
    ["Docker Hub's own", "https://registry-1.docker.io", "https://auth.docker.io/token", undefined, ""],
    ["GitLab's own", "https://registry.gitlab.com", "https://gitlab.com/jwt/auth", undefined, ""],
    ["on the host of the registry", "https://r.example", "https://r.example/token", [], ""],
    ["in the list", "https://registry.example:5000", "https://login.example/token", pairs, ""],
    [
      "in the list, without https",
      "http://registry.example:5000",
      "http://login.example:443/token",
      pairs,
      "registry.example:5000: its credentials are not sent to the token service login.example:443, another host, without https",
    ],
    [
      "in the list, by http at its usual port",
      "http://registry.example:5000",
      "http://login.example/token",
      pairs,
      "registry.example:5000: its credentials are not sent to the token service login.example, another host, without https",
    ],
    [
      "that is Docker Hub's, for another registry",
      "https://r.example",
      "https://auth.docker.io/token",
      undefined,
      "r.example: its credentials are not sent to the token service auth.docker.io, another host",
    ],
    [
      "in a list that replaces the default",
      "https://registry-1.docker.io",
      "https://auth.docker.io/token",
      pairs,
      "registry-1.docker.io: its credentials are not sent to the token service auth.docker.io, another host",
    ],
    [
      "on another port",
      "https://r.example",
      "https://r.example:8443/token",
      undefined,
      "r.example: its credentials are not sent to the token service r.example:8443, another host",
    ],
    ["that a user trusts", "https://r.example", "https://login.example/token", trusting("LOGIN.example:443"), ""],
    ["Docker Hub's own, for a user", "https://registry-1.docker.io", "https://auth.docker.io/token", trusting(), ""],
    [
      "that a user does not trust",
      "https://r.example",
      "https://login.example/token",
      trusting("other.example", "login.example:8443"),
      "r.example: its credentials are not sent to the token service login.example, another host; use --trust login.example if both belong together",
    ],
    [
      "that a user trusts, without https",
      "http://r.example",
      "http://login.example/token",
      trusting("login.example"),
      "r.example: its credentials are not sent to the token service login.example, another host, without https",
    ],
  ])("%s", (...[, origin, realm, tokenRealms, want]) => {
    let message = "";
    try {
      checkRealm(new URL(realm), { origin, tokenRealms });
    } catch (error) {
      message = error instanceof Error ? error.message : "";
    }
    expect(message).toBe(want);
  });

  it("collects no credentials, and is asked without any where none are there", async () => {
    const collector = await script((_request, response) => response.end(JSON.stringify({ token: "t" })));
    const registry = await script(({ authorization }, response) => {
      if (authorization === "Bearer t") response.end(JSON.stringify({ tags: ["1"] }));
      else response.writeHead(401, { "www-authenticate": `Bearer realm="${collector.origin}/token"` }).end();
    });
    expect(await listTags(registry.origin, { credentials: [login(registry.host)] })).toEqual([
      "RegistryUnauthorized",
      `${registry.host}: its credentials are not sent to the token service ${collector.host}, another host, without https`,
      "never",
    ]);
    expect(collector.requests).toEqual([]);
    expect(await listTags(registry.origin, {})).toEqual(["1"]);
    expect(collector.requests.map(({ authorization }) => authorization)).toEqual([undefined]);
  });
});

describe("what a registry sends back of its credentials", () => {
  const echo = `no access for me with ${password}, ${pair}, ${encodeURIComponent(password)}`;
  it.each<readonly [string, Script, string]>([
    [
      "in the text of an error",
      (_request, response) =>
        response
          .writeHead(400)
          .end(JSON.stringify({ errors: [{ code: "NAME_INVALID", message: echo }, { code: echo }] })),
      "/v2/app/tags/list: the registry answered 400: NAME_INVALID",
    ],
    [
      "in a page",
      (_request, response) => response.writeHead(500).end(`<html>${echo}</html>`),
      "/v2/app/tags/list: the registry answered 500",
    ],
    [
      "in a Location",
      (_request, response) => response.writeHead(302, { location: `http://127.0.0.1:9/${pair}?p=${password}` }).end(),
      "redirect 1 of : http://127.0.0.1:9/[...]: connection refused; start the server, or correct the host of the URL",
    ],
  ])("%s stays out of the message", async (_name, answer, want) => {
    const registry: ScriptedRegistry = await script((request, response, index) => {
      if (request.authorization === undefined && !request.url.includes(pair)) {
        response.writeHead(401, { "www-authenticate": "Basic" }).end();
      } else answer(request, response, index);
    });
    const found = (await listTags(registry.origin, { credentials: [login(registry.host)], retries: 0 })) as string[];
    expect(found[1]?.replace(registry.origin, "")).toBe(want);
  });
});
