import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LandscaperError } from "@landscaper/api";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { connectionFromKubeconfig } from "./connection-from-kubeconfig.ts";
import { createFakeClock } from "@landscaper/testkit";
import { loadConnection } from "./load-connection.ts";

const pem = (name: string): string => `-----BEGIN ${name}-----\nabc\n-----END ${name}-----\n`;
const base64 = (text: string): string => Buffer.from(text).toString("base64");

interface Parts {
  readonly cluster?: object;
  readonly user?: object;
  readonly more?: object;
}

/** JSON is YAML. */
function kubeconfig({ cluster = {}, user = {}, more = {} }: Parts = {}): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "main",
    contexts: [
      { name: "other", context: { cluster: "other", user: "admin" } },
      { name: "main", context: { cluster: "c", user: "admin" } },
    ],
    clusters: [
      { name: "c", cluster: { server: "https://api.example:6443", ...cluster } },
      { name: "other", cluster: { server: "https://other.example" } },
    ],
    users: [{ name: "admin", user }],
    ...more,
  });
}

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "kubeconfig-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
}

function refusal(work: () => unknown): { message: string; hint: string | undefined } {
  try {
    work();
  } catch (error) {
    if (!(error instanceof LandscaperError)) throw error;
    expect([error.reason, error.retry, error.code]).toEqual([
      "InvalidKubeconfig",
      "never",
      "ERR_CONFIGURATION_PROBLEM",
    ]);
    return { message: error.message, hint: error.hint };
  }
  throw new Error("it was accepted");
}

