import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, mockDeployerConfigurationSchema } from "@landscaper/api";
import { createKubeconfig, startEmbeddedCluster, waitFor } from "@landscaper/testkit";
import type { Deployer } from "./deployer-interface.ts";
import { runDeployerService, type DeployerConfiguration, type DeployerServiceOptions } from "./run-deployer-service.ts";
import { createDeployerFixture, type DeployerFixture } from "../test/index.ts";

const type = "landscaper.gardener.cloud/service-test";
const deployer: Deployer = {
  type,
  name: "service-test.deployer",
  version: "v1",
  parseConfig: (value) => value,
  reconcile: () => Promise.resolve({ type: "succeeded" }),
  delete: () => Promise.resolve("done"),
};

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("the process of a deployer", () => {
  let fixture: DeployerFixture;
  let folder: string;
  beforeAll(async () => {
    fixture = await createDeployerFixture();
    folder = await mkdtemp(join(tmpdir(), "deployer-service-"));
    await writeFile(join(folder, "kubeconfig"), fixture.hub.kubeconfig);
  });
  afterAll(async () => {
    await fixture.stop();
    await rm(folder, { recursive: true });
  });

  type Options = Partial<Pick<DeployerServiceOptions<unknown, DeployerConfiguration>, "env" | "embed">>;

  function run(
    argv: readonly string[],
    signal: AbortSignal,
    { deployer: own = deployer, env = {}, ...others }: Options & { readonly deployer?: Deployer } = {},
  ): Promise<void> {
    const leases = argv.includes("--lease-namespace") ? [] : ["--lease-namespace", "default"];
    return runDeployerService<unknown, DeployerConfiguration>(
      {
        configuration: mockDeployerConfigurationSchema,
        createDeployer: () => own,
        host: () => ({
          namespace: "pods",
          rights: [{ group: "", resources: ["pods"], verbs: ["create"], why: "Test." }],
        }),
        argv: ["--kubeconfig", join(folder, "kubeconfig"), "-v", "silent", ...leases, ...argv],
        env,
        ...others,
      },
      signal,
    );
  }

  it("works, tells its health and metrics, and ends when it is told to", async () => {
    const scope = await fixture.scope("service");
    const stopping = new AbortController();
    const port = await freePort();
    const running = run(["--metrics-port", String(port)], stopping.signal);
    const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`);
    await waitFor(async () => (await get("/readyz")).ok);
    await scope.create({ name: "item", spec: { type, config: { apiVersion: "x", kind: "y" } } });
    const { status } = await scope.waitForEnd("item");
    expect(status?.phase).toBe("Succeeded");
    expect(status?.deployer?.identity).toMatch(new RegExp(`^service-test\\.deployer/${hostname()}-[0-9a-f-]{36}$`));
    expect((await get("/healthz")).status).toBe(200);
    expect(await (await get("/metrics")).text()).toContain('controller="service-test.deployer"');
    stopping.abort(new Error("the test ends"));
    await running;
  });

  it("closes its deployer when it ends, after the work on items", async () => {
    const scope = await fixture.scope("closing");
    const steps: string[] = [];
    const own: Deployer = {
      ...deployer,
      reconcile: async ({ signal }) => {
        steps.push("works");
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        steps.push("is stopped");
        signal.throwIfAborted();
        return { type: "succeeded" };
      },
      close: async () => void steps.push("is closed"),
    };
    const stopping = new AbortController();
    const running = run(["--metrics-port", "0"], stopping.signal, { deployer: own });
    await scope.create({ name: "item", spec: { type, config: { apiVersion: "x", kind: "y" } } });
    await waitFor(() => Promise.resolve(steps.length > 0));
    stopping.abort(new Error("the test ends"));
    await running;
    expect(steps).toEqual(["works", "is stopped", "is closed"]);
  });

  it("closes its deployer when it does not come as far as to work", async () => {
    let closed = 0;
    const own: Deployer = { ...deployer, close: async () => void closed++ };
    const embed = (): never => {
      throw new Error("not like this");
    };
    const running = run([], new AbortController().signal, { deployer: own, embed });
    await expect(running).rejects.toThrow("not like this");
    expect(closed).toBe(1);
  });

  it("takes identity and selectors from its configuration file", async () => {
    const scope = await fixture.scope("configured");
    const config = join(folder, "config.yaml");
    const selector = "{labels: [{key: environment, operator: ==, values: [blue]}]}";
    await writeFile(config, `identity: blue-deployer\ntargetSelector: [${selector}]\ncontroller: {workers: 2}\n`);
    const stopping = new AbortController();
    const running = run(["--metrics-port", "0", "--config", config], stopping.signal, {
      env: { MY_POD_NAME: "pod-0" },
    });
    await scope.createTarget({ metadata: { name: "green", labels: { environment: "green" } } });
    await scope.createTarget({ metadata: { name: "blue", labels: { environment: "blue" } } });
    const spec = { type, config: { apiVersion: "x", kind: "y" } };
    await scope.create({ name: "green", spec: { ...spec, target: { name: "green" } } });
    await scope.create({ name: "blue", spec: { ...spec, target: { name: "blue" } } });
    expect((await scope.waitForEnd("blue")).status?.deployer?.identity).toBe("blue-deployer/pod-0");
    expect((await scope.get("green")).status?.phase).toBe(undefined);
    stopping.abort(new Error("the test ends"));
    await running;
  });

  it("shares its items with other replicas", async () => {
    const scope = await fixture.scope("sharing");
    const config = join(folder, "sharing.yaml");
    await writeFile(config, "identity: shared-deployer\n");
    const stopping = new AbortController();
    const flags = ["--lease-namespace", scope.namespace, "--lease-duration", "20s"];
    const argv = ["--metrics-port", "0", "--config", config, ...flags];
    const running = ["pod-0", "pod-1"].map((pod) => run(argv, stopping.signal, { env: { MY_POD_NAME: pod } }));
    const leases = async () =>
      (await fixture.hubClient.list(kubeResources.lease, { namespace: scope.namespace })).items;
    const describeLeases = async () =>
      (await leases()).map(({ metadata, spec }) => [metadata.name, spec?.holderIdentity, spec?.leaseDurationSeconds]);
    const names = ["pod-0", "pod-1"].map((pod) => expect.stringMatching(`^${pod}\\.service-test\\.deployer\\.`));
    await waitFor(async () => (await leases()).length === 2);
    expect(await describeLeases()).toEqual([
      [names[0], "shared-deployer/pod-0", 20],
      [names[1], "shared-deployer/pod-1", 20],
    ]);
    await scope.create({ name: "item", spec: { type, config: { apiVersion: "x", kind: "y" } } });
    expect((await scope.waitForEnd("item")).status?.deployer?.identity).toMatch(/^shared-deployer\/pod-[01]$/);
    stopping.abort(new Error("the test ends"));
    await Promise.all(running);
    expect((await describeLeases()).map(([, holder]) => holder)).toEqual(["", ""]);
  });

  /** Starts it, and waits until /readyz answers 503 with this text. */
  async function expectNotReady(
    argv: readonly string[],
    text: string,
  ): Promise<{ url: string; end: () => Promise<void> }> {
    const stopping = new AbortController();
    const port = await freePort();
    const running = run(["--metrics-port", String(port), ...argv], stopping.signal);
    const url = `http://127.0.0.1:${port}`;
    let answer = "";
    await waitFor(async () => {
      const got = await fetch(`${url}/readyz`);
      answer = `${got.status} ${await got.text()}`;
      return answer.startsWith(`503 ${text}`);
    }).catch(() => {
      throw new Error(`expected 503 ${text}, found ${answer}`);
    });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    return {
      url,
      end: async () => {
        stopping.abort(new Error("the test ends"));
        await running;
      },
    };
  }

  const isReady = async (url: string): Promise<boolean> => (await fetch(`${url}/readyz`)).ok;

  it("is not ready until the namespace of the Leases is there", async () => {
    const { url, end } = await expectNotReady(
      ["--lease-namespace", "later"],
      "the namespace later of the landscaper cluster does not exist: the Leases of its deployers are there (create it, or name another namespace with --lease-namespace, the same for all deployers of the cluster)",
    );
    await fixture.hubClient.create(kubeResources.namespace, {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "later" },
    });
    await waitFor(async () => await isReady(url));
    await end();
  });

  it("is not ready until the landscaper cluster answers", async () => {
    fixture.hub.setFault(() => ({ status: 503 }));
    const { url, end } = await expectNotReady([], "POST /apis/authorization.k8s.io/v1/selfsubjectrulesreviews: 503");
    fixture.hub.setFault(undefined);
    await waitFor(async () => await isReady(url));
    await end();
  });

  it("is not ready until it has its rights on the cluster that it runs in, where that is another one", async () => {
    const host = await startEmbeddedCluster({ authorization: "rbac" });
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "deployer", namespace: "default" } };
    await host.client.create(kubeResources.serviceAccount, account);
    const path = "/api/v1/namespaces/default/serviceaccounts/deployer/token";
    const answer = await host.client.request({ method: "POST", path, body: { spec: {} } });
    const { status } = answer as { readonly status: { readonly token: string } };
    const kubeconfig = createKubeconfig({ name: "host", server: host.server.url, ca: host.server.caPem, user: status });
    await writeFile(join(folder, "host"), kubeconfig);
    const argv = ["--landscaper-kubeconfig", join(folder, "kubeconfig"), "--kubeconfig", join(folder, "host")];
    const { url, end } = await expectNotReady(
      argv,
      "user system:serviceaccount:default:deployer lacks rights in namespace pods of the cluster that the deployer runs in: create pods",
    );
    const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["create"] }];
    await host.createNamespace("pods");
    const metadata = { name: "deployer", namespace: "pods" };
    const group = "rbac.authorization.k8s.io";
    await host.client.create(kubeResources.role, { apiVersion: `${group}/v1`, kind: "Role", metadata, rules });
    await host.client.create(kubeResources.roleBinding, {
      apiVersion: `${group}/v1`,
      kind: "RoleBinding",
      metadata,
      roleRef: { apiGroup: group, kind: "Role", name: "deployer" },
      subjects: [{ kind: "ServiceAccount", name: "deployer", namespace: "default" }],
    });
    await waitFor(async () => await isReady(url));
    await end();
    await host.stop();
  });

  it("stays while its kubeconfig cannot be used, and says so", async () => {
    const missing = join(folder, "missing");
    const { end } = await expectNotReady(
      ["--landscaper-kubeconfig", missing],
      `no connection to the landscaper cluster: kubeconfig: the file ${missing} cannot be read (ENOENT)`,
    );
    await expect(end()).rejects.toThrow("the test ends");
  });

  it("does not start with a configuration that is wrong", async () => {
    const config = join(folder, "wrong.yaml");
    await writeFile(config, "controller: {workers: none}\n");
    await expect(run(["--config", config], new AbortController().signal)).rejects.toThrow(
      `${config}: not a valid Configuration: controller.workers: expected an integer, found a string`,
    );
  });

  it("does not start without a cluster to talk to", async () => {
    const missing = join(folder, "missing");
    await expect(run(["--landscaper-kubeconfig", missing], new AbortController().signal)).rejects.toThrow(
      `no connection to the landscaper cluster: kubeconfig: the file ${missing} cannot be read (ENOENT)`,
    );
  });
});
