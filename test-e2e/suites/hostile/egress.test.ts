// Requests that a tenant makes the services send: to places that only they reach, and with credentials that others collect.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { TargetSync, UnstructuredObject } from "@landscaper/api";
import { resources } from "@landscaper/api";
import { createDeployerScope } from "@landscaper/deployer/testing";
import { redirects } from "../../hostile/answers.ts";
import type { Answer, HostileServer } from "../../hostile/hostile-server.ts";
import { hostileToken, startHostileServer } from "../../hostile/hostile-server.ts";
import { createKubeconfig } from "@landscaper/testkit";
import type { Environment } from "../../src/services/environment.ts";
import { startEnvironment } from "../../src/services/environment.ts";
import { clustersUnderTest } from "../../src/clusters/selected-clusters.ts";
import { createRecognizer } from "../../src/kits/sentinel.ts";
import type { TestNamespace } from "../../src/namespaces/test-namespace.ts";
import { collectVisibleTexts, findLeaks } from "../../src/namespaces/visible-texts.ts";

/** What the services must not reach: denied by their configuration. Without the check a request would end there, on loopback. */
const deniedHost = "127.0.0.2";
const egress = { deny: [deniedHost] };
const byEntry = `denied by the entry "${deniedHost}" of egress.deny`;
const denied = (rule: string): string =>
  `denied by the rule "${rule}" of egress.profile; ask the operator for an entry of egress.allow`;
const serverField = "kubeconfig: clusters[hostile].cluster.server";

function kubeconfigOf(cluster: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "hostile",
    contexts: [{ name: "hostile", context: { cluster: "hostile", user: "hostile" } }],
    clusters: [{ name: "hostile", cluster }],
    users: [{ name: "hostile", user: { token: hostileToken } }],
  });
}

/** A namespace of a tenant, with items that get their job from the test. */
interface Place {
  readonly scope: TestNamespace;
  /** lastError of an item; its job has ended with it. */
  fail(item: HostileItem): Promise<string>;
  /** The first lastError of an item, whose job may go on. */
  tell(item: HostileItem): Promise<string>;
}

interface HostileItem {
  /** Kubeconfig of its Target, or the whole of its configuration. Default: a permitted one. */
  readonly target?: string | object;
  /** Default: an item of the manifest deployer. */
  readonly chart?: object;
}

async function openPlace(environment: Environment, name: string): Promise<Place> {
  const scope = await environment.namespace(name);
  const { client, targetKubeconfig } = environment;
  const items = createDeployerScope({ hubClient: client, targetKubeconfig, namespace: scope.name, timeoutMs: 60_000 });
  await items.createTarget();
  const create = async ({ target, chart }: HostileItem): Promise<void> => {
    if (target !== undefined) {
      const config = typeof target === "string" ? { kubeconfig: target } : { ...target };
      const spec = { type: "landscaper.gardener.cloud/kubernetes-cluster", config };
      const apiVersion = "landscaper.gardener.cloud/v1alpha1";
      await scope.apply({ apiVersion, kind: "Target", metadata: { name: "hostile" }, spec });
    }
    const spec = {
      type: `landscaper.gardener.cloud/${chart === undefined ? "kubernetes-manifest" : "helm"}`,
      config: chart === undefined ? manifestConfig : helmConfig(chart, scope.targetNamespace),
      target: { name: target === undefined ? "cluster" : "hostile", namespace: scope.name },
    };
    await items.create({ name: "item", spec });
  };
  return {
    scope,
    async fail(item) {
      await create(item);
      const { status } = await items.waitForEnd("item");
      expect(status?.phase).toBe("Failed");
      return status?.lastError?.message ?? "";
    },
    async tell(item) {
      await create(item);
      const { status } = await items.waitFor("item", ({ lastError }) => lastError !== undefined);
      return status?.lastError?.message ?? "";
    },
  };
}

const manifestConfig = {
  apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha2",
  kind: "ProviderConfiguration",
  manifests: [
    {
      policy: "manage",
      manifest: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "map", namespace: "default" } },
    },
  ],
};

function helmConfig(chart: object, namespace: string): Record<string, unknown> {
  const apiVersion = "helm.deployer.landscaper.gardener.cloud/v1alpha1";
  return { apiVersion, kind: "ProviderConfiguration", name: "app", namespace, chart };
}