describe("connectionFromKubeconfig", () => {
  it("takes inline certificates", () => {
    const cluster = {
      "certificate-authority-data": base64(pem("CA")),
      "tls-server-name": "api",
      "proxy-url": "http://proxy",
    };
    const user = { "client-certificate-data": base64(pem("CERT")), "client-key-data": base64(pem("KEY")) };
    expect(connectionFromKubeconfig(kubeconfig({ cluster, user }))).toMatchObject({
      server: "https://api.example:6443",
      ca: pem("CA"),
      cert: pem("CERT"),
      key: pem("KEY"),
      tlsServerName: "api",
      proxyUrl: "http://proxy",
      insecureSkipTlsVerify: false,
    });
  });

  it.each([
    [{ token: "t" }, { token: "t" }],
    [
      { username: "me", password: "p" },
      { username: "me", password: "p" },
    ],
    [{ as: "you" }, { headers: { "impersonate-user": "you" } }],
  ])("takes the user %p", (user, want) => {
    expect(connectionFromKubeconfig(kubeconfig({ user }))).toMatchObject(want);
  });

  it.each([
    [
      { cluster: { "certificate-authority": "/ca", "certificate-authority-data": base64(pem("CA")) } },
      "clusters[c].cluster.certificate-authority",
    ],
    [{ user: { "client-key": "/key", "client-key-data": base64(pem("KEY")) } }, "users[admin].user.client-key"],
    [{ user: { tokenFile: "/token", token: "t" } }, "users[admin].user.tokenFile"],
  ])("refuses a file also where it would not be read: %j", (parts, field) => {
    expect(() => connectionFromKubeconfig(kubeconfig(parts))).toThrow(`kubeconfig: ${field} is not allowed`);
  });

  it("takes the context that is asked for", () => {
    expect(connectionFromKubeconfig(kubeconfig(), { context: "other" }).server).toBe("https://other.example");
  });

  it("reads YAML", () => {
    const text = `
current-context: x
contexts: [{name: x, context: {cluster: c}}]
clusters:
- name: c
  cluster:
    server: http://127.0.0.1:8080
    insecure-skip-tls-verify: true
`;
    expect(connectionFromKubeconfig(text)).toMatchObject({
      server: "http://127.0.0.1:8080",
      insecureSkipTlsVerify: true,
    });
  });

  it.each<[name: string, text: string, message: string, hint?: string]>([
    [
      "a text that is no YAML",
      "b: 1\na: [hunter2",
      "kubeconfig: not YAML at line 2, column 12",
      "correct the kubeconfig",
    ],
    ["a list", "[]", "kubeconfig: expected an object, found a list", "correct the kubeconfig"],
    ["an empty text", "", "kubeconfig: expected an object, found nothing", "correct the kubeconfig"],
    [
      "base64 of a kubeconfig",
      base64(kubeconfig()),
      "kubeconfig: expected the kubeconfig as plain text, found its base64 text",
      "decode the text, or put the plain text into the field stringData of the Secret",
    ],
    [
      "base64 of a kubeconfig in lines",
      base64(kubeconfig()).replaceAll(/(.{76})/g, "$1\n"),
      "kubeconfig: expected the kubeconfig as plain text, found its base64 text",
      "decode the text, or put the plain text into the field stringData of the Secret",
    ],
    [
      "base64 of another text",
      base64("hunter2: 1"),
      "kubeconfig: expected an object, found a string",
      "correct the kubeconfig",
    ],
    [
      "no current context",
      kubeconfig({ more: { "current-context": "" } }),
      "kubeconfig: current-context is missing",
      "set current-context to the name of an entry of contexts",
    ],
    [
      "an unknown context",
      kubeconfig({ more: { "current-context": "x" } }),
      'kubeconfig: current-context is "x", but contexts has no entry with this name',
      "correct current-context, or add an entry to contexts",
    ],
    [
      "no clusters",
      kubeconfig({ more: { clusters: null } }),
      'kubeconfig: contexts[main].context.cluster is "c", but clusters has no entry with this name',
      "correct contexts[main].context.cluster, or add an entry to clusters",
    ],
    [
      "users that are no list",
      kubeconfig({ more: { users: "hunter2" } }),
      "kubeconfig: users: expected a list, found a string",
    ],
    [
      "a missing user",
      kubeconfig({ more: { users: [] } }),
      'kubeconfig: contexts[main].context.user is "admin", but users has no entry with this name',
      "correct contexts[main].context.user, or add an entry to users",
    ],
    ["no server", kubeconfig({ cluster: { server: "" } }), "kubeconfig: clusters[c].cluster.server is missing"],
    [
      "a server that is no URL",
      kubeconfig({ cluster: { server: "file:///etc/passwd" } }),
      "kubeconfig: clusters[c].cluster.server: expected an http or https URL such as https://api.example.org:6443",
    ],
    [
      "a token that is no text",
      kubeconfig({ user: { token: 7 } }),
      "kubeconfig: users[admin].user.token: expected a string, found a number",
    ],
    [
      "groups to impersonate",
      kubeconfig({ user: { as: "x", "as-groups": ["g"] } }),
      "kubeconfig: users[admin].user.as-groups and users[admin].user.as-user-extra are not supported",
    ],
  ])("refuses %s", (...[_name, text, message, hint]) => {
    expect(refusal(() => connectionFromKubeconfig(text))).toEqual({ message, hint });
  });

  it.each<[field: string, parts: Parts, instead?: string]>([
    [
      "clusters[c].cluster.certificate-authority",
      { cluster: { "certificate-authority": "/etc/ssl/ca.pem" } },
      "certificate-authority-data",
    ],
    ["users[admin].user.client-certificate", { user: { "client-certificate": "/x" } }, "client-certificate-data"],
    ["users[admin].user.client-key", { user: { "client-key": "/x" } }, "client-key-data"],
    ["users[admin].user.tokenFile", { user: { tokenFile: "/run/secrets/token" } }, "token"],
    ["users[admin].user.exec", { user: { exec: { command: "sh" } } }],
    ["users[admin].user.auth-provider", { user: { "auth-provider": { name: "oidc" } } }],
  ])("does not let a user of the landscaper name %s", (...[field, parts, instead]) => {
    expect(refusal(() => connectionFromKubeconfig(kubeconfig(parts)))).toEqual({
      message: `kubeconfig: ${field} is not allowed`,
      hint: `put certificates and tokens into the kubeconfig itself${instead === undefined ? "" : `, as ${instead}`}`,
    });
  });

  it.each(["hunter2\n", "hunter2\nhunter3", "hunter\u20222"])(
    "refuses the token %j, which no header can have",
    (token) => {
      expect(refusal(() => connectionFromKubeconfig(kubeconfig({ user: { token } })))).toEqual({
        message:
          "kubeconfig: users[admin].user.token: expected a text of one line, found line breaks or other characters that no HTTP header can have",
        hint: "correct users[admin].user.token, such as by removing the line break at its end",
      });
    },
  );

  it.each([
    ["PEM", Buffer.from("a certificate").toString("base64")],
    ["base64", "%%%"],
  ])("refuses a certificate authority that is not %s, which Node.js would ignore", (_form, data) => {
    const field = "clusters[c].cluster.certificate-authority-data";
    const parts = { cluster: { "certificate-authority-data": data } };
    expect(refusal(() => connectionFromKubeconfig(kubeconfig(parts)))).toEqual({
      message: `kubeconfig: ${field}: expected PEM in base64, found another text`,
      hint: `correct ${field}`,
    });
  });

  it("reads files where they are allowed, beside the kubeconfig", async () => {
    write("ca.pem", pem("CA"));
    const tokenFile = write("token", "first\n");
    const parts = { cluster: { "certificate-authority": "ca.pem" }, user: { tokenFile: "token" } };
    const connection = connectionFromKubeconfig(kubeconfig(parts), { allowFiles: true, baseDir: dir });
    expect(connection.ca).toBe(pem("CA"));
    expect(await connection.getToken?.()).toBe("first");
    writeFileSync(tokenFile, "second\n");
    expect(await connection.getToken?.()).toBe("second");
  });

  it("names the file that is missing", () => {
    const text = kubeconfig({ user: { "client-key": "missing.pem" } });
    expect(refusal(() => connectionFromKubeconfig(text, { allowFiles: true, baseDir: dir })).message).toBe(
      "kubeconfig: users[admin].user.client-key: the file missing.pem cannot be read (ENOENT)",
    );
  });
});

