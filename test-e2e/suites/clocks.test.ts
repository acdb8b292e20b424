// Services whose clocks differ: nothing that one process waits for is measured by the clock of another (docs/adr/0048-measured-spans.md).
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources } from "@landscaper/api";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { helmItem, itemsInstallation, manifestItem } from "../src/installations/inline-installation.ts";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";

const minuteMs = 60_000;

describe.each(clustersUnderTest())("services whose clocks differ, on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core", "manifest-deployer", "helm-deployer"],
      clocksAheadMs: {
        // More than deployers have to pick an item up.
        "landscaper-core": 6 * minuteMs,
        "manifest-deployer": -60 * minuteMs,
        "helm-deployer": 60 * minuteMs,
      },
    });
  });
  afterAll(async () => environment.stop());

  const configMap = (name: string, namespace: string, value = "") => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace },
    data: { value },
  });

  it("install, change and uninstall", async () => {
    const scope = await environment.namespace("clocks");
    const namespace = scope.targetNamespace;
    await scope.apply(scope.target("target"));
    const install = async (value: string): Promise<void> => {
      const chart = await rawChart({ "templates/map.yaml": JSON.stringify(configMap("released", namespace, value)) });
      const applied = manifestItem({ name: "applied", manifests: [configMap("applied", namespace, value)] });
      const released = helmItem({ namespace, config: { chart }, item: { name: "released" } });
      await scope.apply(itemsInstallation([applied, released]));
      await scope.waitForPhase("root", "Succeeded");
    };
    const values = async (): Promise<readonly unknown[]> => {
      const names = ["applied", "released"];
      const found = await Promise.all(names.map(async (name) => scope.findOnTarget(kubeResources.configMap, name)));
      return found.map((object) => object?.data?.["value"]);
    };
    await install("one");
    expect(await values()).toEqual(["one", "one"]);
    await install("two");
    expect(await values()).toEqual(["two", "two"]);
    await environment.client.delete(resources.installation, { namespace: scope.name, name: "root" });
    await scope.untilGone(resources.installation, "root");
    expect(await values()).toEqual([undefined, undefined]);
  });

  it("keep a running job when another core takes over", async () => {
    const scope = await environment.namespace("clocks-change");
    const metadata = { name: "held", namespace: scope.targetNamespace, finalizers: ["example.org/held"] };
    await scope.apply(scope.target("target"));
    const held = manifestItem({ manifests: [{ apiVersion: "v1", kind: "ConfigMap", metadata }] });
    await scope.apply(itemsInstallation([held]));
    await scope.waitForPhase("root", "Succeeded");
    const name = (await scope.deployItems("root")).get("item")?.metadata.name ?? "";
    await environment.client.delete(resources.installation, { namespace: scope.name, name: "root" });
    await scope.until(resources.deployItem, name, (found) => found?.status?.phase === "Deleting");
    const core = environment.service("landscaper-core");
    await core.kill();
    await core.start();
    // The watchdog looks at the items that are there before it looks at one that comes later.
    const later = await environment.namespace("clocks-later");
    await later.apply(later.target("target"));
    await later.apply(itemsInstallation([manifestItem({ manifests: [configMap("later", later.targetNamespace)] })]));
    await later.waitForPhase("root", "Succeeded");
    expect((await scope.get(resources.deployItem, name)).status?.phase).toBe("Deleting");
    const key = { namespace: scope.targetNamespace, name: "held" };
    await environment.targetClient.patch(kubeResources.configMap, key, {
      type: "merge",
      body: { metadata: { finalizers: null } },
    });
    await scope.untilGone(resources.installation, "root");
  });
});
