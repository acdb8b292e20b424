// The bench `neighbours` in small: who works beside hostile tenants gets its work done, and the services keep their Leases.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { largeList, floods } from "../../hostile/answers.ts";
import type { HostileServer } from "../../hostile/hostile-server.ts";
import { startBlackHole, startHostileServer } from "../../hostile/hostile-server.ts";
import { leasedServices, startLeasedServices, type Watched } from "../../hostile/leased-services.ts";
import type { Environment } from "../../src/services/environment.ts";
import { startEnvironment } from "../../src/services/environment.ts";
import { itemsInstallation, manifestItem } from "../../src/installations/inline-installation.ts";
import { clustersUnderTest, isWholeRun } from "../../src/clusters/selected-clusters.ts";

/** Items on dead targets; more than a deployer has workers when the suite runs whole. */
const deadItems = isWholeRun("hostile") ? 40 : 6;

const manifest = (name: string, namespace: string) => ({
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

describe.each(clustersUnderTest())(`${deadItems} items on dead targets on %s`, (cluster) => {
  let environment: Environment;
  let watched: Watched;
  const servers: HostileServer[] = [];
  beforeAll(async () => {
    const services = ["landscaper-core", "manifest-deployer"] as const;
    environment = await startEnvironment({ cluster, services, ...leasedServices });
    watched = await startLeasedServices(environment);
    servers.push(await startBlackHole(), await startHostileServer({ answer: floods(largeList(2 ** 30)) }));
  });
  afterAll(async () => {
    await Promise.all(servers.map(async (server) => server.stop()));
    await environment.stop();
  });

  it("fail by themselves, and neither a neighbour nor a Lease is hurt", async () => {
    const hostile = await environment.namespace("hostile");
    const healthy = await environment.namespace("healthy");
    for (const [index, { kubeconfig }] of servers.entries()) await hostile.apply(target(`dead-${index}`, kubeconfig));
    for (let index = 0; index < deadItems; index++) {
      const item = manifestItem({ manifests: [manifest("map", "default")], item: { timeout: "5s" } });
      await hostile.apply(
        itemsInstallation([item], { name: `dead-${index}`, target: `dead-${index % servers.length}` }),
      );
    }
    await healthy.apply(
      healthy.target("target"),
      itemsInstallation([manifestItem({ manifests: [manifest("map", healthy.targetNamespace)] })]),
    );
    await healthy.waitForPhase("root", "Succeeded");
    for (let index = 0; index < deadItems; index++) await hostile.waitForPhase(`dead-${index}`, "Failed");
    expect(await watched.findDisturbances()).toEqual([]);
    const held = (await watched.read()).flatMap(({ leases }) => leases.map(({ name }) => name));
    expect(held.toSorted()).toEqual([
      "landscaper-core-central",
      "landscaper-core-main",
      expect.stringContaining("manifest-deployer-0"),
    ]);
  });
});