function pullSecret(host: string, password: string): UnstructuredObject {
  const auth = Buffer.from(`robot:${password}`).toString("base64");
  const config = Buffer.from(JSON.stringify({ auths: { [host]: { auth } } })).toString("base64");
  return { apiVersion: "v1", kind: "Secret", metadata: { name: "pull" }, data: { ".dockerconfigjson": config } };
}

const context: UnstructuredObject = {
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "Context",
  metadata: { name: "default" },
  registryPullSecrets: [{ name: "pull" }],
};

describe.each(clustersUnderTest())("outgoing requests on %s", (cluster) => {
  let environment: Environment;
  const servers: HostileServer[] = [];
  const start = async (answer: Answer, tls?: boolean): Promise<HostileServer> => {
    const server = await startHostileServer({ answer, ...(tls === undefined ? {} : { tls }) });
    servers.push(server);
    return server;
  };
  beforeAll(async () => {
    const services = ["landscaper-core", "manifest-deployer", "helm-deployer"] as const;
    const configs = Object.fromEntries(services.map((service) => [service, { egress }]));
    environment = await startEnvironment({ cluster, services, configs });
  });
  afterAll(async () => {
    await Promise.all(servers.map(async (server) => server.stop()));
    await environment.stop();
  });

  it.each([
    ["server", { server: `https://${deniedHost}` }, `${serverField}: host ${deniedHost}, port 443`],
    ["server in another notation", { server: "http://0x7f000002" }, `${serverField}: host ${deniedHost}, port 80`],
    [
      "proxy",
      { server: "https://api.example", "proxy-url": `http://user:password@${deniedHost}` },
      `kubeconfig: clusters[hostile].cluster.proxy-url: host ${deniedHost}, port 80`,
    ],
  ])("a Target does not lead to a denied host by its %s", async (what, entry, problem) => {
    const place = await openPlace(environment, what.replace(/ .*/, ""));
    expect(await place.fail({ target: kubeconfigOf(entry) })).toBe(
      `Target ${place.scope.name}/hostile: ${problem}: ${byEntry}; ask the operator`,
    );
  });

  it("a TargetSync does not lead to a denied host", async () => {
    const scope = await environment.namespace("sync");
    const kubeconfig = kubeconfigOf({ server: `https://${deniedHost}` });
    await scope.apply(
      { apiVersion: "v1", kind: "Secret", metadata: { name: "source" }, stringData: { kubeconfig } },
      {
        apiVersion: "landscaper.gardener.cloud/v1alpha1",
        kind: "TargetSync",
        metadata: { name: "sync" },
        spec: { sourceNamespace: "default", secretRef: { name: "source" }, secretNameExpression: "*" },
      },
    );
    const failed = await scope.until<TargetSync>(
      resources.targetSync,
      "sync",
      (sync) => (sync?.status?.lastErrors ?? []).length > 0,
    );
    expect(failed?.status?.lastErrors).toEqual([`${serverField}: host ${deniedHost}, port 443: ${byEntry}`]);
  });

  it("a chart does not lead to a denied host by a redirect", async () => {
    const repository = await start(redirects(`http://${deniedHost}/secret`), false);
    const place = await openPlace(environment, "chart");
    const url = `${repository.url}/app-1.0.0.tgz?token=secret-of-the-url`;
    expect(await place.fail({ chart: { archive: { remote: { url } } } })).toBe(
      `chart.archive.remote.url: redirect 1 of ${new URL(url).origin}: http://${deniedHost}/secret: host ${deniedHost}, port 80: ${byEntry}; ask the operator`,
    );
  });

  it("a registry does not hand the pull secret to a token service elsewhere", async () => {
    const collected: (string | undefined)[] = [];
    const collector = await start(({ headers }, response) => {
      collected.push(headers.authorization);
      response.end(JSON.stringify({ token: "t" }));
    }, false);
    const registry = await start((_request, response) => {
      response.writeHead(401, { "www-authenticate": `Bearer realm="${collector.url}/token",service="x"` }).end();
    }, false);
    const { host } = new URL(registry.url);
    const place = await openPlace(environment, "realm");
    await place.scope.apply(pullSecret(host, "correct-horse-battery"), context);
    expect(await place.fail({ chart: { ref: `${registry.url}/charts/app:1.0.0` } })).toBe(
      `chart.ref: ${host}: its credentials are not sent to the token service ${new URL(collector.url).host}, another host, without https; ask the operator for an entry of egress.tokenRealms if both belong together`,
    );
    expect(collected).toEqual([]);
  });

  it("a server that sends back our credentials does not get them into a status, an Event, a log, or a metric", async () => {
    const echoing = await start(({ headers }, response) => {
      const { authorization = "" } = headers;
      const encoded = Buffer.from(`got ${authorization}`).toString("base64");
      const message = `no access with ${authorization}, ${encoded}, ${encodeURIComponent(authorization)}`;
      const body = { kind: "Status", apiVersion: "v1", status: "Failure", code: 403, reason: authorization, message };
      response.writeHead(403, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    const page = await start(({ headers }, response) => {
      response.writeHead(403, { "content-type": "text/html" }).end(`<html>${headers.authorization ?? ""}</html>`);
    });
    const [quoting, plain] = await Promise.all([openPlace(environment, "echo"), openPlace(environment, "page")]);
    const [first, second] = await Promise.all([
      quoting.tell({ target: echoing.kubeconfig }),
      plain.tell({ target: page.kubeconfig }),
    ]);
    expect(first).toContain("no access with Bearer [...]");
    expect(second).toContain("Forbidden");
    const texts = [
      ...(await collectVisibleTexts(environment, quoting.scope)),
      ...(await collectVisibleTexts(environment, plain.scope)),
    ];
    expect(findLeaks(texts, createRecognizer(hostileToken))).toEqual([]);
  });
});

describe.each(clustersUnderTest())("outgoing requests of the hardened profile on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    const hardened = { profile: "hardened" };
    environment = await startEnvironment({
      cluster,
      services: ["manifest-deployer"],
      configs: { "manifest-deployer": { egress: hardened, oidcRequireAudience: true } },
    });
  });
  afterAll(async () => environment.stop());

  it.each([
    [
      "loopback",
      { server: "https://127.0.0.2:6443" },
      `${serverField}: host 127.0.0.2, port 6443: ${denied("loopback")}`,
    ],
    [
      "plain",
      { server: `http://${deniedHost}` },
      `${serverField}: host ${deniedHost}: http:// is denied by egress.allowPlainHTTP; use https://, or ask the operator for egress.allowPlainHTTP`,
    ],
    [
      "unchecked",
      { server: `https://${deniedHost}`, "insecure-skip-tls-verify": true },
      "kubeconfig: clusters[hostile].cluster.insecure-skip-tls-verify is not allowed; set certificate-authority-data, or ask the operator for egress.allowInsecureSkipTLSVerify",
    ],
    [
      "proxy",
      { server: `https://${deniedHost}`, "proxy-url": `http://${deniedHost}` },
      "kubeconfig: clusters[hostile].cluster.proxy-url is not allowed; ask the operator for egress.allowProxyURL",
    ],
  ])("refuses a Target: %s", async (name, entry, problem) => {
    const place = await openPlace(environment, name);
    expect(await place.fail({ target: kubeconfigOf(entry) })).toBe(`Target ${place.scope.name}/hostile: ${problem}`);
  });

  it("sends no token that the landscaper cluster accepts, too, to a server of a Target", async () => {
    const place = await openPlace(environment, "oidc");
    const server = `https://${deniedHost}:6443`;
    const oidcConfig = { server, caData: Buffer.from("CA").toString("base64"), serviceAccount: { name: "robot" } };
    expect(await place.fail({ target: { oidcConfig } })).toBe(
      `Target ${place.scope.name}/hostile: oidcConfig has no audience: the landscaper cluster accepts its tokens, too, and ${deniedHost}:6443 is not in oidcTrustedServers; set an audience of the target cluster, or ask the operator for an entry of oidcTrustedServers`,
    );
  });

  it("the cluster that the service works for stays reachable by selfConfig alone", async () => {
    const place = await openPlace(environment, "own");
    const kubeconfig = createKubeconfig({
      name: "hostile",
      server: environment.hub.url,
      ca: environment.hub.ca,
      user: { token: hostileToken },
    });
    const { hostname, port } = new URL(environment.hub.url);
    const found = await place.fail({ target: kubeconfig });
    expect(found).toContain(`: host ${hostname}, port ${port}: denied by the rule `);
  });
});
