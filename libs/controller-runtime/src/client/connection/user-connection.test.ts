import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { kubeResources } from "@landscaper/api";
import { createEgressPolicy, type EgressPolicy } from "@landscaper/egress";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ApiError } from "../api-error.ts";
import type { Connection } from "./connection.ts";
import { connectionFromKubeconfig } from "./connection-from-kubeconfig.ts";
import { createClient } from "../create-client.ts";
import { createDeferred } from "../../deferred.ts";
import { json, startScriptedApiServer, watchLines, type Answer, type ScriptedApiServer } from "@landscaper/testkit";

let server: ScriptedApiServer;
beforeAll(async () => {
  server = await startScriptedApiServer();
});
afterAll(() => server.close());

const key = { namespace: "default", name: "a" };

/** The message of what reading a ConfigMap ends with. */
async function read(connection: Connection): Promise<string> {
  const client = createClient({ connection, random: () => 0 });
  try {
    return (await client.get(kubeResources.configMap, key)).kind;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await client.close();
  }
}

function kubeconfig(cluster: Readonly<Record<string, unknown>>, user: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    "current-context": "x",
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster }],
    users: [{ name: "u", user }],
  });
}

async function readWith(cluster: Readonly<Record<string, unknown>>, egress: EgressPolicy): Promise<string> {
  try {
    return await read(connectionFromKubeconfig(kubeconfig(cluster), { egress }));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Denied by the test's own configuration: without the check a connection would end there, on loopback. */
const deniedAddress = "127.0.0.2";
const settings = { deny: [deniedAddress] };
const rule = `denied by the entry "${deniedAddress}" of egress.deny`;
const serverField = "kubeconfig: clusters[c].cluster.server";
const proxyField = "kubeconfig: clusters[c].cluster.proxy-url";
/** A name server of an attacker. */
const resolveTo = (...answers: readonly string[]): EgressPolicy => {
  let asked = 0;
  const next = (): string => answers[Math.min(asked++, answers.length - 1)] ?? "";
  return createEgressPolicy(settings, { resolve: async () => await Promise.resolve([{ address: next(), family: 4 }]) });
};
const literal = createEgressPolicy(settings);
const hardened = createEgressPolicy({ profile: "hardened" });

describe("an address of the service's own API server, whose name is resolved after the kubeconfig was read", () => {
  const own = "192.0.2.10";
  const denied = `host ${own}, port 443: denied by the rule "cluster" of egress.profile`;
  it.each([
    ["a server", { server: `https://${own}` }, `${serverField}: ${denied}`],
    [
      "a server behind a proxy",
      { server: `https://${own}`, "proxy-url": "http://127.0.0.1:9" },
      `${serverField}: ${denied}`,
    ],
    ["a proxy", { server: "https://127.0.0.1:9", "proxy-url": `https://${own}` }, `${proxyField}: ${denied}`],
  ])("is refused before a connection is made: %s", async (_, target, want) => {
    const answer = createDeferred<{ address: string; family: number }[]>();
    const resolve = async () => answer.promise;
    const egress = createEgressPolicy(
      { profile: "hardened", allowProxyURL: true, allow: ["127.0.0.1:9"] },
      { ownHosts: ["hub.example"], resolve },
    );
    const connection = connectionFromKubeconfig(kubeconfig(target), { egress });
    answer.resolve([{ address: own, family: 4 }]);
    // Everything that waits for the answer has it then.
    await new Promise((done) => void setImmediate(done));
    expect(await read(connection)).toBe(want);
  });
});

describe("a kubeconfig of a user", () => {
  it.each<readonly [string, Readonly<Record<string, unknown>>, EgressPolicy, string]>([
    [
      "a denied server",
      { server: `https://${deniedAddress}` },
      literal,
      `${serverField}: host ${deniedAddress}, port 443: ${rule}`,
    ],
    [
      "in another notation",
      { server: "http://2130706434" },
      literal,
      `${serverField}: host ${deniedAddress}, port 80: ${rule}`,
    ],
    [
      "a name of a denied address",
      { server: "https://a.example" },
      resolveTo(deniedAddress),
      `${serverField}: host a.example, port 443: address ${deniedAddress}: ${rule}`,
    ],
    [
      "a denied proxy",
      { server: "https://a.example", "proxy-url": `http://${deniedAddress}:80` },
      literal,
      `${proxyField}: host ${deniedAddress}, port 80: ${rule}`,
    ],
    [
      "a proxy by a name of a denied address",
      { server: "https://a.example", "proxy-url": "http://p.example:3128" },
      resolveTo(deniedAddress),
      `${proxyField}: host p.example, port 3128: address ${deniedAddress}: ${rule}`,
    ],
    [
      "a denied server behind a proxy",
      { server: "https://metadata.google.internal", "proxy-url": "http://127.0.0.1:9" },
      literal,
      `${serverField}: host metadata.google.internal, port 443: denied by the rule "link-local" of egress.profile`,
    ],
    [
      "a proxy of another kind, whose URL is not quoted",
      { server: "https://a.example", "proxy-url": "socks5://me:secret@127.0.0.1:9" },
      literal,
      `${proxyField}: expected an http or https URL`,
    ],
    [
      "hardened: plain http",
      { server: `http://${deniedAddress}` },
      hardened,
      `${serverField}: host ${deniedAddress}: http:// is denied by egress.allowPlainHTTP`,
    ],
    [
      "hardened: loopback",
      { server: "https://localhost:6443" },
      hardened,
      `${serverField}: host localhost, port 6443: denied by the rule "loopback" of egress.profile`,
    ],
    [
      "hardened: no check of certificates",
      { server: `https://${deniedAddress}`, "insecure-skip-tls-verify": true },
      hardened,
      "kubeconfig: clusters[c].cluster.insecure-skip-tls-verify is not allowed",
    ],
    [
      "hardened: a proxy",
      { server: `https://${deniedAddress}`, "proxy-url": `http://me:secret@${deniedAddress}` },
      hardened,
      "kubeconfig: clusters[c].cluster.proxy-url is not allowed",
    ],
  ])("is refused: %s", async (...[, cluster, egress, want]) => {
    expect(await readWith(cluster, egress)).toBe(want);
  });

  it("that names a permitted server works, and its name is resolved once", async () => {
    server.setDefault(json({ kind: "ConfigMap", apiVersion: "v1", metadata: {} }));
    const { port } = new URL(server.url);
    const egress = resolveTo("127.0.0.1", deniedAddress);
    expect(await readWith({ server: `http://rebinding.example:${port}` }, egress)).toBe("ConfigMap");
    expect(await readWith({ server: `http://rebinding.example:${port}` }, egress)).toBe(
      `${serverField}: host rebinding.example, port ${port}: address ${deniedAddress}: ${rule}`,
    );
  });

  it("may use a permitted proxy", async () => {
    const asked: string[] = [];
    const proxy: Server = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.end(JSON.stringify({ kind: "ConfigMap", apiVersion: "v1", metadata: {} }));
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const { port } = proxy.address() as AddressInfo;
    const cluster = { server: "http://behind.example", "proxy-url": `http://proxy.example:${port}` };
    expect(await readWith(cluster, resolveTo("127.0.0.1", deniedAddress))).toBe("ConfigMap");
    expect(asked).toEqual(["http://behind.example/api/v1/namespaces/default/configmaps/a"]);
    proxy.closeAllConnections();
    proxy.close();
  });
});

describe("what a server sends back of the connection", () => {
  const token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ0ZW5hbnQtYSJ9.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg";
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  const echo = [token, base64(token), encodeURIComponent(`${token}=`), JSON.stringify(token)].join(" ");
  const statusOf = (message: string): unknown => ({
    kind: "Status",
    code: 403,
    reason: token,
    message,
    details: { causes: [{ reason: token, message, field: token }] },
  });
  const asked = "GET /api/v1/namespaces/default/configmaps/a";

  it.each<readonly [string, Answer, string]>([
    ["in its Status", json(statusOf(echo), 403), `${asked}: 403 [...] [...] [...]%3D "[...]"`],
    ["in a page", (_response) => void _response.writeHead(403).end(`<html>${echo}</html>`), `${asked}: 403 Forbidden`],
    ["in JSON of another kind", json({ kind: token, message: echo }, 400), `${asked}: 400 Bad Request`],
    [
      "as the kind of an answer",
      json({ kind: token, message: echo }),
      'the API server answered with no ConfigMap but kind "(none)"',
    ],
  ])("%s is not in the error", async (_name, answer, want) => {
    server.script(answer);
    expect(await read({ server: server.url, token })).toBe(want);
  });

  it("is masked in all texts of the Status, also a token that changes", async () => {
    server.script(json(statusOf(echo), 403));
    const client = createClient({
      connection: { server: server.url, getToken: async () => await Promise.resolve(token) },
    });
    const error: unknown = await client.get(kubeResources.configMap, key).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(JSON.stringify(error) + String((error as Error).stack)).not.toContain(token);
    expect(error).toMatchObject({ reason: "[...]", statusObject: { details: { causes: [{ field: "[...]" }] } } });
    await client.close();
  });

  it("is masked in what a caller shows of answers, with the token before it", async () => {
    server.setDefault(json({ kind: "ConfigMap", apiVersion: "v1", metadata: {} }));
    const tokens = [token, "another-token-of-the-server"];
    const getToken = async (): Promise<string> => await Promise.resolve(tokens[sent++] ?? "");
    let sent = 0;
    const client = createClient({ connection: { server: server.url, getToken } });
    const said = { reason: `by ${token}`, [token]: [tokens[1], 1] };
    expect(client.mask(said)).toEqual(said);
    await client.get(kubeResources.configMap, key);
    expect(client.mask(said)).toEqual({ reason: "by [...]", "[...]": [tokens[1], 1] });
    await client.get(kubeResources.configMap, key);
    expect(client.mask(said)).toEqual({ reason: "by [...]", "[...]": ["[...]", 1] });
    await client.close();
  });

  it("is masked in the end of a watch", async () => {
    server.script(watchLines({ type: "ERROR", object: statusOf(echo) }));
    const client = createClient({ connection: { server: server.url, token } });
    const events: unknown[] = [];
    for await (const event of client.watch(kubeResources.configMap, { resourceVersion: "1" })) events.push(event);
    expect(JSON.stringify(events)).not.toContain(token);
    expect(events).toMatchObject([{ type: "ERROR", status: { code: 403, reason: "[...]" } }]);
    await client.close();
  });

  it.each<readonly [string, Partial<Connection>, string]>([
    ["a password", { username: "me", password: "hunter2-hunter2" }, "hunter2-hunter2"],
    [
      "user and password as they are sent",
      { username: "me", password: "hunter2-hunter2" },
      base64("me:hunter2-hunter2"),
    ],
    ["a header", { headers: { "x-api-key": "0123456789" } }, "0123456789"],
    ["a line of a key", { key: "-----BEGIN KEY-----\nMIIEpAIBAAKCAQEA7dq\n-----END KEY-----" }, "MIIEpAIBAAKCAQEA7dq"],
  ])("%s is masked", async (_name, connection, secret) => {
    server.script(json({ kind: "Status", code: 403, message: `got ${secret}.` }, 403));
    const { key: pem, ...others } = connection;
    expect(await read({ server: server.url, ...others, ...(pem === undefined ? {} : { key: pem }) })).toBe(
      `${asked}: 403 got [...].`,
    );
  });

  it("its name in messages has neither user nor password nor query", async () => {
    const client = createClient({ connection: { server: "https://alice:secret@api.example:6443/prefix/?sig=abc" } });
    expect(client.server).toBe("https://api.example:6443/prefix");
    await client.close();
  });

  it("user, password and query of its URL are masked", async () => {
    server.script(json({ kind: "Status", code: 403, message: "got alice, pa:ss@word, abcdefgh" }, 403));
    const url = server.url.replace("http://", "http://alice:pa%3Ass%40word@");
    expect(await read({ server: `${url}?sig=abcdefgh` })).toBe(`${asked}: 403 got [...], [...], [...]`);
  });
});