describe("loadConnection", () => {
  it("prefers the flag, then KUBECONFIG, then the pod, then the home directory", async () => {
    const at = (server: string): string => kubeconfig({ cluster: { server } });
    const flag = write("flag", at("https://flag"));
    const named = write("named", at("https://named"));
    mkdirSync(join(dir, ".kube"));
    write(".kube/config", at("https://home"));
    write("ca.crt", pem("CA"));
    write("token", "pod-token");
    const pod = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };
    const load = async (kubeconfigPath: string | undefined, env: Record<string, string>): Promise<string> =>
      (await loadConnection({ kubeconfigPath, env: { HOME: dir, ...env }, serviceAccountDir: dir })).server;
    expect([
      await load(flag, { KUBECONFIG: named, ...pod }),
      await load(undefined, { KUBECONFIG: `:${named}:other`, ...pod }),
      await load(undefined, pod),
      await load(undefined, {}),
    ]).toEqual(["https://flag", "https://named", "https://10.0.0.1:443", "https://home"]);
  });

  it("reads the pod's token again once a minute", async () => {
    const clock = createFakeClock();
    write("ca.crt", pem("CA"));
    const tokenFile = write("token", "first\n");
    const env = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };
    const connection = await loadConnection({ env, serviceAccountDir: dir, clock });
    expect([connection.server, connection.ca, await connection.getToken?.()]).toEqual([
      "https://[fd00::1]:443",
      pem("CA"),
      "first",
    ]);
    writeFileSync(tokenFile, "second\n");
    expect(await connection.getToken?.()).toBe("first");
    await clock.advance(60_001);
    expect(await connection.getToken?.()).toBe("second");
  });

  it("says how to name a kubeconfig when there is none", async () => {
    const error = await loadConnection({ env: { HOME: dir } }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      message: `kubeconfig: the file ${dir}/.kube/config cannot be read (ENOENT)`,
      hint: "name a kubeconfig by --kubeconfig or KUBECONFIG, or run in a pod with a ServiceAccount",
    });
  });

  it.each(["the flag", "KUBECONFIG"])("names the file of %s in errors of its content", async (source) => {
    const path = write("empty", "clusters: []\n");
    const options = source === "KUBECONFIG" ? { env: { KUBECONFIG: path } } : { kubeconfigPath: path, env: {} };
    await expect(loadConnection(options)).rejects.toMatchObject({
      message: `kubeconfig ${path}: current-context is missing`,
      hint: "set current-context to the name of an entry of contexts",
      reason: "InvalidKubeconfig",
      retry: "never",
    });
  });

  describe("with an exec plugin", () => {
    function pluginUser(script: string): object {
      const command = write("plugin.sh", `#!/bin/sh\n${script}\n`);
      chmodSync(command, 0o755);
      return {
        exec: { apiVersion: "client.authentication.k8s.io/v1", command, env: [{ name: "GREETING", value: "hello" }] },
      };
    }

    function load(user: object): ReturnType<typeof loadConnection> {
      return loadConnection({ kubeconfigPath: write("config", kubeconfig({ user })), env: {} });
    }

    it("asks it for tokens, again when they expire", async () => {
      const expired = "2020-01-01T00:00:00Z";
      const status = `{"token":"'$GREETING-$(cat ${join(dir, "n")})'","expirationTimestamp":"${expired}"}`;
      write("n", "1");
      const connection = await load(pluginUser(`echo '{"kind":"ExecCredential","status":${status}}'`));
      write("n", "2");
      expect(await connection.getToken?.()).toBe("hello-2");
    });

    it("takes certificates of it", async () => {
      const status = { clientCertificateData: pem("CERT"), clientKeyData: pem("KEY") };
      const connection = await load(pluginUser(`cat <<'END'\n${JSON.stringify({ status })}\nEND`));
      expect(connection).toMatchObject({ cert: pem("CERT"), key: pem("KEY") });
    });

    it("names the plugin's user when it fails", async () => {
      const error = await load(pluginUser("echo 'no session' >&2; exit 1")).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        message: `kubeconfig ${join(dir, "config")}: users[admin].user.exec: the plugin failed: no session`,
      });
    });
  });

  it("does not support the auth providers of old", async () => {
    const path = write("config", kubeconfig({ user: { "auth-provider": { name: "gcp" } } }));
    await expect(loadConnection({ kubeconfigPath: path, env: {} })).rejects.toMatchObject({
      message: `kubeconfig ${path}: users[admin].user.auth-provider is not supported`,
      hint: "use an exec plugin",
    });
  });
});
