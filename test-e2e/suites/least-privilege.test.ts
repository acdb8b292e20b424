// Services that lack a right, and clusters that cannot be worked on: said in the log and on /readyz, without an end of the process, until it is put right.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { resources } from "@landscaper/api";
import { createKubeconfig, startApiProxy, waitFor } from "@landscaper/testkit";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import { createLimitedAccount, type TakenRight } from "../src/clusters/limited-account.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { createServiceProcess, type ServiceName, type ServiceProcess } from "../src/services/service-process.ts";
import { startTestCluster, type TestCluster } from "../src/clusters/test-cluster.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

/** A right of each service that is missing at its start, and how the service says so. */
const missingRights: readonly (TakenRight & { service: ServiceName; chart: string; says: string })[] = [
  {
    service: "landscaper-core",
    chart: "landscaper",
    resource: "executions/status",
    verbs: ["update"],
    says: "on the landscaper cluster: update executions/status (landscaper.gardener.cloud)",
  },
  {
    service: "manifest-deployer",
    chart: "manifest-deployer",
    resource: "deployitems",
    verbs: ["list", "watch"],
    says: "on the landscaper cluster: list, watch deployitems (landscaper.gardener.cloud)",
  },
  {
    service: "helm-deployer",
    chart: "helm-deployer",
    resource: "secrets",
    verbs: ["get"],
    says: "on the landscaper cluster: get secrets",
  },
  {
    service: "mock-deployer",
    chart: "mock-deployer",
    resource: "leases",
    verbs: ["create"],
    says: "in namespace landscaper-e2e of the landscaper cluster: create leases (coordination.k8s.io)",
  },
];

const started: ServiceProcess[] = [];

/** Starts it without waiting; `readiness` is asked until it is as expected. */
async function launch(name: ServiceName, kubeconfig: string, folder: string): Promise<ServiceProcess> {
  const service = await createServiceProcess({ name, kubeconfig, folder, pod: `${name}-${started.length}` });
  started.push(service);
  service.launch();
  return service;
}

async function waitForReadiness(service: ServiceProcess, isMet: (answer: string) => boolean): Promise<string> {
  let answer = "";
  await waitFor(async () => {
    answer = await service.readiness();
    return isMet(answer);
  }).catch(() => {
    throw new Error(
      `${service.name}: /readyz answers ${answer}\n${readFileSync(service.logFile, "utf8").slice(-2_000)}`,
    );
  });
  return answer;
}

/** Not one line with a stack, and the process that was started first still runs. */
function expectCalm({ logFile, child, crashes }: ServiceProcess): void {
  const text = readFileSync(logFile, "utf8");
  expect(text.split("\n").filter((line) => /\\n\s+at |^\s+at /.test(line))).toEqual([]);
  expect({ crashes, ended: child.ended }).toEqual({ crashes: [], ended: undefined });
}

async function stopAll(): Promise<void> {
  await Promise.all(started.splice(0).map(async (service) => service.stop()));
}

const isReady = (answer: string): boolean => answer === "200 ok";

