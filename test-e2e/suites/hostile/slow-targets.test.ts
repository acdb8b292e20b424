// Targets that never answer, drip, refuse, or flood, beside those of a healthy tenant: who waits for whom, and what a deployer holds in memory.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { isJobOpen, resources, type DeployItem } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { readProcessUsage } from "../../bench/measure/process-usage.ts";
import { parsePrometheusText, sumBy } from "../../bench/measure/prometheus-text.ts";
import { drips, floods, largeList } from "../../hostile/answers.ts";
import type { HostileServer } from "../../hostile/hostile-server.ts";
import { startBlackHole, startHostileServer } from "../../hostile/hostile-server.ts";
import type { Environment } from "../../src/services/environment.ts";
import { startEnvironment } from "../../src/services/environment.ts";
import { itemsInstallation, manifestItem } from "../../src/installations/inline-installation.ts";
import { clustersUnderTest, isWholeRun } from "../../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../../src/namespaces/test-namespace.ts";

/** Items on each of the four dead targets: many more than the deployer has workers, or shares for a namespace. */
const itemsPerTarget = isWholeRun("hostile") ? 50 : 12;
const healthyInstallations = 5;

const workers = 2;
const shares = { perNamespace: 4, perServer: 3, total: 8 };
const configuration = {
  apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha2",
  kind: "Configuration",
  controller: { workers },
  targets: { shares, requests: { connectTimeout: "1s", answerTimeout: "1s", totalTimeout: "3s", maxObjectMiB: 1 } },
};

const configMap = (name: string, namespace: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace },
  data: { key: "value" },
});

const target = (name: string, kubeconfig: string) => ({
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "Target",
  metadata: { name },
  spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", config: { kubeconfig } },
});

const kinds = ["silent", "dripping", "refusing", "flooding"] as const;
type Kind = (typeof kinds)[number];

async function startServers(): Promise<Readonly<Record<Kind, HostileServer>>> {
  const refusing = await startBlackHole();
  await refusing.stop();
  return {
    silent: await startBlackHole(),
    dripping: await startHostileServer({ answer: drips(200) }),
    refusing,
    flooding: await startHostileServer({ answer: floods(largeList(1.5 * 2 ** 30)) }),
  };
}

describe.each(clustersUnderTest())(`${itemsPerTarget} items on each of four dead targets on %s`, (cluster) => {
  let environment: Environment;
  let servers: Readonly<Record<Kind, HostileServer>>;
  let hostile: TestNamespace;
  let healthy: TestNamespace;
  beforeAll(async () => {
    const services = ["landscaper-core", "manifest-deployer"] as const;
    environment = await startEnvironment({ cluster, services, configs: { "manifest-deployer": configuration } });
    servers = await startServers();
    hostile = await environment.namespace("hostile");
    healthy = await environment.namespace("healthy");
  });
  afterAll(async () => {
    const open = [servers.silent, servers.dripping, servers.flooding];
    await Promise.all(open.map(async (server) => server.stop()));
    await environment.stop();
  });

  const deployer = () => {
    const service = environment.services.find(({ pod }) => pod.startsWith("manifest-deployer"));
    if (service === undefined) throw new Error("the manifest deployer does not run");
    return service;
  };
  const metric = async (name: string): Promise<number> =>
    sumBy(parsePrometheusText(await deployer().metrics()), name, [])[""] ?? 0;
  const listItems = async (kind: Kind): Promise<readonly DeployItem[]> => {
    const items = await hostile.list(resources.deployItem);
    return items.filter(({ spec }) => spec.target?.name?.includes(kind) === true);
  };
  const errorsOf = (items: readonly DeployItem[]): string[] =>
    items.map(({ status }) => status?.lastError?.message ?? "");

  it("keep nobody waiting: a neighbour's jobs end while all of them are open", async () => {
    for (const kind of kinds) {
      await hostile.apply(target(kind, servers[kind].kubeconfig));
      const items = Array.from({ length: itemsPerTarget }, (_, index) =>
        manifestItem({
          name: `${kind}-${index}`,
          manifests: [configMap(`${kind}-${index}`, "default")],
          item: { timeout: "1h" },
        }),
      );
      await hostile.apply(itemsInstallation(items, { name: kind, target: kind }));
    }
    // All are picked up, although far more wait than the deployer has workers.
    await waitFor(async () => {
      const items = (await Promise.all(kinds.map(listItems))).flat();
      return (
        items.length === kinds.length * itemsPerTarget && items.every(({ status }) => status?.deployer !== undefined)
      );
    });
    await healthy.apply(healthy.target("target"));
    for (let index = 0; index < healthyInstallations; index++) {
      const item = manifestItem({ manifests: [configMap(`map-${index}`, healthy.targetNamespace)] });
      await healthy.apply(itemsInstallation([item], { name: `healthy-${index}` }));
    }
    for (let index = 0; index < healthyInstallations; index++)
      await healthy.waitForPhase(`healthy-${index}`, "Succeeded");
    for (const kind of ["silent", "dripping", "refusing"] as const) {
      const items = await listItems(kind);
      expect(items.map(({ status }) => isJobOpen(status))).toEqual(items.map(() => true));
    }
  });

  it("are tried again while their time lasts, and their status says what is wrong", async () => {
    const url = (kind: Kind): string => servers[kind].url;
    await waitFor(async () => {
      const [silent, dripping, refusing] = [
        errorsOf(await listItems("silent")),
        errorsOf(await listItems("dripping")),
        errorsOf(await listItems("refusing")),
      ];
      const rests = (kind: Kind) => (error: string) =>
        error.includes(`no answer from ${url(kind)} (the server did not answer `) &&
        error.includes("the next try is at ");
      return silent.some(rests("silent")) && refusing.some(rests("refusing")) && dripping.some(rests("dripping"));
    });
    expect(await metric("landscaper_circuit_openings_total")).toBeGreaterThanOrEqual(3);
  });

  it("hold no more connections than shares, also when they drip", () => {
    expect(servers.silent.mostConnections).toBeLessThanOrEqual(shares.perServer * 2);
    expect(servers.dripping.mostConnections).toBeLessThanOrEqual(shares.perServer * 2);
  });

  it("end for good when the answer is too large, and leave the deployer's memory alone", async () => {
    const items = await waitFor(async () => {
      const all = await listItems("flooding");
      return all.every(({ status }) => !isJobOpen(status)) ? all : undefined;
    });
    expect(new Set(errorsOf(items))).toEqual(
      new Set([
        expect.stringMatching(
          /^GET \/\S+: the answer of https:\/\/127\.0\.0\.1:\d+ is larger than the allowed \d+ bytes; ask for less, or raise targets\.requests\.maxObjectMiB in the configuration of the service$/,
        ),
      ]),
    );
    // Of 1.5 GB each little more was sent than the limit and what sockets buffer.
    expect(servers.flooding.sentBytes / items.length).toBeLessThan(64 * 2 ** 20);
    expect(readProcessUsage(deployer().child.pid).peakRssMiB).toBeLessThan(400);
  });

  it("have waited for shares, not for workers", async () => {
    expect(await metric("landscaper_share_waits_total")).toBeGreaterThan(0);
    expect(await metric("workqueue_depth")).toBeLessThanOrEqual(itemsPerTarget);
  });
});
