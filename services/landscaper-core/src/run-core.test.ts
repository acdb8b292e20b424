import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources } from "@landscaper/api";
import { findFreePorts, startEmbeddedCluster, waitFor, type EmbeddedCluster } from "@landscaper/testkit";
import { runCore } from "./run-core.ts";
import { deployItems, installation } from "../test/objects.ts";

const namespace = "ls-system";
const configuration = `
lsDeployments: { lsController: landscaper, deploymentsNamespace: ${namespace}, lsHealthCheckName: health }
`;

const leases = async ({ client }: Side) =>
  (await client.list(kubeResources.lease)).items.map(({ metadata }) => metadata.name ?? "").toSorted();

interface Side extends EmbeddedCluster {
  /** File with its kubeconfig. */
  readonly path: string;
}

const folder = mkdtempSync(join(tmpdir(), "run-core-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function startSide(name: string): Promise<Side> {
  const cluster = await startEmbeddedCluster();
  const path = join(folder, name);
  writeFileSync(path, cluster.server.kubeconfig);
  return { ...cluster, path };
}

describe("a core whose resources live in another cluster than itself (core.md §1.4 no. 95)", () => {
  const stop = new AbortController();
  let host: Side;
  let hub: Side;
  let running: Promise<void>;
  let port: number;

  beforeAll(async () => {
    [host, hub] = await Promise.all([startSide("host"), startSide("hub")]);
    await host.client.create(kubeResources.namespace, {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: namespace },
    });
    const config = join(folder, "config.yaml");
    writeFileSync(config, configuration);
    const flags = ["--kubeconfig", host.path, "--landscaper-kubeconfig", hub.path, "--config", config];
    [port = 0] = await findFreePorts(1);
    const argv = [...flags, "--leader-elect", "--metrics-port", `${port}`, "-v", "silent"];
    running = runCore({ argv, env: { MY_POD_NAMESPACE: namespace, MY_POD_NAME: "core-0" } }, stop.signal);
  });
  afterAll(async () => {
    stop.abort(new Error("stop"));
    await running;
    await Promise.all([host, hub].map((side) => side.stop()));
  });

  it("does the work of the one", async () => {
    const key = { namespace: "default", name: "root" };
    await waitFor(async () => (await hub.client.find(resources.context, { ...key, name: "default" })) !== undefined);
    const root = installation({ name: "root", blueprint: {} });
    await hub.client.create(resources.installation, { ...root, metadata: { ...root.metadata, ...key } });
    await waitFor(async () => (await hub.client.get(resources.installation, key)).status?.phase === "Succeeded");
  });

  it("keeps what is about itself in the other", async () => {
    const health = { namespace, name: "health" };
    await waitFor(async () => (await host.client.find(resources.lsHealthCheck, health)) !== undefined);
    expect(await leases(host)).toEqual(["landscaper-core", "landscaper-core-central", "landscaper-core-main"]);
    expect(await leases(hub)).toEqual([]);
    // Both clusters have a namespace of this name; agents read Secrets only on the landscaper cluster.
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics).toContain("\nlandscaper_core_in_deployer_namespace 0\n");
    expect((await hub.client.list(resources.lsHealthCheck)).items).toEqual([]);
    const crds = (await host.client.list(kubeResources.customResourceDefinition)).items;
    expect(crds.map(({ spec }) => spec.names.kind).toSorted()).toEqual(["CriticalProblems", "LsHealthCheck"]);
  });
});

describe("a core beside its objects", () => {
  const stop = new AbortController();
  const running: Promise<void>[] = [];
  let hub: Side;

  beforeAll(async () => {
    hub = await startSide("beside");
    for (const name of ["ls-system", "landscaper-system"]) {
      await hub.client.create(kubeResources.namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
    }
  });
  afterAll(async () => {
    stop.abort(new Error("stop"));
    await Promise.all(running);
    await hub.stop();
  });

  /** What a core in this namespace answers once it is ready. */
  async function answersIn(podNamespace: string): Promise<{ readonly ready: string; readonly metric: string }> {
    const [port = 0] = await findFreePorts(1);
    const argv = ["--kubeconfig", hub.path, "--metrics-port", `${port}`, "-v", "silent"];
    running.push(runCore({ argv, env: { MY_POD_NAMESPACE: podNamespace } }, stop.signal));
    const get = async (path: string): Promise<Response> => await fetch(`http://127.0.0.1:${port}${path}`);
    const ready = await waitFor(async () => {
      const answer = await get("/readyz?verbose");
      return answer.ok ? await answer.text() : undefined;
    });
    const metric = /^landscaper_core_in_deployer_namespace .*$/m.exec(await (await get("/metrics")).text())?.[0];
    return { ready, metric: metric ?? "" };
  }

  it("says on /readyz?verbose and in a metric that it runs in the namespace of deployer management", async () => {
    const { ready, metric } = await answersIn("ls-system");
    expect(ready).toContain("the core runs in the namespace of deployer management");
    expect(metric).toBe("landscaper_core_in_deployer_namespace 1");
  });

  it("says nothing of the kind in a namespace of its own", async () => {
    const { ready, metric } = await answersIn("landscaper-system");
    expect(ready).not.toContain("namespace");
    expect(metric).toBe("landscaper_core_in_deployer_namespace 0");
  });
});

describe("a core in two processes (core.md §3.5 LANDSCAPER_MODE)", () => {
  const stop = new AbortController();
  const running: Promise<void>[] = [];
  let hub: Side;

  function start(mode: string): void {
    const config = join(folder, `${mode}.yaml`);
    writeFileSync(config, "deployItemTimeouts: { pickup: 1s }\n");
    const argv = ["--kubeconfig", hub.path, "--config", config, "-v", "silent"];
    running.push(runCore({ argv, env: { LANDSCAPER_MODE: mode } }, stop.signal));
  }

  beforeAll(async () => {
    hub = await startSide("both");
  });
  afterAll(async () => {
    stop.abort(new Error("stop"));
    await Promise.all(running);
    await hub.stop();
  });

  it("shares the work: Installations here, Contexts and the watchdog there", async () => {
    const key = { namespace: "default", name: "root" };
    const find = async () => (await hub.client.find(resources.installation, key))?.status;
    start("main");
    await waitFor(async () => (await hub.client.list(kubeResources.customResourceDefinition)).items.length > 0);
    const deploy = deployItems({ name: "item", type: "test/nobody" });
    const root = installation({ name: "root", blueprint: { deploy } });
    await waitFor(async () => {
      await hub.client.create(resources.installation, { ...root, metadata: { ...root.metadata, ...key } });
      return true;
    });
    await waitFor(async () => (await find())?.lastError?.reason === "CalculateContext");
    expect((await hub.client.list(resources.context)).items).toEqual([]);
    start("central-landscaper");
    await waitFor(async () => (await find())?.phase === "Failed");
    const [item] = (await hub.client.list(resources.deployItem)).items;
    expect(item?.status?.lastError?.reason).toBe("PickupTimeout");
    expect((await find())?.lastError?.message).toContain("no deployer has reconciled this deployitem within 1 seconds");
  });
});