describe.each(clustersUnderTest())("a service without a right on %s", (cluster) => {
  let environment: Environment;
  let folder: string;
  let scope: TestNamespace;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "least-privilege-"));
    environment = await startEnvironment({ cluster, services: [] });
    scope = await environment.namespace("rights");
  });
  afterEach(stopAll);
  afterAll(async () => {
    await environment.stop();
    rmSync(folder, { recursive: true });
  });

  function kubeconfigOf(token: string): string {
    const { url, ca } = environment.hub;
    return createKubeconfig({ name: "hub", server: url, ca, user: { token } });
  }

  it.each(missingRights)(
    "$service names a right to $resource that is missing, and begins when it is granted",
    async (taken) => {
      const { chart, service: name, says } = taken;
      const account = await createLimitedAccount(environment.client, { namespace: scope.name, chart }, taken);
      const service = await launch(name, kubeconfigOf(account.token), folder);
      const answer = await waitForReadiness(service, (text) => text.startsWith("503 user"));
      const hint = "docs/reference/rights.md has the rules; the service begins as soon as they are granted";
      expect(answer).toBe(`503 user ${account.user} lacks rights ${says} (${hint})`);
      expect(readFileSync(service.logFile, "utf8")).toContain(JSON.stringify(says).slice(1, -1));
      await account.limit(undefined);
      await waitForReadiness(service, isReady);
      expectCalm(service);
    },
  );

  it("which is taken away while it works is not ready until it is given back", async () => {
    const place = await environment.namespace("withdrawn");
    const account = await createLimitedAccount(environment.client, { namespace: place.name, chart: "landscaper" });
    const service = await launch("landscaper-core", kubeconfigOf(account.token), folder);
    await waitForReadiness(service, isReady);
    await account.limit({ resource: "contexts", verbs: ["create"] });
    // The core makes a Context in each new namespace.
    const later = await environment.namespace("later");
    const answer = await waitForReadiness(service, (text) => text.startsWith("503"));
    expect(answer).toContain("lacks rights on the landscaper cluster: create contexts (landscaper.gardener.cloud)");
    await account.limit(undefined);
    await waitForReadiness(service, isReady);
    await later.until(resources.context, "default", (context) => context !== undefined);
    expectCalm(service);
  });

  it.each(["landscaper-core", "helm-deployer"] as const)("%s waits for credentials that are accepted", async (name) => {
    const service = await launch(name, kubeconfigOf("wrong"), folder);
    const refused = "503 the API server refuses the credentials of the service: POST ";
    expect(await waitForReadiness(service, (text) => text.startsWith(refused))).toMatch(/: 401 Unauthorized$/);
    expectCalm(service);
  });

  it.each(["landscaper-core", "manifest-deployer"] as const)("%s waits for a server that answers", async (name) => {
    const { hub } = environment;
    const upstream = { url: hub.url, ca: hub.ca };
    const proxy = await startApiProxy({ upstream, token: hub.serviceToken(name) });
    await proxy.goAway();
    const service = await launch(name, proxy.kubeconfig, folder);
    expect(await waitForReadiness(service, (text) => text.startsWith("503 POST"))).toMatch(
      new RegExp(`: no answer from ${proxy.url}/? \\(connection refused; start the server, or correct .*\\)$`),
    );
    await proxy.comeBack();
    await waitForReadiness(service, isReady);
    expectCalm(service);
    await service.stop();
    await proxy.stop();
  });

  it("waits for a certificate of a known authority", async () => {
    const { url } = environment.hub;
    const other = await startApiProxy({ upstream: { url, ca: undefined }, token: "any" });
    const certificate = /certificate-authority-data: (\S+)/.exec(other.kubeconfig)?.[1] ?? "";
    await other.stop();
    const ca = Buffer.from(certificate, "base64").toString("utf8");
    const kubeconfig = createKubeconfig({ name: "hub", server: url, ca, user: { token: "any" } });
    const service = await launch("mock-deployer", kubeconfig, folder);
    expect(await waitForReadiness(service, (text) => text.startsWith("503 POST"))).toMatch(/certificate/);
    expectCalm(service);
  });
});

describe.each(clustersUnderTest())("a service on a cluster without Landscaper, on %s", (name) => {
  let cluster: TestCluster;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "least-privilege-"));
    cluster = await startTestCluster(name, { api: false });
  });
  afterEach(stopAll);
  afterAll(async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true });
  });

  it("waits for the kinds that the core brings, and names them", async () => {
    const kubeconfigOf = (service: ServiceName): string =>
      createKubeconfig({
        name: "hub",
        server: cluster.url,
        ca: cluster.ca,
        user: { token: cluster.serviceToken(service) },
      });
    const deployer = await launch("manifest-deployer", kubeconfigOf("manifest-deployer"), folder);
    const absent = "503 the Landscaper is not installed on the landscaper cluster: it does not serve";
    await waitForReadiness(deployer, (text) => text.startsWith(absent));
    const core = await launch("landscaper-core", kubeconfigOf("landscaper-core"), folder);
    await waitForReadiness(core, isReady);
    await waitForReadiness(deployer, isReady);
    expectCalm(deployer);
    expectCalm(core);
  });
});

describe("a service whose port is the only thing that works", () => {
  const folders: string[] = [];
  afterEach(stopAll);
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  it("says what is wrong with its kubeconfig", async () => {
    const folder = mkdtempSync(join(tmpdir(), "least-privilege-"));
    folders.push(folder);
    const service = await launch("mock-deployer", "clusters: none\n", folder);
    await waitForReadiness(service, (text) =>
      /^503 no connection to the landscaper cluster: kubeconfig \/\S+\.kubeconfig: /.test(text),
    );
    expectCalm(service);
  });
});
