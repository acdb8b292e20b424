import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, LandscaperError, type Target, type TargetSpec } from "@landscaper/api";
import { connectionFromKubeconfig, createClient, type Client } from "@landscaper/controller-runtime";
import { createFakeClock, startEmbeddedCluster, type EmbeddedCluster } from "@landscaper/testkit";
import type { LocalCluster } from "@landscaper/local-cluster";
import { createClusterCache, type ClusterCache } from "./cluster-cache.ts";
import { parseClusterAccess } from "./cluster-access.ts";
import { nameTarget } from "./target-connection.ts";
import { resolveTargetContent } from "./target-content.ts";
import { createTokenSource } from "./token-source.ts";

const { signal } = new AbortController();

function target(spec: Partial<TargetSpec> = {}): Target {
  return {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "Target",
    metadata: { name: "cluster", namespace: "default" },
    spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", ...spec },
  };
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}

function refusalOf(run: () => unknown): LandscaperError {
  try {
    run();
  } catch (error) {
    if (error instanceof LandscaperError) return error;
  }
  throw new Error("expected a LandscaperError");
}

const kubeconfig = { apiVersion: "v1", kind: "Config", clusters: [] };
const oidc = {
  server: "https://t.example",
  caData: base64("CA"),
  serviceAccount: { name: "sa" },
  audience: ["a", "b"],
};

describe("the content of a target", () => {
  const account = { namespace: "default", name: "sa", audiences: [], expirationSeconds: 86_400 };
  it.each<readonly [string, unknown, unknown]>([
    ["a kubeconfig as text", { kubeconfig: "text" }, { type: "kubeconfig", text: "text" }],
    ["a kubeconfig as object", { kubeconfig }, { type: "kubeconfig", text: JSON.stringify(kubeconfig) }],
    [
      "a Secret of the host",
      { kubeconfig: { secretRef: { namespace: "ls", name: "access", key: "config" } } },
      { type: "hostSecret", ref: { namespace: "ls", name: "access", key: "config" } },
    ],
    [
      "a Secret of the host without key",
      { kubeconfig: { secretRef: { namespace: "ls", name: "access" } } },
      { type: "hostSecret", ref: { namespace: "ls", name: "access", key: "kubeconfig" } },
    ],
    [
      "a kubeconfig before all others",
      { kubeconfig: "text", oidcConfig: oidc, selfConfig: {} },
      { type: "kubeconfig", text: "text" },
    ],
    [
      "a null kubeconfig gives way",
      { kubeconfig: null, selfConfig: { serviceAccount: { name: "sa" } } },
      { type: "self", account },
    ],
    ["content that is itself a kubeconfig", kubeconfig, { type: "kubeconfig", text: JSON.stringify(kubeconfig) }],
    ["text that is itself a kubeconfig", "apiVersion: v1", { type: "kubeconfig", text: "apiVersion: v1" }],
    [
      "oidc",
      { oidcConfig: oidc },
      { type: "oidc", server: "https://t.example", ca: "CA", account: { ...account, audiences: ["a", "b"] } },
    ],
    [
      "self with a lifetime",
      { selfConfig: { serviceAccount: { name: "sa" }, expirationSeconds: 600 } },
      { type: "self", account: { ...account, expirationSeconds: 600 } },
    ],
  ])("%s", (_name, content, want) => {
    expect(parseClusterAccess(target(), content)).toEqual(want);
  });

  it.each<readonly [string, unknown, string]>([
    ["a number", 7, "expected an object or a kubeconfig, found neither"],
    ["a list", [], "expected an object or a kubeconfig, found neither"],
    [
      "half a Secret of the host",
      { kubeconfig: { secretRef: { name: "a" } } },
      "kubeconfig.secretRef.namespace is missing",
    ],
    ["a Secret of the host as text", { kubeconfig: { secretRef: "a" } }, "kubeconfig.secretRef.namespace is missing"],
    ["a misspelt field", { kubeConfig: { clusters: [] } }, 'unknown field "kubeConfig", did you mean "kubeconfig"?'],
    ["a list as kubeconfig", { kubeconfig: [] }, "kubeconfig: expected a string or an object"],
    [
      "three keys without value",
      { kubeconfig: null, oidcConfig: null },
      "one of kubeconfig, oidcConfig and selfConfig must have a value",
    ],
    ["oidc without server", { oidcConfig: { ...oidc, server: "" } }, "oidcConfig.server is missing"],
    ["oidc without CA", { oidcConfig: { ...oidc, caData: undefined } }, "oidcConfig.caData is missing"],
    [
      "oidc without account",
      { oidcConfig: { ...oidc, serviceAccount: {} } },
      "oidcConfig.serviceAccount.name is missing",
    ],
    ["self that is no object", { selfConfig: "yes" }, "selfConfig.serviceAccount.name is missing"],
  ])("%s is refused by its field", (_name, content, problem) => {
    expect(() => parseClusterAccess(target(), content)).toThrow(`Target default/cluster: ${problem}`);
  });

  it.each(["http://t.example", "t.example", "ftp://t.example"])("oidc over %s is refused", (server) => {
    expect(() => parseClusterAccess(target(), { oidcConfig: { ...oidc, server } })).toThrow(
      "Target default/cluster: oidcConfig.server: expected an https URL",
    );
  });

  it("that is in a Secret is refused with its name", () => {
    const { spec, ...rest } = target();
    const { config: _none, ...fields } = spec;
    const inSecret = { ...rest, spec: { ...fields, secretRef: { name: "access", key: "config" } } };
    const place = "Target default/cluster: Secret default/access, key config";
    expect(() => parseClusterAccess(inSecret, [])).toThrow(
      `${place}: expected an object or a kubeconfig, found neither`,
    );
    expect(() => parseClusterAccess(inSecret, { kubeconfig: 1 })).toThrow(
      `${place}: kubeconfig: expected a string or an object`,
    );
  });

  it.each<readonly [string, Partial<TargetSpec>, string, string]>([
    [
      "a Secret without key",
      { secretRef: { name: "access" } },
      "Secret default/access: expected a key kubeconfig, oidcConfig or selfConfig, found none of them",
      "rename the key with the kubeconfig to kubeconfig, or set spec.secretRef.key of the Target to its name",
    ],
    [
      "a key of a Secret",
      { secretRef: { name: "access", key: "config" } },
      "Secret default/access, key config: expected kubeconfig, oidcConfig or selfConfig, or the fields of a kubeconfig, found none of them",
      "add kubeconfig with the text of a kubeconfig",
    ],
    [
      "a config",
      { config: {} },
      "expected kubeconfig, oidcConfig or selfConfig, or the fields of a kubeconfig, found none of them",
      "add kubeconfig with the text of a kubeconfig",
    ],
  ])("in %s with unknown fields only is refused with what is missing", (...[_name, spec, problem, hint]) => {
    const error = refusalOf(() => parseClusterAccess(target(spec), { sentinel: "text" }));
    expect(error).toMatchObject({ message: `Target default/cluster: ${problem}`, hint, retry: "never" });
  });

  it.each([
    ["the key of a Secret", { name: "access", key: "config" }, "Secret default/access, key config: "],
    ["a whole Secret", { name: "access" }, "Secret default/access: "],
  ])("names %s in errors of its kubeconfig", (_name, secretRef, place) => {
    const prefix = `Target default/cluster: ${place}kubeconfig: `;
    const messageOf = (text: string): string =>
      refusalOf(() => nameTarget(target({ secretRef }), () => connectionFromKubeconfig(text))).message;
    const withUser = (user: object): string =>
      JSON.stringify({
        "current-context": "x",
        contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
        clusters: [{ name: "c", cluster: { server: "https://api.example" } }],
        users: [{ name: "u", user }],
      });
    expect([
      messageOf("current-context: y"),
      messageOf(withUser({ exec: { command: "id" } })),
      messageOf(withUser({ tokenFile: "/token" })),
      messageOf(base64(withUser({}))),
      messageOf("text"),
    ]).toEqual([
      `${prefix}current-context is "y", but contexts has no entry with this name`,
      `${prefix}users[u].user.exec is not allowed`,
      `${prefix}users[u].user.tokenFile is not allowed`,
      `${prefix}expected the kubeconfig as plain text, found its base64 text`,
      `${prefix}expected an object, found a string`,
    ]);
  });

  it("of another type is refused", () => {
    expect(() => parseClusterAccess(target({ type: "example.org/cloud" }), kubeconfig)).toThrow(
      "Target default/cluster: spec.type: expected landscaper.gardener.cloud/kubernetes-cluster, found example.org/cloud",
    );
  });
});

describe("on a cluster", () => {
  let embedded: EmbeddedCluster;
  let server: LocalCluster;
  let client: Client;
  beforeAll(async () => {
    embedded = await startEmbeddedCluster();
    ({ server, client } = embedded);
    const metadata = { name: "access", namespace: "default" };
    const data = {
      kubeconfig: base64("a: 1\nb: [x]\n"),
      plain: base64("text"),
      broken: base64("a: [sentinel"),
      number: base64("5"),
    };
    await client.create(kubeResources.secret, { apiVersion: "v1", kind: "Secret", metadata, data });
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "sa", namespace: "default" } };
    await client.create(kubeResources.serviceAccount, account);
  });
  afterAll(() => embedded.stop());

  const resolve = (spec: Partial<TargetSpec>): Promise<unknown> =>
    resolveTargetContent(target(spec), { reader: client, signal });

  it("inline content is taken as it is", async () => {
    expect(await resolve({ config: { kubeconfig: "text" } })).toEqual({ kubeconfig: "text" });
  });

  it("a key of a Secret is parsed", async () => {
    expect(await resolve({ secretRef: { name: "access", key: "kubeconfig" } })).toEqual({ a: 1, b: ["x"] });
    expect(await resolve({ secretRef: { name: "access", key: "plain" } })).toBe("text");
  });

  it("a whole Secret becomes an object of parsed values", async () => {
    const metadata = { name: "whole", namespace: "default" };
    const data = { kubeconfig: base64("a: 1"), number: base64("5"), text: base64("x") };
    await client.create(kubeResources.secret, { apiVersion: "v1", kind: "Secret", metadata, data });
    expect(await resolve({ secretRef: { name: "whole" } })).toEqual({ kubeconfig: { a: 1 }, number: 5, text: "x" });
  });

  it.each<readonly [string, Partial<TargetSpec>, string]>([
    ["nothing", {}, "spec has neither config nor secretRef"],
    ["a missing Secret", { secretRef: { name: "missing" } }, "its Secret default/missing does not exist"],
    ["a missing key", { secretRef: { name: "access", key: "no" } }, 'its Secret default/access has no key "no"'],
    [
      "broken YAML",
      { secretRef: { name: "access", key: "broken" } },
      "Secret default/access, key broken: not YAML at line 2, column 1",
    ],
    [
      "broken YAML in any key",
      { secretRef: { name: "access" } },
      "Secret default/access, key broken: not YAML at line 2, column 1",
    ],
  ])("%s is named, without content", async (_name, spec, problem) => {
    await expect(resolve(spec)).rejects.toThrow(`Target default/cluster: ${problem}`);
  });

  function cacheWith(options: { readonly maxIdle?: number } = {}): ClusterCache {
    const clock = createFakeClock(Date.now());
    const self = connectionFromKubeconfig(server.kubeconfig);
    return createClusterCache({
      client,
      self,
      clock,
      createClient: (connection) => createClient({ connection }),
      ...options,
    });
  }

  it("equal access data share a client, and the idle ones that were used longest ago are closed", async () => {
    const cache = cacheWith({ maxIdle: 1 });
    const access = (user: string) => ({ type: "kubeconfig", text: server.kubeconfigFor({ name: user }) }) as const;
    const [a, b] = [access("a"), access("b")];
    const first = cache.acquire(a);
    const second = cache.acquire(a);
    expect(second.cluster).toBe(first.cluster);
    first.release();
    second.release();
    expect(cache.acquire(a).cluster).toBe(first.cluster);
    const other = cache.acquire(b);
    expect(other.cluster).not.toBe(first.cluster);
    other.release();
    expect(await first.cluster.client.list(kubeResources.namespace)).toBeDefined();
    await cache.close();
  });

  it.each([
    [
      "certificate-authority",
      { cluster: { "certificate-authority": "/etc/passwd" } },
      "kubeconfig: clusters[c].cluster.certificate-authority is not allowed",
    ],
    [
      "client-certificate",
      { user: { "client-certificate": "/etc/passwd" } },
      "kubeconfig: users[u].user.client-certificate is not allowed",
    ],
    ["client-key", { user: { "client-key": "/etc/passwd" } }, "kubeconfig: users[u].user.client-key is not allowed"],
    ["tokenFile", { user: { tokenFile: "/etc/passwd" } }, "kubeconfig: users[u].user.tokenFile is not allowed"],
    ["exec", { user: { exec: { command: "id" } } }, "kubeconfig: users[u].user.exec is not allowed"],
    [
      "auth-provider",
      { user: { "auth-provider": { name: "gcp" } } },
      "kubeconfig: users[u].user.auth-provider is not allowed",
    ],
    ["impersonation", { user: { as: "admin" } }, "kubeconfig: impersonation by users[].user.as is not allowed"],
  ])("a kubeconfig of a user may not name %s", (_name, parts: { cluster?: object; user?: object }, problem) => {
    const config = {
      "current-context": "x",
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster: { server: server.url, ...parts.cluster } }],
      users: [{ name: "u", user: { ...parts.user } }],
    };
    expect(() => cacheWith().acquire({ type: "kubeconfig", text: JSON.stringify(config) })).toThrow(problem);
  });

  const account = { namespace: "default", name: "sa", audiences: [], expirationSeconds: 3600 };

  it("oidc and self targets are opened with a token of the account (A24)", async () => {
    const cache = cacheWith();
    const self = cache.acquire({ type: "self", account });
    const oidcTarget = cache.acquire({ type: "oidc", server: server.url, ca: server.caPem, account });
    for (const { cluster } of [self, oidcTarget]) {
      const { items } = await cluster.client.list(kubeResources.namespace);
      expect(items.length).toBeGreaterThan(0);
    }
    await cache.close();
  });

  it("tokens are kept for most of their life", async () => {
    const clock = createFakeClock(Date.now());
    const { getToken } = createTokenSource({ client, account, clock });
    const [first, same] = await Promise.all([getToken(), getToken()]);
    expect(same).toBe(first);
    await clock.advance(2_800_000);
    expect(await getToken()).toBe(first);
    await clock.advance(100_000);
    expect(await getToken()).not.toBe(first);
  });

  it("a token that was refused is not used again, and only the one that was refused", async () => {
    const { getToken, dropToken } = createTokenSource({ client, account, clock: createFakeClock(Date.now()) });
    const first = await getToken();
    dropToken("another one");
    expect(await getToken()).toBe(first);
    dropToken(first);
    const second = await getToken();
    expect(second).not.toBe(first);
    dropToken(first);
    expect(await getToken()).toBe(second);
  });

  it("a missing account is named", async () => {
    const { getToken } = createTokenSource({
      client,
      account: { ...account, name: "gone" },
      clock: createFakeClock(),
    });
    await expect(getToken()).rejects.toThrow(
      'no token for ServiceAccount default/gone: serviceaccounts "gone" not found',
    );
  });
});
